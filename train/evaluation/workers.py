"""Who plays the tasks of an evaluation: this process, its threads, other processes, or Ray.

Results come in the order of the tasks, whoever finishes first, and are the same whoever plays.
"""

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import (
    BrokenExecutor,
    Executor,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
)
from multiprocessing import get_context
from types import TracebackType

from mjenv.errors import MissingExtraError
from train.evaluation.deal_sets import Match
from train.evaluation.errors import EvaluationError
from train.evaluation.run import MatchResult, Setting, Task, agent_of, join, play_task, tasks_of

_AHEAD = 2
"""Tasks given out for each worker, so that none waits."""


class Workers:
    """Plays tasks, several at once; a context manager.

    Matches between compiled bots are spread over threads, since compiled code lets others run; all
    other matches over processes. With one worker everything is played in this process.

    Args:
        number: How many tasks at once; None for as many as there are cores.
        ray: Address of a Ray cluster: ``"auto"`` for the one at hand, ``"local"`` to start one.
            It must have the same versions of mjenv and of the agents. Then ``number`` counts for
            nothing: Ray spreads the tasks over all its cores.

    Raises:
        EvaluationError: Not at least one, or the cluster cannot be reached.
        MissingExtraError: Ray is wanted and not installed.
    """

    def __init__(self, number: int | None = None, ray: str | None = None) -> None:
        if number is not None and number < 1:
            raise EvaluationError(f"processes: got {number}; it must be 1 or more")
        self.number = number or cores()
        self._ray = None if ray is None else _Ray(ray)
        self._threads = ThreadPoolExecutor(self.number)
        self._processes: Executor | None = None

    def play(self, tasks: Iterable[Task]) -> Iterator[MatchResult]:
        """Play tasks and give their results in the same order.

        Tasks are taken only as workers become free, so that a generator can stop giving them.

        Raises:
            EvaluationError: A process that plays has ended.
        """
        given: deque[Future[MatchResult]] = deque()
        try:
            for task in tasks:
                given.append(self._give(task))
                if len(given) >= self._ahead:
                    yield given.popleft().result()
            while given:
                yield given.popleft().result()
        except BrokenExecutor:
            raise EvaluationError(
                "a process that played has ended: an agent ended it, or memory ran out; "
                "--processes 1 plays in this process"
            ) from None
        finally:
            for future in given:
                future.cancel()

    def play_match(self, match: Match, setting: Setting, sets: int) -> MatchResult:
        """The first sets of a match.

        Raises:
            EvaluationError: No set.
            AgentError: An agent is unknown or cannot play the game.
        """
        if sets < 1:
            raise EvaluationError(f"deals: got {sets}; it must be 1 or more")
        return join(list(self.play(tasks_of(match, setting, sets))))

    @property
    def _ahead(self) -> int:
        if self._ray is not None:
            return _AHEAD * self._ray.cores
        return 1 if self.number == 1 else _AHEAD * self.number

    def _give(self, task: Task) -> "Future[MatchResult]":
        if self._ray is not None:
            return self._ray.give(task)
        if self.number == 1:
            return _played_here(task)
        if _is_compiled(task):
            return self._threads.submit(play_task, task)
        if self._processes is None:
            # A forked copy of a process with threads may hang.
            self._processes = ProcessPoolExecutor(
                self.number, get_context("spawn"), _leave_standard_output_alone
            )
        return self._processes.submit(play_task, task)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Wait for tasks that are being played; those that are not are dropped."""
        for executor in (self._threads, self._processes):
            if executor is not None:
                executor.shutdown(cancel_futures=True)


def cores() -> int:
    """Cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _is_compiled(task: Task) -> bool:
    game = task.setting.rules.game
    sides = (task.match.challenger, task.match.reference)
    return all(hasattr(agent_of(side, game), "kernel") for side in sides)


def _leave_standard_output_alone() -> None:
    """What agents print in other processes goes to standard error too."""
    sys.stdout = sys.stderr


def _played_here(task: Task) -> "Future[MatchResult]":
    future: Future[MatchResult] = Future()
    future.set_result(play_task(task))
    return future


class _Ray:
    """Tasks on a Ray cluster.

    Attributes:
        cores: Of the cluster.
    """

    def __init__(self, address: str) -> None:
        try:
            import ray
        except ModuleNotFoundError:
            raise MissingExtraError("mjenv arena --ray", "ray") from None
        if not ray.is_initialized():
            try:
                ray.init(None if address == "local" else address, log_to_driver=False)
            except (ConnectionError, ValueError) as error:
                raise EvaluationError(f"ray: cannot reach {address!r}: {error}") from error
        self._play = ray.remote(play_task)
        self.cores = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def give(self, task: Task) -> "Future[MatchResult]":
        future: Future[MatchResult] = self._play.remote(task).future()
        return future
