"""Winning shapes, waits and deficiency of a hand (R30, R41).

A hand is passed as the three keys of its suits (see :mod:`mjenv.core.suits`), the number of its
melds and the set of their suits as bits. ``void`` is the declared void suit or ``NO_SUIT``.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import (
    power_of_five,
    suit_complete,
    suit_may_win,
    suit_need,
    suit_pairs,
    suit_size,
)
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.state import MAX_MELDS, NO_SUIT, NUM_KINDS, Meld

SEVEN_PAIRS = 7
IMPOSSIBLE = 99
_ALL_SUITS = (1 << NUM_SUITS) - 1


@kernel
def suit_of(kind: int) -> int:
    """Suit of a kind: 0 characters, 1 dots, 2 bamboo."""
    return kind // NUM_RANKS


@kernel
def key_with(key: int, kind: int) -> int:
    """Key of the suit of ``kind`` after one more such tile."""
    return key + power_of_five(kind % NUM_RANKS)


@kernel
def add_tile(state: np.void, seat: int, kind: int) -> None:
    """Put a tile into a hand."""
    state["hand"][seat, kind] += 1
    state["suit_key"][seat, suit_of(kind)] += power_of_five(kind % NUM_RANKS)


@kernel
def remove_tile(state: np.void, seat: int, kind: int) -> None:
    """Take a tile out of a hand."""
    state["hand"][seat, kind] -= 1
    state["suit_key"][seat, suit_of(kind)] -= power_of_five(kind % NUM_RANKS)


@kernel
def meld_suits(meld_kind: np.ndarray, num_melds: int) -> int:
    """Suits of the melds as bits."""
    bits = 0
    for i in range(num_melds):
        bits |= 1 << suit_of(int(meld_kind[i]))
    return bits


@kernel
def suits_allowed(key0: int, key1: int, key2: int, melded: int, void: int) -> bool:
    """At most two suits, none of them the void suit (R30a, R30b)."""
    bits = melded
    if key0 != 0:
        bits |= 1
    if key1 != 0:
        bits |= 2
    if key2 != 0:
        bits |= 4
    if bits == _ALL_SUITS:
        return False
    return void == NO_SUIT or (bits >> void) & 1 == 0


@kernel
def is_win(
    key0: int, key1: int, key2: int, num_melds: int, melded: int, void: int, luts: np.ndarray
) -> bool:
    """Whether 3n+2 concealed tiles and the melds are a winning hand (R30)."""
    if not (suit_may_win(luts, key0) and suit_may_win(luts, key1) and suit_may_win(luts, key2)):
        return False
    word0, word1, word2 = luts[key0], luts[key1], luts[key2]
    sets = suit_complete(word0) and suit_complete(word1) and suit_complete(word2)
    pairs = (
        num_melds == 0 and suit_pairs(word0) + suit_pairs(word1) + suit_pairs(word2) == SEVEN_PAIRS
    )
    return (sets or pairs) and suits_allowed(key0, key1, key2, melded, void)


@kernel
def wins_with(
    suit_key: np.ndarray, kind: int, num_melds: int, melded: int, void: int, luts: np.ndarray
) -> bool:
    """Whether 3n+1 concealed tiles win with one more tile of ``kind``."""
    suit = suit_of(kind)
    key = key_with(int(suit_key[suit]), kind)
    if not suit_may_win(luts, key):
        return False  # so ends the question for nearly every discard
    key0, key1, key2 = int(suit_key[0]), int(suit_key[1]), int(suit_key[2])
    if suit == 0:
        key0 = key
    elif suit == 1:
        key1 = key
    else:
        key2 = key
    return is_win(key0, key1, key2, num_melds, melded, void, luts)


@kernel
def waits(suit_key: np.ndarray, num_melds: int, melded: int, void: int, luts: np.ndarray) -> int:
    """Kinds (bits 0..26) that complete 3n+1 concealed tiles.

    A kind held four times concealed is never among them (R30d): its key would run over into the
    next rank, or out of the table. One held four times together with a meld may be.
    """
    result = 0
    for kind in range(NUM_KINDS):
        held = int(suit_key[suit_of(kind)]) // power_of_five(kind % NUM_RANKS) % (COPIES + 1)
        if held < COPIES and wins_with(suit_key, kind, num_melds, melded, void, luts):
            result |= 1 << kind
    return result


@kernel
def owned(
    hand: np.ndarray, meld_type: np.ndarray, meld_kind: np.ndarray, num_melds: int, kind: int
) -> int:
    """Copies of ``kind`` that a seat holds, melds included."""
    count = int(hand[kind])
    for i in range(num_melds):
        if meld_kind[i] == kind:
            count += COPIES - 1 if meld_type[i] == Meld.PUNG else COPIES
    return count


@kernel
def _sets_deficiency(word_a: int, word_b: int, sets: int) -> int:
    """Fewest tiles to add to two suits for ``sets`` sets and a pair."""
    best = IMPOSSIBLE
    for in_a in range(sets + 1):
        in_b = sets - in_a
        pair_in_a = suit_need(word_a, in_a, 1) + suit_need(word_b, in_b, 0)
        pair_in_b = suit_need(word_a, in_a, 0) + suit_need(word_b, in_b, 1)
        best = min(best, pair_in_a, pair_in_b)
    return best


@kernel
def pairs_deficiency(word_a: int, word_b: int) -> int:
    """Fewest tiles to add to two suits for seven pairs."""
    pairs = suit_pairs(word_a) + suit_pairs(word_b)
    singles = suit_size(word_a) + suit_size(word_b) - 2 * pairs
    missing = SEVEN_PAIRS - pairs
    # A pair without a single tile to build on takes two tiles.
    return missing + max(0, missing - singles)


@kernel
def deficiency(
    key0: int, key1: int, key2: int, num_melds: int, melded: int, void: int, luts: np.ndarray
) -> int:
    """Fewest tiles to add for a win: 0 won, 1 ready (shanten + 1).

    Tiles of a third suit, and of the void suit, are of no use. Copies held by others, or in the
    own melds, are not considered.
    """
    best = IMPOSSIBLE
    for unused in range(NUM_SUITS):
        if (melded >> unused) & 1 or (void != NO_SUIT and unused != void):
            continue
        word_a = luts[key1] if unused == 0 else luts[key0]
        word_b = luts[key1] if unused == NUM_SUITS - 1 else luts[key2]
        best = min(best, _sets_deficiency(word_a, word_b, MAX_MELDS - num_melds))
        if num_melds == 0:
            best = min(best, pairs_deficiency(word_a, word_b))
    return best
