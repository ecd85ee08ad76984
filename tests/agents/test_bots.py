"""What every bot promises: legal answers everywhere, the same answers always, from a view alone."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.play import play_deals
from agents.statistics import summary
from mjenv.core.game import Views
from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.questions import policy_streams
from mjenv.core.rng import Stream, new_generator, start_stream
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.statistics import deal_statistics
from tests.agents.houses import random_house
from tests.agents.lockstep import Asked, answers, lockstep
from tests.agents.registered import BOTS, SLOW, deals_for, each_bot, kernel_of

DEALS = 1 if JIT_DISABLED else 25
HOUSES = 2 if JIT_DISABLED else 60
WORLDS = 1 if JIT_DISABLED else 6
SAMPLE = 10  # questions that each bot answers uncompiled
SLOW_SAMPLE, FEW_TILES = 4, 8  # fewer of a slow bot, with at most so many tiles in the wall


def views_of(asked: Asked) -> np.ndarray:
    """What each seat that is asked is shown."""
    views = np.zeros(len(asked.tables), SICHUAN.view_dtype)
    for i in np.flatnonzero(asked.at_play):
        seat = int(asked.tables["actor"][i])
        SICHUAN.view_at(asked.tables, i, asked.rules_of(i), seat, views[i : i + 1])
    return views


def generators_of(asked: Asked) -> np.ndarray:
    """The generator of each decision."""
    rng = np.ones(len(asked.tables), np.uint64)
    policy_streams(asked.tables, np.maximum(asked.tables["actor"], 0), rng)
    return rng


def assert_legal(asked: Asked) -> None:
    chosen = asked.masks[np.arange(len(asked.actions)), asked.actions]
    assert (chosen[asked.at_play] == 1).all()


@each_bot
@pytest.mark.parametrize("preset", PRESETS)
def test_answers_are_legal_in_every_preset(name: str, preset: str) -> None:
    for asked in lockstep(kernel_of(name), [Rules.preset(preset)], deals_for(name, DEALS), seed=78):
        assert_legal(asked)


@each_bot
def test_answers_are_legal_under_house_rules(name: str) -> None:
    rng = random.Random(name)
    houses = [random_house(rng) for _ in range(HOUSES)]
    for asked in lockstep(kernel_of(name), houses, deals_for(name, HOUSES), seed=79):
        assert_legal(asked)


@each_bot
def test_answers_are_legal_in_hands_that_another_bot_played(name: str) -> None:
    """Hands of random play: melds of three suits, void tiles to the end, complete hands kept."""
    rng = random.Random(3)
    houses = [random_house(rng) for _ in range(HOUSES)]
    for asked in lockstep(kernel_of("random_legal/1"), houses, deals_for(name, HOUSES), seed=5):
        assert_legal(replace(asked, actions=answers(asked, kernel_of(name))))


@each_bot
def test_its_kernel_takes_a_view(name: str) -> None:
    """There is no way to hand it a table."""
    assert kernel_of(name).takes[0] == SICHUAN.view_dtype
    assert kernel_of(name).takes == SICHUAN.bot_signature[0]


@each_bot
@pytest.mark.parametrize("preset", PRESETS)
def test_an_answer_does_not_depend_on_hidden_tiles(name: str, preset: str) -> None:
    """The other hands and the wall are dealt anew: same answer. Nothing else is shown to it."""
    luts, bot, changed = SICHUAN.luts(), BOTS[name], 0
    view, hidden = np.zeros(1, SICHUAN.view_dtype), new_generator()
    for asked in lockstep(
        kernel_of(name), [Rules.preset(preset)], deals_for(name, WORLDS), seed=80
    ):
        rng = generators_of(asked)
        for i in np.flatnonzero(asked.at_play):
            seat, other = int(asked.tables["actor"][i]), asked.tables[i : i + 1].copy()
            start_stream(hidden, 9, int(rng[i] >> np.uint64(1)), Stream.HIDDEN)
            SICHUAN.redeal_at(other, 0, asked.rules, luts, seat, hidden)
            changed += not np.array_equal(other["hand"], asked.tables["hand"][i : i + 1])
            SICHUAN.view_at(other, 0, asked.rules, seat, view)
            drawn = rng[i : i + 1].copy()
            answer = bot.act(Views(view, asked.rules), asked.masks[i : i + 1], drawn)
            assert answer[0] == asked.actions[i]
    assert changed > 10


@each_bot
def test_one_at_a_time_is_as_in_a_batch_and_again(name: str) -> None:
    """`act` on each view, on all at once, and the batch loop with the kernel."""
    bot, number = BOTS[name], 0
    for asked in lockstep(kernel_of(name), [Rules.preset("sichuan_modern")], WORLDS, seed=81):
        views, rng = views_of(asked), generators_of(asked)
        on = asked.at_play
        for _ in range(2):
            given = Views(views[on].copy(), asked.rules)
            together = bot.act(given, asked.masks[on], rng[on].copy())
            assert together.tolist() == asked.actions[on].tolist()
        for i in np.flatnonzero(on):
            one = slice(i, i + 1)
            alone = bot.act(Views(views[one], asked.rules), asked.masks[one], rng[one].copy())
            assert alone[0] == asked.actions[i]
            number += 1
    assert number > 30 * WORLDS


@each_bot
def test_what_it_is_given_stays_as_it_was(name: str) -> None:
    for asked in lockstep(kernel_of(name), [Rules.preset("qq")], 2, seed=82):
        on = asked.at_play
        views, masks, rules = views_of(asked)[on], asked.masks[on].copy(), asked.rules.copy()
        before = views.tobytes(), masks.tobytes(), rules.tobytes()
        BOTS[name].act(Views(views, rules), masks, generators_of(asked)[on])
        assert (views.tobytes(), masks.tobytes(), rules.tobytes()) == before


PLAIN = """
import sys
import numpy as np
from mjenv.core.game import Views
from mjenv.core.kernel import JIT_DISABLED
from mjenv.registry import make_agent

assert JIT_DISABLED
for name, questions in np.load(sys.argv[1], allow_pickle=True).item().items():
    views, rules, masks, rng, actions = questions
    plain = make_agent(name).act(Views(views, rules), masks, rng)
    assert plain.tolist() == actions.tolist(), (name, plain, actions)
    print(name)
"""


def sample(name: str) -> tuple[np.ndarray, ...]:
    """Questions with a choice, from deals under two rules, and the answers."""
    found: list[tuple[np.ndarray, ...]] = []
    rules = [Rules.preset("sichuan_modern"), Rules.preset("standalone")]
    for asked in lockstep(kernel_of(name), rules, 40, seed=83):
        views, rng = views_of(asked), generators_of(asked)
        asks = asked.at_play & (asked.masks.sum(axis=1) > 1)
        if name in SLOW:  # what looks ahead to the end of the wall takes seconds uncompiled
            asks &= views["wall_count"] <= FEW_TILES
        for i in np.flatnonzero(asks):
            one = slice(i, i + 1)
            question = (views[one], asked.rules_of(i), asked.masks[one], rng[one])
            found.append(tuple(part.copy() for part in (*question, asked.actions[one])))
    chosen = random.Random(name).sample(found, SLOW_SAMPLE if name in SLOW else SAMPLE)
    return tuple(np.concatenate(part) for part in zip(*chosen, strict=True))


@pytest.mark.skipif(JIT_DISABLED, reason="this is the uncompiled run")
def test_compiled_and_plain_answer_the_same(tmp_path: Path) -> None:
    questions = {name: sample(name) for name in BOTS}
    np.save(tmp_path / "questions.npy", np.array(questions, object), allow_pickle=True)
    root = Path(__file__).parents[2]
    plain = subprocess.run(
        [sys.executable, "-c", PLAIN, str(tmp_path / "questions.npy")],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.split() == list(BOTS)


@pytest.mark.skipif(JIT_DISABLED, reason="too slow uncompiled")
def test_greedy_beats_three_random_players() -> None:
    """One greedy seat, in turn every seat: more than a unit a deal, surely above nothing."""
    greedy, uniform = BOTS["greedy/1"], BOTS["random_legal/1"]
    played = play_deals([greedy, uniform, uniform, uniform], "qq", 400, seed=1, rotate=True)
    result = summary(deal_statistics(played.finished), played.seats_of(0))
    assert result["units_per_deal"] > 1
    assert result["units_per_deal"] - 1.96 * result["units_error"] > 0
    assert result["win_rate"] > 0.6
