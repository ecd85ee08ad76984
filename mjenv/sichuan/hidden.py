"""Another world that one seat cannot tell from the real one, for search.

The world is drawn uniformly from all ways to lay the tiles a seat does not see into the hands of
the others and the wall that fit

- four tiles of each kind, the sizes of the hands and the view of the seat;
- the tiles it gave in the exchange, which the receiver holds unless it has shown as many since;
- void suits: a seat whose last discard was of another suit has no void tile but what it drew since;
- the tile of a self-drawn win, which lies in that hand, and the tile of a kong that it may rob.

Nothing is concluded from claims that others declined, from what they had to do, or from the void
suit they chose. Whatever was hidden and is no tile is new as well: the seed, so that the next deal
and the randomness of other players are not known; who is asked, and the pass locks of others.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.rng import below, next_bits, shuffle
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.claims import end_question, offer_to
from mjenv.sichuan.deal import NUM_DIRECTIONS, receiver
from mjenv.sichuan.hand import add_tile, suit_of
from mjenv.sichuan.known import count_shown, mark_known, void_limit
from mjenv.sichuan.rules import AddedKongTiming
from mjenv.sichuan.settlement import is_active
from mjenv.sichuan.splits import FREE, draw_splits
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    FIRST_DRAW,
    NO_ANSWER,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    NUM_TILES,
    Offer,
    Phase,
    Win,
)

_SEED_BITS = np.uint64(11)  # leaves 53: seeds are written to JSON
_LAST_DEALT = FIRST_DRAW - 1


# ------------------------------------------------------------------------- answers still secret


@kernel
def _knows_of_kong(state: np.void, seat: int) -> bool:
    """Whether a seat knows of the kong that may be robbed: its own, or it was asked."""
    asked = state["actor"] == seat or state["answer"][seat] != NO_ANSWER
    return bool(asked or state["claim_from"] == seat)


@kernel
def _take_back_answers(state: np.void, seat: int, rng: np.ndarray) -> None:
    """Undo what others answered and ``seat`` may not know."""
    if state["phase"] == Phase.EXCHANGE:
        state["direction"] = below(rng, NUM_DIRECTIONS)
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        state["lock_fan"][other] = 0
        state["num_decisions"][other] = 0
        if state["phase"] == Phase.EXCHANGE:
            for i in range(int(state["num_given"][other])):
                add_tile(state, other, int(state["given"][other, i]))
            state["given"][other][:] = NO_TILE
            state["num_given"][other] = 0
        elif state["phase"] == Phase.VOID:
            state["void_suit"][other] = NO_SUIT
    if state["phase"] == Phase.ROB and not _knows_of_kong(state, seat):
        # The kong has not been announced to this seat: the konger is still in its turn.
        state["actor"] = state["claim_from"]
        state["phase"] = Phase.TURN
        end_question(state)


@kernel
def _first_other(seat: int, first: int) -> int:
    """``first``, or the seat after it if that is ``seat``."""
    return first if first != seat else (first + 1) % NUM_SEATS


@kernel
def _ask_again(state: np.void, rules: np.void, luts: np.ndarray, seat: int) -> None:
    """Ask the others anew, with their new hands; ``seat`` stays asked if it is.

    If it is not, somebody else must be: whoever could answer, else one that can only pass.
    """
    asked = state["actor"] == seat
    if state["phase"] == Phase.EXCHANGE or state["phase"] == Phase.VOID:
        if not asked:
            state["actor"] = _first_other(seat, int(state["dealer"]))
        return
    if state["phase"] != Phase.CLAIM and state["phase"] != Phase.ROB:
        return
    for k in range(NUM_SEATS - 1, 0, -1):
        other = (int(state["claim_from"]) + k) % NUM_SEATS
        if other == seat:
            continue
        state["answer"][other] = NO_ANSWER
        state["offer"][other] = offer_to(state, rules, luts, other)
        if state["offer"][other] != 0 and not asked:
            state["actor"] = other
    if asked or state["offer"][state["actor"]] != 0:
        return
    for k in range(NUM_SEATS - 1, 0, -1):
        other = (int(state["claim_from"]) + k) % NUM_SEATS
        if other != seat and is_active(state, other):
            state["actor"] = other
    state["offer"][state["actor"]] = Offer.NOTHING


# ------------------------------------------------------------------------------------- the tiles


@kernel
def _hidden_tiles(state: np.void, seat: int, known: np.ndarray, pool: np.ndarray) -> None:
    """Count in ``pool``, shape ``(27,)``, the tiles whose place is not known."""
    for i in range(int(state["wall_next"]), int(state["wall_end"])):
        pool[int(state["wall"][i])] += 1
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        for kind in range(NUM_KINDS):
            pool[kind] += int(state["hand"][other, kind]) - int(known[other, kind])


@kernel
def _drawn_is_hidden(
    state: np.void, rules: np.void, seat: int, known: np.ndarray, rng: np.ndarray
) -> bool:
    """Whether another seat has just drawn a tile that is not known; else ``drawn`` is right.

    ``known`` does not yet hold the tile of a kong that may be robbed.
    """
    turn = int(state["turn"])
    if turn == seat or state["drawn"] == NO_TILE or not is_active(state, turn):
        return False
    if state["phase"] != Phase.ROB:
        return True
    tile = int(state["claim_tile"])
    if rules["added_kong_timing"] != AddedKongTiming.JUST_DRAWN:
        # The kong is of a tile just drawn or of one held before, wherever in the hand.
        places = int(np.sum(state["hand"][turn])) - int(np.sum(known[turn]))
        if known[turn, tile] > 0 or below(rng, places) > 0:
            return True
    state["drawn"] = tile
    return False


@kernel
def _deal_known(state: np.void, seat: int, known: np.ndarray) -> None:
    """Empty the hands of the others but for known tiles."""
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        state["hand"][other][:] = 0
        state["suit_key"][other][:] = 0
        for kind in range(NUM_KINDS):
            for _ in range(int(known[other, kind])):
                add_tile(state, other, kind)


@kernel
def _deal_bound_hands(
    state: np.void,
    rules: np.void,
    seat: int,
    sizes: np.ndarray,
    pool: np.ndarray,
    rng: np.ndarray,
    rest: np.ndarray,
) -> int:
    """Deal the hands that may not hold their void suit; their ``sizes`` become 0.

    The tiles that are left go to ``rest``; return how many.
    """
    seats, hands = np.empty(NUM_SEATS, np.int64), np.empty((NUM_SEATS, 3), np.int64)
    number = 0
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        limit = void_limit(state, rules, other)
        if limit != FREE:
            seats[number] = other
            hands[number, 0] = sizes[other]
            hands[number, 1] = state["void_suit"][other]
            hands[number, 2] = limit
            sizes[other] = 0
            number += 1
    available = np.zeros(NUM_SUITS, np.int64)
    for kind in range(NUM_KINDS):
        available[suit_of(kind)] += pool[kind]
    splits = np.empty((number, NUM_SUITS), np.int64)
    draw_splits(hands[:number], available, rng, splits)
    return _deal_suits(state, seats, splits, pool, rng, rest)


@kernel
def _deal_suits(
    state: np.void,
    seats: np.ndarray,
    splits: np.ndarray,
    pool: np.ndarray,
    rng: np.ndarray,
    rest: np.ndarray,
) -> int:
    """Give each of ``seats`` its tiles of every suit; the others go to ``rest``."""
    left = 0
    line = np.empty(NUM_TILES, np.int64)
    for suit in range(NUM_SUITS):
        size = 0
        for kind in range(suit * NUM_RANKS, (suit + 1) * NUM_RANKS):
            for _ in range(int(pool[kind])):
                line[size] = kind
                size += 1
        if splits.shape[0] > 0:
            shuffle(rng, line, size)
        for h in range(splits.shape[0]):
            for _ in range(int(splits[h, suit])):
                size -= 1
                add_tile(state, int(seats[h]), int(line[size]))
        for i in range(size):
            rest[left] = line[i]
            left += 1
    return left


@kernel
def _redeal_tiles(state: np.void, rules: np.void, seat: int, rng: np.ndarray) -> None:
    """Lay all tiles that ``seat`` cannot place into the other hands and the wall."""
    known = np.zeros((NUM_SEATS, NUM_KINDS), np.int64)
    mark_known(state, seat, known)
    drawn_is_hidden = _drawn_is_hidden(state, rules, seat, known, rng)
    if state["phase"] == Phase.ROB and state["claim_from"] != seat:
        known[int(state["claim_from"]), int(state["claim_tile"])] = 1
    pool = np.zeros(NUM_KINDS, np.int64)
    _hidden_tiles(state, seat, known, pool)
    sizes = np.zeros(NUM_SEATS, np.int64)
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        sizes[other] = int(np.sum(state["hand"][other])) - int(np.sum(known[other]))
    if drawn_is_hidden:
        sizes[state["turn"]] -= 1
    _deal_known(state, seat, known)
    rest = np.empty(NUM_TILES, np.int64)
    left = _deal_bound_hands(state, rules, seat, sizes, pool, rng, rest)
    shuffle(rng, rest, left)
    for other in range(NUM_SEATS):
        for _ in range(int(sizes[other])):
            left -= 1
            add_tile(state, other, int(rest[left]))
    if drawn_is_hidden:
        left -= 1
        state["drawn"] = rest[left]
        add_tile(state, int(state["turn"]), int(rest[left]))
    for i in range(int(state["wall_next"]), int(state["wall_end"])):
        left -= 1
        state["wall"][i] = rest[left]


# ------------------------------------------------------------------------------- what has passed


@kernel
def _random_tile(counts: np.ndarray, rng: np.ndarray) -> int:
    """A tile of ``counts``, shape ``(27,)``, each equally likely."""
    chosen = below(rng, int(np.sum(counts)))
    for kind in range(NUM_KINDS):
        chosen -= int(counts[kind])
        if chosen < 0:
            return kind
    return NO_TILE


@kernel
def _rewrite_dealt_wall(state: np.void, seat: int, rng: np.ndarray) -> None:
    """The dealt part of the wall tells hands: any order of its tiles but the dealer's last."""
    gone = np.full(NUM_KINDS, COPIES, np.int64)
    start, end = int(state["wall_next"]), int(state["wall_end"])
    for i in range(start, end):
        gone[int(state["wall"][i])] -= 1
    last = int(state["wall"][_LAST_DEALT])
    if state["dealer"] != seat or last == NO_TILE or gone[last] == 0:
        last = _random_tile(state["hand"][state["dealer"]], rng)
    gone[last] -= 1
    kind = 0
    for place in range(NUM_TILES):
        if place == _LAST_DEALT or start <= place < end:
            continue
        while kind < NUM_KINDS - 1 and gone[kind] <= 0:
            kind += 1
        state["wall"][place] = kind
        gone[kind] -= 1
    state["wall"][_LAST_DEALT] = last


@kernel
def _redraw_gifts(state: np.void, seat: int, rng: np.ndarray) -> None:
    """Exchange tiles among others: three of a suit that the receiver has now or has shown."""
    if state["phase"] == Phase.EXCHANGE or state["num_given"][seat] == 0:
        return
    for k in range(1, NUM_SEATS):
        giver = (seat + k) % NUM_SEATS
        to = receiver(giver, int(state["direction"]))
        if to == seat:
            continue
        held = state["hand"][to].astype(np.int64)
        count_shown(state, to, held)
        if state["win_how"][to] == Win.SELF_DRAW and state["num_draws"][to] > 0:
            held[int(state["win_tile"][to])] -= 1
        elif state["turn"] == to and state["drawn"] != NO_TILE:
            held[int(state["drawn"])] -= 1
        _draw_gift(held, rng, state["given"][giver])
        state["received"][to][:] = state["given"][giver]


@kernel
def _draw_gift(held: np.ndarray, rng: np.ndarray, gift: np.ndarray) -> None:
    """Write three tiles of one suit out of ``held``; 13 tiles always have such a suit."""
    sizes = np.zeros(NUM_SUITS, np.int64)
    for kind in range(NUM_KINDS):
        sizes[suit_of(kind)] += held[kind]
    suit = below(rng, NUM_SUITS)
    for _ in range(1, NUM_SUITS):
        if sizes[suit] < EXCHANGE_SIZE:
            suit = (suit + 1) % NUM_SUITS
    for kind in range(NUM_KINDS):
        if suit_of(kind) != suit:
            held[kind] = 0
    for i in range(EXCHANGE_SIZE):
        gift[i] = _random_tile(held, rng)
        held[int(gift[i])] -= 1


@kernel
def redraw_past(state: np.void, seat: int, rng: np.ndarray) -> None:
    """Make what has passed unseen by ``seat`` fit the hands: exchanged tiles, the dealt wall."""
    _redraw_gifts(state, seat, rng)
    _rewrite_dealt_wall(state, seat, rng)


@kernel
def redeal_hidden(
    state: np.void, rules: np.void, luts: np.ndarray, seat: int, rng: np.ndarray
) -> None:
    """Turn ``state`` into a random world whose view for ``seat`` is the same.

    Contract function. The menu of ``seat`` is the same too, if it is asked. Questions still open
    are asked again of the others. ``rng`` is the only source of chance.
    """
    state["seed"] = np.int64(next_bits(rng) >> _SEED_BITS)
    _take_back_answers(state, seat, rng)
    _redeal_tiles(state, rules, seat, rng)
    redraw_past(state, seat, rng)
    _ask_again(state, rules, luts, seat)
