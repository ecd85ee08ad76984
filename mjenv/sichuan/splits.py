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
from mjenv.sichuan.state import NUM_SEATS

FREE = -1
"""Instead of a limit: the hand may hold anything."""

_INVERSE_FACTORIALS = tuple(1.0 / math.factorial(n) for n in range(COPIES * NUM_RANKS + 1))
_UNUSED_BITS = np.uint64(12)
_SMALLEST = 2.0**-52


@kernel
def below_one(rng: np.ndarray) -> float:
    """Return a number from 0 to just below 1, a multiple of 2^-52."""
    return float(np.int64(next_bits(rng) >> _UNUSED_BITS)) * _SMALLEST


@kernel
def _num_splits(size: int, limit: int) -> int:
    return 1 if limit == FREE else (limit + 1) * (size + 1)


@kernel
def _write_split(number: int, size: int, void: int, limit: int, split: np.ndarray) -> None:
    """Split ``number`` of a hand: void tiles, tiles of the next suit, the rest (may be < 0)."""
    if limit == FREE:
        split[:] = 0
        return
    of_void, of_next = number // (size + 1), number % (size + 1)
    split[void] = of_void
    split[(void + 1) % NUM_SUITS] = of_next
    split[(void + 2) % NUM_SUITS] = size - of_void - of_next


@kernel
def _weight(splits: np.ndarray, available: np.ndarray) -> float:
    """Ways to choose the tiles of ``splits``, up to a factor that all splits share."""
    weight = 1.0
    for suit in range(NUM_SUITS):
        left = int(available[suit])
        for seat in range(NUM_SEATS):
            taken = int(splits[seat, suit])
            if taken < 0:
                return 0.0
            left -= taken
            weight *= _INVERSE_FACTORIALS[taken]
        if left < 0:
            return 0.0
        weight *= _INVERSE_FACTORIALS[left]
    return weight


@kernel
def _walk(
    seat: int,
    sizes: np.ndarray,
    voids: np.ndarray,
    limits: np.ndarray,
    available: np.ndarray,
    stop: float,
    splits: np.ndarray,
) -> float:
    """Add up the weights of all splits of the three other hands until the sum exceeds ``stop``.

    ``splits`` is left at the split where it did.
    """
    a, b, c = (seat + 1) % NUM_SEATS, (seat + 2) % NUM_SEATS, (seat + 3) % NUM_SEATS
    total = 0.0
    for i in range(_num_splits(int(sizes[a]), int(limits[a]))):
        _write_split(i, int(sizes[a]), int(voids[a]), int(limits[a]), splits[a])
        for j in range(_num_splits(int(sizes[b]), int(limits[b]))):
            _write_split(j, int(sizes[b]), int(voids[b]), int(limits[b]), splits[b])
            for k in range(_num_splits(int(sizes[c]), int(limits[c]))):
                _write_split(k, int(sizes[c]), int(voids[c]), int(limits[c]), splits[c])
                total += _weight(splits, available)
                if total > stop:
                    return total
    return total


@kernel
def draw_splits(
    seat: int,
    sizes: np.ndarray,
    voids: np.ndarray,
    limits: np.ndarray,
    available: np.ndarray,
    rng: np.ndarray,
    splits: np.ndarray,
) -> None:
    """Draw how many tiles of each suit the hands of the other seats get.

    Args:
        seat: Whose own hand is known; its row of ``splits`` stays 0.
        sizes: ``(4,)`` tiles each hand needs.
        voids: ``(4,)`` the suit each hand may hold little of.
        limits: ``(4,)`` most tiles of that suit, or ``FREE``: the row of ``splits`` is then 0.
        available: ``(3,)`` tiles of each suit for all hands and the wall.
        rng: Generator.
        splits: ``(4, 3)`` int64, receives the numbers.
    """
    splits[:] = 0
    total = _walk(seat, sizes, voids, limits, available, math.inf, splits)
    # The factor is below 1, so that the same sum, walked again, exceeds the product.
    _walk(seat, sizes, voids, limits, available, below_one(rng) * total, splits)
