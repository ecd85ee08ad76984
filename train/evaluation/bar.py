"""What a person sees of an arena while it plays: a bar, and the interval as it narrows."""

import math
from contextlib import AbstractContextManager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from train.evaluation.course import Look
from train.evaluation.labels import label


class ArenaBar(AbstractContextManager["ArenaBar"]):
    """A bar on a terminal; elsewhere nothing at all.

    Args:
        console: Where.
        precision: Half-width that ends a match, None if none does.
    """

    def __init__(self, console: Console, precision: float | None) -> None:
        self._precision = precision
        self._progress = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[numbers]}", markup=False),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("", total=1.0, numbers="")

    def __enter__(self) -> "ArenaBar":
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, look: Look) -> None:
        """Show how far the arena is."""
        done = (look.match - 1 + self._share(look)) / look.matches
        half = look.units.half_width
        known = f"{look.units.value:+.2f}" + ("" if math.isnan(half) else f" ± {half:.2f}")
        pair = f"{label(look.challenger)} against {label(look.reference)}, {look.rules}"
        self._progress.update(
            self._task,
            completed=min(done, 1.0),
            numbers=f"match {look.match} of {look.matches}, {pair}: {known}, {look.sets:,} sets",
        )

    def refresh(self) -> None:
        """Draw at once what is otherwise drawn ten times a second."""
        self._progress.refresh()

    def _share(self, look: Look) -> float:
        """Of the match at play: the sets needed grow with the square of the precision."""
        share = look.sets / look.most
        if self._precision is None or math.isnan(look.units.half_width):
            return share
        return min(1.0, max(share, (self._precision / look.units.half_width) ** 2))
