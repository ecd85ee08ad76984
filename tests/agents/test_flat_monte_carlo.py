"""The search plays legally, by what its seat may know alone, and as it did when it was frozen."""

import hashlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents import flat_monte_carlo
from agents.at_table import AtTable
from agents.flat_monte_carlo import FlatMonteCarlo
from agents.play import play_deals
from mjenv import make_agent
from mjenv.core.game import Views
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.table import Table

QQ = Rules.preset("qq")

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")


def questions(rules: Rules, seeds: range) -> Iterator[Table]:
    """Tables where somebody has a choice, a few of every deal."""
    for seed in seeds:
        table, rng = Table(rules, seed), np.random.default_rng(seed)
        while not table.over:
            menu = np.flatnonzero(table.legal_mask())
            if len(menu) > 1 and rng.random() < 0.1:
                yield table
            table.step(int(rng.choice(menu)))


@pytest.mark.parametrize("preset", PRESETS)
def test_it_chooses_the_same_whatever_the_others_hold(preset: str) -> None:
    rules = Rules.preset(preset)
    player, greedy = AtTable(FlatMonteCarlo(48), rules), AtTable(make_agent("greedy/1"), rules)
    differs, deviates = 0, 0
    for number, table in enumerate(questions(rules, range(3))):
        chosen = player(table)
        assert table.legal_mask()[chosen] == 1
        other = table.redeal_hidden(table.actor, number)
        # Worlds are drawn by the generator of the decision, which goes by the seed of the deal.
        asked = table.view(table.actor), other.view(table.actor)
        answers = [
            FlatMonteCarlo(48).act(
                Views(view, rules.pack()), table.legal_mask()[None], np.array([7], np.uint64)
            )[0]
            for view in asked
        ]
        assert answers[0] == answers[1]
        differs += int((other.state["hand"] != table.state["hand"]).any())
        deviates += chosen != greedy(table)
    assert differs > 8
    assert deviates > 0


@pytest.mark.parametrize(
    ("gains", "leaves"),
    [((0, 0), False), ((0, 2), True), ((-20, 21), False), ((-2, -1), False)],
)
def test_an_action_must_be_better_by_two_standard_errors(
    monkeypatch: pytest.MonkeyPatch, gains: tuple[int, int], leaves: bool
) -> None:
    """Of own units, in the same worlds; what the others win counts for nothing."""
    table = next(questions(QQ, range(3, 4)))
    menu, chosen = np.flatnonzero(table.legal_mask()), AtTable(make_agent("greedy/1"), QQ)(table)
    other = next(action for action in menu if action != chosen)

    def told(view: Any, bot: Any, worlds: int, actions: np.ndarray, **options: Any) -> np.ndarray:
        units = np.zeros((1, actions.shape[1], worlds, 4), np.int32)
        units[..., table.actor] = np.arange(worlds) % 7  # the same for every action
        units[0, actions[0] == other, :, table.actor] += np.resize(gains, worlds)
        units[..., (table.actor + 1) % 4] = 100
        return units

    monkeypatch.setattr(flat_monte_carlo, "rollout", told)
    assert AtTable(FlatMonteCarlo(), QQ)(table) == (other if leaves else chosen)


def test_it_answers_the_same_alone_and_in_a_batch() -> None:
    tables = [table.clone() for table in questions(QQ, range(2))]
    views = np.concatenate([table.view(table.actor) for table in tables])
    masks = np.array([table.legal_mask() for table in tables])
    rng = np.arange(1, len(tables) + 1, dtype=np.uint64)
    player = FlatMonteCarlo(16)
    together = player.act(Views(views, QQ.pack()), masks, rng.copy())
    for i in range(len(tables)):
        alone = player.act(Views(views[i : i + 1], QQ.pack()), masks[i : i + 1], rng[i : i + 1])
        assert alone[0] == together[i]


def test_it_is_frozen() -> None:
    """What it does in one deal against three others, seat and worlds included."""
    played = play_deals(["flat_monte_carlo/1", "greedy/1", "greedy/1", "greedy/1"], "qq", 1, seed=8)
    told = [
        played.finished[field].tobytes() for field in ("discard_kind", "discard_fate", "points")
    ]
    assert hashlib.sha256(b"".join(told)).hexdigest()[:16] == "4f1fddc46ad9588c"
