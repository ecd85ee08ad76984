"""What every bot promises: legal answers everywhere, the same answers always, from a view alone."""

import os
import random
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from agents.greedy import Greedy
from agents.play import play_deals
from agents.random_legal import RandomLegal
from agents.statistics import summary
from mjenv.agent import CompiledBot
from mjenv.core.batch import choose_all
from mjenv.core.game import Views
from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.rng import Stream, new_generator, start_stream
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.statistics import deal_statistics
from tests.agents.houses import random_house
from tests.agents.solo import digest, questions

BOTS = (Greedy(), RandomLegal())
DEALS = 1 if JIT_DISABLED else 25
HOUSES = 2 if JIT_DISABLED else 60

# Frozen: a bot that answers otherwise is another version of it.
GOLDEN = {
    ("greedy/1", "standalone"): "77227861 75aa23e9 a8990730 411ca445 2d6960b7 4c9960d9",
    ("greedy/1", "standalone_single"): "aff2b996 eb9a1669 3b285c9e c151b579 59b4a554 ac20f5a4",
    ("greedy/1", "qq"): "18f93304 cad64842 22633eff ba3b1a94 426e6709 bbe3de44",
    ("greedy/1", "sichuan_modern"): "1a3045aa 9710e58a e4c0a503 0118234b 25263986 d5726ccd",
    ("random_legal/1", "standalone"): "0de86e48 2143e97d b97c6f6a 7bb17240 b9b2311f f62a0892",
    (
        "random_legal/1",
        "standalone_single",
    ): "0de86e48 2143e97d b97c6f6a 7bb17240 b9b2311f f62a0892",
    ("random_legal/1", "qq"): "a57603f2 0ba12a6d 1c3f4047 8619de75 3a367c6f cf2034aa",
    ("random_legal/1", "sichuan_modern"): "af6ad66c ec9d0451 69bd5b48 2dafe2c9 ad6ac898 03abb1b1",
}

each_bot = pytest.mark.parametrize("bot", BOTS, ids=lambda bot: bot.name)


@each_bot
@pytest.mark.parametrize("preset", PRESETS)
def test_answers_are_frozen(bot: CompiledBot, preset: str) -> None:
    wanted = GOLDEN[bot.name, preset].split()
    wanted = wanted[:1] if JIT_DISABLED else wanted
    assert [digest(bot, Rules.preset(preset), deal) for deal in range(len(wanted))] == wanted


@each_bot
@pytest.mark.parametrize("preset", PRESETS)
def test_answers_are_legal_in_every_preset(bot: CompiledBot, preset: str) -> None:
    for deal in range(DEALS):
        for question in questions(bot, Rules.preset(preset), 100 + deal):
            assert question.mask[question.action] == 1


@each_bot
def test_answers_are_legal_under_house_rules(bot: CompiledBot) -> None:
    rng = random.Random(bot.name)
    for deal in range(HOUSES):
        for question in questions(bot, random_house(rng), deal):
            assert question.mask[question.action] == 1


@each_bot
def test_answers_are_legal_in_hands_that_another_bot_played(bot: CompiledBot) -> None:
    """Hands of random play: melds of three suits, void tiles to the end, complete hands kept."""
    rng, generator = random.Random(3), np.ones(1, np.uint64)
    for deal in range(HOUSES):
        for question in questions(RandomLegal(), random_house(rng), deal, seed=5):
            answer = bot.act(Views(question.views, question.rules), question.mask[None], generator)
            assert question.mask[answer[0]] == 1


@each_bot
@pytest.mark.parametrize("preset", PRESETS)
def test_an_answer_does_not_depend_on_hidden_tiles(bot: CompiledBot, preset: str) -> None:
    """The other hands and the wall are dealt anew: same answer."""
    luts, other = SICHUAN.luts(), np.zeros(1, SICHUAN.state)
    view, hidden = np.zeros(1, SICHUAN.view_dtype), new_generator()
    changed = 0
    for deal in range(1 if JIT_DISABLED else 4):
        start_stream(hidden, 9, deal, Stream.HIDDEN)
        for question in questions(bot, Rules.preset(preset), 200 + deal):
            seat = int(question.tables["actor"][0])
            other[:] = question.tables
            SICHUAN.redeal_at(other, 0, question.rules, luts, seat, hidden)
            changed += not np.array_equal(other["hand"], question.tables["hand"])
            SICHUAN.view_at(other, 0, question.rules, seat, view)
            rng = np.array([question.rng], np.uint64)
            answer = bot.act(Views(view, question.rules), question.mask[None], rng)
            assert answer[0] == question.action
    assert changed > 10


@each_bot
def test_one_at_a_time_is_as_in_a_batch(bot: CompiledBot) -> None:
    """`act` on each view, and the batch loop with the kernel."""
    luts, number = SICHUAN.luts(), 0
    actions, views = np.zeros(1, np.int64), np.zeros(1, SICHUAN.view_dtype)
    players = np.zeros((1, 4), np.int8)
    for deal in range(1 if JIT_DISABLED else 5):
        for question in questions(bot, Rules.preset("sichuan_modern"), 300 + deal):
            choose_all(
                question.tables,
                question.rules,
                luts,
                question.mask[None],
                players,
                0,
                actions,
                views,
                new_generator(),
                SICHUAN.view,
                bot.kernel,
            )
            assert actions[0] == question.action
            number += 1
    assert number > 30


@pytest.mark.skipif(JIT_DISABLED, reason="this is the uncompiled run")
def test_compiled_and_plain_answer_the_same() -> None:
    script = (
        "from mjenv.registry import make_agent\n"
        "from mjenv.sichuan.rules import Rules\n"
        "from tests.agents.solo import digest\n"
        "for name in ('greedy/1', 'random_legal/1'):\n"
        "    print(digest(make_agent(name), Rules.preset('sichuan_modern'), 0))\n"
    )
    root = Path(__file__).parents[2]
    plain = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        cwd=root,
        capture_output=True,
        text=True,
        check=True,
    )
    wanted = [GOLDEN[bot.name, "sichuan_modern"].split()[0] for bot in BOTS]
    assert plain.stdout.split() == wanted


@pytest.mark.skipif(JIT_DISABLED, reason="too slow uncompiled")
def test_greedy_beats_three_random_players() -> None:
    """One greedy seat, in turn every seat: more than a unit a deal, surely above nothing."""
    greedy, uniform = BOTS
    played = play_deals([greedy, uniform, uniform, uniform], "qq", 400, seed=1, rotate=True)
    result = summary(deal_statistics(played.finished), played.seats_of(0))
    assert result["units_per_deal"] > 1
    assert result["units_per_deal"] - 1.96 * result["units_error"] > 0
    assert result["win_rate"] > 0.6
