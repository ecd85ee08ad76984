"""The encoding ``vector/1``: a view as one vector of numbers from -1 to 1, with hand analysis.

Seats are relative to the observer. Blocks by kind are in the order of kinds, blocks by suit in
the order of suits.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS, NUM_SUITS, SUITS
from mjenv.sichuan.analysis import live_counts
from mjenv.sichuan.hand_cells import NUM_HAND_FEATURES, hand_rows
from mjenv.sichuan.hand_features import write_hand
from mjenv.sichuan.history import claim_of, discarder
from mjenv.sichuan.layout import KINDS, SEATS, Row, at_least, seat_names
from mjenv.sichuan.rule_features import MUCH_FAN, NUM_RULE_FEATURES, rule_rows, write_rules
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    HAND_SIZE,
    MAX_MELDS,
    NO_SEAT,
    NO_SUIT,
    NUM_DRAWS,
    NUM_KINDS,
    NUM_SEATS,
    Claim,
    Meld,
    Phase,
)

_LAST_SEAT = NUM_SEATS - 1  # seats are taken modulo four by masking
_FRESHNESS = 0.9
_MANY_DISCARDS = 24
_MUCH_INCOME = 16
_MUCH_POINTS = 32
_MANY_TURNS = 14

HAND_0 = 0
UNSEEN = HAND_0 + COPIES * NUM_KINDS
MELD_0 = UNSEEN + NUM_KINDS
RIVER_0 = MELD_0 + NUM_SEATS * NUM_KINDS
NUM_RIVERS = NUM_SEATS - 1
RECENT = RIVER_0 + NUM_RIVERS * NUM_KINDS
CLAIM_TILE = RECENT + NUM_KINDS
GIVEN = CLAIM_TILE + NUM_KINDS
RECEIVED = GIVEN + NUM_KINDS
ANALYSIS_0 = RECEIVED + NUM_KINDS

SEAT_0 = ANALYSIS_0 + NUM_HAND_FEATURES
WON = 0
WIN_FAN = WON + 1
VOID_0 = WIN_FAN + 1
CLEARED = VOID_0 + NUM_SUITS
MELDS = CLEARED + 1
KONGS = MELDS + 1
INCOME = KONGS + 1
DISCARDS = INCOME + 1
HELD = DISCARDS + 1
POINTS = HELD + 1
SEAT_SIZE = POINTS + 1

PHASE_0 = SEAT_0 + NUM_SEATS * SEAT_SIZE
NUM_PHASES = Phase.OVER + 1  # WAIT is none of them
DEALER_0 = PHASE_0 + NUM_PHASES
TURN_0 = DEALER_0 + NUM_SEATS
DIRECTION_0 = TURN_0 + NUM_SEATS
WALL = DIRECTION_0 + 3
DRAWS_LEFT = WALL + 1
PLAYING = DRAWS_LEFT + 1
MUST_DISCARD = PLAYING + 1
REPLACEMENT = MUST_DISCARD + 1
KONG_DISCARD = REPLACEMENT + 1
LOCK = KONG_DISCARD + 1
RULES_0 = LOCK + 1
NUM_FEATURES = RULES_0 + NUM_RULE_FEATURES


_OF_SEAT = (
    "won",
    "win fan",
    *(f"void {suit}" for suit in SUITS),
    "cleared",
    "melds",
    "kongs",
    "income",
    "discards",
    "held",
    "points",
)
_OF_SEAT_MEANING = (
    "has won; its fan / 8; void suit, once known; the latest discard was not of it; melds / 4; "
    "kongs / 4; kong income kept, in units / 16; discards / 24; concealed tiles / 14; points in "
    "units / 32"
)


def _seat_row(relative: int) -> Row:
    names = tuple(f"{name} {SEATS[relative]}" for name in _OF_SEAT)
    meaning = "the same" if relative else _OF_SEAT_MEANING
    return Row(SEAT_0 + relative * SEAT_SIZE, names, meaning)


FEATURES: tuple[Row, ...] = (
    Row(
        HAND_0,
        at_least("hand", tuple(range(1, COPIES + 1))),
        "own hand, the drawn tile included",
        KINDS,
    ),
    Row(UNSEEN, ("live",), "copies not in sight / 4", KINDS),
    Row(MELD_0, seat_names("meld {}"), "a pung is 0.75, a kong 1", KINDS),
    Row(
        RIVER_0,
        tuple(f"river {seat}" for seat in SEATS[1:]),
        "unclaimed discards of a seat / 4",
        KINDS,
    ),
    Row(RECENT, ("recent",), "0.9 to the number of discards since the latest of a kind", KINDS),
    Row(CLAIM_TILE, ("claim tile",), "tile one is asked about", KINDS),
    Row(GIVEN, ("given",), "tiles given in the exchange / 3", KINDS),
    Row(RECEIVED, ("received",), "tiles received in the exchange / 3", KINDS),
    *hand_rows(ANALYSIS_0),
    *(_seat_row(relative) for relative in range(NUM_SEATS)),
    Row(
        PHASE_0,
        tuple(f"phase {phase.name.lower()}" for phase in Phase if phase < NUM_PHASES),
        "what one is asked; all zero while another seat may be asked",
    ),
    Row(DEALER_0, seat_names("dealer {}"), "who deals"),
    Row(TURN_0, seat_names("turn {}"), "whose turn it is, or whose tile is claimed"),
    Row(
        DIRECTION_0,
        ("exchanged next", "exchanged previous", "exchanged across"),
        "where the exchanged tiles went",
    ),
    Row(WALL, ("wall",), "tiles left to draw / 55"),
    Row(DRAWS_LEFT, ("draws left",), "tiles left for each seat still playing / 14, 0 after a win"),
    Row(PLAYING, ("playing",), "seats that have not won / 4"),
    Row(MUST_DISCARD, ("must discard",), "a pung was made, a discard must follow"),
    Row(REPLACEMENT, ("replacement",), "the latest draw replaced a kong"),
    Row(KONG_DISCARD, ("kong discard",), "the latest discard followed a kong"),
    Row(LOCK, ("pass lock",), "fan of a declined win / 8: a win must be worth more"),
    *rule_rows(RULES_0),
)
"""Every cell of ``vector/1``."""


@kernel
def _write_tiles(view: np.void, live: np.ndarray, out: np.ndarray) -> None:
    """Own hand, live copies, the tile in question, the exchange."""
    hand = view["hand"]
    for kind in range(NUM_KINDS):
        held = int(hand[kind])
        for level in range(COPIES):
            out[HAND_0 + level * NUM_KINDS + kind] = 1 if held > level else 0
        out[UNSEEN + kind] = int(live[kind]) / COPIES
    if view["claim_tile"] != NO_TILE:
        out[CLAIM_TILE + int(view["claim_tile"])] = 1
    for i in range(EXCHANGE_SIZE):
        # Counted in whole tiles, then divided once.
        if view["given"][i] != NO_TILE:
            out[GIVEN + int(view["given"][i])] += 1
        if view["received"][i] != NO_TILE:
            out[RECEIVED + int(view["received"][i])] += 1
    if view["given"][0] != NO_TILE:
        for kind in range(GIVEN, RECEIVED + NUM_KINDS):
            out[kind] /= EXCHANGE_SIZE


@kernel
def _write_discards(view: np.void, me: int, out: np.ndarray) -> None:
    """Rivers of the others, freshness, and what the discards say of a seat."""
    number = int(view["num_discards"])
    fresh = 1.0
    for i in range(number - 1, -1, -1):
        kind = int(view["discard_kind"][i])
        fate = int(view["discard_fate"][i])
        relative = (discarder(fate) - me) & _LAST_SEAT
        seat = SEAT_0 + relative * SEAT_SIZE
        if out[RECENT + kind] == 0:
            out[RECENT + kind] = fresh
        fresh *= _FRESHNESS
        if out[seat + DISCARDS] == 0:
            void = int(view["void_suit"][(me + relative) & _LAST_SEAT])
            out[seat + CLEARED] = 1 if void != NO_SUIT and kind // NUM_RANKS != void else 0
        out[seat + DISCARDS] += 1
        if relative != 0 and claim_of(fate) == Claim.NONE:
            out[RIVER_0 + (relative - 1) * NUM_KINDS + kind] += 1 / COPIES
    for relative in range(NUM_SEATS):
        cell = SEAT_0 + relative * SEAT_SIZE + DISCARDS
        out[cell] = min(out[cell], _MANY_DISCARDS) / _MANY_DISCARDS


@kernel
def _write_melds(view: np.void, seat: int, relative: int, out: np.ndarray) -> None:
    """The melds of a seat and what its kongs have brought."""
    kongs, income = 0, 0
    number = int(view["num_melds"][seat])
    for meld in range(number):
        kong = view["meld_type"][seat, meld] != Meld.PUNG
        cell = MELD_0 + relative * NUM_KINDS + int(view["meld_kind"][seat, meld])
        out[cell] = 1 if kong else (COPIES - 1) / COPIES
        kongs += 1 if kong else 0
        if view["kong_transferred"][seat, meld] == 0:
            for payer in range(NUM_SEATS):
                income += int(view["kong_paid"][seat, meld, payer])
    first = SEAT_0 + relative * SEAT_SIZE
    out[first + MELDS] = number / MAX_MELDS
    out[first + KONGS] = kongs / MAX_MELDS
    out[first + INCOME] = min(income, _MUCH_INCOME) / _MUCH_INCOME


@kernel
def _write_seats(view: np.void, me: int, out: np.ndarray) -> None:
    """What is known of each seat."""
    for relative in range(NUM_SEATS):
        seat = (me + relative) & _LAST_SEAT
        first = SEAT_0 + relative * SEAT_SIZE
        _write_melds(view, seat, relative, out)
        out[first + WON] = 1 if view["win_order"][seat] != 0 else 0
        out[first + WIN_FAN] = min(int(view["win_fan"][seat]), MUCH_FAN) / MUCH_FAN
        if view["void_suit"][seat] != NO_SUIT:
            out[first + VOID_0 + int(view["void_suit"][seat])] = 1
        out[first + HELD] = int(view["hand_size"][seat]) / (HAND_SIZE + 1)
        points = int(view["points"][seat])
        out[first + POINTS] = max(min(points, _MUCH_POINTS), -_MUCH_POINTS) / _MUCH_POINTS


@kernel
def _write_table(view: np.void, me: int, out: np.ndarray) -> None:
    """Phase, wall and whose turn it is."""
    if view["phase"] < NUM_PHASES:
        out[PHASE_0 + int(view["phase"])] = 1
    out[DEALER_0 + ((int(view["dealer"]) - me) & _LAST_SEAT)] = 1
    if view["turn"] != NO_SEAT:
        out[TURN_0 + ((int(view["turn"]) - me) & _LAST_SEAT)] = 1
    if view["direction"] >= 0:
        out[DIRECTION_0 + int(view["direction"])] = 1
    playing = 0
    for seat in range(NUM_SEATS):
        playing += 1 if view["win_order"][seat] == 0 else 0
    left = int(view["wall_count"])
    out[WALL] = left / NUM_DRAWS
    if view["win_order"][me] == 0:
        out[DRAWS_LEFT] = min(left / playing, _MANY_TURNS) / _MANY_TURNS
    out[PLAYING] = playing / NUM_SEATS
    out[MUST_DISCARD] = view["must_discard"]
    out[REPLACEMENT] = view["replacement"]
    out[KONG_DISCARD] = view["kong_discard"]
    out[LOCK] = min(int(view["lock_fan"]), MUCH_FAN) / MUCH_FAN


@kernel
def observe_vector(view: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray) -> None:
    """Write ``vector/1``: ``out`` is float32, ``(NUM_FEATURES,)``. Contract function."""
    me = int(view["seat"])
    out[:] = 0
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    _write_tiles(view, live, out)
    _write_discards(view, me, out)
    _write_seats(view, me, out)
    _write_table(view, me, out)
    write_hand(view, rules, luts, live, out[ANALYSIS_0:SEAT_0])
    write_rules(rules, out[RULES_0:])
