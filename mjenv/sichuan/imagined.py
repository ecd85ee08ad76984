"""A whole table around what one seat sees, for search by agents that are given views only.

Everything public and the seat's own is as it is; tiles it cannot see lie anywhere they fit. That
is no fair draw of them, only a place to start from: :func:`mjenv.sichuan.hidden.redeal_hidden`
makes one of it, and from here it draws the same worlds as from the real table, since a view
holds all it goes by. What is hidden and is no tile is left empty: seed and number of the deal, how
many decisions were made, answers and menus of others.
"""

import numpy as np

from mjenv.core.cells import copy_row
from mjenv.core.kernel import kernel
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.analysis import live_counts
from mjenv.sichuan.deal import clear_table, receiver
from mjenv.sichuan.hand import add_tile
from mjenv.sichuan.history import claim_of, claimer_of, deed_of, doer_of, meld_of
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    NO_SEAT,
    NUM_KINDS,
    NUM_SEATS,
    NUM_TILES,
    Claim,
    Deed,
    Meld,
    Phase,
    Win,
)
from mjenv.sichuan.view import copy_public


@kernel
def _copy_question(view: np.void, state: np.void) -> None:
    """What is asked, and the void suits."""
    seat = int(view["seat"])
    state["phase"] = view["phase"]
    state["actor"] = seat
    copy_row(view["void_suit"], state["void_suit"])
    state["replacement"] = view["replacement"]
    state["must_discard"] = view["must_discard"]
    state["claim_tile"] = view["claim_tile"]
    state["claim_from"] = view["claim_from"]
    state["offer"][seat] = view["offer"]
    state["lock_fan"][seat] = view["lock_fan"]
    # Whoever may be robbed of a kong has drawn; which tile that was is for the redeal to say.
    state["drawn"] = view["claim_tile"] if view["phase"] == Phase.ROB else view["drawn"]


@kernel
def _count_wins(state: np.void) -> None:
    """The numbers of wins, and of the first of them who won and who paid."""
    for seat in range(NUM_SEATS):
        if state["win_order"][seat] == 0:
            continue
        state["num_wins"] += 1
        state["num_win_events"] = max(int(state["num_win_events"]), int(state["win_order"][seat]))
        if state["win_order"][seat] == 1:
            state["first_win_size"] += 1
            state["first_winner"] = seat
            state["first_payer"] = state["win_from"][seat]
    if state["first_payer"] == NO_SEAT:
        return
    for k in range(NUM_SEATS - 1, 0, -1):
        seat = (int(state["first_payer"]) + k) % NUM_SEATS
        if state["win_order"][seat] == 1:
            state["first_winner"] = seat  # the first in play order


@kernel
def _note_kong(state: np.void, meld: int) -> None:
    state["turn_kongs"] = int(state["turn_kongs"]) | (1 << meld)
    state["last_kong"] = meld


@kernel
def _find_turn_kongs(state: np.void) -> None:
    """The kongs of this turn, which is that of a discard if it is asked about."""
    turn = int(state["turn"])
    before = int(state["num_discards"])
    if state["phase"] == Phase.CLAIM:
        before -= 1
    if before > 0:
        fate = int(state["discard_fate"][before - 1])
        if claim_of(fate) == Claim.KONG and claimer_of(fate) == turn:
            kind = int(state["discard_kind"][before - 1])
            for meld in range(int(state["num_melds"][turn])):
                direct = state["meld_type"][turn, meld] == Meld.DIRECT_KONG
                if direct and state["meld_kind"][turn, meld] == kind:
                    _note_kong(state, meld)
    for i in range(int(state["num_deeds"])):
        packed = int(state["deed"][i])
        kong = deed_of(packed) == Deed.CONCEALED_KONG or deed_of(packed) == Deed.ADDED_KONG
        if kong and doer_of(packed) == turn and state["deed_after"][i] == before:
            _note_kong(state, meld_of(packed))


@kernel
def _copy_exchange(view: np.void, rules: np.void, state: np.void) -> None:
    """Tiles given and received; those that others exchanged stay open."""
    seat = int(view["seat"])
    if rules["swap_three"] == 0:
        return
    copy_row(view["given"], state["given"][seat])
    copy_row(view["received"], state["received"][seat])
    if view["phase"] == Phase.EXCHANGE:
        for i in range(EXCHANGE_SIZE):
            if view["given"][i] != NO_TILE:
                state["num_given"][seat] += 1
        return
    state["direction"] = view["direction"]
    copy_row(view["given"], state["received"][receiver(seat, int(state["direction"]))])
    for giver in range(NUM_SEATS):
        state["num_given"][giver] = EXCHANGE_SIZE
        if receiver(giver, int(state["direction"])) == seat:
            copy_row(view["received"], state["given"][giver])


@kernel
def _unseen_tiles(view: np.void, left: np.ndarray) -> None:
    """Count what the wall and the hands of others hold, ``(27,)``."""
    live_counts(view, left)
    for other in range(NUM_SEATS):
        drawn = view["win_how"][other] == Win.SELF_DRAW and view["win_tile"][other] != NO_TILE
        if drawn and other != view["seat"]:
            left[int(view["win_tile"][other])] += 1  # in sight, but it lies in that hand
    if view["phase"] == Phase.ROB:
        left[int(view["claim_tile"])] += 1


@kernel
def _lay_tiles(view: np.void, state: np.void) -> None:
    """The own hand; what is not seen into the other hands and the wall, kind after kind."""
    seat = int(view["seat"])
    for kind in range(NUM_KINDS):
        for _ in range(int(view["hand"][kind])):
            add_tile(state, seat, kind)
    left = np.empty(NUM_KINDS, np.int8)
    _unseen_tiles(view, left)
    kind = 0
    for other in range(NUM_SEATS):
        missing = 0 if other == seat else int(view["hand_size"][other])
        while missing > 0:
            if left[kind] == 0:
                kind += 1
                continue
            add_tile(state, other, kind)
            left[kind] -= 1
            missing -= 1
    state["wall_next"] = NUM_TILES - int(view["wall_count"])
    state["wall_end"] = NUM_TILES
    for place in range(NUM_TILES):
        state["wall"][place] = NO_TILE
    for place in range(int(state["wall_next"]), NUM_TILES):
        while left[kind] == 0:
            kind += 1
        state["wall"][place] = kind
        left[kind] -= 1


@kernel
def imagine(view: np.void, rules: np.void, luts: np.ndarray, state: np.void) -> None:
    """Write to ``state`` a table whose view for the seat of ``view`` is the same.

    Contract function; ``luts`` are not needed for this game.

    Args:
        view: What a seat sees that is asked.
        rules: Packed.
        luts: Lookup tables.
        state: Is overwritten.
    """
    state["seed"] = 0
    state["deal"] = 0
    state["direction"] = 0
    clear_table(state)
    copy_public(view, state)
    _copy_question(view, state)
    _count_wins(state)
    _find_turn_kongs(state)
    _copy_exchange(view, rules, state)
    _lay_tiles(view, state)
