"""What must hold in every state, as kernels: thousands of deals are looked at after each step."""

from enum import IntEnum

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.rng import policy_stream
from mjenv.sichuan.history import claim_of
from mjenv.sichuan.state import Claim, Meld, Phase, Win
from mjenv.sichuan.view import view


class Fault(IntEnum):
    """What is wrong with a state."""

    POINTS = 1  # do not sum to zero
    LEDGER = 2  # a row is not the points of its seat
    TILES = 4  # not four of each kind
    KEYS = 8  # of the suits do not fit the hands
    SIZES = 16  # a hand is not 3n+1, or 3n+2 in the turn or after a self-drawn win
    MENU = 32  # empty, or asked is somebody who has won
    WALL = 64  # the whole wall is not 108 tiles
    HANDS = 128  # a hand holds less than no tile of a kind


def names_of(found: int) -> list[str]:
    """The faults in a number of ``faults``."""
    return [fault.name for fault in Fault if found & fault]


@kernel
def count_tiles(state: np.void, counts: np.ndarray) -> None:
    """Add up wall, hands, gifts, melds, rivers and the tiles that left a river with a win."""
    for i in range(int(state["wall_next"]), int(state["wall_end"])):
        counts[int(state["wall"][i])] += 1
    for seat in range(4):
        for kind in range(27):
            counts[kind] += int(state["hand"][seat, kind])
        for i in range(int(state["num_given"][seat])):
            if state["phase"] == Phase.EXCHANGE:
                counts[int(state["given"][seat, i])] += 1
        for meld in range(int(state["num_melds"][seat])):
            copies = 3 if state["meld_type"][seat, meld] == Meld.PUNG else 4
            counts[int(state["meld_kind"][seat, meld])] += copies
    for i in range(int(state["num_discards"])):
        claim = claim_of(int(state["discard_fate"][i]))
        if claim == Claim.NONE or claim == Claim.WIN:
            counts[int(state["discard_kind"][i])] += 1
    for seat in range(4):
        if state["win_how"][seat] == Win.ROB_KONG and robs_first(state, seat):
            counts[int(state["win_tile"][seat])] += 1


@kernel
def robs_first(state: np.void, seat: int) -> bool:
    """A robbed tile is one tile, however many won on it."""
    for other in range(seat):
        if state["win_order"][other] == state["win_order"][seat]:
            return False
    return True


@kernel
def extra_tiles(state: np.void, seat: int) -> int:
    """Tiles of a hand beyond 3n+1."""
    size = 0
    for kind in range(27):
        size += int(state["hand"][seat, kind])
    if state["phase"] == Phase.EXCHANGE:
        size += int(state["num_given"][seat])
    return size + 3 * int(state["num_melds"][seat]) - 13


@kernel
def sizes_are_wrong(state: np.void) -> bool:
    phase = state["phase"]
    before = phase == Phase.EXCHANGE or phase == Phase.VOID
    for seat in range(4):
        extra = extra_tiles(state, seat)
        in_turn = before or phase == Phase.TURN or phase == Phase.ROB
        expected = 1 if seat == state["turn"] and in_turn else 0
        if state["win_how"][seat] == Win.SELF_DRAW or state["left_seat"] == seat:
            expected = 1
        if extra != expected:
            return True
    return False


@kernel
def faults(tables: np.ndarray, index: int, mask: np.ndarray) -> int:
    """Everything wrong with a state and its menu, Fault bits."""
    state = tables[index]
    found = 0
    if np.sum(state["points"]) != 0:
        found |= Fault.POINTS
    for seat in range(4):
        if np.sum(state["ledger"][seat]) != state["points"][seat]:
            found |= Fault.LEDGER
        for suit in range(3):
            key = 0
            for rank in range(8, -1, -1):
                key = 5 * key + int(state["hand"][seat, 9 * suit + rank])
            if key != state["suit_key"][seat, suit]:
                found |= Fault.KEYS
    if np.min(state["hand"]) < 0:
        found |= Fault.HANDS
    counts, dealt = np.zeros(27, np.int64), np.zeros(27, np.int64)
    count_tiles(state, counts)
    for i in range(108):
        dealt[int(state["wall"][i])] += 1
    for kind in range(27):
        if counts[kind] != 4:
            found |= Fault.TILES
        if dealt[kind] != 4:
            found |= Fault.WALL
    if sizes_are_wrong(state):
        found |= Fault.SIZES
    actor = int(state["actor"])
    if (actor < 0) != (state["phase"] == Phase.OVER):
        found |= Fault.MENU
    if actor >= 0 and (np.sum(mask) == 0 or state["win_order"][actor] != 0):
        found |= Fault.MENU
    return found


@kernel
def choose(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    views: np.ndarray,
    rng: np.ndarray,
) -> int:
    """View of the acting seat and its policy stream, as the batch sets them up."""
    state = tables[index]
    seat = int(state["actor"])
    decision = int(state["num_decisions"][seat])
    policy_stream(rng, int(state["seed"]), int(state["deal"]), seat, decision)
    view(state, rules[0], seat, views[0])
    return seat
