"""Where in the wall a seat draws.

An ordinary wall gives its tiles in the order in which they lie. A *seat-keyed* wall, for
evaluation, gives every seat an order of its own: for its n-th draw the seat lays a random key on
each tile left in the wall and takes the one with the lowest. The keys are fresh for every draw, a
function of seed, deal, seat, n, kind and copy, so that each tile left is equally likely whatever
has happened before, as from an ordinary wall. But who drew what before hardly matters: two
plays of a deal in which a seat's turn comes earlier or later still give it nearly the same tiles,
and differ by what was chosen, not by luck.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.rng import Stream, new_generator, next_bits, start_stream
from mjenv.core.tiles import COPIES
from mjenv.sichuan.rules import KongDrawEnd
from mjenv.sichuan.state import NUM_KINDS, NUM_SEATS


@kernel
def wall_counts(state: np.void, out: np.ndarray) -> None:
    """Write how many copies of each kind the wall still holds: ``out``, ``(27,)`` int8."""
    for kind in range(NUM_KINDS):
        out[kind] = 0
    for place in range(int(state["wall_next"]), int(state["wall_end"])):
        out[int(state["wall"][place])] += 1


@kernel
def _keyed_kind(state: np.void, seat: int) -> int:
    """The kind with the lowest key of the next draw of a seat."""
    left = np.empty(NUM_KINDS, np.int8)
    wall_counts(state, left)
    rng = new_generator()
    draw = int(state["num_draws"][seat])
    stream = Stream.DRAW + seat + NUM_SEATS * draw
    start_stream(rng, int(state["seed"]), int(state["deal"]), stream)
    chosen = -1
    lowest = np.uint64(0)
    for kind in range(NUM_KINDS):
        for copy in range(COPIES):
            # Every copy has its key, drawn or not: the numbers of a generator never repeat.
            key = next_bits(rng)
            if copy < left[kind] and (chosen < 0 or key < lowest):
                chosen, lowest = kind, key
    return chosen


@kernel
def _bring_keyed_tile(state: np.void, seat: int, place: int) -> None:
    """Exchange the tile in a place of the wall for the one that a seat's keys choose."""
    kind = _keyed_kind(state, seat)
    for other in range(int(state["wall_next"]), int(state["wall_end"])):
        if state["wall"][other] == kind:
            state["wall"][other] = state["wall"][place]
            state["wall"][place] = kind
            return


@kernel
def take_from_wall(state: np.void, rules: np.void, seat: int, replacement: bool) -> int:
    """Remove the next tile of a seat from the wall and return its kind (R4)."""
    from_back = replacement and rules["kong_draw_end"] == KongDrawEnd.BACK
    place = int(state["wall_end"]) - 1 if from_back else int(state["wall_next"])
    if rules["seat_keyed"] != 0:
        _bring_keyed_tile(state, seat, place)
    if from_back:
        state["wall_end"] -= 1
    else:
        state["wall_next"] += 1
    return int(state["wall"][place])
