"""How the channels of an encoding are named: rows of a table, from which the docs are generated."""

from dataclasses import dataclass

SEATS = ("self", "next", "across", "previous")
"""Seats as an observer sees them: itself, then in play order."""


@dataclass(frozen=True)
class Row:
    """Some channels (or cells, of a flat encoding) that belong together.

    Attributes:
        first: Number of the first channel.
        names: One name for each channel.
        meaning: What they hold, for people.
        cells: How many numbers stand under each name.
    """

    first: int
    names: tuple[str, ...]
    meaning: str
    cells: int = 1

    @property
    def size(self) -> int:
        """How many channels they are."""
        return len(self.names) * self.cells


def seat_names(form: str) -> tuple[str, ...]:
    """A name for each seat, ``form`` with its ``{}`` filled in."""
    return tuple(form.format(seat) for seat in SEATS)


def at_least(form: str, thresholds: tuple[int, ...]) -> tuple[str, ...]:
    """Names of a thermometer: channel ``i`` is 1 from ``thresholds[i]`` on."""
    return tuple(f"{form} >= {threshold}" for threshold in thresholds)
