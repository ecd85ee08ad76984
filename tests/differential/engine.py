"""The engine's side of the comparison: whole deals in one call, and its log as record events."""

from typing import Any

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.deal import deal_wall
from mjenv.sichuan.events import Event, Reason
from mjenv.sichuan.match import next_dealer
from mjenv.sichuan.patterns import EXTRA_NAMES, PATTERN_NAMES
from mjenv.sichuan.settlement import wall_count
from mjenv.sichuan.state import NO_SEAT, NUM_SEATS, Class, Direction, End, Meld, Win
from mjenv.sichuan.step import legal, step
from tests.differential.players import choose
from tests.reference.tiles import TEXT

MAX_DECISIONS = 600
"""More than any deal has: 16 before the first turn, 72 discards with three answers each, kongs."""
DECISION = np.dtype(
    [
        ("menu", "i8"),  # bit a: action a is legal
        ("points", "i4", NUM_SEATS),  # after the decision, in units
        ("num_events", "i2"),  # after the decision
        ("lock", "i1", NUM_SEATS),  # after the decision
        ("wall", "i1"),  # after the decision
        ("actor", "i1"),
        ("phase", "i1"),
        ("action", "i1"),
    ],
    align=True,
)


@kernel
def play_deal(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    styles: np.ndarray,
    rng: np.ndarray,
    mask: np.ndarray,
    script: np.ndarray,
    decisions: np.ndarray,
    log: np.ndarray,
) -> int:
    """Deal the wall in ``tables[0]``, play to the end, note every decision; return their number.

    Args:
        tables: ``(1,)`` state with wall, dealer and direction set.
        rules: ``(1,)`` packed rules.
        luts: Lookup tables.
        styles: ``(4,)`` int8, the style of every seat.
        rng: Generator of the players.
        mask: ``(62,)`` int8 scratch.
        script: ``(N,)`` int64, the first decisions; the players choose after them. The deal stops
            where one is not legal.
        decisions: ``(MAX_DECISIONS,)`` of DECISION, receives them.
        log: Events, receives the log.
    """
    state = tables[0]
    deal_wall(state, rules[0])
    number = 0
    while state["actor"] != NO_SEAT and number < decisions.shape[0]:
        legal(state, rules[0], luts, mask)
        seat = int(state["actor"])
        note = decisions[number]
        note["actor"] = seat
        note["phase"] = state["phase"]
        note["menu"] = menu_bits(mask)
        if number < script.shape[0]:
            action = int(script[number])
        else:
            action = choose(state, mask, int(styles[seat]), luts, rng)
        note["action"] = action
        if mask[action] == 0:
            break
        step(state, rules[0], luts, action, log)
        note["points"][:] = state["points"]
        note["lock"][:] = state["lock_fan"]
        note["num_events"] = state["num_events"]
        note["wall"] = wall_count(state)
        number += 1
    return number


@kernel
def menu_bits(mask: np.ndarray) -> int:
    """A menu as one number."""
    bits = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            bits |= 1 << action
    return bits


@kernel
def dealer_after(tables: np.ndarray, rules: np.ndarray) -> int:
    """The next dealer of a finished deal, -1 for dice."""
    return next_dealer(tables[0], rules[0])


# --------------------------------------------------------------------------- the log as a record

_EVENTS = {kind.value: kind.name.lower() for kind in Event}
_REASONS = {reason.value: reason.name.lower() for reason in Reason}
_ENDS = {end.value: end.name.lower() for end in End}
_HOW = {how.value: how.name.lower() for how in Win}
_CLASSES = {name.value: name.name.lower() for name in Class}
_DIRECTIONS = {way.value: way.name.lower() for way in Direction}
_KONGS = {meld.value: meld.name.lower().removesuffix("_kong") for meld in Meld}
_SUITS = "mps"
_COLUMNS = ("type", "seat", "tile", "source", "detail", "units", "fan", "patterns", "extras")
MELD_NAMES = {
    meld.value: "pung" if meld == Meld.PUNG else f"kong_{_KONGS[meld]}" for meld in Meld if meld
}
"""Kinds of melds as the reference writes them."""


def record_events(log: np.ndarray, state: np.void, base: int) -> list[dict[str, Any]]:
    """The log of a finished deal as events of the record format, patterns in sorted order."""
    columns = (log[name].tolist() for name in _COLUMNS)
    return [_record(*row, state, base) for row in zip(*columns, strict=True)]


def _record(
    number: int,
    seat: int,
    tile: int,
    source: int,
    detail: int,
    units: list[int],
    fan: int,
    patterns: int,
    extras: list[int],
    state: np.void,
    base: int,
) -> dict[str, Any]:
    kind = _EVENTS[number]
    if kind == "draw":
        return {"type": kind, "seat": seat, "tile": TEXT[tile], "replacement": bool(detail)}
    if kind == "discard":
        return {"type": kind, "seat": seat, "tile": TEXT[tile]}
    if kind == "pay":
        return {"type": kind, "reason": _REASONS[detail], "points": _points(units, base)}
    if kind == "pung":
        return {"type": kind, "seat": seat, "tile": TEXT[tile], "from": source}
    if kind == "kong":
        event = {"type": kind, "seat": seat, "tile": TEXT[tile], "kind": _KONGS[detail]}
        return event if source == NO_SEAT else {**event, "from": source}
    if kind == "win":
        return {
            "type": kind,
            "seat": seat,
            "how": _HOW[detail],
            "from": None if source == NO_SEAT else source,
            "tile": None if tile < 0 else TEXT[tile],
            "patterns": sorted(
                name for bit, name in enumerate(PATTERN_NAMES) if patterns >> bit & 1
            ),
            "extras": {
                name: worth for name, worth in zip(EXTRA_NAMES, extras, strict=True) if worth
            },
            "fan": fan,
        }
    if kind == "exchange":
        tiles = [[TEXT[given] for given in seats] for seats in state["given"].tolist()]
        return {"type": kind, "tiles": tiles, "direction": _DIRECTIONS[detail]}
    if kind == "void":
        return {"type": kind, "suits": [_SUITS[suit] for suit in state["void_suit"].tolist()]}
    return {
        "type": kind,
        "reason": _ENDS[detail],
        "points": _points(state["points"].tolist(), base),
        "classes": [_CLASSES[name] for name in state["classes"].tolist()],
    }


def _points(units: list[int], base: int) -> list[int]:
    """Units by seat as points."""
    return [amount * base for amount in units]
