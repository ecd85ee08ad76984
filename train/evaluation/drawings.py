"""Small drawings for the rows of a table in HTML: intervals and bars on a common axis.

They take their colours from the page, by CSS class, so that they follow light and dark. The numbers
drawn stand in the same row as text; what is drawn is described to those who cannot see it.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from train.evaluation.intervals import Estimate

WIDTH, HEIGHT, MARGIN = 320, 22, 24
_MIDDLE = HEIGHT / 2
_TICKS = 5


@dataclass(frozen=True)
class Axis:
    """A range of values from left to right.

    Attributes:
        low: At the left end, a multiple of ``step``.
        high: At the right end, likewise.
        step: Between ticks.
    """

    low: float
    high: float
    step: float

    @classmethod
    def around(cls, values: Iterable[float]) -> "Axis":
        """An axis that holds zero and all values, NaN left out."""
        known = [0.0, *(value for value in values if math.isfinite(value))]
        step = _step((max(known) - min(known)) / _TICKS)
        low, high = (math.floor(min(known) / step), math.ceil(max(known) / step))
        return cls(low * step, max(high, low + 1) * step, step)

    @classmethod
    def of(cls, estimates: Iterable[Estimate]) -> "Axis":
        """An axis that holds zero, the estimates and their 95 % intervals."""
        return cls.around(bound for e in estimates for bound in (e.value, *e.ci95))

    def place(self, value: float) -> float:
        """Where a value is drawn."""
        across = (value - self.low) / (self.high - self.low)
        return round(MARGIN + across * (WIDTH - 2 * MARGIN), 1)

    def ticks(self) -> list[float]:
        """Values that get a number."""
        number = round((self.high - self.low) / self.step)
        return [self.low + i * self.step for i in range(number + 1)]


def scale(axis: Axis) -> str:
    """The numbers of an axis, for the head of a column."""
    marks = "".join(
        f'<text class="tick" x="{axis.place(tick)}" y="15">{_short(tick, axis.step)}</text>'
        for tick in axis.ticks()
    )
    return _drawing(f"an axis from {_short(axis.low, axis.step)} to "
                    f"{_short(axis.high, axis.step)}", marks)  # fmt: skip


def interval(axis: Axis, estimate: Estimate, text: str) -> str:
    """A dot with its 95 % interval.

    Args:
        axis: Common to the column.
        estimate: What is drawn.
        text: The same in words.
    """
    parts = _grid(axis)
    low, high = estimate.ci95
    if math.isfinite(low):
        left, right = axis.place(low), axis.place(high)
        parts += f'<line class="interval" x1="{left}" y1="{_MIDDLE}" x2="{right}" y2="{_MIDDLE}"/>'
    if math.isfinite(estimate.value):
        parts += f'<circle class="dot" cx="{axis.place(estimate.value)}" cy="{_MIDDLE}" r="4"/>'
    return _drawing(text, parts)


def bars(axis: Axis, values: Sequence[float], text: str) -> str:
    """Bars from zero, one below the other.

    Args:
        axis: Common to the column.
        values: One for each bar; two at most fit into a row.
        text: The same in words.
    """
    parts, thickness = _grid(axis), 7
    for number, value in enumerate(values):
        if math.isfinite(value):
            left, right = sorted((axis.place(0), axis.place(value)))
            y = _MIDDLE + (number - len(values) / 2) * thickness
            parts += (
                f'<rect class="bar{number}" x="{left}" y="{y}" width="{right - left:.1f}" '
                f'height="{thickness - 1}"/>'
            )
    return _drawing(text, parts)


def _grid(axis: Axis) -> str:
    lines = "".join(
        f'<line class="grid" x1="{axis.place(tick)}" y1="0" x2="{axis.place(tick)}" y2="{HEIGHT}"/>'
        for tick in axis.ticks()
    )
    zero = axis.place(0)
    return f'{lines}<line class="zero" x1="{zero}" y1="0" x2="{zero}" y2="{HEIGHT}"/>'


def _drawing(text: str, parts: str) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{escape(text)}">{parts}</svg>'
    )


def _step(least: float) -> float:
    """1, 2 or 5 times a power of ten, not below ``least``."""
    if least <= 0:
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least)


def _short(value: float, step: float) -> str:
    places = max(0, -math.floor(math.log10(step)))
    return f"{value + 0.0:.{places}f}"
