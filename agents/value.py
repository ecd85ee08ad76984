"""What a deal is worth to each seat just after a draw, given everything: hands and wall.

For control variates: what a draw changes in the value, less what draws from that wall change on
average, is luck (:mod:`agents.chance`). Any value gives luck that is zero on average; a better one
explains more. No player may look at it.

The seat that has drawn is taken to discard what leaves it closest to a win, then with most useful
tiles in the wall. A seat that has not won has a *prospect*: the sum of weights for

- its deficiency, its useful tiles in the wall, the tiles left in the wall, whether all four seats
  are still in, and if it is ready the best fan that it waits for;
- the tiles of its void suit, or of the suit that it has fewest of;
- useful tiles in the hands of others, if it is ready;
- holding tiles of one suit alone;
- the tile that is about to be discarded, if it wins with it or could use it for a pung; or the
  kong that its draw lets it declare.

Its value is its points so far and its prospect, less the mean prospect of the others that are still
in, which pay it; a seat that has won keeps its points. Beside that the drawer pays a share of the
win that its discard is about to bring. So the four values sum to zero. The weights are fitted on
self-play (``python -m train.fit_values``), by families of rules.
"""

import numpy as np

from agents.prospects import (
    NOT_THERE,
    NOTES,
    PARTS,
    SHARE_PAID,
    family_of,
    features_after,
    note_before,
)
from mjenv.core.kernel import kernel
from mjenv.sichuan.draws import wall_counts
from mjenv.sichuan.hand import add_tile, remove_tile
from mjenv.sichuan.rules import Mode
from mjenv.sichuan.settlement import is_active
from mjenv.sichuan.state import NUM_KINDS, NUM_SEATS


@kernel
def shares_prospects(state: np.void, rules: np.void, seat: int, paid: int) -> bool:
    """Whether a seat is still in, after the self-drawn win that pays ``paid`` if there is one."""
    if not is_active(state, seat):
        return False
    return paid == 0 or (seat != state["turn"] and rules["mode"] != Mode.SINGLE)


@kernel
def paid_by(state: np.void, seat: int, paid: int) -> int:
    """What a seat gains by a self-drawn win for which everybody still in pays ``paid``."""
    if paid == 0 or not is_active(state, seat):
        return 0
    if seat != state["turn"]:
        return -paid
    gain = 0
    for other in range(NUM_SEATS):
        if other != seat and is_active(state, other):
            gain += paid
    return gain


@kernel
def _write_values(
    state: np.void,
    rules: np.void,
    features: np.ndarray,
    ahead: np.ndarray,
    paid: int,
    weights: np.ndarray,
    out: np.ndarray,
) -> None:
    """Values from features: ``out``, ``(4,)``."""
    family = family_of(rules)
    prospects = np.zeros(NUM_SEATS)
    total, still_in = 0.0, 0
    for seat in range(NUM_SEATS):
        out[seat] = float(int(state["points"][seat]) + paid_by(state, seat, paid))
        out[seat] += weights[family, SHARE_PAID] * int(ahead[seat])
        if not shares_prospects(state, rules, seat, paid):
            continue
        still_in += 1
        for part in range(PARTS):
            if features[seat, part] != NOT_THERE:
                prospects[seat] += weights[family, features[seat, part]]
        total += prospects[seat]
    for seat in range(NUM_SEATS):
        if still_in > 1 and shares_prospects(state, rules, seat, paid):
            out[seat] += prospects[seat] - (total - prospects[seat]) / (still_in - 1)


@kernel
def values_after_draws(
    state: np.void,
    rules: np.void,
    luts: np.ndarray,
    weights: np.ndarray,
    out: np.ndarray,
) -> None:
    """The value of the deal to each seat, for every tile that could have been drawn just now.

    Args:
        state: A table whose acting seat has just drawn; as before afterwards.
        rules: Packed.
        luts: Lookup tables.
        weights: ``(families, NUM_WEIGHTS)`` float64.
        out: ``(27, 4)`` float64, receives the values after a draw of each kind that the wall held;
            rows of other kinds are left alone.
    """
    drawer, drawn = int(state["turn"]), int(state["drawn"])
    wall = np.empty(NUM_KINDS, np.int8)
    wall_counts(state, wall)
    wall[drawn] += 1
    before = np.empty((NUM_SEATS, NOTES), np.int64)
    note_before(state, rules, luts, before)
    features = np.empty((NUM_SEATS, PARTS), np.int64)
    ahead = np.empty(NUM_SEATS, np.int64)
    remove_tile(state, drawer, drawn)
    for kind in range(NUM_KINDS):
        if wall[kind] == 0:
            continue
        add_tile(state, drawer, kind)
        state["drawn"] = kind
        wall[kind] -= 1
        paid = features_after(state, rules, luts, before, wall, features, ahead)
        _write_values(state, rules, features, ahead, paid, weights, out[kind])
        wall[kind] += 1
        remove_tile(state, drawer, kind)
    add_tile(state, drawer, drawn)
    state["drawn"] = drawn
