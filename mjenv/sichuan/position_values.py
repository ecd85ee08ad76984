"""How single values are written in positions; reading raises ValueError."""

import re
from collections.abc import Sequence
from typing import Any

from mjenv.core.tiles import NO_TILE, parse_tile, parse_tiles, tile_text
from mjenv.sichuan.state import NO_SEAT, NUM_KINDS, NUM_SEATS

NOTHING = "-"
MAX_FAN_CELL = 127
"""Most that a cell of the table record for a fan can hold."""


def read_number(text: str, low: int, high: int) -> int:
    """A whole number in a range."""
    if not re.fullmatch(r"-?[0-9]{1,18}", text) or not low <= int(text) <= high:
        raise ValueError(f"{text!r} is no whole number from {low} to {high}")
    return int(text)


def read_seat(text: str) -> int:
    """A seat."""
    if text not in ("0", "1", "2", "3"):
        raise ValueError(f"{text!r} is no seat; seats are 0 to {NUM_SEATS - 1}")
    return int(text)


def seat_text(seat: int) -> str:
    """A seat or nobody."""
    return NOTHING if seat == NO_SEAT else str(seat)


def read_maybe_seat(text: str) -> int:
    """A seat or nobody."""
    return NO_SEAT if text == NOTHING else read_seat(text)


def read_tile(text: str) -> int:
    """Kind of a tile or ``NO_TILE``."""
    return NO_TILE if text == NOTHING else parse_tile(text, NUM_KINDS)


def maybe_tile_text(kind: int) -> str:
    """A tile or none."""
    return NOTHING if kind == NO_TILE else tile_text(kind)


def read_member(members: Any, text: str) -> int:
    """Number of a member of an ``IntEnum``, by its name in lower case."""
    names = [member.name.lower() for member in members]
    if text not in names:
        raise ValueError(f"{text!r} is none of {', '.join(names)}")
    return int(members[text.upper()])


def member_text(members: Any, number: int) -> str:
    """Name of a member in lower case."""
    return str(members(number).name.lower())


def ordered_text(kinds: Sequence[int]) -> str:
    """Tiles in the given order, ``58m3p``."""
    text = ""
    for kind in kinds:
        tile = tile_text(kind)
        text = (text[:-1] if text.endswith(tile[-1]) else text) + tile
    return text or NOTHING


def read_tiles(text: str) -> list[int]:
    """Kinds in the order written."""
    return [] if text == NOTHING else parse_tiles(text, NUM_KINDS)
