"""What a person sees of a run while it runs: a bar, and a line for each evaluation."""

from contextlib import ExitStack
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from train import console as lines

MILLION = 1e6
THOUSAND = 1e3

EVERY = 10.0
"""Seconds between two lines."""

console = Console(stderr=True)
"""Everything but JSON goes to standard error."""
if not console.is_terminal:
    console.width = 200  # no number is cut off


class ProgressBar:
    """Decisions, speed, win rate, and units a deal at the latest evaluation.

    On a terminal it is a bar; elsewhere, such as in a log, a line now and then.

    Args:
        total: Decisions of the whole run.
        max_seconds: Its time limit, if any; the bar shows whichever is nearer.
    """

    def __init__(self, total: int, max_seconds: float | None) -> None:
        self._total = total
        self._max_seconds = max_seconds
        self._evaluation = ""
        self._progress = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:>3.0f}%"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[numbers]}"),
            console=console,
        )
        self._lines = None if console.is_terminal else lines.Progress("train", every=EVERY)
        self._open = ExitStack()
        self._task = self._progress.add_task(
            "", total=1.0, numbers="compiling, the first time only"
        )

    def __enter__(self) -> "ProgressBar":
        self._open.enter_context(self._progress)
        if self._lines is not None:
            self._open.enter_context(self._lines)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._open.close()

    def show(self, metrics: dict[str, float]) -> None:
        """Show the metrics of an iteration."""
        decisions = metrics["decisions"]
        done = decisions / self._total
        if self._max_seconds:
            done = max(done, metrics["speed/seconds"] / self._max_seconds)
        numbers = (
            f"{decisions / MILLION:.2f} M decisions, "
            f"{metrics['speed/decisions_per_second'] / THOUSAND:.1f} k/s, "
            f"win rate {metrics['deals/win_rate']:.1%}"
        )
        numbers += self._evaluation
        if self._lines is not None:
            self._lines.tell(numbers)
        self._progress.update(self._task, completed=min(done, 1.0), numbers=numbers)

    def evaluated(self, opponent: str, units: float, error: float) -> None:
        """Show the result of an evaluation until the next."""
        self._evaluation = f", {units:+.2f} ± {error:.2f} units a deal vs {opponent}"
