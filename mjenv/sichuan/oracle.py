"""Everything about a table, for critics that may know what no seat knows.

The channels of ``planes/1`` of a seat come first, then what is hidden from it. Layout and
conventions are those of :mod:`mjenv.sichuan.planes`.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS
from mjenv.sichuan.actions import KONG, PASS, PUNG, WIN
from mjenv.sichuan.layout import (
    SEATS,
    Row,
    at_least,
    fill,
    fill_if,
    mark,
    seat_names,
    spread,
    stack,
)
from mjenv.sichuan.planes import NUM_PLANES, observe_planes
from mjenv.sichuan.rules import KongDrawEnd
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    NO_SEAT,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    VIEW,
    Offer,
    Phase,
)
from mjenv.sichuan.view import view

NEXT_DRAWS = 4
NUM_OTHERS = NUM_SEATS - 1
NUM_OFFERS = 3
NUM_ANSWERS = 4
_LAST_SEAT = NUM_SEATS - 1
_NO_LUTS = 0

HAND_0 = NUM_PLANES
DRAWN = HAND_0 + NUM_OTHERS * COPIES
WALL_0 = DRAWN + 1
NEXT_DRAW_0 = WALL_0 + COPIES
REPLACEMENT = NEXT_DRAW_0 + NEXT_DRAWS
VOID_0 = REPLACEMENT + 1
GIVEN_0 = VOID_0 + NUM_OTHERS
DIRECTION_0 = GIVEN_0 + NUM_OTHERS * EXCHANGE_SIZE
PHASE_0 = DIRECTION_0 + 3
NUM_PHASES = Phase.OVER + 1
ACTOR_0 = PHASE_0 + NUM_PHASES
CLAIM_TILE = ACTOR_0 + NUM_SEATS
OFFER_0 = CLAIM_TILE + 1
ANSWER_0 = OFFER_0 + NUM_SEATS * NUM_OFFERS
LOCKED_0 = ANSWER_0 + NUM_SEATS * NUM_ANSWERS
NUM_ORACLE = LOCKED_0 + NUM_OTHERS

ORACLE_SHAPE = (NUM_ORACLE, 3, NUM_RANKS)

_COUNTS = tuple(range(1, COPIES + 1))
_THREE = tuple(range(1, EXCHANGE_SIZE + 1))
_OTHERS = SEATS[1:]

HIDDEN: tuple[Row, ...] = (
    Row(
        HAND_0,
        tuple(name for seat in _OTHERS for name in at_least(f"hand {seat}", _COUNTS)),
        "hands of the others",
    ),
    Row(DRAWN, ("tile drawn",), "tile drawn in the present turn, whosever it is"),
    Row(WALL_0, at_least("in wall", _COUNTS), "copies left in the wall"),
    Row(
        NEXT_DRAW_0,
        tuple(f"draw {i + 1}" for i in range(NEXT_DRAWS)),
        "the next tiles from the front of the wall",
    ),
    Row(REPLACEMENT, ("replacement tile",), "the tile the next kong would draw"),
    Row(
        VOID_0,
        tuple(f"declared {seat}" for seat in _OTHERS),
        "filled over the void suits of the others, also before all have declared",
    ),
    Row(
        GIVEN_0,
        tuple(name for seat in _OTHERS for name in at_least(f"given {seat}", _THREE)),
        "tiles the others give or gave in the exchange",
    ),
    Row(
        DIRECTION_0,
        ("exchange next", "exchange previous", "exchange across"),
        "broadcast: where exchanged tiles go, also before they do",
    ),
    Row(
        PHASE_0,
        tuple(f"table {phase.name.lower()}" for phase in Phase if phase < NUM_PHASES),
        "broadcast: what the table waits for",
    ),
    Row(ACTOR_0, seat_names("asked {}"), "broadcast: who is asked"),
    Row(CLAIM_TILE, ("tile in question",), "tile that seats are asked about"),
    Row(
        OFFER_0,
        tuple(f"offered {what} {seat}" for seat in SEATS for what in ("pung", "kong", "win")),
        "broadcast: what a seat may claim",
    ),
    Row(
        ANSWER_0,
        tuple(
            f"answered {what} {seat}" for seat in SEATS for what in ("pung", "kong", "win", "pass")
        ),
        "broadcast: secret answers given so far",
    ),
    Row(
        LOCKED_0,
        tuple(f"pass lock {seat}" for seat in _OTHERS),
        "broadcast: another seat is under a pass lock",
    ),
)
"""The channels of the oracle that follow those of ``planes/1``."""


@kernel
def _write_others(state: np.void, seat: int, out: np.ndarray) -> None:
    """Hands, void suits, gifts and locks of the other seats."""
    for other in range(NUM_OTHERS):
        it = (seat + 1 + other) & _LAST_SEAT
        hand = HAND_0 + other * COPIES
        for kind in range(NUM_KINDS):
            out[hand * NUM_KINDS + kind] = state["hand"][it, kind]
        spread(out, hand)
        suit = int(state["void_suit"][it])
        if suit != NO_SUIT:
            for rank in range(NUM_RANKS):
                mark(out, VOID_0 + other, suit * NUM_RANKS + rank)
        given = GIVEN_0 + other * EXCHANGE_SIZE
        for i in range(EXCHANGE_SIZE):
            if state["given"][it, i] != NO_TILE:
                stack(out, given, EXCHANGE_SIZE, int(state["given"][it, i]))
        fill_if(out, LOCKED_0 + other, state["lock_fan"][it] > 0)


@kernel
def _write_wall(state: np.void, rules: np.void, out: np.ndarray) -> None:
    first, end = int(state["wall_next"]), int(state["wall_end"])
    for i in range(first, end):
        out[WALL_0 * NUM_KINDS + int(state["wall"][i])] += 1
        if i - first < NEXT_DRAWS:
            mark(out, NEXT_DRAW_0 + i - first, int(state["wall"][i]))
    spread(out, WALL_0)
    if first < end:
        from_back = rules["kong_draw_end"] == KongDrawEnd.BACK
        mark(out, REPLACEMENT, int(state["wall"][end - 1 if from_back else first]))


@kernel
def _write_question(state: np.void, seat: int, out: np.ndarray) -> None:
    """Who is asked what, and what has been answered."""
    fill(out, PHASE_0 + int(state["phase"]))
    if state["actor"] != NO_SEAT:
        fill(out, ACTOR_0 + ((int(state["actor"]) - seat) & _LAST_SEAT))
    mark(out, CLAIM_TILE, int(state["claim_tile"]))
    if state["claim_tile"] == NO_TILE:
        return
    for relative in range(NUM_SEATS):
        it = (seat + relative) & _LAST_SEAT
        offer = int(state["offer"][it])
        fill_if(out, OFFER_0 + relative * NUM_OFFERS, offer & Offer.PUNG != 0)
        fill_if(out, OFFER_0 + relative * NUM_OFFERS + 1, offer & Offer.KONG != 0)
        fill_if(out, OFFER_0 + relative * NUM_OFFERS + 2, offer & Offer.WIN != 0)
        answer = int(state["answer"][it])
        fill_if(out, ANSWER_0 + relative * NUM_ANSWERS, answer == PUNG)
        fill_if(out, ANSWER_0 + relative * NUM_ANSWERS + 1, answer == KONG)
        fill_if(out, ANSWER_0 + relative * NUM_ANSWERS + 2, answer == WIN)
        fill_if(out, ANSWER_0 + relative * NUM_ANSWERS + 3, answer == PASS)


@kernel
def oracle(state: np.void, rules: np.void, seat: int, out: np.ndarray) -> None:
    """Write everything, as ``seat`` would see it: ``out`` is flat int8 of ``ORACLE_SHAPE``.

    Contract function.
    """
    views = np.zeros(1, VIEW)
    view(state, rules, seat, views[0])
    observe_planes(views[0], rules, np.zeros(_NO_LUTS, np.int64), out)
    _write_others(state, seat, out)
    _write_wall(state, rules, out)
    _write_question(state, seat, out)
    mark(out, DRAWN, int(state["drawn"]))
    if rules["swap_three"] != 0:
        fill(out, DIRECTION_0 + int(state["direction"]))
