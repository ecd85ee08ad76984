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
from tests.reference.hand import deficiency as full_deficiency
from tests.sichuan.positions import PRESETS, Play

LUTS = load_tables()


def keys_of(hand: list[int]) -> np.ndarray:
    """Keys of the suits of a hand."""
    return np.array(
        [sum(hand[9 * suit + rank] * 5**rank for rank in range(9)) for suit in range(3)], np.int32
    )


def slow_deficiency(hand: list[int], num_melds: int, melded: int, void: int) -> int:
    """By the reference, with all tiles of one suit taken away."""
    best = 99
    for unused in range(3):
        if (unused != void) if void != NO_SUIT else (melded >> unused) & 1:
            continue
        kept = [0 if kind // 9 == unused else count for kind, count in enumerate(hand)]
        best = min(best, full_deficiency(kept, num_melds))
    return best


def slow_useful(hand: list[int], num_melds: int, melded: int, void: int, live: list[int]) -> int:
    """Live copies of every kind that lowers the deficiency, each tried out."""
    before = slow_deficiency(hand, num_melds, melded, void)
    total = 0
    for kind in range(NUM_KINDS):
        if live[kind] > 0:
            more = [count + (k == kind) for k, count in enumerate(hand)]
            if slow_deficiency(more, num_melds, melded, void) < before:
                total += live[kind]
    return total


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
        bound = void != NO_SUIT and sum(hand[9 * void : 9 * void + 9]) > 0
        expected = {}
        for kind in range(NUM_KINDS):
            if hand[kind] > 0 and (not bound or kind // 9 == void):
                less = [count - (k == kind) for k, count in enumerate(hand)]
                expected[kind] = (
                    slow_deficiency(less, num_melds, melded, void),
                    slow_useful(less, num_melds, melded, void, live),
                )
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


def visible_tiles(view: np.void) -> list[int]:
    """Everything in sight of a seat, tile by tile."""
    me = int(view["seat"])
    seen = [kind for kind in range(NUM_KINDS) for _ in range(view["hand"][kind])]
    for seat in range(4):
        for meld in range(view["num_melds"][seat]):
            size = 3 if view["meld_type"][seat, meld] == 1 else 4
            seen += [int(view["meld_kind"][seat, meld])] * size
    for i in range(view["num_discards"]):
        if view["discard_claim"][i] == 0:
            seen.append(int(view["discard_kind"][i]))
    claimed_wins = {}
    for seat in range(4):
        if view["win_order"][seat] and view["win_tile"][seat] >= 0:
            if view["win_how"][seat] == 2:
                if seat != me:
                    seen.append(int(view["win_tile"][seat]))
            else:
                claimed_wins[int(view["win_order"][seat])] = int(view["win_tile"][seat])
    seen += claimed_wins.values()
    if view["phase"] == 4:
        seen.append(int(view["claim_tile"]))
    if view["received"][0] < 0:
        seen += [int(kind) for kind in view["given"] if kind >= 0]
    return seen


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
