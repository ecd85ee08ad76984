"""``greedy_plus/1``: ``greedy/1`` that counts what wins are worth, and calls more.

Frozen: a change in what it chooses is a new version. Its words are those of :mod:`agents.greedy`,
of :mod:`agents.worth` (worth, prospect) and of :mod:`agents.suit_aim` (suit deficiency, draws left,
aimed suit). In its own turn the deficiency of the hand is the least that a discard leaves. Where
there are no void suits and it has tiles of three suits, melds included, its *third suit* is the one
without a meld of which it holds the fewest tiles.

Its choice is the first of these that the menu offers; ties go to the lowest kind or suit.

1. Win; but a discard is let go if the deal goes on after a win, it is not the first of the deal,
   two opponents or more have not won, and draws left x these opponents x worth by self-draws alone
   is more than twice the units of this win x all live copies.
2. Own kong: a concealed one, unless it leaves no way to win or a ready hand unready; an added one,
   if the deficiency does not rise. The one that leaves the least deficiency.
3. Nothing but a pass, if it aims at a suit and the claimed tile is of another.
4. Claimed kong: if the deficiency does not rise.
5. Pung: if the deficiency after the discard that must follow is lower than before, or the same with
   more worth if ready, else with more useful tiles. If it aims at a suit, suit deficiency and the
   tiles useful for it count instead.
6. Pass.
7. Discard while void tiles are held: the void tile with the most live copies.
8. Discard while twice the tiles of the third suit are at least the draws left, if pigs pay: a tile
   of the third suit; of these the least deficiency, then the most useful tiles.
9. Discard: if it aims at a suit and holds others, one of the others; else any. The least deficiency
   (if it aims at a suit and holds no other, suit deficiency), and of these

   - if ready, the most worth;
   - if one tile from ready and it aims at no suit: of those with at least seven tenths of the most
     useful tiles, the most prospect;
   - else the most useful tiles (those for the suit, if it holds no other).

10. Void suit: the one that leaves the least deficiency, of these the largest own deficiency.
11. Give: as ``greedy/1``.

It never leaves a deal.
"""

import numpy as np

from agents.greedy import (
    CLAIMED_FOR_KONG,
    deficiency_without,
    give,
    own_deficiency,
    void_discard,
)
from agents.pungs import pungs, pungs_in_suit
from agents.suit_aim import (
    active_opponents,
    aimed_suit,
    draws_left,
    holds_beside,
    suit_deficiency,
    suit_useful,
)
from agents.worth import prospect_without, units_with, worth, worth_without
from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.actions import DISCARD_0, KONG, OWN_KONG_0, PASS, PUNG, VOID_0, WIN
from mjenv.sichuan.analysis import (
    NO_DISCARD,
    discard_analysis,
    hand_deficiency,
    live_counts,
)
from mjenv.sichuan.fan import Situation
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import IMPOSSIBLE, deficiency, meld_suits
from mjenv.sichuan.rules import Mode
from mjenv.sichuan.state import NO_SUIT, NUM_EXTRAS, NUM_KINDS, Phase

_READY = 1
_ONE_FROM_READY = 2
_OUT_OF_QUESTION = NO_DISCARD + 1
_ALL_SUITS = (1 << NUM_SUITS) - 1
_WORTH_WAITING = 2
_FEWEST_TO_WAIT = 2
_ENOUGH_USEFUL, _OF_USEFUL = 7, 10


# ---------------------------------------------------------------------------------- wins, kongs


@kernel
def _lets_go(view: np.void, rules: np.void, luts: np.ndarray) -> bool:
    """Whether to wait for a self-draw instead of a discard that wins (rule 1)."""
    opponents = active_opponents(view)
    # The first discard of a deal may be more than an ordinary win.
    first = int(view["num_discards"]) == 1
    if rules["mode"] != Mode.BLOOD or opponents < _FEWEST_TO_WAIT or first:
        return False
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    me = int(view["seat"])
    suit_key, hand, num_melds = view["suit_key"], view["hand"], int(view["num_melds"][me])
    meld_type, meld_kind, void = view["meld_type"][me], view["meld_kind"][me], view["void_suit"][me]
    kind, situation = int(view["claim_tile"]), 0
    if view["kong_discard"] != 0:
        situation |= Situation.KONG_DISCARD
    extras = np.empty(NUM_EXTRAS, np.int8)
    now = units_with(
        suit_key, hand, kind, num_melds, meld_type, meld_kind, situation, rules, luts, extras
    )
    later = worth(
        suit_key, hand, num_melds, meld_type, meld_kind, int(void), live, False, rules, luts
    )
    unseen = 0
    for other in range(NUM_KINDS):
        unseen += int(live[other])
    return draws_left(view) * opponents * later > _WORTH_WAITING * now * unseen


@kernel
def _own_kong(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """The own kong to declare, or -1 (rule 2)."""
    # Some tile of an incomplete hand is idle; a discard makes a complete one ready.
    now = max(_READY, hand_deficiency(view, luts))
    best, best_deficiency = -1, 0
    for kind in range(NUM_KINDS):
        if mask[OWN_KONG_0 + kind] == 0:
            continue
        if view["hand"][kind] == COPIES:
            left = deficiency_without(view, luts, kind, COPIES, 1)
            may = left < IMPOSSIBLE and (now > _READY or left <= _READY)
        else:
            left = deficiency_without(view, luts, kind, 1, 0)
            may = left <= now
        if may and (best < 0 or left < best_deficiency):
            best, best_deficiency = kind, left
    return -1 if best < 0 else OWN_KONG_0 + best


# -------------------------------------------------------------------------------------- claims


@kernel
def _claim(view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """Kong, pung or pass (rules 3 to 6)."""
    kind = int(view["claim_tile"])
    now = hand_deficiency(view, luts)
    suit = aimed_suit(view, luts, now)
    if suit >= 0 and kind // NUM_RANKS != suit:
        return int(PASS)
    if mask[KONG] != 0 and deficiency_without(view, luts, kind, CLAIMED_FOR_KONG, 1) <= now:
        return int(KONG)
    if mask[PUNG] == 0:
        return int(PASS)
    takes = pungs_in_suit(view, luts, suit) if suit >= 0 else pungs(view, rules, luts, now)
    return int(PUNG) if takes else int(PASS)


# ------------------------------------------------------------------------------------ discards


@kernel
def _tiles_of(view: np.void, suit: int) -> int:
    """Tiles of a suit in the hand."""
    tiles = 0
    for rank in range(NUM_RANKS):
        tiles += int(view["hand"][suit * NUM_RANKS + rank])
    return tiles


@kernel
def _third_suit(view: np.void) -> int:
    """The suit to be rid of where there are no void suits, -1 if none."""
    me = int(view["seat"])
    melded = meld_suits(view["meld_kind"][me], int(view["num_melds"][me]))
    held, best, fewest = melded, -1, 0
    for suit in range(NUM_SUITS):
        tiles = _tiles_of(view, suit)
        if tiles == 0:
            continue
        held |= 1 << suit
        if (melded >> suit) & 1 == 0 and (best < 0 or tiles < fewest):
            best, fewest = suit, tiles
    return best if held == _ALL_SUITS else -1


@kernel
def suit_to_shed(view: np.void, rules: np.void) -> int:
    """The third suit once it is time to shed it (rule 8), -1 before."""
    if rules["pig_multiple"] == 0 or view["void_suit"][int(view["seat"])] != NO_SUIT:
        return -1
    third = _third_suit(view)
    return third if third >= 0 and 2 * _tiles_of(view, third) >= draws_left(view) else -1


@kernel
def _judge_for_suit(
    view: np.void,
    luts: np.ndarray,
    suit: int,
    live: np.ndarray,
    left: np.ndarray,
    useful: np.ndarray,
) -> None:
    """Rule out discards of the aimed suit; if it holds no other, judge them for that suit."""
    beside = holds_beside(view, suit)
    num_melds = int(view["num_melds"][int(view["seat"])])
    live9 = live[suit * NUM_RANKS : (suit + 1) * NUM_RANKS]
    for rank in range(NUM_RANKS):
        kind = suit * NUM_RANKS + rank
        if beside:
            left[kind] = _OUT_OF_QUESTION
        elif view["hand"][kind] > 0:
            key = int(view["suit_key"][suit]) - power_of_five(rank)
            left[kind] = suit_deficiency(key, num_melds, luts)
            useful[kind] = suit_useful(key, num_melds, live9, luts)


@kernel
def _best_discard(view: np.void, rules: np.void, luts: np.ndarray) -> int:
    """The discard of rules 8 and 9."""
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    left, useful = np.empty(NUM_KINDS, np.int8), np.empty(NUM_KINDS, np.int8)
    nearest = discard_analysis(view, rules, luts, live, left, useful)
    shed = suit_to_shed(view, rules)
    suit = aimed_suit(view, luts, nearest) if shed < 0 else -1
    if suit >= 0:
        _judge_for_suit(view, luts, suit, live, left, useful)
    least, most = _OUT_OF_QUESTION, 0
    for kind in range(NUM_KINDS):
        if view["hand"][kind] == 0 or (shed >= 0 and kind // NUM_RANKS != shed):
            left[kind] = _OUT_OF_QUESTION
        elif left[kind] < least:
            least, most = int(left[kind]), int(useful[kind])
        elif left[kind] == least:
            most = max(most, int(useful[kind]))
    best, best_gain = -1, 0
    for kind in range(NUM_KINDS):
        if left[kind] != least or least == _OUT_OF_QUESTION:
            continue
        gain = int(useful[kind])
        if shed < 0 and least == _READY:
            gain = worth_without(view, rules, luts, kind, live)
        elif shed < 0 and suit < 0 and least == _ONE_FROM_READY:
            if _OF_USEFUL * gain < _ENOUGH_USEFUL * most:
                continue
            gain = prospect_without(view, rules, luts, kind, live)
        if best < 0 or gain > best_gain:
            best, best_gain = kind, gain
    return DISCARD_0 + best


@kernel
def _in_turn(view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """Own kong or discard (rules 2 and 7 to 9)."""
    kong = _own_kong(view, luts, mask)
    if kong >= 0:
        return kong
    void = int(view["void_suit"][int(view["seat"])])
    if void != NO_SUIT and view["suit_key"][void] != 0:
        return void_discard(view, void)
    return _best_discard(view, rules, luts)


# ----------------------------------------------------------------------------- before the play


@kernel
def _void(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """The suit to declare void (rule 10)."""
    key0, key1, key2 = view["suit_key"][0], view["suit_key"][1], view["suit_key"][2]
    best, least, largest = -1, 0, 0
    for suit in range(NUM_SUITS):
        if mask[VOID_0 + suit] == 0:
            continue
        left = deficiency(int(key0), int(key1), int(key2), 0, 0, suit, luts)
        own = own_deficiency(int(view["suit_key"][suit]), luts)
        if best < 0 or left < least or (left == least and own > largest):
            best, least, largest = suit, left, own
    return VOID_0 + best


@kernel
def choose(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Choose as the module says; nothing is left to chance."""
    only = only_action(mask)
    if only >= 0:
        return only
    phase = view["phase"]
    if mask[WIN] != 0:
        waits = phase == Phase.CLAIM and mask[PASS] != 0 and _lets_go(view, rules, luts)
        return int(PASS) if waits else int(WIN)
    if phase == Phase.TURN:
        return _in_turn(view, rules, luts, mask)
    if phase == Phase.CLAIM:
        return _claim(view, rules, luts, mask)
    if phase == Phase.VOID:
        return _void(view, luts, mask)
    return give(view, luts, mask)


class GreedyPlus(CompiledBot):
    """The agent ``greedy_plus/1``."""

    def __init__(self) -> None:
        super().__init__("greedy_plus/1", choose, SICHUAN)
