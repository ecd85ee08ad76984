"""What an observer can work out about its own hand: copies left, useful tiles, best discards.

Shared by encodings and bots. A tile is *useful* if adding it lowers the deficiency
(:func:`mjenv.sichuan.hand.deficiency`) and copies of it are not all in sight. ``live`` always
means the array that :func:`live_counts` writes.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five, suit_need
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.hand import IMPOSSIBLE, deficiency, meld_suits, pairs_deficiency
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    MAX_MELDS,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    Claim,
    Meld,
    Phase,
    Win,
)

NO_DISCARD = IMPOSSIBLE
"""Deficiency after a discard that cannot be made."""

# Fields of eight bits, one for each number of sets; bit 7 survives a subtraction that fits.
_FIELD = 8
_NEEDS = 0x0F0F0F0F0F
_FITS = 0x8080808080
_FITS_FIELD = 0x80
_SUIT_BITS = (1 << NUM_RANKS) - 1


# --------------------------------------------------------------------------------- copies left


@kernel
def shows_winning_tile(view: np.void, seat: int) -> bool:
    """Whether the winning tile of a seat is in sight, beside what hands, melds and rivers show.

    An own self-drawn tile is in the own hand, and a tile shared by several winners is one tile.
    """
    if view["win_order"][seat] == 0 or view["win_tile"][seat] == NO_TILE:
        return False
    if view["win_how"][seat] == Win.SELF_DRAW:
        return bool(seat != view["seat"])
    for other in range(seat):
        if view["win_order"][other] == view["win_order"][seat]:
            return False
    return True


@kernel
def live_counts(view: np.void, out: np.ndarray) -> None:
    """Write how many copies of each kind the observer cannot see: ``out``, shape ``(27,)`` int8.

    Four less the own hand, all melds, unclaimed discards and winning tiles. Tiles given in the
    exchange are in sight until they move.
    """
    hand = view["hand"]
    for kind in range(NUM_KINDS):
        out[kind] = COPIES - int(hand[kind])
    for seat in range(NUM_SEATS):
        for meld in range(int(view["num_melds"][seat])):
            pung = view["meld_type"][seat, meld] == Meld.PUNG
            out[int(view["meld_kind"][seat, meld])] -= COPIES - 1 if pung else COPIES
        if shows_winning_tile(view, seat):
            out[int(view["win_tile"][seat])] -= 1
    for i in range(int(view["num_discards"])):
        if view["discard_claim"][i] == Claim.NONE:
            out[int(view["discard_kind"][i])] -= 1
    if view["phase"] == Phase.ROB:
        out[int(view["claim_tile"])] -= 1  # shown, though it is no meld yet
    if view["received"][0] == NO_TILE:
        for i in range(EXCHANGE_SIZE):
            if view["given"][i] != NO_TILE:
                out[int(view["given"][i])] -= 1


# ------------------------------------------------------------------------------- useful tiles


@kernel
def keys_of(suit_key: np.ndarray) -> tuple[int, int, int]:
    """The keys of the three suits as plain integers."""
    return int(suit_key[0]), int(suit_key[1]), int(suit_key[2])


@kernel
def keys_without(keys: tuple[int, int, int], kind: int) -> tuple[int, int, int]:
    """The keys after one tile of ``kind`` is gone."""
    suit = kind // NUM_RANKS
    less = power_of_five(kind % NUM_RANKS)
    if suit == 0:
        return keys[0] - less, keys[1], keys[2]
    if suit == 1:
        return keys[0], keys[1] - less, keys[2]
    return keys[0], keys[1], keys[2] - less


@kernel
def _limits(word: int, sets: int, pairs: int, goal: int) -> int:
    """What another suit may need at most, beside the suit of ``word``, to reach a deficiency.

    Field m is for m sets in the other suit, where this one has the rest and ``pairs`` pairs.
    """
    limits = 0
    for other in range(MAX_MELDS + 1):
        room = -1
        if other <= sets:
            room = max(goal - suit_need(word, sets - other, pairs), -1)
        limits |= (_FITS_FIELD + room) << (_FIELD * other)
    return limits


@kernel
def _fits(word: int, without_pair: int, with_pair: int) -> bool:
    """Whether a suit needs no more than the limits for it, without or with a pair."""
    left = (without_pair - (word & _NEEDS)) | (with_pair - ((word >> 4) & _NEEDS))
    return left & _FITS != 0


@kernel
def _is_unused(unused: int, melded: int, void: int) -> bool:
    """Whether a hand may do without a suit: the void suit, or any suit not melded."""
    return (void == unused) if void != NO_SUIT else (melded >> unused) & 1 == 0


@kernel
def _useful_in(
    key: int, word_b: int, sets: int, goal: int, suit: int, live: np.ndarray, luts: np.ndarray
) -> int:
    """Kinds (bits) of one suit that bring it and the suit of ``word_b`` to a deficiency."""
    without_pair = _limits(word_b, sets, 1, goal)
    with_pair = _limits(word_b, sets, 0, goal)
    by_pairs = sets == MAX_MELDS and pairs_deficiency(luts[key], word_b) <= goal + 1
    found = 0
    for rank in range(NUM_RANKS):
        kind = suit * NUM_RANKS + rank
        if live[kind] > 0:
            word = luts[key + power_of_five(rank)]
            if _fits(word, without_pair, with_pair) or (
                by_pairs and pairs_deficiency(word, word_b) <= goal
            ):
                found |= 1 << kind
    return found


@kernel
def useful_kinds(
    keys: tuple[int, int, int],
    num_melds: int,
    melded: int,
    void: int,
    goal: int,
    live: np.ndarray,
    luts: np.ndarray,
) -> int:
    """Kinds (bits 0..26) with a live copy that bring a hand to the deficiency ``goal``.

    ``goal`` is one less than the deficiency of the hand.
    """
    found = 0
    sets = MAX_MELDS - num_melds
    for unused in range(NUM_SUITS):
        if _is_unused(unused, melded, void):
            suit_a, suit_b = (unused + 1) % NUM_SUITS, (unused + 2) % NUM_SUITS
            key_a, key_b = keys[suit_a], keys[suit_b]
            found |= _useful_in(key_a, luts[key_b], sets, goal, suit_a, live, luts)
            found |= _useful_in(key_b, luts[key_a], sets, goal, suit_b, live, luts)
    return found


@kernel
def copies_of(kinds: int, live: np.ndarray) -> int:
    """Live copies of the kinds in a set of bits."""
    total = 0
    for kind in range(NUM_KINDS):
        if (kinds >> kind) & 1 != 0:
            total += int(live[kind])
    return total


@kernel
def useful_tiles(
    suit_key: np.ndarray, num_melds: int, melded: int, void: int, live: np.ndarray, luts: np.ndarray
) -> int:
    """Live tiles that lower the deficiency of a hand, 0 if it is complete."""
    keys = keys_of(suit_key)
    goal = deficiency(keys[0], keys[1], keys[2], num_melds, melded, void, luts) - 1
    if goal < 0:
        return 0
    return copies_of(useful_kinds(keys, num_melds, melded, void, goal, live, luts), live)


# ----------------------------------------------------------------------------------- discards


@kernel
def hand_deficiency(view: np.void, luts: np.ndarray) -> int:
    """Deficiency of the own hand as it is."""
    me = int(view["seat"])
    num_melds = int(view["num_melds"][me])
    keys = keys_of(view["suit_key"])
    melded = meld_suits(view["meld_kind"][me], num_melds)
    void = int(view["void_suit"][me])
    return deficiency(keys[0], keys[1], keys[2], num_melds, melded, void, luts)


@kernel
def _kept_in(
    key: int, word_b: int, sets: int, goal: int, suit: int, hand: np.ndarray, luts: np.ndarray
) -> int:
    """Kinds (bits) of one suit without which it and the suit of ``word_b`` reach a deficiency."""
    without_pair = _limits(word_b, sets, 1, goal)
    with_pair = _limits(word_b, sets, 0, goal)
    by_pairs = sets == MAX_MELDS and pairs_deficiency(luts[key], word_b) <= goal
    kept = 0
    for rank in range(NUM_RANKS):
        kind = suit * NUM_RANKS + rank
        if hand[kind] > 0:
            word = luts[key - power_of_five(rank)]
            if _fits(word, without_pair, with_pair) or (
                by_pairs and pairs_deficiency(word, word_b) <= goal
            ):
                kept |= 1 << kind
    return kept


@kernel
def _idle_discards(
    keys: tuple[int, int, int],
    num_melds: int,
    melded: int,
    void: int,
    goal: int,
    hand: np.ndarray,
    luts: np.ndarray,
) -> int:
    """Kinds (bits) whose discard leaves the deficiency ``goal``."""
    kept = 0
    sets = MAX_MELDS - num_melds
    for unused in range(NUM_SUITS):
        if _is_unused(unused, melded, void):
            suit_a, suit_b = (unused + 1) % NUM_SUITS, (unused + 2) % NUM_SUITS
            key_a, key_b = keys[suit_a], keys[suit_b]
            kept |= _kept_in(key_a, luts[key_b], sets, goal, suit_a, hand, luts)
            kept |= _kept_in(key_b, luts[key_a], sets, goal, suit_b, hand, luts)
            if deficiency(keys[0], keys[1], keys[2], num_melds, melded, unused, luts) <= goal:
                kept |= _SUIT_BITS << (unused * NUM_RANKS)
    return kept


@kernel
def analyse_discards(
    suit_key: np.ndarray,
    hand: np.ndarray,
    num_melds: int,
    melded: int,
    void: int,
    live: np.ndarray,
    luts: np.ndarray,
    deficiency_out: np.ndarray,
    useful_out: np.ndarray,
) -> int:
    """Deficiency and useful tiles after each discard of a hand of 3n+2 tiles.

    Args:
        suit_key: ``(3,)`` keys of the concealed tiles.
        hand: ``(27,)`` their counts.
        num_melds: Number of melds.
        melded: Suits of the melds, as bits.
        void: Void suit or ``NO_SUIT``; while such tiles are held, no other may be discarded.
        live: ``(27,)`` live copies.
        luts: Lookup tables.
        deficiency_out: ``(27,)``, receives the deficiency after each discard, ``NO_DISCARD``
            where there is none.
        useful_out: ``(27,)``, receives the useful tiles after the discards that leave the least
            deficiency, 0 elsewhere.

    Returns:
        The least deficiency after a discard.
    """
    deficiency_out[:] = NO_DISCARD
    useful_out[:] = 0
    keys = keys_of(suit_key)
    # Some tile of an incomplete hand is not needed; any discard makes a complete hand ready.
    least = max(1, deficiency(keys[0], keys[1], keys[2], num_melds, melded, void, luts))
    bound = void != NO_SUIT and suit_key[void] != 0
    idle = _idle_discards(keys, num_melds, melded, void, least, hand, luts)
    useful_of_void = -1
    for kind in range(NUM_KINDS):
        suit = kind // NUM_RANKS
        if hand[kind] == 0 or (bound and suit != void):
            continue
        if (idle >> kind) & 1 == 0:
            deficiency_out[kind] = least + 1
            continue
        deficiency_out[kind] = least
        useful = useful_of_void
        if useful < 0:
            after = keys_without(keys, kind)
            kinds = useful_kinds(after, num_melds, melded, void, least - 1, live, luts)
            useful = copies_of(kinds, live)
        if suit == void:
            useful_of_void = useful  # the two suits that count stay as they are
        useful_out[kind] = useful
    return least


@kernel
def discard_analysis(
    view: np.void,
    rules: np.void,
    luts: np.ndarray,
    live: np.ndarray,
    deficiency_out: np.ndarray,
    useful_out: np.ndarray,
) -> int:
    """:func:`analyse_discards` of the own hand in the own turn; no rule changes it so far."""
    me = int(view["seat"])
    num_melds = int(view["num_melds"][me])
    return analyse_discards(
        view["suit_key"],
        view["hand"],
        num_melds,
        meld_suits(view["meld_kind"][me], num_melds),
        int(view["void_suit"][me]),
        live,
        luts,
        deficiency_out,
        useful_out,
    )
