"""The tally of a deal against the same told again in plain Python from the states."""

import numpy as np
import pytest

from agents.play import WALLS, Walls, play_seated
from mjenv.core.kernel import JIT_DISABLED
from mjenv.registry import make_agent
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS, Class, Phase, Win
from mjenv.sichuan.tally import LEVELS, NEVER
from tests.agents.solo import SEED, questions
from tests.reference.hand import waits
from tests.reference.tiles import Meld
from tests.sichuan.slow_hand import HOPELESS, slow_deficiency, with_tile

DEALS = 1 if JIT_DISABLED else 3
GREEDY = make_agent("greedy/1")
NAMES = {1: "pung", 2: "kong_direct", 3: "kong_added", 4: "kong_concealed"}


class SlowTally:
    """Told question by question; a seat that is asked after a draw is looked at without it."""

    def __init__(self) -> None:
        self.luck = np.zeros((4, LEVELS))
        self.draws = [0] * 4
        self.ready_turn = [NEVER] * 4

    def watch(self, state: np.void) -> None:
        seat = int(state["actor"])
        if state["phase"] != Phase.TURN or self.draws[seat] == state["num_draws"][seat]:
            return
        self.draws[seat] += 1
        assert self.draws[seat] == state["num_draws"][seat]
        drawn = int(state["drawn"])
        hand = with_tile(state["hand"][seat].tolist(), drawn, -1)
        kinds = state["meld_kind"][seat][: state["num_melds"][seat]].tolist()
        melded = sum({1 << (kind // 9) for kind in kinds})
        void = int(state["void_suit"][seat])
        before = slow_deficiency(hand, len(kinds), melded, void)
        if before == HOPELESS:
            return
        left = state["wall"][state["wall_next"] : state["wall_end"]]
        wall = [*left.tolist(), drawn]
        useful = [
            slow_deficiency(with_tile(hand, kind), len(kinds), melded, void) < before
            for kind in range(NUM_KINDS)
        ]
        chance = sum(useful[kind] for kind in wall) / len(wall)
        self.luck[seat, min(before, LEVELS) - 1] += useful[drawn] - chance
        melds = [
            Meld(NAMES[kind], tile)
            for kind, tile in zip(state["meld_type"][seat].tolist(), kinds, strict=False)
        ]
        if self.ready_turn[seat] == NEVER and waits(hand, melds, None if void == NO_SUIT else void):
            self.ready_turn[seat] = self.draws[seat] - 1


@pytest.mark.parametrize("preset", PRESETS)
def test_the_tally_is_what_the_states_tell(preset: str) -> None:
    seating = np.zeros((DEALS, 4), np.int8)
    played = play_seated([GREEDY], preset, SEED, np.arange(DEALS), seating)
    ready = 0
    for deal in range(DEALS):
        slow = SlowTally()
        for number, question in enumerate(questions(GREEDY, Rules.preset(preset), deal)):
            if number == 0:
                hands = question.tables["hand"][0].tolist()
                dealt = [slow_deficiency(hand, 0, 0, NO_SUIT) for hand in hands]
            slow.watch(question.tables[0])
            end = question.tables
        tally, state = played.tallies[deal], end[0]
        assert state["points"].tolist() == played.finished["points"][deal].tolist()
        np.testing.assert_allclose(tally["luck"], slow.luck, atol=1e-12)
        assert tally["initial_deficiency"].tolist() == dealt
        for seat in range(4):
            expected = slow.ready_turn[seat]
            ends_ready = state["classes"][seat] == Class.READY
            won_on_others = state["win_how"][seat] in (Win.DISCARD, Win.ROB_KONG)
            if expected == NEVER and (ends_ready or won_on_others):
                expected = int(state["num_draws"][seat])
            assert tally["ready_turn"][seat] == expected
            ready += expected != NEVER
    assert ready > DEALS


@pytest.mark.parametrize("walls", WALLS)
def test_luck_is_zero_on_average(walls: Walls) -> None:
    deals = 20 if JIT_DISABLED else 1000
    seating = np.zeros((deals, 4), np.int8)
    luck = play_seated([GREEDY], "qq", 5, np.arange(deals), seating, walls).tallies["luck"]
    flat = luck.reshape(4 * deals, LEVELS)
    errors = flat.std(axis=0) / np.sqrt(len(flat))
    assert (errors > 0).all()
    assert (abs(flat.mean(axis=0)) < 4 * errors).all()


def test_tallies_begin_anew_with_every_deal() -> None:
    seating = np.zeros((4, 4), np.int8)
    played = play_seated([GREEDY], "qq", 5, np.array([3, 0, 3, 1]), seating)
    assert played.tallies[0].tobytes() == played.tallies[2].tobytes()
    assert played.tallies[0].tobytes() != played.tallies[1].tobytes()
    assert (played.tallies["seen_draws"] == played.finished["num_draws"]).all()
