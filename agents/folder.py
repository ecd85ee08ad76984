"""``folder/1``: ``greedy/1`` until it is afraid, then the safest discards.

A bot of the style panel, for stress: competent apart from one distortion. Frozen: a change in what
it chooses is a new version. Words and the rules it does not name are those of
:mod:`agents.greedy`. Its own words:

- another seat that has not won *looks ready* with two melds or eight discards;
- it is *afraid* when another seat looks ready, or the wall has no more than 20 tiles left;
- a tile is *safe* from a seat that has won, that declared its suit void, that has discarded this
  kind, or that let it go by since its own last discard, for its hand has not changed since then;
- the *danger* of a tile is the number of ways in which tiles that the bot cannot see would wait
  for it, once for each seat that it is not safe from: every single one of its kind (a pair), every
  two (a triplet), and every two that make a run with it.

Not afraid it chooses as ``greedy/1``, afraid by the first of these that the menu offers.

1. Win.
2. Pass: no pung and no claimed kong.
3. Discard, of the spare suit while such tiles are held: the least danger, of these the least
   deficiency, of these the most useful tiles. It makes no own kong.

The spare suit is the void suit; without void suits it is the one with the fewest tiles that is not
melded, of these the largest own deficiency, for a hand of three suits pays as a pig.

Before the play it is never afraid.
"""

import numpy as np

from agents import greedy
from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.core.tiles import NUM_RANKS
from mjenv.sichuan.actions import DISCARD_0, PASS, WIN
from mjenv.sichuan.analysis import discard_analysis, live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import suit_of
from mjenv.sichuan.history import discarder
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS, NUM_SEATS, Phase

MANY_MELDS = 2
MANY_DISCARDS = 8
FEW_TILES = 20


@kernel
def _discards_of(view: np.void, seat: int) -> int:
    """How often a seat has discarded."""
    number = 0
    for i in range(int(view["num_discards"])):
        number += 1 if discarder(int(view["discard_fate"][i])) == seat else 0
    return number


@kernel
def _is_afraid(view: np.void) -> bool:
    if view["wall_count"] <= FEW_TILES:
        return True
    for seat in range(NUM_SEATS):
        if seat == view["seat"] or view["win_order"][seat] != 0:
            continue
        if view["num_melds"][seat] >= MANY_MELDS or _discards_of(view, seat) >= MANY_DISCARDS:
            return True
    return False


@kernel
def _count_unsafe(view: np.void, seat: int, out: np.ndarray) -> None:
    """Add 1 to every kind that is not safe from a seat: ``out``, shape ``(27,)``."""
    safe = np.zeros(NUM_KINDS, np.bool_)
    unchanged = True  # the hand of the seat, from here to now
    for i in range(int(view["num_discards"]) - 1, -1, -1):
        own = discarder(int(view["discard_fate"][i])) == seat
        if own or unchanged:
            safe[int(view["discard_kind"][i])] = True
        unchanged = unchanged and not own
    for kind in range(NUM_KINDS):
        if not safe[kind] and suit_of(kind) != view["void_suit"][seat]:
            out[kind] += 1


@kernel
def _ways(live: np.ndarray, kind: int) -> int:
    """Ways in which unseen tiles would wait for a kind."""
    own, rank = int(live[kind]), kind % NUM_RANKS
    ways = own + own * (own - 1) // 2
    for low in range(max(rank - 2, 0), min(rank, NUM_RANKS - 3) + 1):
        run = 1
        for step in range(3):
            if low + step != rank:
                run *= int(live[kind - rank + low + step])
        ways += run
    return ways


@kernel
def _safest_discard(view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """Least danger, then least deficiency, then most useful tiles (rule 3)."""
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    unsafe = np.zeros(NUM_KINDS, np.int8)
    for seat in range(NUM_SEATS):
        if seat != view["seat"] and view["win_order"][seat] == 0:
            _count_unsafe(view, seat, unsafe)
    left = np.empty(NUM_KINDS, np.int8)
    useful = np.empty(NUM_KINDS, np.int8)
    discard_analysis(view, rules, luts, live, left, useful)
    spare = greedy.spare_suit(view, luts)
    bound = spare != NO_SUIT and view["suit_key"][spare] != 0
    best, least = -1, 0
    for kind in range(NUM_KINDS):
        if mask[DISCARD_0 + kind] == 0 or (bound and suit_of(kind) != spare):
            continue
        danger = int(unsafe[kind]) * _ways(live, kind)
        better = best < 0 or danger < least
        if best >= 0 and danger == least:
            better = left[kind] < left[best]
            if left[kind] == left[best]:
                better = useful[kind] > useful[best]
        if better:
            best, least = kind, danger
    return DISCARD_0 + best


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
    phase = view["phase"]
    if (phase != Phase.TURN and phase != Phase.CLAIM) or not _is_afraid(view):
        return greedy.choose(view, rules, luts, mask, rng)
    if phase == Phase.CLAIM:
        return int(PASS)
    return _safest_discard(view, rules, luts, mask)


class Folder(CompiledBot):
    """The agent ``folder/1``."""

    def __init__(self) -> None:
        super().__init__("folder/1", choose, SICHUAN)
