"""The cells of an observation by name, and numbers as people say them."""

from collections.abc import Iterable, Sequence

import numpy as np

from mjenv.core.tiles import NUM_RANKS, SUITS, tiles_text
from mjenv.sichuan.layout import KINDS

_NEAR = 0.01
"""Cells are 32-bit floats: closer than this to a whole number is that number."""
_MANY = 99
"""More tiles than are ever written one by one."""


class Cells:
    """The channels of one observation, read by name; what was not read can be asked for.

    Args:
        names: Of the channels.
        cells: ``(C,)`` with a cell for each name, or ``(C, 27)`` with one for each kind.
    """

    def __init__(self, names: Sequence[str], cells: np.ndarray) -> None:
        self._flat = cells.ndim == 1
        self._cells: dict[str, np.ndarray] = dict(zip(names, cells.astype(np.float64), strict=True))
        self._unread = dict.fromkeys(names)

    def _read(self, name: str) -> np.ndarray:
        self._unread.pop(name, None)
        return self._cells[name]

    def kinds(self, name: str) -> np.ndarray:
        """What a channel holds for each kind, ``(27,)`` float64."""
        if self._flat:
            return np.array([self._read(f"{name} {kind}") for kind in KINDS])
        return self._read(name)

    def count(self, name: str, levels: Iterable[int]) -> np.ndarray:
        """Counts by kind of a thermometer, ``(27,)`` float64."""
        counts: np.ndarray = sum(
            (self.kinds(f"{name} >= {level}") for level in levels), np.zeros(len(KINDS))
        )
        return counts

    def suits(self, name: str) -> np.ndarray:
        """What a flat channel holds for each suit, ``(3,)`` float64."""
        return np.array([self._read(f"{name} {suit}") for suit in SUITS])

    def value(self, name: str) -> float:
        """What a flat channel holds."""
        return float(self._read(name))

    def flag(self, name: str, words: str | None = None) -> list[str]:
        """The words (else the name) if a channel is on; nothing if it is off.

        A plane that is on in part, and a number that is neither 0 nor 1, is said to be so.
        """
        cells, said = np.atleast_1d(self._read(name)), name if words is None else words
        if not cells.any():
            return []
        if (cells == 1).all():
            return [said]
        if len(cells) > 1:
            return [f"{said} ({np.count_nonzero(cells)} of {len(cells)} cells)"]
        return [f"{said} ({cells[0]:.3g})"]

    def flags(self, names: Iterable[str]) -> list[str]:
        """The names of those that are on."""
        return [said for name in names for said in self.flag(name)]

    def beginning(self, start: str) -> list[str]:
        """Names of the channels that begin so, without the beginning."""
        return [name.removeprefix(start) for name in self._cells if name.startswith(start)]

    def unread(self) -> list[str]:
        """What has not been read and is not zero: names, with their numbers or tiles."""
        left = [(name, self._cells[name]) for name in self._unread if self._cells[name].any()]
        if self._flat:
            return [f"{name} {cell:.3g}" for name, cell in left]
        return [f"{name} {tiles(cells)}" for name, cells in left]


def number(value: float, most: float | None = None) -> str:
    """A number without needless digits; ``most`` is where the encoding cuts off."""
    whole = round(value)
    text = str(whole) if abs(value - whole) < _NEAR else f"{value:.2f}"
    return f"{text} or more" if most is not None and value >= most - _NEAR else text


def tiles(counts: np.ndarray, nothing: str = "none") -> str:
    """Tiles from counts by kind, ``"123m55p"``; counts that are none stand beside their kinds."""
    whole = counts.clip(-1, _MANY).round().astype(int)
    if (abs(counts - whole) < _NEAR).all() and (whole >= 0).all():
        return tiles_text(np.repeat(np.arange(len(counts)), whole).tolist()) or nothing
    odd = [f"{KINDS[kind]} {counts[kind]:.2f}" for kind in np.flatnonzero(counts)]
    return ", ".join(odd)


def by_kind(counts: np.ndarray) -> str:
    """A number for every kind, the nine of a suit beside each other: ``m 4 4 3 ...``."""
    rows = counts.reshape(len(SUITS), NUM_RANKS)
    texts = (f"{suit} {' '.join(map(number, row))}" for suit, row in zip(SUITS, rows, strict=True))
    return ", ".join(texts)


def by_suit(values: np.ndarray, most: float | None = None) -> str:
    """A number for every suit: ``m 5, p 0, s 8``."""
    return ", ".join(
        f"{suit} {number(value, most)}" for suit, value in zip(SUITS, values, strict=True)
    )
