"""The privacy boundary: what one seat may know, and what only a critic may.

A view holds nothing a seat may not know, so nothing built on it can leak. Whoever is not asked
sees the phase ``WAIT``: neither who is asked nor that anybody is.
"""

import numpy as np

from mjenv.core.cells import copy_grid, copy_row
from mjenv.core.kernel import kernel
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.settlement import wall_count
from mjenv.sichuan.state import (
    NO_SEAT,
    NO_SUIT,
    NUM_SEATS,
    STATE,
    VIEW,
    Phase,
)

NO_DIRECTION = -1


@kernel
def copy_public(state: np.void, out: np.void) -> None:
    """Melds, discards, wins, points: what lies on the table; from a state or a view to either."""
    copy_row(state["points"], out["points"])
    copy_grid(state["ledger"], out["ledger"])
    out["end_reason"] = state["end_reason"]
    copy_row(state["classes"], out["classes"])
    out["left_seat"] = state["left_seat"]
    copy_row(state["win_order"], out["win_order"])
    copy_row(state["win_how"], out["win_how"])
    copy_row(state["win_from"], out["win_from"])
    copy_row(state["win_tile"], out["win_tile"])
    copy_row(state["win_fan"], out["win_fan"])
    copy_row(state["win_patterns"], out["win_patterns"])
    copy_grid(state["win_extras"], out["win_extras"])
    copy_row(state["num_melds"], out["num_melds"])
    copy_grid(state["meld_type"], out["meld_type"])
    copy_grid(state["meld_kind"], out["meld_kind"])
    copy_grid(state["meld_from"], out["meld_from"])
    for seat in range(NUM_SEATS):
        copy_grid(state["kong_paid"][seat], out["kong_paid"][seat])
    copy_grid(state["kong_transferred"], out["kong_transferred"])
    out["num_discards"] = state["num_discards"]
    copy_row(state["discard_kind"], out["discard_kind"])
    copy_row(state["discard_fate"], out["discard_fate"])
    out["num_deeds"] = state["num_deeds"]
    copy_row(state["deed"], out["deed"])
    copy_row(state["deed_after"], out["deed_after"])
    out["kong_discard"] = state["kong_discard"]
    out["dealer"] = state["dealer"]
    out["turn"] = state["turn"]
    copy_row(state["num_draws"], out["num_draws"])


@kernel
def _hand_size(state: np.void, seat: int) -> int:
    """Tiles a seat is seen to hold; a tile given in the exchange is still there until it moves."""
    size = 0
    for kind in range(state["hand"].shape[1]):
        size += int(state["hand"][seat, kind])
    if state["phase"] == Phase.EXCHANGE:
        size += int(state["num_given"][seat])
    return size


@kernel
def _copy_secrets_opened(state: np.void, seat: int, out: np.void) -> None:
    """Exchange and void choices: the own at once, those of others when all have answered."""
    exchanged = state["phase"] != Phase.EXCHANGE and state["num_given"][seat] > 0
    out["direction"] = state["direction"] if exchanged else NO_DIRECTION
    copy_row(state["given"][seat], out["given"])
    copy_row(state["received"][seat], out["received"])
    for other in range(NUM_SEATS):
        hidden = state["phase"] == Phase.VOID and other != seat
        out["void_suit"][other] = NO_SUIT if hidden else state["void_suit"][other]


@kernel
def view(state: np.void, rules: np.void, seat: int, out: np.void) -> None:
    """Copy into ``out`` (a ``VIEW``) exactly what ``seat`` may know.

    Contract function; ``rules`` are public and not needed here.
    """
    copy_public(state, out)
    out["wall_count"] = wall_count(state)
    _copy_secrets_opened(state, seat, out)
    out["seat"] = seat
    copy_row(state["hand"][seat], out["hand"])
    copy_row(state["suit_key"][seat], out["suit_key"])
    out["lock_fan"] = state["lock_fan"][seat]
    for other in range(NUM_SEATS):
        out["hand_size"][other] = _hand_size(state, other)
    own_turn = state["turn"] == seat
    out["drawn"] = state["drawn"] if own_turn else NO_TILE
    # Public: a replacement draw and a pung are seen by all.
    out["replacement"] = state["replacement"]
    out["must_discard"] = state["must_discard"]
    asked = state["actor"] == seat
    out["phase"] = state["phase"]
    if not asked and state["phase"] != Phase.OVER:
        out["phase"] = Phase.WAIT
    question = asked and state["claim_tile"] != NO_TILE
    out["claim_tile"] = state["claim_tile"] if question else NO_TILE
    out["claim_from"] = state["claim_from"] if question else NO_SEAT
    out["offer"] = state["offer"][seat] if question else 0


def new_views(number: int) -> np.ndarray:
    """An array of ``number`` empty views."""
    return np.zeros(number, VIEW)


def new_states(number: int) -> np.ndarray:
    """An array of ``number`` empty tables."""
    return np.zeros(number, STATE)
