"""What a seat shows of its hand: melds, discards, and since when it is free to choose them.

What the estimates of :mod:`agents.estimates` are read by. All of it is public, and the kernels take
a view, so that it is the same for a bot and for the simulation that the estimates are fitted on.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import NUM_RANKS
from mjenv.sichuan.hand import suit_of
from mjenv.sichuan.history import discarder
from mjenv.sichuan.state import MAX_MELDS, NO_SUIT, NUM_DRAWS, NUM_KINDS

NUM_SIGNS = 1 + MAX_MELDS + 4
"""Length of what :func:`ready_signs` writes."""
WALL_STEP = 5
"""Tiles of the wall that share a row of a table."""
NUM_RANK_CLASSES = 5
"""Ranks by their distance to the end of the suit: 1 and 9, 2 and 8, ... 5."""

_FIRST_MIDDLE = 2  # ranks 3 to 7 make runs on both sides
_SCALE = 0.1  # so that all signs are of one size


@kernel
def rank_class(kind: int) -> int:
    """0 for ranks 1 and 9, 1 for 2 and 8, ... 4 for rank 5."""
    rank = kind % NUM_RANKS
    return min(rank, NUM_RANKS - 1 - rank)


@kernel
def discarded_kinds(view: np.void, seat: int) -> int:
    """Kinds (bits 0..26) that a seat has discarded, whoever took them."""
    kinds = 0
    for i in range(int(view["num_discards"])):
        if discarder(int(view["discard_fate"][i])) == seat:
            kinds |= 1 << int(view["discard_kind"][i])
    return kinds


@kernel
def free_discards(view: np.void, seat: int) -> int:
    """Discards of a seat since it last laid down a void tile.

    While it holds void tiles it must discard those (R7), so that only these others were its own
    choice. Without a void suit every discard was.
    """
    void = int(view["void_suit"][seat])
    free = 0
    for i in range(int(view["num_discards"]) - 1, -1, -1):
        if discarder(int(view["discard_fate"][i])) != seat:
            continue
        if void != NO_SUIT and suit_of(int(view["discard_kind"][i])) == void:
            break
        free += 1
    return free


@kernel
def ready_signs(view: np.void, seat: int, out: np.ndarray) -> None:
    """Write what tells whether a seat is ready: ``out``, ``(NUM_SIGNS,)`` float64.

    A one; for each number of melds from 1 to 4 whether it has as many; whether it still lays down
    void tiles; its free discards; the kinds of its own two suits that it has discarded, in the
    middle of the suit (ranks 3 to 7) and at the ends. The last three are counted in tens.
    """
    out[:] = 0.0
    out[0] = 1.0
    melds = int(view["num_melds"][seat])
    if melds > 0:
        out[melds] = 1.0
    free = free_discards(view, seat)
    void = int(view["void_suit"][seat])
    gone = discarded_kinds(view, seat)
    middle, ends = 0, 0
    for kind in range(NUM_KINDS):
        if (gone >> kind) & 1 == 0 or suit_of(kind) == void:
            continue
        if rank_class(kind) >= _FIRST_MIDDLE:
            middle += 1
        else:
            ends += 1
    out[MAX_MELDS + 1] = 1.0 if free == 0 else 0.0
    out[MAX_MELDS + 2] = _SCALE * free
    out[MAX_MELDS + 3] = _SCALE * middle
    out[MAX_MELDS + 4] = _SCALE * ends


@kernel
def wall_share(wall_count: int) -> float:
    """Tiles left in the wall as a share of those there are at first."""
    return wall_count / NUM_DRAWS
