"""A hand of one suit: how far it is, what helps, and when it is worth to aim at.

Such a hand is worth several plain ones and seldom the nearest. The *suit deficiency* of a hand is
the fewest tiles to add for a win in one suit, all other tiles being of no use.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five, suit_need
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.sichuan.hand import meld_suits, pairs_deficiency
from mjenv.sichuan.state import MAX_MELDS, NUM_SEATS

_NONE = -1
_FURTHER = 1
"""How much further than the nearest win a hand of one suit may be at any time."""
_MUCH_FURTHER = 2
"""How much further while there are many draws for each tile it lacks, two and a half or more."""
_MANY_DRAWS = 5
_FOR_TILES = 2


@kernel
def active_opponents(view: np.void) -> int:
    """Other seats that have not won yet."""
    active = 0
    for seat in range(NUM_SEATS):
        if seat != view["seat"] and view["win_order"][seat] == 0:
            active += 1
    return active


@kernel
def draws_left(view: np.void) -> int:
    """Full rounds of draws that the wall still holds."""
    return int(view["wall_count"]) // (active_opponents(view) + 1)


@kernel
def suit_deficiency(key: int, num_melds: int, luts: np.ndarray) -> int:
    """Fewest tiles to add to the suit of ``key``, and to melds of it, for a win in it alone."""
    word = luts[key]
    best = suit_need(word, MAX_MELDS - num_melds, 1)
    if num_melds == 0:
        best = min(best, pairs_deficiency(word, luts[0]))
    return best


@kernel
def suit_useful(key: int, num_melds: int, live9: np.ndarray, luts: np.ndarray) -> int:
    """Live copies of all ranks that lower the suit deficiency; ``live9`` are those of the suit."""
    now = suit_deficiency(key, num_melds, luts)
    total = 0
    for rank in range(NUM_RANKS):
        # A live kind is not held four times, so that the key does not run over.
        if live9[rank] > 0 and suit_deficiency(key + power_of_five(rank), num_melds, luts) < now:
            total += int(live9[rank])
    return total


@kernel
def holds_beside(view: np.void, suit: int) -> bool:
    """Whether the hand has tiles of another suit."""
    for other in range(NUM_SUITS):
        if other != suit and view["suit_key"][other] != 0:
            return True
    return False


@kernel
def aimed_suit(view: np.void, luts: np.ndarray, nearest: int) -> int:
    """The suit to aim at, -1 if none: of those within reach the least suit deficiency.

    Within reach is a suit that holds all melds, is not void, and whose suit deficiency is at most
    1 above ``nearest``, the deficiency of the hand, and at most the draws left; or 2 above, if
    there are two and a half draws or more for each tile it lacks.
    """
    me = int(view["seat"])
    num_melds = int(view["num_melds"][me])
    melded = meld_suits(view["meld_kind"][me], num_melds)
    draws = draws_left(view)
    best, best_deficiency = _NONE, 0
    for suit in range(NUM_SUITS):
        if melded & ~(1 << suit) != 0 or suit == view["void_suit"][me]:
            continue
        lacks = max(1, suit_deficiency(int(view["suit_key"][suit]), num_melds, luts))
        many = _FOR_TILES * draws >= _MANY_DRAWS * lacks
        if lacks > draws or lacks > nearest + (_MUCH_FURTHER if many else _FURTHER):
            continue
        if best == _NONE or lacks < best_deficiency:
            best, best_deficiency = suit, lacks
    return best
