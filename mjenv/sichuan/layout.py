"""How planes and tokens are named and written.

The channels of an encoding are rows of a table, from which the docs are generated. Cell
``channel * 27 + kind`` of a flat array belongs to a kind.
"""

from dataclasses import dataclass

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import COPIES, NO_TILE, tile_text
from mjenv.sichuan.state import NUM_KINDS

_INDEX_MASK = 0xFFFF
TOKEN_CELLS = 256
"""Cells of an observation that is a sequence of tokens."""
_LAST_TOKEN_CELL = TOKEN_CELLS - 1

SEATS = ("self", "next", "across", "previous")
"""Seats as an observer sees them: itself, then in play order."""
KINDS = tuple(tile_text(kind) for kind in range(NUM_KINDS))


@dataclass(frozen=True)
class Row:
    """Some channels (or cells, of a flat encoding) that belong together.

    Attributes:
        first: Number of the first channel.
        names: One name for each channel, or for each group of channels.
        meaning: What they hold, for people.
        each: What a name has one channel for each of: texts of kinds, letters of suits, or
            nothing.
    """

    first: int
    names: tuple[str, ...]
    meaning: str
    each: tuple[str, ...] = ()

    @property
    def channels(self) -> tuple[str, ...]:
        """The name of every channel."""
        if not self.each:
            return self.names
        return tuple(f"{name} {item}" for name in self.names for item in self.each)


def seat_names(form: str) -> tuple[str, ...]:
    """A name for each seat, ``form`` with its ``{}`` filled in."""
    return tuple(form.format(seat) for seat in SEATS)


def at_least(form: str, thresholds: tuple[int, ...]) -> tuple[str, ...]:
    """Names of a thermometer: channel ``i`` is 1 from ``thresholds[i]`` on."""
    return tuple(f"{form} >= {threshold}" for threshold in thresholds)


@kernel
def first_cell(channel: int) -> int:
    """Where a channel starts; the mask shows the compiler an index that is never negative."""
    return (channel * NUM_KINDS) & _INDEX_MASK


@kernel
def fill(out: np.ndarray, channel: int) -> None:
    """Set a channel to 1 for all kinds."""
    first = first_cell(channel)
    for kind in range(NUM_KINDS):
        out[first + kind] = 1


@kernel
def fill_if(out: np.ndarray, channel: int, condition: bool) -> None:
    """Set a channel to 1 for all kinds if the condition holds."""
    if condition:
        fill(out, channel)


@kernel
def mark(out: np.ndarray, channel: int, kind: int) -> None:
    """Set one cell, unless there is no such tile."""
    if kind != NO_TILE:
        out[channel * NUM_KINDS + kind] = 1


@kernel
def put_token(token: int, out: np.ndarray, number: int) -> int:
    """Write a token behind ``number`` others and return how many there are now.

    ``out`` is ``(TOKEN_CELLS,)``; cell 0 is left out. No deal comes to more tokens than that, and
    the mask keeps what is no deal from writing elsewhere.
    """
    out[(number + 1) & _LAST_TOKEN_CELL] = token
    return number + 1


@kernel
def stack(out: np.ndarray, channel: int, levels: int, kind: int) -> None:
    """Count one more tile in a thermometer of ``levels`` channels, as far as it goes."""
    cell = first_cell(channel) + kind
    for _ in range(levels - 1):
        if out[cell] == 0:
            break
        cell += NUM_KINDS
    out[cell] = 1


@kernel
def spread(out: np.ndarray, channel: int) -> None:
    """Turn counts that stand in ``channel`` into a thermometer of four channels."""
    first = first_cell(channel)
    for kind in range(NUM_KINDS):
        count = out[first + kind]
        for level in range(COPIES):
            out[first + kind + level * NUM_KINDS] = 1 if count > level else 0
