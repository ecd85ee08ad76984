"""What the own hand is worth and what each choice would make of it, as numbers.

Which cell holds what stands in :mod:`mjenv.sichuan.hand_cells`; the words are those of
:mod:`mjenv.sichuan.analysis`.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five, suit_need, suit_pairs, suit_quads, suit_size
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.analysis import (
    NO_DISCARD,
    analyse_discards,
    is_unused,
    keys_of,
    useful_tiles,
)
from mjenv.sichuan.fan import ready_fan, score, score_with
from mjenv.sichuan.hand import IMPOSSIBLE, deficiency, meld_suits, pairs_deficiency
from mjenv.sichuan.hand_cells import (
    AFTER,
    CAN_WIN,
    DEFICIENCY_0,
    FAN,
    KONG,
    MAX_DEFICIENCY,
    ONE_SUIT,
    OWN_KONG,
    PAIRS,
    PASS,
    PUNG,
    ROOTS,
    SEVEN_PAIRS,
    SUIT_LIVE,
    SUIT_SIZE,
    TRIPLETS,
    USEFUL,
    USEFUL_AFTER,
    VOID_TILES,
    WITHOUT_SUIT,
)
from mjenv.sichuan.rule_features import MUCH_FAN
from mjenv.sichuan.state import (
    HAND_SIZE,
    MAX_MELDS,
    NO_SUIT,
    NUM_EXTRAS,
    NUM_KINDS,
    Meld,
    Offer,
    Phase,
)

_FAR = 10
_MANY = 30
_PAIRS = 7
_MUCH_ROOTS = 3
_PUNG = 2
_KONG = 3
_TRIPLET = 3


@kernel
def _far(missing: int) -> float:
    return min(missing, _FAR) / _FAR


@kernel
def _many(tiles: int) -> float:
    return min(tiles, _MANY) / _MANY


@kernel
def _largest(useful: np.ndarray) -> int:
    best = 0
    for kind in range(NUM_KINDS):
        best = max(best, int(useful[kind]))
    return best


# -------------------------------------------------------------------------------- shape of a hand


@kernel
def _triplets_missing(threes: int, twos: int, ones: int, sets: int) -> int:
    """Fewest tiles for ``sets`` triplets and a pair, from kinds held 3+, 2 and 1 times."""
    by_threes = min(threes, sets)
    by_twos = min(twos, sets - by_threes)
    by_ones = min(ones, sets - by_threes - by_twos)
    missing = by_twos + 2 * by_ones + _TRIPLET * (sets - by_threes - by_twos - by_ones)
    if threes > by_threes or twos > by_twos:
        return missing
    return missing + (1 if ones > by_ones else 2)


@kernel
def _held_times(hand: np.ndarray, unused: int, low: int, high: int) -> int:
    """Kinds held ``low`` to ``high`` times in the suits beside ``unused``."""
    found = 0
    for kind in range(NUM_KINDS):
        if kind // NUM_RANKS != unused and low <= hand[kind] <= high:
            found += 1
    return found


@kernel
def _write_routes(
    view: np.void, num_melds: int, melded: int, void: int, luts: np.ndarray, out: np.ndarray
) -> None:
    """Pairs, roots and how far the special hands are."""
    keys = keys_of(view["suit_key"])
    hand = view["hand"]
    sets = MAX_MELDS - num_melds
    pairs, roots = 0, 0
    by_pairs = by_triplets = IMPOSSIBLE
    for suit in range(NUM_SUITS):
        word = luts[keys[suit]]
        roots += suit_quads(word)
        if suit != void:
            pairs += suit_pairs(word)
        if is_unused(suit, melded, void):
            word_a = luts[keys[(suit + 1) % NUM_SUITS]]
            word_b = luts[keys[(suit + 2) % NUM_SUITS]]
            if num_melds == 0:
                by_pairs = min(by_pairs, pairs_deficiency(word_a, word_b))
            threes = _held_times(hand, suit, _TRIPLET, COPIES)
            twos, ones = _held_times(hand, suit, 2, 2), _held_times(hand, suit, 1, 1)
            by_triplets = min(by_triplets, _triplets_missing(threes, twos, ones, sets))
    me = int(view["seat"])
    for meld in range(num_melds):
        pung = view["meld_type"][me, meld] == Meld.PUNG
        if pung and hand[int(view["meld_kind"][me, meld])] > 0:
            roots += 1
    out[PAIRS] = min(pairs, _PAIRS) / _PAIRS
    out[ROOTS] = min(roots, _MUCH_ROOTS) / _MUCH_ROOTS
    out[SEVEN_PAIRS] = _far(by_pairs)
    out[TRIPLETS] = _far(by_triplets)


@kernel
def _write_suits(
    view: np.void,
    num_melds: int,
    melded: int,
    void: int,
    live: np.ndarray,
    luts: np.ndarray,
    out: np.ndarray,
) -> None:
    """What each suit holds, and the hand with it alone or without it."""
    keys = keys_of(view["suit_key"])
    for suit in range(NUM_SUITS):
        word = luts[keys[suit]]
        copies = 0
        for rank in range(NUM_RANKS):
            copies += int(live[suit * NUM_RANKS + rank])
        out[SUIT_SIZE + suit] = suit_size(word) / (HAND_SIZE + 1)
        out[SUIT_LIVE + suit] = copies / (COPIES * NUM_RANKS)
        alone = IMPOSSIBLE
        if melded & ~(1 << suit) == 0 and suit != void:
            alone = suit_need(word, MAX_MELDS - num_melds, 1)
            if num_melds == 0:
                alone = min(alone, pairs_deficiency(word, luts[0]))
        out[ONE_SUIT + suit] = _far(alone)
        rest = deficiency(keys[0], keys[1], keys[2], num_melds, melded, suit, luts)
        out[WITHOUT_SUIT + suit] = _far(rest)
    if void != NO_SUIT:
        out[VOID_TILES] = min(suit_size(luts[keys[void]]), HAND_SIZE) / HAND_SIZE


# ---------------------------------------------------------------------------------------- choices


@kernel
def _fan_if_ready(
    view: np.void,
    hand: np.ndarray,
    discard: int,
    num_melds: int,
    melded: int,
    void: int,
    rules: np.void,
    luts: np.ndarray,
) -> int:
    """Most fan the ready hand could reach once ``discard`` (or ``NO_TILE``) is gone."""
    me = int(view["seat"])
    keys = np.empty(NUM_SUITS, np.int32)
    for suit in range(NUM_SUITS):
        keys[suit] = view["suit_key"][suit]
    for kind in range(NUM_KINDS):
        hand[kind] = view["hand"][kind]
    if discard != NO_TILE:
        hand[discard] -= 1
        keys[discard // NUM_RANKS] -= power_of_five(discard % NUM_RANKS)
    return ready_fan(
        keys,
        hand,
        num_melds,
        view["meld_type"][me],
        view["meld_kind"][me],
        melded,
        void,
        rules,
        luts,
        np.empty(NUM_EXTRAS, np.int8),
    )


@kernel
def _fan_of_win(view: np.void, num_melds: int, rules: np.void, luts: np.ndarray) -> int:
    """Fan of the complete hand, or of the claimed tile with it; situations are left out."""
    me = int(view["seat"])
    keys = keys_of(view["suit_key"])
    extras = np.empty(NUM_EXTRAS, np.int8)
    types, kinds = view["meld_type"][me], view["meld_kind"][me]
    hand, tile = view["hand"], int(view["claim_tile"])
    if tile != NO_TILE:
        fan, _ = score_with(
            view["suit_key"], hand, tile, num_melds, types, kinds, 0, rules, luts, extras
        )
    else:
        fan, _ = score(
            keys[0], keys[1], keys[2], hand, tile, num_melds, types, kinds, 0, rules, luts, extras
        )
    return fan


@kernel
def _write_turn(
    view: np.void,
    least: int,
    num_melds: int,
    melded: int,
    void: int,
    after: np.ndarray,
    useful: np.ndarray,
    luts: np.ndarray,
    out: np.ndarray,
) -> int:
    """What each discard and own kong leaves; returns the best discard."""
    best = NO_TILE
    me = int(view["seat"])
    keys = keys_of(view["suit_key"])
    for kind in range(NUM_KINDS):
        held = int(view["hand"][kind])
        if after[kind] != NO_DISCARD:
            out[AFTER + kind] = 1 if after[kind] == least else -1
            out[USEFUL_AFTER + kind] = _many(int(useful[kind]))
            if after[kind] == least and (best == NO_TILE or useful[kind] > useful[best]):
                best = kind
        if held == COPIES and kind // NUM_RANKS != void:
            left = _deficiency_without(keys, kind, COPIES, num_melds, 1, melded, void, luts)
            out[OWN_KONG + kind] = 1 if left <= least else -1
    for meld in range(num_melds):
        kind = int(view["meld_kind"][me, meld])
        if view["meld_type"][me, meld] == Meld.PUNG and view["hand"][kind] > 0:
            left = _deficiency_without(keys, kind, 1, num_melds, 0, melded, void, luts)
            out[OWN_KONG + kind] = 1 if left <= least else -1
    return best


@kernel
def _deficiency_without(
    keys: tuple[int, int, int],
    kind: int,
    copies: int,
    num_melds: int,
    new_melds: int,
    melded: int,
    void: int,
    luts: np.ndarray,
) -> int:
    """Deficiency once ``copies`` tiles of a kind have left the hand, for 0 or 1 melds more."""
    suit = kind // NUM_RANKS
    less = copies * power_of_five(kind % NUM_RANKS)
    return deficiency(
        keys[0] - less if suit == 0 else keys[0],
        keys[1] - less if suit == 1 else keys[1],
        keys[2] - less if suit == NUM_SUITS - 1 else keys[2],
        num_melds + new_melds,
        melded | (new_melds << suit),
        void,
        luts,
    )


@kernel
def _write_preview(
    view: np.void,
    num_melds: int,
    melded: int,
    void: int,
    live: np.ndarray,
    scratch: np.ndarray,
    luts: np.ndarray,
    out: np.ndarray,
) -> None:
    """The hand after a pung or a direct kong of the tile in question."""
    tile, offer = int(view["claim_tile"]), int(view["offer"])
    suit = tile // NUM_RANKS
    keys = np.empty(NUM_SUITS, np.int32)
    for other in range(NUM_SUITS):
        keys[other] = view["suit_key"][other]
    for kind in range(NUM_KINDS):
        scratch[0, kind] = view["hand"][kind]
    melded |= 1 << suit
    if offer & Offer.PUNG:
        keys[suit] -= _PUNG * power_of_five(tile % NUM_RANKS)
        scratch[0, tile] -= _PUNG
        hand, after, useful = scratch[0], scratch[1], scratch[2]
        least = analyse_discards(keys, hand, num_melds + 1, melded, void, live, luts, after, useful)
        out[PUNG] = 1
        out[PUNG + 1] = _far(least)
        out[PUNG + 2] = _many(_largest(useful))
    if offer & Offer.KONG:
        keys[suit] = view["suit_key"][suit] - _KONG * power_of_five(tile % NUM_RANKS)
        three = keys_of(keys)
        left = deficiency(three[0], three[1], three[2], num_melds + 1, melded, void, luts)
        out[KONG] = 1
        out[KONG + 1] = _far(left)
        out[KONG + 2] = _many(useful_tiles(keys, num_melds + 1, melded, void, live, luts))


@kernel
def write_hand(
    view: np.void, rules: np.void, luts: np.ndarray, live: np.ndarray, out: np.ndarray
) -> None:
    """Write the analysis of the own hand to ``out``, ``(NUM_HAND_FEATURES,)``, all zero before."""
    me = int(view["seat"])
    num_melds = int(view["num_melds"][me])
    melded = meld_suits(view["meld_kind"][me], num_melds)
    void = int(view["void_suit"][me])
    keys = keys_of(view["suit_key"])
    missing = deficiency(keys[0], keys[1], keys[2], num_melds, melded, void, luts)
    scratch = np.empty((3, NUM_KINDS), np.int8)
    discard = NO_TILE
    if view["phase"] == Phase.TURN:
        after, useful = scratch[1], scratch[2]
        least = analyse_discards(
            view["suit_key"], view["hand"], num_melds, melded, void, live, luts, after, useful
        )
        discard = _write_turn(view, least, num_melds, melded, void, after, useful, luts, out)
        helpful = _largest(useful)
    else:
        least = missing
        helpful = useful_tiles(view["suit_key"], num_melds, melded, void, live, luts)
    out[DEFICIENCY_0 + min(missing, MAX_DEFICIENCY)] = 1
    out[USEFUL] = _many(helpful)
    _write_routes(view, num_melds, melded, void, luts, out)
    _write_suits(view, num_melds, melded, void, live, luts, out)
    offered = int(view["offer"]) & Offer.WIN != 0
    fan = 0
    if offered or missing == 0:
        out[CAN_WIN] = 1
        fan = _fan_of_win(view, num_melds, rules, luts)
    elif least == 1:
        fan = _fan_if_ready(view, scratch[0], discard, num_melds, melded, void, rules, luts)
    out[FAN] = min(fan, MUCH_FAN) / MUCH_FAN
    if view["claim_tile"] != NO_TILE:
        out[PASS] = _far(missing)
        out[PASS + 1] = _many(helpful)
        _write_preview(view, num_melds, melded, void, live, scratch, luts, out)
