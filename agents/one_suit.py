"""``one_suit/1``: goes for a win in a single suit, for as long as that can be done.

A bot of the style panel, for stress: competent apart from one distortion. Frozen: a change in what
it chooses is a new version. Words and the rules it does not name are those of
:mod:`agents.greedy`. Its own words:

- the *aim* is the suit of its melds, or without melds the one with the most tiles, of these the
  least own deficiency; never the void suit. With melds of several suits there is none;
- the *distance* is the fewest tiles to add for a win in the aim alone;
- *near* tiles are the live copies of all kinds that lower the distance.

While there is an aim, and the distance is not above the tiles left in the wall for each seat that
has not won, its choice is the first of these that the menu offers; else it is that of
``greedy/1``.

1. Win, in whatever suits.
2. Own kong in the aim: the one that leaves the least distance, if that is not above the least that
   a discard leaves.
3. Claimed kong in the aim: if the distance does not rise.
4. Pung in the aim: if the least distance after the discard that must follow is lower than before.
5. Pass.
6. Discard while void tiles are held: as ``greedy/1``.
7. Discard a tile of another suit than the aim: of these as ``greedy/1``.
8. Discard: least distance, of these most near tiles.
9. Void suit: not the aim; of the others as ``greedy/1``.
10. Give: not of the aim, if another suit is on offer; of the others as ``greedy/1``.
"""

import numpy as np

from agents import greedy
from agents.greedy import CLAIMED_FOR_KONG, CLAIMED_FOR_PUNG, own_deficiency, void_discard
from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five, suit_need
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.actions import DISCARD_0, KONG, OWN_KONG_0, PASS, PUNG, VOID_0, WIN
from mjenv.sichuan.analysis import discard_analysis, live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import IMPOSSIBLE, meld_suits, pairs_deficiency, suit_of
from mjenv.sichuan.state import MAX_MELDS, NO_SUIT, NUM_KINDS, NUM_SEATS, Phase

# ------------------------------------------------------------------------------------- the aim


@kernel
def _aim(view: np.void, luts: np.ndarray) -> int:
    """The suit it goes for, ``NO_SUIT`` if there is none."""
    me = int(view["seat"])
    melded = meld_suits(view["meld_kind"][me], int(view["num_melds"][me]))
    best, best_size, best_deficiency = NO_SUIT, 0, 0
    for suit in range(NUM_SUITS):
        if melded & ~(1 << suit) != 0 or suit == view["void_suit"][me]:
            continue
        size = 0
        for rank in range(NUM_RANKS):
            size += int(view["hand"][suit * NUM_RANKS + rank])
        own = own_deficiency(int(view["suit_key"][suit]), luts)
        if best == NO_SUIT or size > best_size or (size == best_size and own < best_deficiency):
            best, best_size, best_deficiency = suit, size, own
    return best


@kernel
def _distance(key: int, num_melds: int, luts: np.ndarray) -> int:
    """Fewest tiles to add to one suit for a win in it alone."""
    need = suit_need(luts[key], MAX_MELDS - num_melds, 1)
    if num_melds == 0:
        need = min(need, pairs_deficiency(luts[key], luts[0]))
    return int(need)


@kernel
def _in_reach(view: np.void, aim: int, luts: np.ndarray) -> bool:
    """Whether the wall may hold enough draws for a win in the aim."""
    playing = 0
    for seat in range(NUM_SEATS):
        playing += 1 if view["win_order"][seat] == 0 else 0
    melds = int(view["num_melds"][int(view["seat"])])
    distance = _distance(int(view["suit_key"][aim]), melds, luts)
    return distance * playing <= int(view["wall_count"])


# ------------------------------------------------------------------------------------ own turn


@kernel
def _own_kong(view: np.void, luts: np.ndarray, mask: np.ndarray, aim: int) -> int:
    """The own kong to declare, or -1 (rule 2)."""
    key, melds = int(view["suit_key"][aim]), int(view["num_melds"][int(view["seat"])])
    best, least = -1, IMPOSSIBLE
    for rank in range(NUM_RANKS):
        kind = aim * NUM_RANKS + rank
        if mask[OWN_KONG_0 + kind] == 0:
            continue
        if view["hand"][kind] == COPIES:
            left = _distance(key - COPIES * power_of_five(rank), melds + 1, luts)
        else:
            left = _distance(key - power_of_five(rank), melds, luts)
        if left < least:
            best, least = kind, left
    # Some tile of an incomplete hand is idle; a discard makes a complete one ready.
    if best < 0 or least > max(1, _distance(key, melds, luts)):
        return -1
    return OWN_KONG_0 + best


@kernel
def _near_tiles(key: int, melds: int, live: np.ndarray, aim: int, luts: np.ndarray) -> int:
    """Live copies of the kinds that lower the distance."""
    now, total = _distance(key, melds, luts), 0
    for rank in range(NUM_RANKS):
        copies = int(live[aim * NUM_RANKS + rank])
        # A live kind is not held four times, so that the key does not run over.
        if copies > 0 and _distance(key + power_of_five(rank), melds, luts) < now:
            total += copies
    return total


@kernel
def _discard_of_aim(view: np.void, luts: np.ndarray, live: np.ndarray, aim: int) -> int:
    """Least distance, then most near tiles (rule 8)."""
    key, melds = int(view["suit_key"][aim]), int(view["num_melds"][int(view["seat"])])
    best, least, most = -1, 0, 0
    for rank in range(NUM_RANKS):
        if view["hand"][aim * NUM_RANKS + rank] == 0:
            continue
        after = key - power_of_five(rank)
        left = _distance(after, melds, luts)
        if best >= 0 and left > least:
            continue
        near = _near_tiles(after, melds, live, aim, luts)
        if best < 0 or left < least or near > most:
            best, least, most = aim * NUM_RANKS + rank, left, near
    return DISCARD_0 + best


@kernel
def _discard(view: np.void, rules: np.void, luts: np.ndarray, aim: int) -> int:
    """A tile of another suit, else of the aim (rules 6 to 8)."""
    void = int(view["void_suit"][int(view["seat"])])
    if void != NO_SUIT and view["suit_key"][void] != 0:
        return void_discard(view, void)
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    left = np.empty(NUM_KINDS, np.int8)
    useful = np.empty(NUM_KINDS, np.int8)
    discard_analysis(view, rules, luts, live, left, useful)
    best = -1
    for kind in range(NUM_KINDS):
        if view["hand"][kind] == 0 or suit_of(kind) == aim:
            continue
        better = best < 0 or left[kind] < left[best]
        if better or (left[kind] == left[best] and useful[kind] > useful[best]):
            best = kind
    if best >= 0:
        return DISCARD_0 + best
    return _discard_of_aim(view, luts, live, aim)


# ------------------------------------------------------------------------------------ claims


@kernel
def _claim(view: np.void, luts: np.ndarray, mask: np.ndarray, aim: int) -> int:
    """Kong, pung or pass (rules 3 to 5)."""
    kind = int(view["claim_tile"])
    if suit_of(kind) != aim:
        return int(PASS)
    key, melds = int(view["suit_key"][aim]), int(view["num_melds"][int(view["seat"])])
    now, one = _distance(key, melds, luts), power_of_five(kind % NUM_RANKS)
    if mask[KONG] != 0 and _distance(key - CLAIMED_FOR_KONG * one, melds + 1, luts) <= now:
        return int(KONG)
    if mask[PUNG] != 0:
        # A hand that the pung completes is ready after its discard.
        left = max(1, _distance(key - CLAIMED_FOR_PUNG * one, melds + 1, luts))
        if left < now:
            return int(PUNG)
    return int(PASS)


# --------------------------------------------------------------------------- before the play


@kernel
def _beside(mask: np.ndarray, first: int, number: int) -> np.ndarray:
    """The menu without ``number`` actions from ``first`` on, if anything is left of it."""
    others = mask.copy()
    others[first : first + number] = 0
    return others if others.any() else mask


@kernel
def choose(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Choose as the module says; nothing is left to chance."""
    only = only_action(mask)
    if only >= 0:
        return only
    if mask[WIN] != 0:
        return int(WIN)
    aim = _aim(view, luts)
    if aim == NO_SUIT or not _in_reach(view, aim, luts):
        return greedy.choose(view, rules, luts, mask, rng)
    phase = view["phase"]
    if phase == Phase.TURN:
        kong = _own_kong(view, luts, mask, aim)
        return kong if kong >= 0 else _discard(view, rules, luts, aim)
    if phase == Phase.CLAIM:
        return _claim(view, luts, mask, aim)
    if phase == Phase.VOID:
        return greedy.declare_void(view, luts, _beside(mask, VOID_0 + aim, 1))
    return greedy.give(view, luts, _beside(mask, DISCARD_0 + aim * NUM_RANKS, NUM_RANKS))


class OneSuit(CompiledBot):
    """The agent ``one_suit/1``."""

    def __init__(self) -> None:
        super().__init__("one_suit/1", choose, SICHUAN)
