"""The features by which a seat that has just drawn has a prospect (:mod:`agents.value`).

They are read from everything: hands, wall, rules. No player may look at them.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.analysis import (
    analyse_discards,
    copies_of,
    keys_of,
    useful_kinds,
)
from mjenv.sichuan.hand import add_tile, deficiency, meld_suits, remove_tile
from mjenv.sichuan.rules import Mode, SelfDrawBonus
from mjenv.sichuan.settlement import is_active, multiple, ready_fan_of, wall_count
from mjenv.sichuan.state import NO_SUIT, NUM_EXTRAS, NUM_KINDS, NUM_SEATS
from mjenv.sichuan.turn import kong_has_wall, may_meld, own_pung
from mjenv.sichuan.wins import can_self_draw, score_self_draw

FAMILIES = ("standalone", "standalone_single", "qq", "sichuan_modern")
"""Rules whose play stands for others: no void suits, the same to the first win, void suits, and
void suits with an exchange."""

NOT_THERE = -1
"""In the place of a feature: it has none of this part."""
PARTS = 5
"""Features of a seat: hand, third suit, tiles elsewhere, one suit, what is about to happen."""

_HANDS, _USEFUL, _WALLS, _FULL = 8, 8, 8, 2
_SPARES, _ELSEWHERE, _ONE_SUIT, _EVENTS = 4, 4, 4, 4
_FIRST_SPARE = _HANDS * _USEFUL * _WALLS * _FULL
_FIRST_ELSEWHERE = _FIRST_SPARE + _SPARES * _WALLS
_FIRST_ONE_SUIT = _FIRST_ELSEWHERE + _ELSEWHERE * _WALLS
_FIRST_EVENT = _FIRST_ONE_SUIT + _ONE_SUIT * _WALLS
NUM_WEIGHTS = _FIRST_EVENT + _EVENTS * _FULL + 1
"""Weights of a family; the last is the share that the drawer pays of a win on its discard."""
SHARE_PAID = NUM_WEIGHTS - 1

_WALL_STEPS = (2, 5, 9, 15, 22, 31, 41)
_USEFUL_STEPS = (1, 1, 1, 3, 6, 6, 6, 6)
"""Useful tiles in a step of the table: ready by fan 1, 2, 3 and more, then deficiency 2 to 6."""
_READY = 1
_READY_ROWS = 3
_CONCEALED_KONG, _ADDED_KONG, _WIN_AHEAD, _PUNG_AHEAD = 0, 1, 2, 3
_DISTANCE, _USEFUL_KINDS, _FAN, _USEFUL_ELSEWHERE, _IN_ONE_SUIT, _SPARE_TILES = 0, 1, 2, 3, 4, 5
NOTES = 6
"""What :func:`note_before` writes of a hand."""


@kernel
def family_of(rules: np.void) -> int:
    """The row of the weights."""
    if rules["void_suit"] == 0:
        return 1 if rules["mode"] == Mode.SINGLE else 0
    return 3 if rules["swap_three"] != 0 else 2


@kernel
def _wall_step(wall: int) -> int:
    step = 0
    for limit in _WALL_STEPS:
        step += 1 if wall >= limit else 0
    return step


@kernel
def _hand_feature(distance: int, useful: int, fan: int, wall: int, seats: int) -> int:
    """The weight of a hand: deficiency or fan, useful tiles, wall, seats still in."""
    if distance <= _READY:
        row = max(0, min(fan, _READY_ROWS) - 1)
    else:
        row = min(distance + 1, _HANDS - 1)
    step = min(useful // _USEFUL_STEPS[row], _USEFUL - 1)
    full = 1 if seats == NUM_SEATS else 0
    return ((row * _USEFUL + step) * _WALLS + _wall_step(wall)) * _FULL + full


@kernel
def _write_features(
    distance: int,
    useful: int,
    fan: int,
    elsewhere: int,
    one_suit: bool,
    spare: int,
    wall: int,
    seats: int,
    out: np.ndarray,
) -> None:
    """All parts of a seat but the last."""
    step = _wall_step(wall)
    out[0] = _hand_feature(distance, useful, fan, wall, seats)
    out[1] = _FIRST_SPARE + min(spare, _SPARES - 1) * _WALLS + step
    out[2] = NOT_THERE
    if distance <= _READY:
        out[2] = _FIRST_ELSEWHERE + min(elsewhere, _ELSEWHERE - 1) * _WALLS + step
    out[3] = NOT_THERE
    if one_suit:
        row = max(0, min(distance, _ONE_SUIT) - 1)
        out[3] = _FIRST_ONE_SUIT + row * _WALLS + step


@kernel
def _event(which: int, seats: int) -> int:
    return _FIRST_EVENT + which * _FULL + (1 if seats == NUM_SEATS else 0)


@kernel
def _kong_feature(state: np.void, rules: np.void, seat: int, kind: int, seats: int) -> int:
    """The kong that the tile just drawn completes, or NOT_THERE."""
    if not kong_has_wall(state, rules) or not may_meld(state, rules, seat, kind):
        return NOT_THERE
    if state["hand"][seat, kind] == COPIES:
        return _event(_CONCEALED_KONG, seats)
    if own_pung(state, seat, kind) >= 0:
        return _event(_ADDED_KONG, seats)
    return NOT_THERE


# ------------------------------------------------------------------------------ before the draw


@kernel
def _spare_tiles(state: np.void, seat: int) -> int:
    """Tiles of the void suit; without one, of the suit that is not melded and has the fewest."""
    void = int(state["void_suit"][seat])
    melded = meld_suits(state["meld_kind"][seat], int(state["num_melds"][seat]))
    fewest = NUM_KINDS
    for suit in range(NUM_SUITS):
        if void not in (NO_SUIT, suit) or (melded >> suit) & 1 != 0:
            continue
        tiles = 0
        for kind in range(suit * NUM_RANKS, (suit + 1) * NUM_RANKS):
            tiles += int(state["hand"][seat, kind])
        fewest = min(fewest, tiles)
    return fewest


@kernel
def _one_suit(state: np.void, seat: int) -> bool:
    """Whether hand and melds, void tiles left out, are of one suit."""
    suits = meld_suits(state["meld_kind"][seat], int(state["num_melds"][seat]))
    for suit in range(NUM_SUITS):
        if suit != state["void_suit"][seat] and state["suit_key"][seat, suit] != 0:
            suits |= 1 << suit
    return suits & (suits - 1) == 0


@kernel
def _elsewhere(state: np.void, seat: int, kinds: int) -> int:
    """Tiles of some kinds in the hands of others that are still in."""
    tiles = 0
    for other in range(NUM_SEATS):
        if other == seat or not is_active(state, other):
            continue
        for kind in range(NUM_KINDS):
            tiles += ((kinds >> kind) & 1) * int(state["hand"][other, kind])
    return tiles


@kernel
def _note_hand(
    state: np.void, rules: np.void, luts: np.ndarray, seat: int, out: np.ndarray
) -> None:
    """Note a hand of 3n+1 tiles."""
    could_hold = np.empty(NUM_KINDS, np.int8)
    for kind in range(NUM_KINDS):
        could_hold[kind] = COPIES - int(state["hand"][seat, kind])
    keys = keys_of(state["suit_key"][seat])
    melds = int(state["num_melds"][seat])
    melded = meld_suits(state["meld_kind"][seat], melds)
    void = int(state["void_suit"][seat])
    distance = deficiency(keys[0], keys[1], keys[2], melds, melded, void, luts)
    kinds = useful_kinds(keys, melds, melded, void, distance - 1, could_hold, luts)
    out[_DISTANCE], out[_USEFUL_KINDS] = distance, kinds
    out[_SPARE_TILES] = _spare_tiles(state, seat)
    out[_IN_ONE_SUIT] = 1 if _one_suit(state, seat) else 0
    out[_FAN], out[_USEFUL_ELSEWHERE] = 0, 0
    if distance == _READY:
        out[_FAN] = ready_fan_of(state, rules, luts, seat)
        out[_USEFUL_ELSEWHERE] = _elsewhere(state, seat, kinds)


@kernel
def note_before(state: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray) -> None:
    """What every hand was before the draw: ``out``, ``(4, NOTES)`` int64, zeros of winners."""
    drawer, drawn = int(state["turn"]), int(state["drawn"])
    remove_tile(state, drawer, drawn)
    out[:] = 0
    for seat in range(NUM_SEATS):
        if is_active(state, seat):
            _note_hand(state, rules, luts, seat, out[seat])
    add_tile(state, drawer, drawn)


# ------------------------------------------------------------------------------- after the draw


@kernel
def _best_discard(
    state: np.void, luts: np.ndarray, seat: int, wall: np.ndarray
) -> tuple[int, int, int]:
    """Deficiency and useful tiles after the best discard, and its kind or -1."""
    left, useful = np.empty(NUM_KINDS, np.int8), np.empty(NUM_KINDS, np.int8)
    melds = int(state["num_melds"][seat])
    least = analyse_discards(
        state["suit_key"][seat],
        state["hand"][seat],
        melds,
        meld_suits(state["meld_kind"][seat], melds),
        int(state["void_suit"][seat]),
        wall,
        luts,
        left,
        useful,
    )
    best = -1
    for kind in range(NUM_KINDS):
        if state["hand"][seat, kind] == 0 or left[kind] != least:
            continue
        if best < 0 or useful[kind] > useful[best]:
            best = kind
    return least, int(useful[best]) if best >= 0 else 0, best


@kernel
def _note_drawer(
    state: np.void,
    rules: np.void,
    luts: np.ndarray,
    before: np.ndarray,
    wall: np.ndarray,
    seats: int,
    out: np.ndarray,
) -> int:
    """Features of the seat that has drawn; return the kind it is taken to discard, or -1."""
    seat, drawn = int(state["turn"]), int(state["drawn"])
    distance, useful, thrown = _best_discard(state, luts, seat, wall)
    fan, elsewhere = 0, 0
    one_suit, spare = before[_IN_ONE_SUIT] != 0, int(before[_SPARE_TILES])
    if thrown >= 0 and thrown == drawn:
        fan, elsewhere = int(before[_FAN]), int(before[_USEFUL_ELSEWHERE])
    elif thrown >= 0:
        remove_tile(state, seat, thrown)
        one_suit, spare = _one_suit(state, seat), _spare_tiles(state, seat)
        if distance <= _READY:
            note = np.empty(NOTES, np.int64)
            _note_hand(state, rules, luts, seat, note)
            fan, elsewhere = int(note[_FAN]), int(note[_USEFUL_ELSEWHERE])
        add_tile(state, seat, thrown)
    left = wall_count(state)
    _write_features(distance, useful, fan, elsewhere, one_suit, spare, left, seats, out)
    out[4] = _kong_feature(state, rules, seat, drawn, seats)
    return thrown


@kernel
def _ahead(state: np.void, seat: int, before: np.ndarray, thrown: int, seats: int) -> int:
    """What another seat could do with the tile that is about to be discarded, or NOT_THERE."""
    if thrown < 0 or (int(before[_USEFUL_KINDS]) >> thrown) & 1 == 0:
        return NOT_THERE
    if before[_DISTANCE] == _READY:
        return _event(_WIN_AHEAD, seats)
    if state["hand"][seat, thrown] > 1:
        return _event(_PUNG_AHEAD, seats)
    return NOT_THERE


@kernel
def _self_draw_units(state: np.void, rules: np.void, luts: np.ndarray) -> int:
    """What everybody who is still in pays the seat that has drawn if it wins, 0 if it cannot."""
    seat = int(state["turn"])
    if not can_self_draw(state, rules, luts, seat):
        return 0
    fan, _ = score_self_draw(state, rules, luts, seat, np.zeros(NUM_EXTRAS, np.int8))
    return multiple(fan) + (1 if rules["self_draw_bonus"] == SelfDrawBonus.ADD_BASE else 0)


@kernel
def features_after(
    state: np.void,
    rules: np.void,
    luts: np.ndarray,
    before: np.ndarray,
    wall: np.ndarray,
    out: np.ndarray,
    ahead: np.ndarray,
) -> int:
    """Write the features of all seats that are still in, the drawer having drawn.

    Args:
        state: The table; ``drawn`` lies in the hand of ``turn``.
        rules: Packed.
        luts: Lookup tables.
        before: ``(4, NOTES)`` int64 of :func:`note_before`.
        wall: ``(27,)`` int8, what is left in the wall.
        out: ``(4, PARTS)`` int64, receives numbers of weights, or ``NOT_THERE``.
        ahead: ``(4,)`` int64, receives the units of the win that each seat is about to make on
            the discard of the drawer, and of the drawer what it is about to pay, negative.

    Returns:
        What everybody who is still in pays for the self-drawn win that there is, or 0. The winner
        has no features then, and nobody a win ahead.
    """
    seats, left = 0, wall_count(state)
    for seat in range(NUM_SEATS):
        seats += 1 if is_active(state, seat) else 0
    drawer = int(state["turn"])
    paid = _self_draw_units(state, rules, luts) if before[drawer, _DISTANCE] == _READY else 0
    out[:] = NOT_THERE
    ahead[:] = 0
    thrown = -1
    if paid == 0:
        thrown = _note_drawer(state, rules, luts, before[drawer], wall, seats, out[drawer])
    for seat in range(NUM_SEATS):
        if seat == drawer or not is_active(state, seat):
            continue
        note = before[seat]
        useful = copies_of(int(note[_USEFUL_KINDS]), wall)
        _write_features(
            int(note[_DISTANCE]),
            useful,
            int(note[_FAN]),
            int(note[_USEFUL_ELSEWHERE]),
            note[_IN_ONE_SUIT] != 0,
            int(note[_SPARE_TILES]),
            left,
            seats,
            out[seat],
        )
        out[seat, 4] = _ahead(state, seat, note, thrown, seats)
        if out[seat, 4] == _event(_WIN_AHEAD, seats) and note[_FAN] > 0:
            ahead[seat] = multiple(int(note[_FAN]))
            ahead[drawer] -= ahead[seat]
    return paid
