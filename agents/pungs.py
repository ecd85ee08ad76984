"""Whether a pung pays: it brings a hand closer, or no closer but to something better.

A pung costs two tiles that may have served otherwise, and it needs no draw: others discard three
times as often as a seat draws. So a pung that leaves the deficiency as it is is taken if more tiles
are useful afterwards, or more worth is waited for.
"""

import numpy as np

from agents.greedy import CLAIMED_FOR_PUNG, deficiency_without
from agents.suit_aim import holds_beside, suit_deficiency, suit_useful
from agents.worth import add_to, copy_hand, most_worth, worth
from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.sichuan.analysis import analyse_discards, live_counts, useful_tiles
from mjenv.sichuan.hand import meld_suits
from mjenv.sichuan.state import MAX_MELDS, NUM_KINDS, Meld

_READY = 1


@kernel
def _pung_pays(view: np.void, rules: np.void, luts: np.ndarray) -> bool:
    """Whether a ready hand is worth more after a pung and a discard."""
    me, kind = int(view["seat"]), int(view["claim_tile"])
    num_melds, void = int(view["num_melds"][me]), int(view["void_suit"][me])
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    suit_key, hand = np.empty(NUM_SUITS, np.int32), np.empty(NUM_KINDS, np.int8)
    copy_hand(view, suit_key, hand)
    meld_type, meld_kind = np.empty(MAX_MELDS, np.int8), np.empty(MAX_MELDS, np.int8)
    for i in range(num_melds):
        meld_type[i], meld_kind[i] = view["meld_type"][me, i], view["meld_kind"][me, i]
    before = worth(suit_key, hand, num_melds, meld_type, meld_kind, void, live, True, rules, luts)
    meld_type[num_melds], meld_kind[num_melds] = Meld.PUNG, kind
    add_to(suit_key, hand, kind, -CLAIMED_FOR_PUNG)
    num_melds += 1
    after = most_worth(suit_key, hand, num_melds, meld_type, meld_kind, void, live, -1, rules, luts)
    return after > before


@kernel
def _pung_helps(view: np.void, luts: np.ndarray) -> bool:
    """Whether more tiles are useful after a pung and a discard that leaves the least deficiency."""
    me, kind = int(view["seat"]), int(view["claim_tile"])
    num_melds, void = int(view["num_melds"][me]), int(view["void_suit"][me])
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    suit_key, hand = np.empty(NUM_SUITS, np.int32), np.empty(NUM_KINDS, np.int8)
    copy_hand(view, suit_key, hand)
    melded = meld_suits(view["meld_kind"][me], num_melds)
    before = useful_tiles(suit_key, num_melds, melded, void, live, luts)
    add_to(suit_key, hand, kind, -CLAIMED_FOR_PUNG)
    melded |= 1 << (kind // NUM_RANKS)
    left, useful = np.empty(NUM_KINDS, np.int8), np.empty(NUM_KINDS, np.int8)
    analyse_discards(suit_key, hand, num_melds + 1, melded, void, live, luts, left, useful)
    return bool(useful.max() > before)


@kernel
def pungs(view: np.void, rules: np.void, luts: np.ndarray, now: int) -> bool:
    """Whether to pung for whatever win is nearest; ``now`` is the deficiency of the hand."""
    # A hand that the pung completes is ready after its discard.
    left = deficiency_without(view, luts, int(view["claim_tile"]), CLAIMED_FOR_PUNG, 1)
    left = max(_READY, left)
    if left != now:
        return left < now
    return _pung_pays(view, rules, luts) if now == _READY else _pung_helps(view, luts)


@kernel
def pungs_in_suit(view: np.void, luts: np.ndarray, suit: int) -> bool:
    """Whether to pung a tile of the suit that the hand aims at."""
    me, rank = int(view["seat"]), int(view["claim_tile"]) % NUM_RANKS
    num_melds = int(view["num_melds"][me])
    key = int(view["suit_key"][suit])
    key_left = key - CLAIMED_FOR_PUNG * power_of_five(rank)
    now = suit_deficiency(key, num_melds, luts)
    left = max(_READY, suit_deficiency(key_left, num_melds + 1, luts))
    if left != now:
        return left < now
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    live9 = live[suit * NUM_RANKS : (suit + 1) * NUM_RANKS]
    before = suit_useful(key, num_melds, live9, luts)
    if holds_beside(view, suit):
        return suit_useful(key_left, num_melds + 1, live9, luts) > before
    for other in range(NUM_RANKS):
        held = int(view["hand"][suit * NUM_RANKS + other])
        if held <= (CLAIMED_FOR_PUNG if other == rank else 0):
            continue
        after = key_left - power_of_five(other)
        if suit_deficiency(after, num_melds + 1, luts) > left:
            continue
        if suit_useful(after, num_melds + 1, live9, luts) > before:
            return True
    return False
