"""The log of a deal as the events of its record: names, points, and what the state adds.

The log is compact: points are units, an exchange names only its direction. The events of a
record (docs/records.md) are complete. Both hold the same in the same order.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mjenv.core.fields import (
    COUNT,
    FLAG,
    NO_SEAT_OR_SEAT,
    POINTS,
    SEAT,
    Fields,
    list_of,
    mapping_of,
    one_of,
    tile,
)
from mjenv.core.tiles import COPIES, NO_TILE, SUITS, parse_tile, tile_text
from mjenv.errors import RecordError
from mjenv.sichuan.events import Event, Reason
from mjenv.sichuan.patterns import EXTRA_NAMES, PATTERN_NAMES
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import (
    EXCHANGE_SIZE,
    FIRST_DRAW,
    HAND_SIZE,
    NUM_DRAWS,
    NUM_KINDS,
    NUM_SEATS,
    Class,
    Direction,
    End,
    Meld,
    Win,
)

KONG_KINDS = {
    Meld.DIRECT_KONG: "direct",
    Meld.ADDED_KONG: "added",
    Meld.CONCEALED_KONG: "concealed",
}


def _names(members: Any) -> tuple[str, ...]:
    """Names of an ``IntEnum`` in lower case, by number."""
    return tuple(member.name.lower() for member in members)


DIRECTIONS = _names(Direction)
REASONS = _names(Reason)
ENDS = _names(End)
CLASSES = _names(Class)
WINS = _names(Win)

_TILE = tile(NUM_KINDS)


def _by_seat_unordered(tiles: list[list[str]]) -> list[list[str]]:
    return [sorted(given) for given in tiles]


EVENT_FIELDS: dict[str, Fields] = {
    "exchange": {
        "tiles": list_of(list_of(_TILE, EXCHANGE_SIZE), NUM_SEATS, canonical=_by_seat_unordered),
        "direction": one_of(*DIRECTIONS),
    },
    "void": {"suits": list_of(one_of(*SUITS), NUM_SEATS)},
    "draw": {"seat": SEAT, "tile": _TILE, "replacement": FLAG},
    "discard": {"seat": SEAT, "tile": _TILE},
    "pung": {"seat": SEAT, "tile": _TILE, "from": SEAT},
    "kong": {
        "seat": SEAT,
        "tile": _TILE,
        "kind": one_of(*KONG_KINDS.values()),
        "from": NO_SEAT_OR_SEAT,
    },
    "win": {
        "seat": SEAT,
        "how": one_of(*WINS[1:]),
        "from": NO_SEAT_OR_SEAT,
        "tile": tile(NUM_KINDS, optional=True),
        "patterns": list_of(one_of(*PATTERN_NAMES), canonical=sorted),
        "extras": mapping_of(COUNT),
        "fan": COUNT,
    },
    "pay": {"reason": one_of(*REASONS), "points": POINTS},
    "end": {
        "reason": one_of(*ENDS[1:]),
        "points": POINTS,
        "classes": list_of(one_of(*CLASSES[1:]), NUM_SEATS),
    },
}
"""Fields of every event; ``decide`` lines are the same in all games."""


def pattern_names(bits: int) -> list[str]:
    """Names of a set of patterns."""
    return [name for number, name in enumerate(PATTERN_NAMES) if bits >> number & 1]


def extra_fans(fans: Sequence[int]) -> dict[str, int]:
    """What adds fan, by name."""
    return {name: fan for name, fan in zip(EXTRA_NAMES, fans, strict=True) if fan > 0}


def event_dicts(state: np.void, log: np.ndarray, rules: Rules) -> list[dict[str, Any]]:
    """Events of a record from events of the log.

    Args:
        state: The table after the last of them.
        log: ``(n,)`` of ``EVENT``, any consecutive events of one deal.
        rules: Unpacked; payments are multiplied by their base points.
    """
    return [_event(state, row, rules.base_points) for row in log.tolist()]


def _event(state: np.void, row: tuple[Any, ...], base: int) -> dict[str, Any]:
    units, patterns, kind, seat, tile_kind, source, detail, fan, extras, _ = row
    text = None if tile_kind == NO_TILE else tile_text(tile_kind)
    if kind == Event.DRAW:
        return {"type": "draw", "seat": seat, "tile": text, "replacement": detail != 0}
    if kind == Event.DISCARD:
        return {"type": "discard", "seat": seat, "tile": text}
    if kind == Event.PUNG:
        return {"type": "pung", "seat": seat, "tile": text, "from": source}
    if kind == Event.KONG:
        kong = {"type": "kong", "seat": seat, "tile": text, "kind": KONG_KINDS[Meld(detail)]}
        return {**kong, "from": source} if detail == Meld.DIRECT_KONG else kong
    if kind == Event.WIN:
        return {
            "type": "win",
            "seat": seat,
            "how": WINS[detail],
            "from": None if detail == Win.SELF_DRAW else source,
            "tile": text,
            "patterns": pattern_names(patterns),
            "extras": extra_fans(extras.tolist()),
            "fan": fan,
        }
    if kind == Event.PAY:
        points = [amount * base for amount in units.tolist()]
        return {"type": "pay", "reason": REASONS[detail], "points": points}
    return _whole_table_event(state, Event(kind), detail, base)


def _whole_table_event(state: np.void, kind: Event, detail: int, base: int) -> dict[str, Any]:
    """Events of all seats at once; the state knows their content until the deal ends."""
    if kind == Event.EXCHANGE:
        given = state["given"].tolist()
        tiles = [[tile_text(kind) for kind in three] for three in given]
        return {"type": "exchange", "tiles": tiles, "direction": DIRECTIONS[detail]}
    if kind == Event.VOID:
        return {"type": "void", "suits": [SUITS[suit] for suit in state["void_suit"].tolist()]}
    return {
        "type": "end",
        "reason": ENDS[detail],
        "points": [amount * base for amount in state["points"].tolist()],
        "classes": [CLASSES[number] for number in state["classes"].tolist()],
    }


# ----------------------------------------------------------------------- before a record is dealt


def prepare_deal(
    state: np.void,
    header: Mapping[str, Any],
    lines: Sequence[tuple[int, Mapping[str, Any]]],
    rules: Rules,
) -> None:
    """Set the exchange direction, and without a wall in the header the wall.

    Args:
        state: Seed, deal number and dealer are set; changed in place.
        header: The deal line.
        lines: The later lines of the deal with their numbers, as far as they are well formed.
        rules: Unpacked.

    Raises:
        RecordError: A draw that no wall can give: a fifth tile of a kind, or one draw too many.
    """
    for _, line in lines:
        if line["type"] == "exchange":
            state["direction"] = DIRECTIONS.index(line["direction"])
            break
    if header.get("wall") is None:
        state["wall"] = _wall_of_draws(header, lines, rules.kong_draw_end == "back")


def _wall_of_draws(
    header: Mapping[str, Any], lines: Sequence[tuple[int, Mapping[str, Any]]], back: bool
) -> list[int]:
    """A wall that deals the hands of the header and gives the draws of the events."""
    dealer = header["dealer"]
    hands = [[parse_tile(text, NUM_KINDS) for text in hand] for hand in header["hands"]]
    wall: list[int] = []
    for k in range(NUM_SEATS):
        wall += hands[(dealer + k) % NUM_SEATS][:HAND_SIZE]
    wall.append(hands[dealer][HAND_SIZE])
    assert len(wall) == FIRST_DRAW
    left = [COPIES - wall.count(kind) for kind in range(NUM_KINDS)]
    front: list[int] = []
    end: list[int] = []
    for number, line in lines:
        if line["type"] != "draw":
            continue
        kind = parse_tile(line["tile"], NUM_KINDS)
        if len(front) + len(end) == NUM_DRAWS:
            raise RecordError(f"a draw from an empty wall: it gives {NUM_DRAWS}", line=number)
        if left[kind] == 0:
            reason = f"{line['tile']} is drawn, but all {COPIES} were dealt or drawn before"
            raise RecordError(reason, line=number)
        left[kind] -= 1
        (end if back and line["replacement"] else front).append(kind)
    undrawn = [kind for kind in range(NUM_KINDS) for _ in range(left[kind])]
    return wall + front + undrawn + end[::-1]
