import numpy as np
import pytest

from mjenv.core.suits import load_tables
from mjenv.sichuan.analysis import (
    NO_DISCARD,
    analyse_discards,
    discard_analysis,
    hand_deficiency,
    live_counts,
    useful_tiles,
)
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS
from tests.sichuan.positions import PRESETS, Play
from tests.sichuan.slow_hand import slow_deficiency, slow_discards, slow_useful, visible_tiles

LUTS = load_tables()


def keys_of(hand: list[int]) -> np.ndarray:
    """Keys of the suits of a hand."""
    return np.array(
        [sum(hand[9 * suit + rank] * 5**rank for rank in range(9)) for suit in range(3)], np.int32
    )


def random_hand(
    rng: np.random.Generator, size: int, suits: tuple[int, ...]
) -> tuple[list[int], list[int]]:
    """A hand dealt from some suits, half of the time near to sets, and live copies of the rest."""
    wall = [kind for kind in range(NUM_KINDS) if kind // 9 in suits for _ in range(4)]
    hand = [0] * NUM_KINDS
    while rng.random() < 0.6 and sum(hand) + 3 <= size:
        kind = int(rng.choice(wall))
        run = [kind, kind + 1, kind + 2] if kind % 9 < 7 else [kind] * 3
        if all(hand[k] + run.count(k) <= 4 for k in run):
            for k in run:
                hand[k] += 1
    while sum(hand) < size:
        kind = int(rng.choice(wall))
        hand[kind] += hand[kind] < 4
    live = [int(rng.integers(0, 5 - count)) for count in hand]
    return hand, live


@pytest.mark.parametrize("void", [NO_SUIT, 0, 1, 2])
@pytest.mark.parametrize("num_melds", [0, 1, 2, 3, 4])
def test_useful_tiles_equal_trying_every_tile(void: int, num_melds: int) -> None:
    rng = np.random.default_rng((num_melds, void + 1))
    melded = 0 if num_melds == 0 else 1 << ((void + 1) % 3 if void != NO_SUIT else 1)
    for _ in range(20):
        hand, live = random_hand(rng, 13 - 3 * num_melds, (0, 1, 2))
        fast = useful_tiles(keys_of(hand), num_melds, melded, void, np.array(live, np.int8), LUTS)
        assert fast == slow_useful(hand, num_melds, melded, void, live)


@pytest.mark.parametrize("void", [NO_SUIT, 0, 1, 2])
@pytest.mark.parametrize("num_melds", [0, 1, 2, 3, 4])
def test_discards_equal_trying_every_one(void: int, num_melds: int) -> None:
    rng = np.random.default_rng((num_melds, void + 1))
    melded = 0 if num_melds == 0 else 1 << ((void + 1) % 3 if void != NO_SUIT else 1)
    after, useful = np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int8)
    for trial in range(20):
        # Void tiles in every other hand; then only they may go.
        suits = tuple(suit for suit in range(3) if suit != void or trial % 2)
        hand, live = random_hand(rng, 14 - 3 * num_melds, suits)
        expected = slow_discards(hand, num_melds, melded, void, live)
        least = analyse_discards(
            keys_of(hand),
            np.array(hand, np.int8),
            num_melds,
            melded,
            void,
            np.array(live, np.int8),
            LUTS,
            after,
            useful,
        )
        assert least == min(deficiency for deficiency, _ in expected.values())
        for kind in range(NUM_KINDS):
            deficiency, tiles = expected.get(kind, (NO_DISCARD, 0))
            assert after[kind] == deficiency
            assert useful[kind] == (tiles if deficiency == least else 0)


def test_melds_of_three_suits_are_hopeless() -> None:
    hand = [2, 2, 1] + [0] * (NUM_KINDS - 3)
    live = np.full(NUM_KINDS, 2, np.int8)
    after, useful = np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int8)
    counts = np.array(hand, np.int8)
    least = analyse_discards(keys_of(hand), counts, 3, 7, NO_SUIT, live, LUTS, after, useful)
    assert least == NO_DISCARD
    assert set(after) == {NO_DISCARD}
    assert set(useful) == {0}
    assert useful_tiles(keys_of(hand), 3, 7, NO_SUIT, live, LUTS) == 0


def test_a_complete_hand_is_ready_after_any_discard() -> None:
    hand = [0] * NUM_KINDS
    for kind in (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 10, 10):
        hand[kind] += 1
    live = np.array([4 - count for count in hand], np.int8)
    after, useful = np.zeros(NUM_KINDS, np.int8), np.zeros(NUM_KINDS, np.int8)
    counts = np.array(hand, np.int8)
    assert analyse_discards(keys_of(hand), counts, 0, 0, 2, live, LUTS, after, useful) == 1
    assert set(after[counts > 0]) == {1}
    assert useful[10] == live[10] + live[11]  # 1-9m 111p 2p waits for 2p and 3p
    assert useful_tiles(keys_of(hand), 0, 0, 2, live, LUTS) == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_live_counts_leave_what_is_not_in_sight(preset: str) -> None:
    live = np.zeros(NUM_KINDS, np.int8)
    wins = 0
    play = Play(preset, 8, every=5)
    for _ in play:
        for view in play.views():
            live_counts(view, live)
            seen = visible_tiles(view)
            assert list(live) == [4 - seen.count(kind) for kind in range(NUM_KINDS)]
            assert live.min() >= 0
            wins += bool(view["win_order"].any())
    assert wins > 0


@pytest.mark.parametrize("preset", ["qq", "standalone"])
def test_analysis_of_a_view_is_that_of_its_hand(preset: str) -> None:
    play = Play(preset, 2, every=3)
    live, after, useful = (np.zeros(NUM_KINDS, np.int8) for _ in range(3))
    for _ in play:
        for view in play.views():
            me, void = int(view["seat"]), int(view["void_suit"][view["seat"]])
            hand = [int(count) for count in view["hand"]]
            num_melds = int(view["num_melds"][me])
            melded = 0
            for kind in view["meld_kind"][me, :num_melds]:
                melded |= 1 << int(kind) // 9
            expected = slow_deficiency(hand, num_melds, melded, void)
            assert hand_deficiency(view, LUTS) == expected
            if view["phase"] == 2:
                live_counts(view, live)
                least = discard_analysis(view, play.rules[0], LUTS, live, after, useful)
                assert least == max(1, expected)
