"""The example of a search plays legally, and by what its seat may know alone."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from agents.at_table import AtTable
from mjenv import make_agent
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.rules import Rules
from mjenv.table import Table

EXAMPLE = Path(__file__).parents[2] / "examples" / "flat_monte_carlo.py"
QQ = Rules.preset("qq")

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")


@pytest.fixture(scope="module")
def example():
    spec = importlib.util.spec_from_file_location("example_of_search", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def questions(seeds):
    """Tables where somebody has a choice, a few of every deal."""
    for seed in seeds:
        table, rng = Table(QQ, seed), np.random.default_rng(seed)
        while not table.over:
            menu = np.flatnonzero(table.legal_mask())
            if len(menu) > 1 and rng.random() < 0.1:
                yield table
            table.step(int(rng.choice(menu)))


def test_it_chooses_the_same_whatever_the_others_hold(example):
    player = example.FlatMonteCarlo(QQ, worlds=48)
    greedy = AtTable(make_agent("greedy/1"), QQ)
    differs, deviates = 0, 0
    for number, table in enumerate(questions(range(5))):
        before = table.state.tobytes()
        chosen = player(table)
        assert table.legal_mask()[chosen] == 1
        assert table.state.tobytes() == before
        other = table.redeal_hidden(table.actor, number)
        assert player(other) == chosen
        differs += (other.state["hand"] != table.state["hand"]).any()
        deviates += chosen != greedy(table)
    assert differs > 15
    assert deviates > 0


@pytest.mark.parametrize(
    ("gains", "leaves"),
    [((0, 0), False), ((0, 2), True), ((-20, 21), False), ((-2, -1), False)],
)
def test_an_action_must_be_better_by_two_standard_errors(example, monkeypatch, gains, leaves):
    """Of own units, in the same worlds; what the others win counts for nothing."""
    table = next(questions([3]))
    player = example.FlatMonteCarlo(QQ)
    menu, chosen = np.flatnonzero(table.legal_mask()), player.bot(table)
    other = next(action for action in menu if action != chosen)

    def told(tables, bot, worlds, actions, **options):
        units = np.zeros((len(actions), worlds, 4), np.int32)
        units[..., table.actor] = np.arange(worlds) % 7  # the same for every action
        units[actions == other, :, table.actor] += np.resize(gains, worlds)
        units[..., (table.actor + 1) % 4] = 100
        return units

    monkeypatch.setattr(example, "rollout", told)
    assert player(table) == (other if leaves else chosen)


def test_it_plays_the_bot(example, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["flat_monte_carlo.py", "--deals", "3", "--worlds", "8"])
    example.main()
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("3 deals: ")
    assert " units a deal (standard error " in line
    assert " more than greedy/1 in the same seats of the same deals; " in line
