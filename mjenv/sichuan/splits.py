"""How many tiles of each suit fall into hands that may not hold a suit.

A seat whose last discard was of another suit than its void suit holds no void tile. Dealing at
random and trying again until that holds would take for ever, so the suits of these hands are
drawn first, each combination as often as there are ways to deal it.
"""

import math

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.rng import next_bits
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS

FREE = -1
"""Instead of a limit: the hand may hold anything."""

_FACTORIALS = tuple(float(math.factorial(n)) for n in range(2 * COPIES * NUM_RANKS + 1))
_UNUSED_BITS = np.uint64(12)
_SMALLEST = 2.0**-52
_TWO = 2  # hands


@kernel
def below_one(rng: np.ndarray) -> float:
    """Return a number from 0 to just below 1, a multiple of 2^-52."""
    return float(np.int64(next_bits(rng) >> _UNUSED_BITS)) * _SMALLEST


@kernel
def _choose(size: int, taken: int) -> float:
    """Ways to take ``taken`` of ``size`` tiles."""
    if taken < 0 or taken > size:
        return 0.0
    return _FACTORIALS[size] / (_FACTORIALS[taken] * _FACTORIALS[size - taken])


@kernel
def _write_split(number: int, size: int, void: int, split: np.ndarray) -> None:
    """Split ``number`` of a hand: void tiles, tiles of the next suit, the rest (may be < 0)."""
    of_void, of_next = number // (size + 1), number % (size + 1)
    split[void] = of_void
    split[(void + 1) % NUM_SUITS] = of_next
    split[(void + 2) % NUM_SUITS] = size - of_void - of_next


@kernel
def _take(available: np.ndarray, split: np.ndarray, left: np.ndarray) -> float:
    """Ways to take the tiles of a split; ``left`` receives the numbers that stay."""
    ways = 1.0
    for suit in range(NUM_SUITS):
        ways *= _choose(int(available[suit]), int(split[suit]))
        left[suit] = available[suit] - split[suit]
    return ways


@kernel
def _ways_of_one(hand: np.ndarray, available: np.ndarray) -> float:
    """Ways to deal one hand, a row of size, void suit and limit."""
    size, void, limit = int(hand[0]), int(hand[1]), int(hand[2])
    of_void = int(available[void])
    others = int(np.sum(available)) - of_void
    total = 0.0
    for taken in range(limit + 1):
        total += _choose(of_void, taken) * _choose(others, size - taken)
    return total


@kernel
def _ways_of_two(hands: np.ndarray, available: np.ndarray) -> float:
    """Ways to deal two hands."""
    size, void, limit = int(hands[0, 0]), int(hands[0, 1]), int(hands[0, 2])
    split, left = np.empty(NUM_SUITS, np.int64), np.empty(NUM_SUITS, np.int64)
    total = 0.0
    for number in range((limit + 1) * (size + 1)):
        _write_split(number, size, void, split)
        ways = _take(available, split, left)
        if ways > 0.0:
            total += ways * _ways_of_one(hands[1], left)
    return total


@kernel
def _walk(hands: np.ndarray, available: np.ndarray, stop: float, split: np.ndarray) -> float:
    """Add up the ways to deal all hands, by the split of the first, until they exceed ``stop``.

    ``split`` is left at the split where they did.
    """
    size, void, limit = int(hands[0, 0]), int(hands[0, 1]), int(hands[0, 2])
    left = np.empty(NUM_SUITS, np.int64)
    total = 0.0
    for number in range((limit + 1) * (size + 1)):
        _write_split(number, size, void, split)
        ways = _take(available, split, left)
        if ways > 0.0 and hands.shape[0] > _TWO:
            ways *= _ways_of_two(hands[1:], left)
        elif ways > 0.0 and hands.shape[0] == _TWO:
            ways *= _ways_of_one(hands[1], left)
        total += ways
        if total > stop:
            return total
    return total


@kernel
def draw_splits(
    hands: np.ndarray, available: np.ndarray, rng: np.ndarray, splits: np.ndarray
) -> None:
    """Draw how many tiles of each suit some hands get.

    Args:
        hands: ``(H, 3)`` int64, at most three rows: tiles the hand needs, its void suit, the most
            tiles of that suit it may get.
        available: ``(3,)`` int64, tiles of each suit for all hands and the wall; receives what
            these hands leave.
        rng: Generator.
        splits: ``(H, 3)`` int64, receives the numbers.
    """
    for h in range(hands.shape[0]):
        total = _walk(hands[h:], available, math.inf, splits[h])
        # The factor is below 1, so that the same sum, walked again, exceeds the product.
        _walk(hands[h:], available, below_one(rng) * total, splits[h])
        available -= splits[h]
