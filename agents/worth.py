"""What a hand may win in the rules of the table, weighed by the copies that are left.

The *worth* of a ready hand adds up, over all live copies of its waits, what one opponent would pay
for them: the units of a self-draw and, unless only self-draws count, those of a discard. The
*prospect* of a hand one tile from ready adds up, over all live copies that make it ready, the most
worth that it then has after a discard. Both are sums and no averages: many cheap waits may beat few
dear ones.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.sichuan.analysis import keys_of, useful_kinds
from mjenv.sichuan.fan import Situation, score_with
from mjenv.sichuan.hand import deficiency, meld_suits
from mjenv.sichuan.rules import SelfDrawBonus
from mjenv.sichuan.settlement import multiple
from mjenv.sichuan.state import NUM_EXTRAS, NUM_KINDS

_READY = 1


@kernel
def units_of(fan: int, rules: np.void) -> int:
    """Units that one payer pays for a win, 0 if it has too few fan to be allowed."""
    return multiple(fan) if fan >= rules["min_fan"] else 0


@kernel
def units_with(
    suit_key: np.ndarray,
    hand: np.ndarray,
    kind: int,
    num_melds: int,
    meld_type: np.ndarray,
    meld_kind: np.ndarray,
    situation: int,
    rules: np.void,
    luts: np.ndarray,
    extras: np.ndarray,
) -> int:
    """Units that one payer pays if 3n+1 tiles win with one of ``kind``, a self-draw bonus included.

    ``extras`` is room for what fans are made of, ``(6,)``.
    """
    fan, _ = score_with(
        suit_key, hand, kind, num_melds, meld_type, meld_kind, situation, rules, luts, extras
    )
    units = units_of(fan, rules)
    self_drawn = situation & Situation.SELF_DRAW != 0
    bonus = self_drawn and rules["self_draw_bonus"] == SelfDrawBonus.ADD_BASE
    return units + 1 if bonus and units > 0 else units


@kernel
def worth(
    suit_key: np.ndarray,
    hand: np.ndarray,
    num_melds: int,
    meld_type: np.ndarray,
    meld_kind: np.ndarray,
    void: int,
    live: np.ndarray,
    by_discard: bool,
    rules: np.void,
    luts: np.ndarray,
) -> int:
    """Worth of 3n+1 tiles and melds, 0 if they are not ready.

    Args:
        suit_key: ``(3,)`` keys of the tiles.
        hand: ``(27,)`` their counts.
        num_melds: Number of melds.
        meld_type: ``(4,)`` what they are.
        meld_kind: ``(4,)`` kinds they are of.
        void: Void suit or ``NO_SUIT``.
        live: ``(27,)`` live copies.
        by_discard: Whether discards of others count beside self-draws.
        rules: Packed rules.
        luts: Lookup tables.
    """
    melded = meld_suits(meld_kind, num_melds)
    waits = useful_kinds(keys_of(suit_key), num_melds, melded, void, 0, live, luts)
    extras = np.empty(NUM_EXTRAS, np.int8)
    total = 0
    for kind in range(NUM_KINDS):
        if (waits >> kind) & 1 == 0:
            continue
        drawn = 0 | Situation.SELF_DRAW
        units = units_with(
            suit_key, hand, kind, num_melds, meld_type, meld_kind, drawn, rules, luts, extras
        )
        if by_discard:
            units += units_with(
                suit_key, hand, kind, num_melds, meld_type, meld_kind, 0, rules, luts, extras
            )
        total += int(live[kind]) * units
    return total


@kernel
def most_worth(
    suit_key: np.ndarray,
    hand: np.ndarray,
    num_melds: int,
    meld_type: np.ndarray,
    meld_kind: np.ndarray,
    void: int,
    live: np.ndarray,
    kept: int,
    rules: np.void,
    luts: np.ndarray,
) -> int:
    """The most worth of 3n+2 tiles and melds after a discard, 0 if none makes them ready.

    The discard is not of the kind ``kept``, which may be -1. Keys and counts come back unchanged.
    """
    melded = meld_suits(meld_kind, num_melds)
    best = 0
    for kind in range(NUM_KINDS):
        if hand[kind] == 0 or kind == kept:
            continue
        add_to(suit_key, hand, kind, -1)
        keys = keys_of(suit_key)
        if deficiency(keys[0], keys[1], keys[2], num_melds, melded, void, luts) == _READY:
            found = worth(
                suit_key, hand, num_melds, meld_type, meld_kind, void, live, True, rules, luts
            )
            best = max(best, found)
        add_to(suit_key, hand, kind, 1)
    return best


@kernel
def add_to(suit_key: np.ndarray, hand: np.ndarray, kind: int, copies: int) -> None:
    """Add tiles of a kind to keys and counts, or take them away if ``copies`` is negative."""
    suit_key[kind // NUM_RANKS] += copies * power_of_five(kind % NUM_RANKS)
    hand[kind] += copies


@kernel
def copy_hand(view: np.void, suit_key: np.ndarray, hand: np.ndarray) -> None:
    """Write a copy of the own keys ``(3,)`` and counts ``(27,)``, to change."""
    for suit in range(NUM_SUITS):
        suit_key[suit] = view["suit_key"][suit]
    for kind in range(NUM_KINDS):
        hand[kind] = view["hand"][kind]


@kernel
def worth_without(
    view: np.void, rules: np.void, luts: np.ndarray, kind: int, live: np.ndarray
) -> int:
    """Worth of the own hand after the discard of ``kind``."""
    me = int(view["seat"])
    suit_key, hand = np.empty(NUM_SUITS, np.int32), np.empty(NUM_KINDS, np.int8)
    copy_hand(view, suit_key, hand)
    add_to(suit_key, hand, kind, -1)
    num_melds, void = int(view["num_melds"][me]), int(view["void_suit"][me])
    meld_type, meld_kind = view["meld_type"][me], view["meld_kind"][me]
    return worth(suit_key, hand, num_melds, meld_type, meld_kind, void, live, True, rules, luts)


@kernel
def prospect_without(
    view: np.void, rules: np.void, luts: np.ndarray, kind: int, live: np.ndarray
) -> int:
    """Prospect of the own hand after a discard of ``kind`` that leaves it one tile from ready."""
    me = int(view["seat"])
    num_melds, void = int(view["num_melds"][me]), int(view["void_suit"][me])
    meld_type, meld_kind = view["meld_type"][me], view["meld_kind"][me]
    suit_key, hand = np.empty(NUM_SUITS, np.int32), np.empty(NUM_KINDS, np.int8)
    copy_hand(view, suit_key, hand)
    add_to(suit_key, hand, kind, -1)
    melded = meld_suits(meld_kind, num_melds)
    useful = useful_kinds(keys_of(suit_key), num_melds, melded, void, _READY, live, luts)
    total = 0
    for drawn in range(NUM_KINDS):
        if (useful >> drawn) & 1 == 0:
            continue
        copies = int(live[drawn])
        add_to(suit_key, hand, drawn, 1)
        live[drawn] -= 1
        total += copies * most_worth(
            suit_key, hand, num_melds, meld_type, meld_kind, void, live, drawn, rules, luts
        )
        live[drawn] += 1
        add_to(suit_key, hand, drawn, -1)
    return total
