"""``greedy/1``: the fewest tiles from a win, then the most tiles that help.

The main yardstick, frozen: a change in what it chooses is a new version. It looks one tile ahead
and at nothing the others do. Its words:

- the *deficiency* of a hand is the fewest tiles to add for a win in two suits, the void suit not
  being one of them (:func:`mjenv.sichuan.hand.deficiency`);
- *live* copies of a kind are those it cannot see (:func:`mjenv.sichuan.analysis.live_counts`);
- the *useful tiles* of a hand are the live copies of all kinds that lower its deficiency;
- the *own deficiency* of a suit is the deficiency of its tiles alone, as if nothing else were held.

Its choice is the first of these that the menu offers; ties go to the lowest kind or suit.

1. Win.
2. Own kong: the one that leaves the least deficiency, if that is not above the least that a
   discard leaves.
3. Claimed kong: if the deficiency does not rise.
4. Pung: if the least deficiency after the discard that must follow is lower than before.
5. Pass.
6. Discard while void tiles are held: the void tile with the most live copies.
7. Discard: least deficiency, of these most useful tiles.
8. Void suit: the one with the fewest tiles, of these the largest own deficiency.
9. Give: of the suits on offer the one with the fewest tiles, of these the largest own deficiency;
   of its kinds the one whose loss leaves the suit the least own deficiency.

It never leaves a deal. Each rule is a kernel of its own, for other bots to build on.
"""

import numpy as np

from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.actions import DISCARD_0, KONG, OWN_KONG_0, PASS, PUNG, VOID_0, WIN
from mjenv.sichuan.analysis import discard_analysis, hand_deficiency, live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import deficiency, meld_suits
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS, Phase

CLAIMED_FOR_PUNG = 2
"""Tiles that leave the hand for a pung; the third is claimed."""
CLAIMED_FOR_KONG = 3
"""Tiles that leave the hand for a claimed kong."""
_ANY = -1


@kernel
def deficiency_without(
    view: np.void, luts: np.ndarray, kind: int, copies: int, new_melds: int
) -> int:
    """Deficiency once ``copies`` tiles of a kind have left the hand, for 0 or 1 melds more."""
    me = int(view["seat"])
    num_melds = int(view["num_melds"][me])
    suit = kind // NUM_RANKS
    less = copies * power_of_five(kind % NUM_RANKS)
    key0, key1, key2 = view["suit_key"][0], view["suit_key"][1], view["suit_key"][2]
    return deficiency(
        int(key0) - less if suit == 0 else int(key0),
        int(key1) - less if suit == 1 else int(key1),
        int(key2) - less if suit == NUM_SUITS - 1 else int(key2),
        num_melds + new_melds,
        meld_suits(view["meld_kind"][me], num_melds) | (new_melds << suit),
        int(view["void_suit"][me]),
        luts,
    )


# ---------------------------------------------------------------------------------- own turn


@kernel
def own_kong(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """The own kong to declare, or -1 (rule 2)."""
    best, best_deficiency = -1, 0
    for kind in range(NUM_KINDS):
        if mask[OWN_KONG_0 + kind] == 0:
            continue
        if view["hand"][kind] == COPIES:
            left = deficiency_without(view, luts, kind, COPIES, 1)
        else:
            left = deficiency_without(view, luts, kind, 1, 0)
        if best < 0 or left < best_deficiency:
            best, best_deficiency = kind, left
    # Some tile of an incomplete hand is idle; a discard makes a complete one ready.
    if best < 0 or best_deficiency > max(1, hand_deficiency(view, luts)):
        return -1
    return OWN_KONG_0 + best


@kernel
def void_discard(view: np.void, void: int) -> int:
    """The void tile with the most live copies (rule 6)."""
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    best = -1
    for kind in range(void * NUM_RANKS, (void + 1) * NUM_RANKS):
        if view["hand"][kind] > 0 and (best < 0 or live[kind] > live[best]):
            best = kind
    return DISCARD_0 + best


@kernel
def best_discard(view: np.void, rules: np.void, luts: np.ndarray) -> int:
    """Least deficiency, then most useful tiles (rule 7)."""
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    left = np.empty(NUM_KINDS, np.int8)
    useful = np.empty(NUM_KINDS, np.int8)
    discard_analysis(view, rules, luts, live, left, useful)
    best = -1
    for kind in range(NUM_KINDS):
        if view["hand"][kind] == 0:
            continue
        better = best < 0 or left[kind] < left[best]
        if better or (left[kind] == left[best] and useful[kind] > useful[best]):
            best = kind
    return DISCARD_0 + best


@kernel
def discard(view: np.void, rules: np.void, luts: np.ndarray) -> int:
    """Discard (rules 6 and 7)."""
    void = int(view["void_suit"][int(view["seat"])])
    if void != NO_SUIT and view["suit_key"][void] != 0:
        return void_discard(view, void)
    return best_discard(view, rules, luts)


@kernel
def in_turn(view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """Own kong or discard (rules 2, 6 and 7)."""
    kong = own_kong(view, luts, mask)
    if kong >= 0:
        return kong
    return discard(view, rules, luts)


# ------------------------------------------------------------------------------------ claims


@kernel
def claim(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """Kong, pung or pass (rules 3 to 5)."""
    kind = int(view["claim_tile"])
    now = hand_deficiency(view, luts)
    if mask[KONG] != 0 and deficiency_without(view, luts, kind, CLAIMED_FOR_KONG, 1) <= now:
        return int(KONG)
    if mask[PUNG] != 0:
        # A hand that the pung completes is ready after its discard.
        left = max(1, deficiency_without(view, luts, kind, CLAIMED_FOR_PUNG, 1))
        if left < now:
            return int(PUNG)
    return int(PASS)


# --------------------------------------------------------------------------- before the play


@kernel
def own_deficiency(key: int, luts: np.ndarray) -> int:
    """Deficiency of the tiles of one suit alone."""
    return deficiency(key, 0, 0, 0, 0, NO_SUIT, luts)


@kernel
def shortest_suit(view: np.void, luts: np.ndarray, offered: int) -> int:
    """Of the suits offered (bits): fewest tiles, then the largest own deficiency."""
    best, best_size, best_deficiency = _ANY, 0, 0
    for suit in range(NUM_SUITS):
        if (offered >> suit) & 1 == 0:
            continue
        size = 0
        for rank in range(NUM_RANKS):
            size += int(view["hand"][suit * NUM_RANKS + rank])
        own = own_deficiency(int(view["suit_key"][suit]), luts)
        if best == _ANY or size < best_size or (size == best_size and own > best_deficiency):
            best, best_size, best_deficiency = suit, size, own
    return best


@kernel
def spare_suit(view: np.void, luts: np.ndarray) -> int:
    """The void suit, without one the suit to do without: not melded, else as rule 8 has it.

    ``NO_SUIT`` if all are melded.
    """
    me = int(view["seat"])
    if view["void_suit"][me] != NO_SUIT:
        return int(view["void_suit"][me])
    melded = meld_suits(view["meld_kind"][me], int(view["num_melds"][me]))
    return shortest_suit(view, luts, ((1 << NUM_SUITS) - 1) & ~melded)


@kernel
def declare_void(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """The suit to declare void (rule 8)."""
    offered = 0
    for suit in range(NUM_SUITS):
        if mask[VOID_0 + suit] != 0:
            offered |= 1 << suit
    return VOID_0 + shortest_suit(view, luts, offered)


@kernel
def give(view: np.void, luts: np.ndarray, mask: np.ndarray) -> int:
    """A tile to give in the exchange (rule 9)."""
    offered = 0
    for kind in range(NUM_KINDS):
        if mask[DISCARD_0 + kind] != 0:
            offered |= 1 << (kind // NUM_RANKS)
    suit = shortest_suit(view, luts, offered)
    key = int(view["suit_key"][suit])
    best, best_deficiency = -1, 0
    for rank in range(NUM_RANKS):
        kind = suit * NUM_RANKS + rank
        if view["hand"][kind] == 0:
            continue
        left = own_deficiency(key - power_of_five(rank), luts)
        if best < 0 or left < best_deficiency:
            best, best_deficiency = kind, left
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
    if phase == Phase.TURN:
        return in_turn(view, rules, luts, mask)
    if phase == Phase.CLAIM:
        return claim(view, luts, mask)
    if phase == Phase.VOID:
        return declare_void(view, luts, mask)
    return give(view, luts, mask)


class Greedy(CompiledBot):
    """The agent ``greedy/1``."""

    def __init__(self) -> None:
        super().__init__("greedy/1", choose, SICHUAN)
