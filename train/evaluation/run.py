"""Playing deal sets and what comes of it.

Sets are played in chunks. A chunk is a function of match, conditions and set numbers alone: agents
get the same questions in the same batches, and networks one thread, wherever it is played.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from agents.chance import LuckMeter
from agents.play import Walls, play_seated
from agents.value_model import make_value
from mjenv.agent import Agent
from mjenv.core.game import NUM_SEATS
from mjenv.errors import MjenvError
from mjenv.games import game_by_name
from mjenv.registry import make_agent
from train.evaluation.deal_sets import Match
from train.evaluation.metrics import units_of_sets

CHUNK_SETS = 128
"""Deal sets played together: many enough for batches, few enough to spread over cores."""


@dataclass(frozen=True)
class Conditions:
    """What all matches of an evaluation have in common.

    Attributes:
        rules: Unpacked.
        seed: Of the deals.
        walls: ``"seat-keyed"`` or ``"ordinary"``.
        value: What measures the luck of draws, or its name (:mod:`agents.value_model`), if
            anything does.
    """

    rules: Any
    seed: int
    walls: Walls = "seat-keyed"
    value: LuckMeter | str | None = None

    @property
    def meter(self) -> LuckMeter | None:
        """What measures the luck of draws; made once in a process where it is named."""
        return make_value(self.value) if isinstance(self.value, str) else self.value


@dataclass(frozen=True)
class Task:
    """Some deal sets to be played.

    Attributes:
        match: Who plays.
        conditions: Under what.
        first: Number of the first set.
        sets: How many.
    """

    match: Match
    conditions: Conditions
    first: int
    sets: int


@dataclass(frozen=True)
class MatchResult:
    """What happened in deal sets.

    Attributes:
        match: Who played.
        deals: ``(sets, seatings)`` records of :data:`mjenv.sichuan.statistics.DEAL`.
        tallies: ``(sets, seatings)`` records of :data:`mjenv.sichuan.tally.TALLY`.
        illegal: ``(2,)`` int64, illegal answers of challenger and reference, which were replaced.
        luck: ``(sets, seatings, 4)`` float64, luck of draws in units, by the value of the
            conditions; zeros without one.
    """

    match: Match
    deals: np.ndarray
    tallies: np.ndarray
    illegal: np.ndarray
    luck: np.ndarray

    @property
    def units(self) -> np.ndarray:
        """``(sets,)`` mean units of the challenger in a deal of each set."""
        return units_of_sets(self.deals, self.match.challenger_seats)


def join(results: Sequence[MatchResult]) -> MatchResult:
    """One result of several of the same match, at least one."""
    return MatchResult(
        results[0].match,
        np.concatenate([result.deals for result in results]),
        np.concatenate([result.tallies for result in results]),
        np.sum([result.illegal for result in results], axis=0),
        np.concatenate([result.luck for result in results]),
    )


def play_task(task: Task, is_over: Callable[[], bool] = lambda: False) -> MatchResult:
    """Play deal sets in this process.

    Args:
        task: Which.
        is_over: Asked before every decision whether they are still wanted.

    Raises:
        AgentError: An agent is unknown, cannot play the game, or failed.
        CancelledError: They are not.
    """
    match, conditions = task.match, task.conditions
    agents = [agent_of(side, conditions.rules.game) for side in (match.challenger, match.reference)]
    game = game_by_name(conditions.rules.game)
    shape = (task.sets, len(match.seatings))
    faults = np.array([_faults(agent) for agent in agents])
    meter = conditions.meter
    with _one_thread_for_networks([*agents, *([meter] if meter else [])]):
        played = play_seated(
            agents,
            conditions.rules,
            conditions.seed,
            np.repeat(np.arange(task.first, task.first + task.sets), shape[1]),
            np.tile(match.seatings, (task.sets, 1)),
            conditions.walls,
            replace_illegal=True,
            game=game,
            value=meter,
            is_over=is_over,
        )
    return MatchResult(
        match,
        game.statistics(played.finished).reshape(shape),
        played.tallies.reshape(shape),
        played.illegal + np.array([_faults(agent) for agent in agents]) - faults,
        played.luck.reshape(*shape, NUM_SEATS),
    )


def attempt(task: Task, is_over: Callable[[], bool] = lambda: False) -> MatchResult | MjenvError:
    """:func:`play_task`, with a user's error as its value.

    What is raised in another process comes back wrapped, and never with a result beside it.
    """
    try:
        return play_task(task, is_over)
    except MjenvError as error:
        return error.with_traceback(None)


def agent_of(side: Agent | str, game: str) -> Agent:
    """The agent itself; one that is named is made once in a process."""
    return _made(side, game) if isinstance(side, str) else side


@lru_cache(maxsize=64)
def _made(name: str, game: str) -> Agent:
    """An agent by name, kept for the chunks to come."""
    return make_agent(name, game)


def let_agents_go() -> None:
    """Forget those made by name: the next arena begins with agents that remember nothing."""
    _made.cache_clear()


def _faults(agent: Agent) -> int:
    """Questions that an agent knows itself to have left without a legal answer."""
    faults = getattr(agent, "faults", None)  # what others call so may be anything
    return faults.total() if isinstance(faults, Counter) else 0


@contextmanager
def _one_thread_for_networks(players: Sequence[object]) -> Iterator[None]:
    """Sums over several threads depend on their number, and workers are many already."""
    torch: Any = sys.modules.get("torch")
    # The number is one for the whole process, and compiled bots play in several threads of it.
    if torch is None or all(hasattr(player, "kernel") for player in players):
        yield
        return
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def tasks_of(match: Match, conditions: Conditions, sets: int) -> Iterator[Task]:
    """Tasks that together are the first sets of a match."""
    for first in range(0, sets, CHUNK_SETS):
        yield Task(match, conditions, first, min(CHUNK_SETS, sets - first))
