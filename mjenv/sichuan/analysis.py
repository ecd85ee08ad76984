"""What an observer can work out about its own hand: copies left, useful tiles, best discards.

Shared by encodings and bots. A tile is *useful* if adding it lowers the deficiency
(:func:`mjenv.sichuan.hand.deficiency`) and copies of it are not all in sight. ``live`` always
means the array that :func:`live_counts` writes.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.suits import power_of_five
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.hand import IMPOSSIBLE, deficiency, meld_suits, pairs_deficiency
from mjenv.sichuan.history import claim_of
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

# The needs of a suit as five fields of eight bits, one for each number of sets. Bit 7 of a limit
# survives the subtraction of a need that is within it.
_FIELD = 8
_FIELDS = 0xFFFFFFFFFF
_ONES = 0x0101010101
_NEEDS = 0x0F0F0F0F0F
_FITS = 0x8080808080
_TOO_MUCH = 0x1F1F1F1F1F


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
        if claim_of(int(view["discard_fate"][i])) == Claim.NONE:
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
def _needs(word: int, pairs: int) -> int:
    """Needs of a suit for 0 to 4 sets and ``pairs`` (0, 1) pairs, in fields."""
    return (word >> (4 * pairs)) & _NEEDS


@kernel
def _limits(word: int, sets: int, pairs: int, goal: int) -> int:
    """What another suit may need at most, beside the suit of ``word``, to reach a deficiency.

    Field m is for m sets in the other suit, where this one has the rest and ``pairs`` pairs.
    """
    needs = _needs(word, pairs)
    backwards = (
        ((needs & 0xFF) << 32)
        | ((needs & 0xFF00) << 16)
        | (needs & 0xFF0000)
        | ((needs >> 16) & 0xFF00)
        | (needs >> 32)
    )
    rest = backwards >> (_FIELD * (MAX_MELDS - sets))
    beyond = (_TOO_MUCH << (_FIELD * (sets + 1))) & _FIELDS
    return _FITS + goal * _ONES - (rest | beyond)


@kernel
def _fits(word: int, without_pair: int, with_pair: int) -> bool:
    """Whether a suit needs no more than the limits for it, without or with a pair."""
    left = (without_pair - _needs(word, 0)) | (with_pair - _needs(word, 1))
    return left & _FITS != 0


@kernel
def is_unused(unused: int, melded: int, void: int) -> bool:
    """Whether a hand may do without a suit: not melded, and the void suit if there is one."""
    return (melded >> unused) & 1 == 0 and void in (NO_SUIT, unused)


@kernel
def _useful_by_pairs(key: int, word_b: int, goal: int, live9: np.ndarray, luts: np.ndarray) -> int:
    """Ranks (bits) of one suit that bring it and the suit of ``word_b`` closer to seven pairs."""
    found = 0
    for rank in range(NUM_RANKS):
        if live9[rank] > 0:
            word = luts[key + power_of_five(rank)]
            if pairs_deficiency(word, word_b) <= goal:
                found |= 1 << rank
    return found


@kernel
def _useful_ranks(
    key: int, word_b: int, sets: int, goal: int, live9: np.ndarray, luts: np.ndarray
) -> int:
    """Ranks (bits) of one suit that bring it and the suit of ``word_b`` to a deficiency."""
    without_pair = _limits(word_b, sets, 1, goal)
    with_pair = _limits(word_b, sets, 0, goal)
    found = 0
    for rank in range(NUM_RANKS):
        # A live kind is not held four times, so that the key does not run over.
        if live9[rank] > 0:
            word = luts[key + power_of_five(rank)]
            found |= (1 if _fits(word, without_pair, with_pair) else 0) << rank
    if sets == MAX_MELDS and pairs_deficiency(luts[key], word_b) <= goal + 1:
        found |= _useful_by_pairs(key, word_b, goal, live9, luts)
    return found


@kernel
def _useful_of_two(
    keys: tuple[int, int, int],
    unused: int,
    sets: int,
    goal: int,
    live: np.ndarray,
    luts: np.ndarray,
) -> int:
    """Kinds (bits) that bring the two suits beside ``unused`` to a deficiency."""
    suit_a, suit_b = (unused + 1) % NUM_SUITS, (unused + 2) % NUM_SUITS
    key_a, key_b = keys[suit_a], keys[suit_b]
    first_a, first_b = suit_a * NUM_RANKS, suit_b * NUM_RANKS
    live_a = live[first_a : first_a + NUM_RANKS]
    live_b = live[first_b : first_b + NUM_RANKS]
    in_a = _useful_ranks(key_a, luts[key_b], sets, goal, live_a, luts)
    in_b = _useful_ranks(key_b, luts[key_a], sets, goal, live_b, luts)
    return (in_a << first_a) | (in_b << first_b)


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
    for unused in range(NUM_SUITS):
        if is_unused(unused, melded, void):
            found |= _useful_of_two(keys, unused, MAX_MELDS - num_melds, goal, live, luts)
    return found


@kernel
def copies_of(kinds: int, live: np.ndarray) -> int:
    """Live copies of the kinds in a set of bits."""
    total = 0
    for kind in range(NUM_KINDS):
        total += ((kinds >> kind) & 1) * int(live[kind])
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
def _reaches(
    keys: tuple[int, int, int], unused: int, sets: int, goal: int, luts: np.ndarray
) -> bool:
    """Whether the two suits beside ``unused`` have a deficiency of at most ``goal``."""
    word_a = luts[keys[(unused + 1) % NUM_SUITS]]
    word_b = luts[keys[(unused + 2) % NUM_SUITS]]
    if _fits(word_a, _limits(word_b, sets, 1, goal), _limits(word_b, sets, 0, goal)):
        return True
    return sets == MAX_MELDS and pairs_deficiency(word_a, word_b) <= goal


@kernel
def _useful_without(
    keys: tuple[int, int, int],
    unused: int,
    sets: int,
    goal: int,
    live: np.ndarray,
    luts: np.ndarray,
) -> int:
    """Kinds (bits) that bring the two suits beside ``unused`` one below ``goal``.

    -1 if these suits are not even at ``goal``.
    """
    if not _reaches(keys, unused, sets, goal, luts):
        return -1
    return _useful_of_two(keys, unused, sets, goal - 1, live, luts)


@kernel
def _useful_after(
    keys: tuple[int, int, int],
    kind: int,
    beside: tuple[int, int, int],
    sets: int,
    goal: int,
    live: np.ndarray,
    luts: np.ndarray,
) -> int:
    """Kinds (bits) that help after the discard of ``kind``, -1 if it raises the deficiency.

    ``beside`` holds what helps if one or the other suit is not used, before the discard.
    """
    found = -1
    after = keys_without(keys, kind)
    for unused in range(NUM_SUITS):
        kinds = beside[unused]
        if kinds >= 0 and unused != kind // NUM_RANKS:
            kinds = _useful_without(after, unused, sets, goal, live, luts)
        if kinds >= 0:
            found = max(found, 0) | kinds
    return found


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
            where there is none or the hand cannot win (melds of three suits).
        useful_out: ``(27,)``, receives the useful tiles after the discards that leave the least
            deficiency, 0 elsewhere.

    Returns:
        The least deficiency after a discard, ``NO_DISCARD`` if the hand cannot win.
    """
    deficiency_out[:] = NO_DISCARD
    useful_out[:] = 0
    keys = keys_of(suit_key)
    # Some tile of an incomplete hand is not needed; any discard makes a complete hand ready.
    least = max(1, deficiency(keys[0], keys[1], keys[2], num_melds, melded, void, luts))
    if least == IMPOSSIBLE:
        return least
    sets = MAX_MELDS - num_melds
    without0 = without1 = without2 = -1
    if is_unused(0, melded, void):
        without0 = _useful_without(keys, 0, sets, least, live, luts)
    if is_unused(1, melded, void):
        without1 = _useful_without(keys, 1, sets, least, live, luts)
    if is_unused(2, melded, void):
        without2 = _useful_without(keys, 2, sets, least, live, luts)
    beside = (without0, without1, without2)
    bound = void != NO_SUIT and suit_key[void] != 0
    useful = 0
    if bound:
        useful = copies_of(beside[void], live)
    for kind in range(NUM_KINDS):
        if hand[kind] == 0 or (bound and kind // NUM_RANKS != void):
            continue
        deficiency_out[kind] = least
        if not bound:
            kinds = _useful_after(keys, kind, beside, sets, least, live, luts)
            if kinds < 0:
                deficiency_out[kind] = least + 1
            useful = copies_of(max(kinds, 0), live)
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
