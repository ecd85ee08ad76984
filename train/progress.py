"""What a person sees of a run while it runs: a bar, and a line for each evaluation."""

from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

MILLION = 1e6
THOUSAND = 1e3

console = Console(stderr=True)
"""Everything but JSON goes to standard error."""


class ProgressBar:
    """Decisions, speed, win rate, and units a deal at the latest evaluation.

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
        self._task = self._progress.add_task(
            "", total=1.0, numbers="compiling, the first time only"
        )

    def __enter__(self) -> "ProgressBar":
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._progress.stop()

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
        self._progress.update(
            self._task, completed=min(done, 1.0), numbers=numbers + self._evaluation
        )

    def evaluated(self, opponent: str, units: float, error: float) -> None:
        """Show the result of an evaluation until the next."""
        self._evaluation = f", {units:+.2f} ± {error:.2f} units a deal vs {opponent}"
