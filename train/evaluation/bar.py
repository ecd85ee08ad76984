"""What a person sees of an arena while it plays: how far it is, and the interval as it narrows."""

import math
from contextlib import AbstractContextManager, ExitStack

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from train import console as lines
from train.evaluation.course import Look
from train.evaluation.labels import label

EVERY = 10.0
"""Seconds between two lines."""


class ArenaBar(AbstractContextManager["ArenaBar"]):
    """A bar on a terminal; elsewhere, such as in a log, a line now and then on standard error.

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
        self._lines = None if console.is_terminal else lines.Progress("arena", every=EVERY)
        self._task = self._progress.add_task("", total=1.0, numbers="the first deal sets")
        self._open = ExitStack()

    def __enter__(self) -> "ArenaBar":
        self._open.enter_context(self._lines or self._progress)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def show(self, look: Look) -> None:
        """Show how far the arena is."""
        done = (look.match - 1 + self._share(look)) / look.matches
        half = look.units.half_width
        known = f"{look.units.value:+.2f}" + ("" if math.isnan(half) else f" ± {half:.2f}")
        pair = f"{label(look.challenger)} against {label(look.reference)}, {look.rules}"
        text = f"match {look.match} of {look.matches}, {pair}: {known}, {look.sets:,} sets"
        if self._lines is not None:
            self._lines.tell(text)
        self._progress.update(self._task, completed=min(done, 1.0), numbers=text)

    def refresh(self) -> None:
        """Draw at once what is otherwise drawn ten times a second."""
        self._progress.refresh()

    def _share(self, look: Look) -> float:
        """Of the match at play: the sets needed grow with the square of the precision."""
        share = look.sets / look.most
        if self._precision is None or math.isnan(look.units.half_width):
            return share
        return min(1.0, max(share, (self._precision / look.units.half_width) ** 2))
