"""The encoding ``planes/1``: a view as planes of 0 and 1 over suits and ranks.

Cell ``channel * 27 + kind`` of the flat array belongs to a kind. Channels about the table and the
rules are filled over all kinds (broadcast). Counts are thermometers: channel n is 1 where the
count is at least n. Seats are relative to the observer: itself, next, across, previous.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NO_TILE, NUM_RANKS
from mjenv.sichuan.analysis import shows_winning_tile
from mjenv.sichuan.history import claim_of, discarder
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
from mjenv.sichuan.rule_planes import NUM_RULE_PLANES, rule_rows, write_rules
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    NO_SEAT,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    Claim,
    Meld,
    Phase,
)

RIVER_COUNTS = (1, 2, 3)
RECENT = 2  # latest discards shown of each seat
WALL_LEFT = (1, 2, 3, 4, 8, 12, 16, 24, 32, 44)
_LAST_SEAT = NUM_SEATS - 1  # seats are taken modulo four by masking
_ALL_SHOWN = sum(RECENT << (2 * seat) for seat in range(NUM_SEATS))

HAND_0 = 0
DRAWN = HAND_0 + COPIES
CLAIM_TILE = DRAWN + 1
MELD_0 = CLAIM_TILE + 1
DIRECT_KONG = MELD_0 + NUM_SEATS
ADDED_KONG = DIRECT_KONG + 1
CONCEALED_KONG = ADDED_KONG + 1
RIVER_0 = CONCEALED_KONG + 1
LATEST_0 = RIVER_0 + NUM_SEATS * len(RIVER_COUNTS)
LIVE_0 = LATEST_0 + NUM_SEATS * RECENT
WIN_TILE_0 = LIVE_0 + COPIES
VOID_0 = WIN_TILE_0 + NUM_SEATS
GIVEN_0 = VOID_0 + NUM_SEATS
RECEIVED_0 = GIVEN_0 + EXCHANGE_SIZE
PHASE_0 = RECEIVED_0 + EXCHANGE_SIZE
NUM_PHASES = Phase.OVER + 1  # WAIT is none of them
WON_0 = PHASE_0 + NUM_PHASES
DEALER_0 = WON_0 + NUM_SEATS
TURN_0 = DEALER_0 + NUM_SEATS
WALL_0 = TURN_0 + NUM_SEATS
MUST_DISCARD = WALL_0 + len(WALL_LEFT)
REPLACEMENT = MUST_DISCARD + 1
KONG_DISCARD = REPLACEMENT + 1
DIRECTION_0 = KONG_DISCARD + 1
LOCKED = DIRECTION_0 + 3
RULES_0 = LOCKED + 1
NUM_PLANES = RULES_0 + NUM_RULE_PLANES

_RIVERS = seat_names("river {}")
_COUNTS = tuple(range(1, COPIES + 1))
_THREE = tuple(range(1, EXCHANGE_SIZE + 1))

PLANES: tuple[Row, ...] = (
    Row(HAND_0, at_least("hand", _COUNTS), "own hand, the drawn tile included"),
    Row(DRAWN, ("drawn",), "tile drawn in the own turn"),
    Row(CLAIM_TILE, ("claim tile",), "tile one is asked about: a discard, or an added kong"),
    Row(MELD_0, seat_names("meld {}"), "kinds of which a seat has a pung or a kong"),
    Row(
        DIRECT_KONG,
        ("direct kong", "added kong", "concealed kong"),
        "which of these melds are kongs, and how made",
    ),
    Row(
        RIVER_0,
        tuple(name for river in _RIVERS for name in at_least(river, RIVER_COUNTS)),
        "discards of a seat that nobody claimed",
    ),
    Row(
        LATEST_0,
        tuple(f"{age} {seat}" for seat in SEATS for age in ("latest", "second latest")),
        "the two latest discards of a seat, claimed or not",
    ),
    Row(
        LIVE_0,
        at_least("live", _COUNTS),
        "copies not in the own hand, melds, rivers or among winning tiles",
    ),
    Row(WIN_TILE_0, seat_names("winning tile {}"), "tile a seat has won on"),
    Row(VOID_0, seat_names("void suit {}"), "filled over the void suit of a seat, once known"),
    Row(GIVEN_0, at_least("given", _THREE), "tiles given in the exchange"),
    Row(RECEIVED_0, at_least("received", _THREE), "tiles received in the exchange"),
    Row(
        PHASE_0,
        tuple(f"phase {phase.name.lower()}" for phase in Phase if phase < NUM_PHASES),
        "broadcast: what one is asked; all zero while another seat may be asked",
    ),
    Row(WON_0, seat_names("won {}"), "broadcast: a seat has won"),
    Row(DEALER_0, seat_names("dealer {}"), "broadcast: who deals"),
    Row(TURN_0, seat_names("turn {}"), "broadcast: whose turn it is, or whose tile is claimed"),
    Row(WALL_0, at_least("wall", WALL_LEFT), "broadcast: tiles left to draw"),
    Row(MUST_DISCARD, ("must discard",), "broadcast: a pung was made, a discard must follow"),
    Row(REPLACEMENT, ("replacement",), "broadcast: the latest draw replaced a kong"),
    Row(KONG_DISCARD, ("kong discard",), "broadcast: the latest discard followed a kong"),
    Row(
        DIRECTION_0,
        ("exchanged next", "exchanged previous", "exchanged across"),
        "broadcast: where the exchanged tiles went",
    ),
    Row(LOCKED, ("pass lock",), "broadcast: a declined win forbids wins of as little fan"),
    *rule_rows(RULES_0),
)
"""Every channel of ``planes/1``."""


# --------------------------------------------------------------------------------------- tiles


@kernel
def _write_hand(view: np.void, out: np.ndarray) -> None:
    hand = view["hand"]
    for kind in range(NUM_KINDS):
        out[HAND_0 * NUM_KINDS + kind] = hand[kind]
        out[LIVE_0 * NUM_KINDS + kind] = COPIES - int(hand[kind])
    spread(out, HAND_0)
    mark(out, DRAWN, int(view["drawn"]))
    mark(out, CLAIM_TILE, int(view["claim_tile"]))
    if view["phase"] == Phase.ROB:
        # The fourth tile has been shown, though it is no meld yet.
        out[LIVE_0 * NUM_KINDS + int(view["claim_tile"])] -= 1


@kernel
def _write_melds(view: np.void, me: int, out: np.ndarray) -> None:
    live = LIVE_0 * NUM_KINDS
    for seat in range(NUM_SEATS):
        relative = (seat - me) & _LAST_SEAT
        for meld in range(int(view["num_melds"][seat])):
            kind = int(view["meld_kind"][seat, meld])
            kong = int(view["meld_type"][seat, meld]) - Meld.DIRECT_KONG
            mark(out, MELD_0 + relative, kind)
            if kong >= 0:
                mark(out, DIRECT_KONG + kong, kind)
            out[live + kind] -= COPIES - 1 if kong < 0 else COPIES


@kernel
def _write_rivers(view: np.void, me: int, out: np.ndarray) -> None:
    levels = len(RIVER_COUNTS)
    for i in range(int(view["num_discards"])):
        fate = int(view["discard_fate"][i])
        if claim_of(fate) == Claim.NONE:
            relative = (discarder(fate) - me) & _LAST_SEAT
            kind = int(view["discard_kind"][i])
            stack(out, RIVER_0 + relative * levels, levels, kind)
            out[LIVE_0 * NUM_KINDS + kind] -= 1


@kernel
def _write_latest(view: np.void, me: int, out: np.ndarray) -> None:
    """The latest discards of each seat, from the last one back."""
    shown = 0  # two bits a seat: how many have been found
    for i in range(int(view["num_discards"]) - 1, -1, -1):
        relative = (discarder(int(view["discard_fate"][i])) - me) & _LAST_SEAT
        age = (shown >> (2 * relative)) & 3
        if age < RECENT:
            mark(out, LATEST_0 + relative * RECENT + age, int(view["discard_kind"][i]))
            shown += 1 << (2 * relative)
            if shown == _ALL_SHOWN:
                return


@kernel
def _write_wins(view: np.void, me: int, out: np.ndarray) -> None:
    for seat in range(NUM_SEATS):
        if view["win_order"][seat] != 0:
            relative = (seat - me) & _LAST_SEAT
            kind = int(view["win_tile"][seat])
            fill(out, WON_0 + relative)
            mark(out, WIN_TILE_0 + relative, kind)
            if shows_winning_tile(view, seat):
                out[LIVE_0 * NUM_KINDS + kind] -= 1


@kernel
def _write_void_suits(view: np.void, me: int, out: np.ndarray) -> None:
    for seat in range(NUM_SEATS):
        suit = int(view["void_suit"][seat])
        if suit != NO_SUIT:
            first = (VOID_0 + ((seat - me) & _LAST_SEAT)) * NUM_KINDS + suit * NUM_RANKS
            for cell in range(first, first + NUM_RANKS):
                out[cell] = 1


@kernel
def _write_exchange(view: np.void, out: np.ndarray) -> None:
    if view["given"][0] == NO_TILE:
        return
    moved = view["received"][0] != NO_TILE
    for i in range(EXCHANGE_SIZE):
        given = int(view["given"][i])
        if given != NO_TILE:
            stack(out, GIVEN_0, EXCHANGE_SIZE, given)
            if not moved:
                # Still before the giver: nobody else can show this copy yet.
                out[LIVE_0 * NUM_KINDS + given] -= 1
        if moved:
            stack(out, RECEIVED_0, EXCHANGE_SIZE, int(view["received"][i]))
    if view["direction"] >= 0:
        fill(out, DIRECTION_0 + int(view["direction"]))


# ----------------------------------------------------------------------------- table and rules


@kernel
def _write_table(view: np.void, me: int, out: np.ndarray) -> None:
    if view["phase"] < NUM_PHASES:
        fill(out, PHASE_0 + int(view["phase"]))
    fill(out, DEALER_0 + ((int(view["dealer"]) - me) & _LAST_SEAT))
    if view["turn"] != NO_SEAT:
        fill(out, TURN_0 + ((int(view["turn"]) - me) & _LAST_SEAT))
    left = int(view["wall_count"])
    for i in range(len(WALL_LEFT)):
        fill_if(out, WALL_0 + i, left >= WALL_LEFT[i])
    fill_if(out, MUST_DISCARD, view["must_discard"] != 0)
    fill_if(out, REPLACEMENT, view["replacement"] != 0)
    fill_if(out, KONG_DISCARD, view["kong_discard"] != 0)
    fill_if(out, LOCKED, view["lock_fan"] > 0)


@kernel
def observe_planes(view: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray) -> None:
    """Write ``planes/1``: ``out`` is flat int8, ``NUM_PLANES * 27`` cells of 0 and 1.

    Contract function; this encoding needs no ``luts``.
    """
    me = int(view["seat"])
    out[:] = 0
    _write_hand(view, out)
    _write_melds(view, me, out)
    _write_rivers(view, me, out)
    _write_latest(view, me, out)
    _write_wins(view, me, out)
    _write_void_suits(view, me, out)
    _write_exchange(view, out)
    spread(out, LIVE_0)
    _write_table(view, me, out)
    write_rules(rules, out, RULES_0)
