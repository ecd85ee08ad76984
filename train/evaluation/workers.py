"""Who plays the tasks of an evaluation: this process, its threads, other processes, or Ray.

Results come in the order of the tasks, whoever finishes first, and are the same whoever plays.
"""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ThreadPoolExecutor
from dataclasses import replace
from threading import Event
from types import TracebackType

from mjenv.errors import MissingExtraError, MjenvError
from train.evaluation.deal_sets import Match
from train.evaluation.errors import EvaluationError
from train.evaluation.processes import Processes
from train.evaluation.run import (
    Conditions,
    MatchResult,
    Task,
    agent_of,
    attempt,
    join,
    let_agents_go,
    play_task,
    tasks_of,
)

Played = MatchResult | MjenvError
"""What comes of a task."""
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
        self._ends = (BrokenExecutor,) if self._ray is None else self._ray.ends
        self._threads = ThreadPoolExecutor(self.number)
        self._processes: Processes | None = None
        self._over = Event()
        self._unwanted: list[Future[Played]] = []
        self._compiled: set[object] = set()

    def play(self, tasks: Iterable[Task]) -> Iterator[MatchResult]:
        """Play tasks and give their results in the same order.

        Tasks are taken only as workers become free, so that a generator can stop giving them.

        Raises:
            AgentError: An agent is unknown, cannot play the game, or failed. The results of the
                tasks before have been given.
            EvaluationError: A process that plays has ended.
        """
        given: deque[Future[Played]] = deque()
        try:
            for task in tasks:
                given.append(self._give(task))
                if len(given) >= self._ahead:
                    yield self._result(given.popleft())
            while given:
                yield self._result(given.popleft())
        finally:
            if self._processes is None:
                for future in given:
                    future.cancel()
            # Nothing is cancelled that a process may still take: if it is ended then, some versions
            # of Python have their executor fall over the cancelled ones.
            self._unwanted += given

    def stop(self) -> None:
        """Drop what is being played: nobody wants to know any more. Nothing can be played then."""
        self._over.set()
        if self._processes is not None:
            self._processes.stop()

    def play_match(self, match: Match, conditions: Conditions, sets: int) -> MatchResult:
        """The first sets of a match.

        Raises:
            EvaluationError: No set.
            AgentError: An agent is unknown or cannot play the game.
        """
        if sets < 1:
            raise EvaluationError(f"deals: got {sets}; it must be 1 or more")
        return join(list(self.play(tasks_of(match, conditions, sets))))

    @property
    def _ahead(self) -> int:
        if self._ray is not None:
            return _AHEAD * self._ray.cores
        return 1 if self.number == 1 else _AHEAD * self.number

    def _give(self, task: Task) -> "Future[Played]":
        if self._ray is not None:
            return self._ray.give(task)
        if self.number == 1:
            return _played_here(task)
        if _is_compiled(task):
            self._compile(task)
            return self._threads.submit(attempt, task, self._over.is_set)
        if self._processes is None:
            self._processes = Processes(self.number)
        return self._processes.submit(attempt, task)

    def _result(self, future: "Future[Played]") -> MatchResult:
        """What a task has come to.

        Raises:
            MjenvError: It was no result.
        """
        try:
            played = future.result()
        except self._ends:
            raise EvaluationError(
                "a process that played has ended: an agent ended it, memory ran out, or the "
                'script that called has no `if __name__ == "__main__":`; --processes 1, in Python '
                "processes=1, plays in this process"
            ) from None
        if isinstance(played, MjenvError):
            raise played
        return played

    def _compile(self, task: Task) -> None:
        """Play a set in this thread, which Ctrl-C ends, before others do, which it does not."""
        what = task.match.names, task.conditions.rules.game, task.conditions.value is None
        if what not in self._compiled:
            play_task(replace(task, sets=1))
            self._compiled.add(what)

    def __enter__(self) -> "Workers":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End all workers: what is still being played, nobody wants to know."""
        if error is not None or not all(future.done() for future in self._unwanted):
            self.stop()
        self._threads.shutdown()
        if self._processes is not None:
            self._processes.close()
        let_agents_go()


def cores() -> int:
    """Cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _is_compiled(task: Task) -> bool:
    game = task.conditions.rules.game
    sides = (task.match.challenger, task.match.reference)
    meter = task.conditions.meter
    playing = [*(agent_of(side, game) for side in sides), *([meter] if meter else [])]
    return all(hasattr(part, "kernel") for part in playing)


def _played_here(task: Task) -> "Future[Played]":
    future: Future[Played] = Future()
    future.set_result(attempt(task))
    return future


class _Ray:
    """Tasks on a Ray cluster.

    Attributes:
        cores: Of the cluster.
        ends: Errors that mean that a process of it has ended.
    """

    ends: tuple[type[Exception], ...]

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
        gone = ray.exceptions
        self.ends = (gone.WorkerCrashedError, gone.OutOfMemoryError, gone.NodeDiedError)
        self._play = ray.remote(attempt)
        self.cores = max(1, int(ray.cluster_resources().get("CPU", 1)))

    def give(self, task: Task) -> "Future[Played]":
        future: Future[Played] = self._play.remote(task).future()
        return future
