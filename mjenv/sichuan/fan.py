"""What a winning hand is worth: patterns, roots, situations, cap (R35, R50 and section 2).

A win can be read as four sets and a pair, or as seven pairs. Fan tables A and B count the best
single pattern, table C adds up the patterns of one reading; the better total counts.
"""

from enum import IntEnum

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import (
    suit_complete,
    suit_pairs,
    suit_quads,
    suit_terminal,
    suit_triplets,
)
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.hand import SEVEN_PAIRS, key_with, owned, suit_of, waits
from mjenv.sichuan.rules import NUM_PATTERNS, Extra, Pattern, SelfDrawBonus
from mjenv.sichuan.state import MAX_MELDS, NUM_KINDS, Meld


class Situation(IntEnum):
    """Bits of how a hand was won."""

    SELF_DRAW = 1
    AFTER_KONG = 2  # on a replacement tile
    KONG_DISCARD = 4  # on the discard after a replacement draw
    ROB_KONG = 8
    LAST_TILE = 16  # the wall is empty
    TIAN_HU = 32
    DI_HU = 64


_PING_HU = 1 << Pattern.PING_HU
_DUI_DUI_HU = 1 << Pattern.DUI_DUI_HU
_QING_YI_SE = 1 << Pattern.QING_YI_SE
_DAI_YAO_JIU = 1 << Pattern.DAI_YAO_JIU
_QI_DUI = 1 << Pattern.QI_DUI
_QING_DUI = 1 << Pattern.QING_DUI
_JIANG_DUI = 1 << Pattern.JIANG_DUI
_LONG_QI_DUI = 1 << Pattern.LONG_QI_DUI
_QING_QI_DUI = 1 << Pattern.QING_QI_DUI
_QING_YAO_JIU = 1 << Pattern.QING_YAO_JIU
_QING_LONG_QI_DUI = 1 << Pattern.QING_LONG_QI_DUI
_TIAN_HU = 1 << Pattern.TIAN_HU
_DI_HU = 1 << Pattern.DI_HU
_JIN_GOU_DIAO = 1 << Pattern.JIN_GOU_DIAO
_DRAGONS = _LONG_QI_DUI | _QING_LONG_QI_DUI
_OF_TRIPLETS = _DUI_DUI_HU | _QING_DUI | _JIANG_DUI
_OF_OUTER_SETS = _DAI_YAO_JIU | _QING_YAO_JIU
_TWO_FIVE_EIGHT = (1 << 1) | (1 << 4) | (1 << 7)


@kernel
def _one_suit(key0: int, key1: int, key2: int, num_melds: int, meld_kind: np.ndarray) -> bool:
    bits = (1 if key0 != 0 else 0) | (2 if key1 != 0 else 0) | (4 if key2 != 0 else 0)
    for i in range(num_melds):
        bits |= 1 << suit_of(int(meld_kind[i]))
    return bits in (1, 2, 4)


@kernel
def _ranks_are_258(hand: np.ndarray, tile: int, num_melds: int, meld_kind: np.ndarray) -> bool:
    """Whether every tile, the pair included, is a 2, a 5 or an 8."""
    if tile != NO_TILE and not (_TWO_FIVE_EIGHT >> (tile % NUM_RANKS)) & 1:
        return False
    for i in range(num_melds):
        if not (_TWO_FIVE_EIGHT >> (int(meld_kind[i]) % NUM_RANKS)) & 1:
            return False
    for kind in range(NUM_KINDS):
        if hand[kind] > 0 and not (_TWO_FIVE_EIGHT >> (kind % NUM_RANKS)) & 1:
            return False
    return True


@kernel
def _melds_are_terminal(num_melds: int, meld_kind: np.ndarray) -> bool:
    for i in range(num_melds):
        rank = int(meld_kind[i]) % NUM_RANKS
        if rank != 0 and rank != NUM_RANKS - 1:
            return False
    return True


@kernel
def set_patterns(
    key0: int,
    key1: int,
    key2: int,
    hand: np.ndarray,
    tile: int,
    num_melds: int,
    meld_kind: np.ndarray,
    luts: np.ndarray,
) -> int:
    """Patterns (bits) of the reading as four sets and a pair, 0 if there is none."""
    word0, word1, word2 = luts[key0], luts[key1], luts[key2]
    if not (suit_complete(word0) and suit_complete(word1) and suit_complete(word2)):
        return 0
    found = _PING_HU
    pure = _one_suit(key0, key1, key2, num_melds, meld_kind)
    if pure:
        found |= _QING_YI_SE
    if suit_triplets(word0) and suit_triplets(word1) and suit_triplets(word2):
        found |= _DUI_DUI_HU
        if pure:
            found |= _QING_DUI
        if _ranks_are_258(hand, tile, num_melds, meld_kind):
            found |= _JIANG_DUI
    terminal = suit_terminal(word0) and suit_terminal(word1) and suit_terminal(word2)
    if terminal and _melds_are_terminal(num_melds, meld_kind):
        found |= _DAI_YAO_JIU
        if pure:
            found |= _QING_YAO_JIU
    if num_melds == MAX_MELDS:
        found |= _JIN_GOU_DIAO
    return found


@kernel
def pair_patterns(
    key0: int, key1: int, key2: int, num_melds: int, rules: np.void, luts: np.ndarray
) -> int:
    """Patterns (bits) of the reading as seven pairs, 0 if there is none.

    Where the table has the dragon, seven pairs with a four-of-a-kind are the dragon only.
    """
    word0, word1, word2 = luts[key0], luts[key1], luts[key2]
    pairs = suit_pairs(word0) + suit_pairs(word1) + suit_pairs(word2)
    if num_melds > 0 or pairs != SEVEN_PAIRS:
        return 0
    pure = (key0 == 0) + (key1 == 0) + (key2 == 0) == NUM_SUITS - 1
    found = _QI_DUI | (_QING_QI_DUI | _QING_YI_SE if pure else 0)
    if suit_quads(word0) + suit_quads(word1) + suit_quads(word2) > 0:
        found |= _LONG_QI_DUI | (_QING_LONG_QI_DUI if pure else 0)
        if rules["additive"] == 0:
            if rules["fans"][Pattern.LONG_QI_DUI] >= 0:
                found &= ~_QI_DUI
            if rules["fans"][Pattern.QING_LONG_QI_DUI] >= 0:
                found &= ~_QING_QI_DUI
    if rules["additive"] != 0:
        return found | _PING_HU
    return found & ~_QING_YI_SE  # in a table of single patterns that is four sets and a pair


@kernel
def count_roots(
    key0: int,
    key1: int,
    key2: int,
    hand: np.ndarray,
    tile: int,
    num_melds: int,
    meld_type: np.ndarray,
    meld_kind: np.ndarray,
    rules: np.void,
    luts: np.ndarray,
) -> int:
    """Kinds of which the winner owns all four without a kong; kongs too if the option says so."""
    roots = suit_quads(luts[key0]) + suit_quads(luts[key1]) + suit_quads(luts[key2])
    for i in range(num_melds):
        if meld_type[i] == Meld.PUNG:
            kind = int(meld_kind[i])
            if hand[kind] > 0 or kind == tile:
                roots += 1
        elif rules["root_counts_kong"] != 0:
            roots += 1
    return roots


@kernel
def single_total(pattern: int, roots: int, rules: np.void) -> tuple[int, int]:
    """Fan of a pattern and its roots, and the roots left for it (tables A and B).

    The four of a kind that makes a dragon is not a root beside it (point 45).
    """
    left = roots - 1 if (_DRAGONS >> pattern) & 1 else roots
    return int(rules["fans"][pattern]) + int(rules["extra_fans"][Extra.GEN]) * left, left


@kernel
def _best_single(found: int, roots: int, rules: np.void) -> tuple[int, int, int]:
    """Total, pattern bit and roots left for it, of the best single pattern (tables A and B)."""
    best, chosen, chosen_roots = -1, 0, 0
    for pattern in range(NUM_PATTERNS):
        if (found >> pattern) & 1 == 0 or rules["fans"][pattern] < 0:
            continue
        total, left = single_total(pattern, roots, rules)
        if total > best:
            best, chosen, chosen_roots = total, 1 << pattern, left
    return best, chosen, chosen_roots


@kernel
def sum_of_patterns(found: int, rules: np.void) -> tuple[int, int]:
    """Sum of the fans of the patterns found and their bits (table C)."""
    total, named = 0, 0
    for pattern in range(NUM_PATTERNS):
        if (found >> pattern) & 1 and rules["fans"][pattern] >= 0:
            total += int(rules["fans"][pattern])
            named |= 1 << pattern
    return total, named


@kernel
def readings_of(sets: int, pairs: int) -> tuple[int, int, int]:
    """Patterns of each way to read a hand, 0 where there is none: triplets, other sets, pairs.

    Patterns of triplets and of outer sets never belong to one reading: triplets of 1 and 9 alone
    would take five kinds, and two suits have four.
    """
    triplets = sets & ~_OF_OUTER_SETS if sets & _OF_TRIPLETS else 0
    others = 0 if triplets and not sets & _OF_OUTER_SETS else sets & ~_OF_TRIPLETS
    return triplets, others, pairs


@kernel
def _best_sum(sets: int, pairs: int, rules: np.void) -> tuple[int, int]:
    """Best total of one reading, and its patterns (table C)."""
    best, chosen = -1, 0
    for reading in readings_of(sets, pairs):
        total, named = sum_of_patterns(reading, rules)
        if reading != 0 and total > best:
            best, chosen = total, named
    return best, chosen


@kernel
def capped(fan: int, rules: np.void) -> int:
    """The fan after the cap."""
    cap = int(rules["fan_cap"])
    return min(fan, cap) if cap > 0 else fan


@kernel
def _limit_hand(situation: int, rules: np.void) -> tuple[int, int]:
    """tian_hu and di_hu in an additive table stand alone (point 28)."""
    pattern = Pattern.TIAN_HU if situation & Situation.TIAN_HU else Pattern.DI_HU
    return capped(int(rules["fans"][pattern]), rules), 1 << pattern


@kernel
def _situation_extras(situation: int, rules: np.void, extras: np.ndarray) -> int:
    """Write the fans that the situation adds and return their sum."""
    fans = rules["extra_fans"]
    if situation & Situation.AFTER_KONG:
        extras[Extra.GANG_SHANG_HUA] = fans[Extra.GANG_SHANG_HUA]
    if situation & Situation.KONG_DISCARD:
        extras[Extra.GANG_SHANG_PAO] = fans[Extra.GANG_SHANG_PAO]
    if situation & Situation.ROB_KONG:
        extras[Extra.QIANG_GANG] = fans[Extra.QIANG_GANG]
    elif situation & Situation.LAST_TILE:
        extras[Extra.HAI_DI] = fans[Extra.HAI_DI]
    if situation & Situation.SELF_DRAW and rules["self_draw_bonus"] == SelfDrawBonus.ADD_FAN:
        extras[Extra.SELF_DRAW] = 1
    total = 0
    for i in range(extras.shape[0]):
        total += int(extras[i])
    return total


@kernel
def score(
    key0: int,
    key1: int,
    key2: int,
    hand: np.ndarray,
    tile: int,
    num_melds: int,
    meld_type: np.ndarray,
    meld_kind: np.ndarray,
    situation: int,
    rules: np.void,
    luts: np.ndarray,
    extras: np.ndarray,
) -> tuple[int, int]:
    """Fan after the cap and patterns (bits) of a winning hand; writes ``extras``.

    The keys include the winning tile. ``hand`` includes it too if ``tile`` is ``NO_TILE``,
    else ``tile`` is the winning tile beside it.
    """
    extras[:] = 0
    special = situation & (Situation.TIAN_HU | Situation.DI_HU)
    if special and rules["additive"] != 0:
        return _limit_hand(situation, rules)
    roots = count_roots(key0, key1, key2, hand, tile, num_melds, meld_type, meld_kind, rules, luts)
    sets = set_patterns(key0, key1, key2, hand, tile, num_melds, meld_kind, luts)
    pairs = pair_patterns(key0, key1, key2, num_melds, rules, luts)
    if rules["additive"] != 0:
        total, patterns = _best_sum(sets, pairs, rules)
        gen = roots * int(rules["extra_fans"][Extra.GEN])
        total += gen
    else:
        found = sets | pairs
        if situation & Situation.TIAN_HU:
            found |= _TIAN_HU
        if situation & Situation.DI_HU:
            found |= _DI_HU
        total, patterns, left = _best_single(found, roots, rules)
        gen = left * int(rules["extra_fans"][Extra.GEN])
    total += _situation_extras(situation, rules, extras)
    extras[Extra.GEN] = gen
    return capped(total, rules), patterns


@kernel
def score_with(
    suit_key: np.ndarray,
    hand: np.ndarray,
    tile: int,
    num_melds: int,
    meld_type: np.ndarray,
    meld_kind: np.ndarray,
    situation: int,
    rules: np.void,
    luts: np.ndarray,
    extras: np.ndarray,
) -> tuple[int, int]:
    """:func:`score` of 3n+1 concealed tiles with the winning ``tile`` beside them."""
    suit = suit_of(tile)
    key0, key1, key2 = int(suit_key[0]), int(suit_key[1]), int(suit_key[2])
    if suit == 0:
        key0 = key_with(key0, tile)
    elif suit == 1:
        key1 = key_with(key1, tile)
    else:
        key2 = key_with(key2, tile)
    return score(
        key0,
        key1,
        key2,
        hand,
        tile,
        num_melds,
        meld_type,
        meld_kind,
        situation,
        rules,
        luts,
        extras,
    )


@kernel
def ready_fan(
    suit_key: np.ndarray,
    hand: np.ndarray,
    num_melds: int,
    meld_type: np.ndarray,
    meld_kind: np.ndarray,
    melded: int,
    void: int,
    rules: np.void,
    luts: np.ndarray,
    extras: np.ndarray,
) -> int:
    """The largest fan a ready hand could reach, 0 if it is not ready (R41, R43).

    A wait counts unless the seat owns all four. Patterns and roots only, after the cap.
    """
    best = 0
    candidates = waits(suit_key, num_melds, melded, void, luts)
    for kind in range(NUM_KINDS):
        if (candidates >> kind) & 1 == 0:
            continue
        if owned(hand, meld_type, meld_kind, num_melds, kind) >= COPIES:
            continue
        fan, _ = score_with(
            suit_key, hand, kind, num_melds, meld_type, meld_kind, 0, rules, luts, extras
        )
        best = max(best, fan)
    return best
