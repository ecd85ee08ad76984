"""The turn of a seat: what it may do, drawing, discarding, own kongs, self-drawn wins (R10-R12)."""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NO_TILE
from mjenv.sichuan.actions import DISCARD_0, OWN_KONG_0, QUIT, WIN
from mjenv.sichuan.draws import take_from_wall
from mjenv.sichuan.events import Event, log_event
from mjenv.sichuan.hand import add_tile, remove_tile, suit_of
from mjenv.sichuan.history import fate_of, note_deed
from mjenv.sichuan.rules import AddedKongTiming, ClaimWithVoidTiles
from mjenv.sichuan.settlement import (
    added_kong_is_paid,
    book_kong,
    is_active,
    wall_count,
)
from mjenv.sichuan.state import (
    FIRST_DRAW,
    NO_SEAT,
    NO_SUIT,
    NUM_EXTRAS,
    NUM_KINDS,
    NUM_SEATS,
    Claim,
    Deed,
    End,
    Meld,
    Phase,
    Win,
)
from mjenv.sichuan.wins import (
    can_self_draw,
    deal_is_won,
    record_win,
    score_self_draw,
    settle_self_draw,
    wins_are_forced,
)


@kernel
def next_active(state: np.void, seat: int) -> int:
    """The next seat in play order that has not won (R16)."""
    for k in range(1, NUM_SEATS):
        other = (seat + k) % NUM_SEATS
        if is_active(state, other):
            return other
    return NO_SEAT


@kernel
def holds_void_tiles(state: np.void, seat: int) -> bool:
    """Whether a seat still holds tiles of its void suit (R7)."""
    void = int(state["void_suit"][seat])
    return void != NO_SUIT and state["suit_key"][seat, void] != 0


@kernel
def may_meld(state: np.void, rules: np.void, seat: int, kind: int) -> bool:
    """Whether R7 lets a seat pung or kong ``kind``: never its void suit."""
    if suit_of(kind) == state["void_suit"][seat]:
        return False
    forbidden = rules["claim_with_void_tiles"] == ClaimWithVoidTiles.FORBIDDEN
    return not (forbidden and holds_void_tiles(state, seat))


@kernel
def kong_has_wall(state: np.void, rules: np.void) -> bool:
    """A kong needs a replacement tile (R24)."""
    return rules["kong_needs_wall"] == 0 or wall_count(state) > 0


# ------------------------------------------------------------------------------------- drawing


@kernel
def _give_turn(
    state: np.void, rules: np.void, log: np.ndarray, seat: int, replacement: bool
) -> None:
    kind = take_from_wall(state, rules, seat, replacement)
    add_tile(state, seat, kind)
    state["drawn"] = kind
    state["replacement"] = 1 if replacement else 0
    state["must_discard"] = 0
    state["num_draws"][seat] += 1
    state["lock_fan"][seat] = 0  # the pass lock ends with the own draw (point 17)
    state["turn"] = seat
    state["actor"] = seat
    state["phase"] = Phase.TURN
    log_event(state, log, Event.DRAW, seat, kind, NO_SEAT, 1 if replacement else 0)


@kernel
def draw_tile(state: np.void, rules: np.void, log: np.ndarray, seat: int) -> None:
    """Begin the turn of a seat with a draw; the deal ends if there is nothing to draw (R39)."""
    if wall_count(state) == 0:
        state["end_reason"] = End.WALL_EMPTY
        return
    state["turn_kongs"] = 0
    state["last_kong"] = -1
    _give_turn(state, rules, log, seat, False)


@kernel
def draw_replacement(state: np.void, rules: np.void, log: np.ndarray, seat: int) -> None:
    """Draw after a kong; the turn goes on."""
    if wall_count(state) == 0:
        state["end_reason"] = End.WALL_EMPTY
        return
    _give_turn(state, rules, log, seat, True)


# --------------------------------------------------------------------------------- menu of a turn


@kernel
def _mark_discards(state: np.void, seat: int, mask: np.ndarray) -> None:
    """Every kind held, of the void suit only while it holds such tiles (R7)."""
    hand = state["hand"][seat]
    void = int(state["void_suit"][seat])
    bound = holds_void_tiles(state, seat)
    for kind in range(NUM_KINDS):
        if hand[kind] > 0 and (not bound or suit_of(kind) == void):
            mask[DISCARD_0 + kind] = 1


@kernel
def _mark_kongs(state: np.void, rules: np.void, seat: int, mask: np.ndarray) -> None:
    """Concealed quads and the fourth tiles of own pungs (R22-R24)."""
    if not kong_has_wall(state, rules):
        return
    hand = state["hand"][seat]
    for kind in range(NUM_KINDS):
        if hand[kind] == COPIES and may_meld(state, rules, seat, kind):
            mask[OWN_KONG_0 + kind] = 1
    just_drawn = rules["added_kong_timing"] == AddedKongTiming.JUST_DRAWN
    for meld in range(int(state["num_melds"][seat])):
        kind = int(state["meld_kind"][seat, meld])
        if state["meld_type"][seat, meld] != Meld.PUNG or hand[kind] == 0:
            continue
        if just_drawn and state["drawn"] != kind:
            continue
        if may_meld(state, rules, seat, kind):
            mask[OWN_KONG_0 + kind] = 1


@kernel
def turn_menu(
    state: np.void, rules: np.void, luts: np.ndarray, seat: int, mask: np.ndarray
) -> None:
    """Mark what the seat whose turn it is may do (points 8 to 16)."""
    if rules["allow_quit"] != 0:
        mask[QUIT] = 1
    if state["must_discard"] != 0:
        _mark_discards(state, seat, mask)
        return
    if can_self_draw(state, rules, luts, seat):
        mask[WIN] = 1
        if wins_are_forced(state, rules):
            return
    _mark_discards(state, seat, mask)
    _mark_kongs(state, rules, seat, mask)


# -------------------------------------------------------------------------- discards and own kongs


@kernel
def put_discard(state: np.void, log: np.ndarray, seat: int, kind: int) -> None:
    """Move a tile from the hand to the end of the discards."""
    remove_tile(state, seat, kind)
    number = int(state["num_discards"])
    state["discard_kind"][number] = kind
    state["discard_fate"][number] = fate_of(seat, Claim.NONE, NO_SEAT)
    state["num_discards"] = number + 1
    state["kong_discard"] = state["replacement"]
    state["drawn"] = NO_TILE
    state["replacement"] = 0
    state["must_discard"] = 0
    log_event(state, log, Event.DISCARD, seat, kind, NO_SEAT, 0)


@kernel
def own_pung(state: np.void, seat: int, kind: int) -> int:
    """Index of the seat's pung of ``kind``, or -1."""
    for meld in range(int(state["num_melds"][seat])):
        if state["meld_kind"][seat, meld] == kind and state["meld_type"][seat, meld] == Meld.PUNG:
            return meld
    return -1


@kernel
def add_meld(state: np.void, seat: int, meld_type: int, kind: int, source: int) -> int:
    """Append a meld and return its index; the tiles are the caller's."""
    meld = int(state["num_melds"][seat])
    state["meld_type"][seat, meld] = meld_type
    state["meld_kind"][seat, meld] = kind
    state["meld_from"][seat, meld] = source
    state["num_melds"][seat] = meld + 1
    return meld


@kernel
def finish_kong(
    state: np.void, rules: np.void, log: np.ndarray, seat: int, meld: int, paid: bool
) -> None:
    """Log and pay a kong whose tiles have been moved, and draw the replacement (R21)."""
    book_kong(state, rules, log, seat, meld, paid)
    draw_replacement(state, rules, log, seat)


@kernel
def concealed_kong(state: np.void, rules: np.void, log: np.ndarray, seat: int, kind: int) -> None:
    """Declare four tiles of the hand (R23)."""
    for _ in range(COPIES):
        remove_tile(state, seat, kind)
    meld = add_meld(state, seat, Meld.CONCEALED_KONG, kind, seat)
    note_deed(state, Deed.CONCEALED_KONG, seat, meld)
    finish_kong(state, rules, log, seat, meld, True)


@kernel
def added_kong(state: np.void, rules: np.void, log: np.ndarray, seat: int, kind: int) -> None:
    """Add the fourth tile to an own pung that nobody robbed (R22)."""
    meld = own_pung(state, seat, kind)
    paid = added_kong_is_paid(state, rules, kind)
    remove_tile(state, seat, kind)
    state["meld_type"][seat, meld] = Meld.ADDED_KONG
    note_deed(state, Deed.ADDED_KONG, seat, meld)
    finish_kong(state, rules, log, seat, meld, paid)


@kernel
def win_by_self_draw(
    state: np.void, rules: np.void, luts: np.ndarray, log: np.ndarray, seat: int
) -> None:
    """Win with the own hand; the next active seat draws (R17)."""
    extras = np.zeros(NUM_EXTRAS, np.int8)
    fan, patterns = score_self_draw(state, rules, luts, seat, extras)
    tile = int(state["drawn"])
    if tile == NO_TILE:
        # The dealt 14 (point 36): the last tile dealt, unless it was given away.
        dealt = int(state["wall"][FIRST_DRAW - 1])
        if state["hand"][seat, dealt] > 0:
            tile = dealt
    note_deed(state, Deed.SELF_DRAW, seat, 0)
    record_win(state, log, seat, Win.SELF_DRAW, NO_SEAT, tile, fan, patterns, extras)
    settle_self_draw(state, rules, log, seat)
    if not deal_is_won(state, rules):
        draw_tile(state, rules, log, next_active(state, seat))
