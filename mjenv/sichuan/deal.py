"""Before the first turn: shuffle, deal, exchange three tiles, declare void suits (R1-R7).

Exchange and void choices are asked seat by seat from the dealer and stay secret until all have
answered (points 2 and 3).
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.rng import Stream, below, new_generator, shuffle, start_stream
from mjenv.core.tiles import COPIES, NO_TILE, NUM_SUITS
from mjenv.sichuan.events import Event, log_event
from mjenv.sichuan.hand import add_tile, remove_tile, suit_of
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    FIRST_DRAW,
    HAND_SIZE,
    NO_ANSWER,
    NO_SEAT,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    NUM_TILES,
    Direction,
    Phase,
)

NUM_DIRECTIONS = len(Direction)


@kernel
def clear_table(state: np.void) -> None:
    """Empty everything but seed, deal number, wall, dealer and direction."""
    state["suit_key"][:] = 0
    state["hand"][:] = 0
    state["points"][:] = 0
    state["ledger"][:] = 0
    state["end_reason"] = 0
    state["classes"][:] = 0
    state["left_seat"] = NO_SEAT
    state["num_events"] = 0
    state["num_decisions"][:] = 0
    state["win_order"][:] = 0
    state["win_how"][:] = 0
    state["win_from"][:] = NO_SEAT
    state["win_tile"][:] = NO_TILE
    state["win_fan"][:] = 0
    state["win_patterns"][:] = 0
    state["win_extras"][:] = 0
    state["num_wins"] = 0
    state["num_win_events"] = 0
    state["drawn"] = NO_TILE
    state["replacement"] = 0
    state["must_discard"] = 0
    state["num_draws"][:] = 0
    state["void_suit"][:] = NO_SUIT
    state["given"][:] = NO_TILE
    state["received"][:] = NO_TILE
    state["num_given"][:] = 0
    state["num_melds"][:] = 0
    state["meld_type"][:] = 0
    state["meld_kind"][:] = NO_TILE
    state["meld_from"][:] = NO_SEAT
    state["kong_paid"][:] = 0
    state["kong_transferred"][:] = 0
    state["turn_kongs"] = 0
    state["last_kong"] = -1
    state["kong_discard"] = 0
    state["num_discards"] = 0
    state["discard_kind"][:] = NO_TILE
    state["discard_fate"][:] = 0
    state["num_deeds"] = 0
    state["deed"][:] = 0
    state["deed_after"][:] = 0
    state["claim_tile"] = NO_TILE
    state["claim_from"] = NO_SEAT
    state["offer"][:] = 0
    state["answer"][:] = NO_ANSWER
    state["lock_fan"][:] = 0
    state["first_winner"] = NO_SEAT
    state["first_payer"] = NO_SEAT
    state["first_win_size"] = 0


@kernel
def deal_wall(state: np.void, rules: np.void) -> None:
    """Deal from ``state["wall"]`` and enter the first phase.

    The wall, the dealer and the exchange direction must be set; seat ``dealer + k`` is dealt
    ``wall[13k : 13k + 13]``, the dealer's 14th tile is ``wall[52]``.
    """
    clear_table(state)
    dealer = int(state["dealer"])
    for k in range(NUM_SEATS):
        seat = (dealer + k) % NUM_SEATS
        for i in range(HAND_SIZE):
            add_tile(state, seat, int(state["wall"][HAND_SIZE * k + i]))
    add_tile(state, dealer, int(state["wall"][FIRST_DRAW - 1]))
    state["wall_next"] = FIRST_DRAW
    state["wall_end"] = NUM_TILES
    state["turn"] = dealer
    state["actor"] = dealer
    if rules["swap_three"] != 0:
        state["phase"] = Phase.EXCHANGE
    elif rules["void_suit"] != 0:
        state["phase"] = Phase.VOID
    else:
        state["phase"] = Phase.TURN


@kernel
def new_deal(state: np.void, rules: np.void, luts: np.ndarray) -> None:
    """Deal ``state["deal"]`` of ``state["seed"]``; the dice name the dealer if it is NO_SEAT.

    Contract function: seed, deal and dealer must be set, all else is overwritten. This game
    needs no ``luts`` to deal.

    Dealer, wall and exchange direction are a function of seed and deal number alone.
    """
    rng = new_generator()
    start_stream(rng, int(state["seed"]), int(state["deal"]), Stream.DEAL)
    dice = below(rng, NUM_SEATS)
    if state["dealer"] == NO_SEAT:
        state["dealer"] = dice
    for i in range(NUM_TILES):
        state["wall"][i] = i // COPIES
    shuffle(rng, state["wall"], NUM_TILES)
    state["direction"] = below(rng, NUM_DIRECTIONS)
    deal_wall(state, rules)


# ------------------------------------------------------------------------------------ exchange


@kernel
def exchange_menu(state: np.void, seat: int, mask: np.ndarray) -> None:
    """Kinds that may be given: of a suit with three tiles, then of that suit (point 3)."""
    given = int(state["num_given"][seat])
    for suit in range(NUM_SUITS):
        size = 0
        for kind in range(NUM_KINDS):
            if suit_of(kind) == suit:
                size += int(state["hand"][seat, kind])
        if given == 0:
            open_suit = size >= EXCHANGE_SIZE
        else:
            open_suit = suit_of(int(state["given"][seat, 0])) == suit
        for kind in range(NUM_KINDS):
            if open_suit and suit_of(kind) == suit and state["hand"][seat, kind] > 0:
                mask[kind] = 1


@kernel
def receiver(seat: int, direction: int) -> int:
    """The seat that receives what ``seat`` gives."""
    if direction == Direction.NEXT:
        return (seat + 1) % NUM_SEATS
    if direction == Direction.PREVIOUS:
        return (seat + 3) % NUM_SEATS
    return (seat + 2) % NUM_SEATS


@kernel
def _exchange_tiles(state: np.void, log: np.ndarray) -> None:
    direction = int(state["direction"])
    for seat in range(NUM_SEATS):
        to = receiver(seat, direction)
        for i in range(EXCHANGE_SIZE):
            kind = int(state["given"][seat, i])
            state["received"][to, i] = kind
            add_tile(state, to, kind)
    log_event(state, log, Event.EXCHANGE, NO_SEAT, NO_TILE, NO_SEAT, direction)


@kernel
def give_tile(state: np.void, rules: np.void, log: np.ndarray, seat: int, kind: int) -> None:
    """Give one of three tiles; the last of all moves them (R5)."""
    remove_tile(state, seat, kind)
    state["given"][seat, state["num_given"][seat]] = kind
    state["num_given"][seat] += 1
    if state["num_given"][seat] < EXCHANGE_SIZE:
        return
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        if state["num_given"][other] < EXCHANGE_SIZE:
            state["actor"] = other
            return
    _exchange_tiles(state, log)
    state["actor"] = state["dealer"]
    state["phase"] = Phase.VOID if rules["void_suit"] != 0 else Phase.TURN


# ---------------------------------------------------------------------------------- void suits


@kernel
def void_menu(state: np.void, rules: np.void, seat: int, mask: np.ndarray, first: int) -> None:
    """Suits that may be declared void (R6, point 2); ``first`` is the action of suit 0."""
    missing = 0
    for suit in range(NUM_SUITS):
        if state["suit_key"][seat, suit] == 0:
            missing += 1
    for suit in range(NUM_SUITS):
        absent = state["suit_key"][seat, suit] == 0
        if rules["void_auto"] == 0 or missing == 0 or absent:
            mask[first + suit] = 1


@kernel
def declare_void(state: np.void, log: np.ndarray, seat: int, suit: int) -> None:
    """Declare a void suit; the last declaration opens the first turn."""
    state["void_suit"][seat] = suit
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        if state["void_suit"][other] == NO_SUIT:
            state["actor"] = other
            return
    log_event(state, log, Event.VOID, NO_SEAT, NO_TILE, NO_SEAT, 0)
    state["actor"] = state["dealer"]
    state["phase"] = Phase.TURN
