"""The arena: agents against each other on the same deal sets, and what that tells.

``mjenv arena`` is this function and a table::

    result = arena(["greedy/1", "random_legal/1"], rules="qq", deals=200)
    print(result.outcomes[0].units.ci95)
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

import mjenv
from agents.chance import fitted_value
from agents.play import Walls
from mjenv.agent import Agent, check_agent
from mjenv.core.game import NUM_SEATS
from mjenv.games import game_by_name, rules_of
from train.evaluation.deal_sets import Match, seed_of
from train.evaluation.field import Field, field_of
from train.evaluation.intervals import Estimate
from train.evaluation.lineup import LineUp
from train.evaluation.luck import variates_of
from train.evaluation.outcome import Outcome, Setting
from train.evaluation.plain import Plain, plain
from train.evaluation.reckoning import reckon
from train.evaluation.run import CHUNK_SETS, MatchResult, agent_of, join, tasks_of
from train.evaluation.run import Setting as Conditions
from train.evaluation.sequential import Goal, Stop, anytime, looks
from train.evaluation.times import decision_times, percentiles
from train.evaluation.variates import adjust
from train.evaluation.workers import Workers

HOUSE_RULES = "house rules"


@dataclass(frozen=True)
class Look:
    """How far an arena is.

    Attributes:
        challenger: Of the match at play.
        reference: Likewise.
        rules: Likewise.
        match: Its number, from 1.
        matches: How many there are.
        sets: Deal sets played in it.
        most: Deal sets it will not go beyond.
        units: What is known so far, with intervals that hold at any time.
    """

    challenger: str
    reference: str
    rules: str
    match: int
    matches: int
    sets: int
    most: int
    units: Estimate


@dataclass(frozen=True)
class ArenaResult:
    """What an arena tells.

    Attributes:
        fields: All matches by the same rules taken together, in the order of the rules.
        interrupted: Whether some of what was asked for has not been played.
    """

    fields: tuple[Field, ...]
    interrupted: bool = False

    @property
    def outcomes(self) -> list[Outcome]:
        """Of all matches."""
        return [outcome for field in self.fields for outcome in field.outcomes]

    def to_json(self) -> list[Plain]:
        """One mapping of JSON types for each ordered pair; ``docs/arena.md`` lists the keys."""
        return [
            plain(outcome, field.holm[outcome])
            for field in self.fields
            for outcome in field.outcomes
        ]


def arena(
    agents: Sequence[str],
    rules: Any = "qq",
    deals: int | None = None,
    *,
    form: str = "1v3",
    walls: Walls = "seat-keyed",
    seed_block: str = "dev",
    precision: float | None = None,
    processes: int | None = None,
    watch: Callable[[Look], None] | None = None,
) -> ArenaResult:
    """Let agents play each other; :func:`play_lineup` knows more.

    Args:
        agents: Names, two or more.
        rules: A preset, a YAML file, or several of them.
        deals: Deal sets of each match; 2,000 if left out.
        form: ``"1v3"`` or ``"2v2"``.
        walls: ``"seat-keyed"`` or ``"ordinary"``.
        seed_block: ``"dev"``, ``"val"`` or ``"test"``.
        precision: Half-width of the 95 % interval at which a match ends.
        processes: How many work at once; all cores if left out.
        watch: Called after every chunk of deal sets.

    Raises:
        EvaluationError: Something that cannot be played.
        AgentError: An agent that is unknown or cannot play.
        RulesError: Rules that are none.
    """
    listed = (rules,) if isinstance(rules, str) else tuple(rules)
    lineup = LineUp(
        tuple(agents), listed, deals, form=form, walls=walls, seed_block=seed_block,
        precision=precision,
    )  # fmt: skip
    with Workers(processes) as workers:
        return play_lineup(lineup, workers, watch)


def play_lineup(
    lineup: LineUp,
    workers: Workers,
    watch: Callable[[Look], None] | None = None,
    *,
    times: bool = False,
    made: Mapping[str, Agent] | None = None,
) -> ArenaResult:
    """Play everything a line-up asks for. After Ctrl-C, what has been played is told.

    Args:
        lineup: What to play.
        workers: Who plays it.
        watch: Called after every chunk of deal sets.
        times: Measure the time of a decision of each agent as well.
        made: Agents by name that are not made from it.

    Raises:
        EvaluationError: Something that cannot be played.
        AgentError: An agent that is unknown or cannot play.
        RulesError: Rules that are none.
        KeyboardInterrupt: Before there was anything to tell.
    """
    named = [rules_of(rules) for rules in lineup.rules]
    agents = _agents(lineup, [rules.game for rules in named], made or {})
    matches = [Match(agents[a], agents[b], lineup.form) for a, b in _pairings(lineup)]
    fields: list[Field] = []
    for at, rules in enumerate(named):
        played: list[tuple[MatchResult, Stop]] = []
        for number, match in enumerate(matches, start=at * len(matches) + 1):
            course = _Course(match, rules, number, len(matches) * len(named), lineup, watch)
            result, stop = course.play(workers)
            played += [(result, stop)] if result is not None else []
            if stop == Stop.INTERRUPTED:
                break
        else:
            fields.append(_field(lineup, rules, played, times, agents))
            continue
        fields += [_field(lineup, rules, played, False, agents)] if played else []
        if not fields:
            raise KeyboardInterrupt
        return ArenaResult(tuple(fields), interrupted=True)
    return ArenaResult(tuple(fields))


@dataclass(frozen=True)
class _Course:
    """A match that is going to be played.

    Attributes:
        match: Who plays.
        rules: Unpacked.
        number: Which match it is, from 1.
        of: How many there are.
        lineup: What it is part of.
        watch: Who is told how it goes.
    """

    match: Match
    rules: Any
    number: int
    of: int
    lineup: LineUp
    watch: Callable[[Look], None] | None

    def play(self, workers: Workers) -> tuple[MatchResult | None, Stop]:
        """Play it to its end, or to its goal, or until Ctrl-C; None if nothing was played."""
        lineup, goal, chunks = self.lineup, Goal(self.lineup.precision), []
        value = fitted_value() if lineup.variates == "value" else None
        conditions = Conditions(self.rules, seed_of(lineup.seed_block), lineup.walls, value)
        fewest, most = lineup.sets(*self.match.names)
        look_at = {sets for sets in looks(CHUNK_SETS, most) if sets >= fewest}
        sets, stop = 0, Stop.PLAYED
        try:
            for chunk in workers.play(tasks_of(self.match, conditions, most)):
                chunks.append(chunk)
                sets += len(chunk.deals)
                self._tell(chunks, most)
                if sets in look_at and (met := goal.met(_values(join(chunks), lineup.variates))):
                    stop = met
                    break
        except KeyboardInterrupt:
            stop = Stop.INTERRUPTED
        return (join(chunks) if chunks else None), stop

    def _tell(self, chunks: Sequence[MatchResult], most: int) -> None:
        if self.watch is None:
            return
        values = np.concatenate([chunk.units for chunk in chunks])
        rules = self.rules.preset_name or HOUSE_RULES
        progress = (self.number, self.of, len(values), most)
        self.watch(Look(*self.match.names, rules, *progress, anytime(values)))


def _agents(
    lineup: LineUp, games: Sequence[str], made: Mapping[str, Agent]
) -> dict[str, Agent | str]:
    """Those that are made, and names; all are tried before the first deal."""
    for name in lineup.agents:
        for game in dict.fromkeys(games):
            check_agent(made.get(name) or agent_of(name, game), game_by_name(game))
    return {name: made.get(name, name) for name in lineup.agents}


def _pairings(lineup: LineUp) -> list[tuple[str, str]]:
    """Challenger and reference of what is played: two against two is one match for both."""
    if lineup.form == "1v3" or lineup.reference is not None:
        return lineup.pairs
    return list(combinations(lineup.agents, 2))


def _values(result: MatchResult, variates: str | None) -> np.ndarray:
    if variates is None:
        units: np.ndarray = result.units
        return units
    return adjust(result.units, variates_of(result, variates)).values


def _field(
    lineup: LineUp,
    rules: Any,
    played: Sequence[tuple[MatchResult, Stop]],
    times: bool,
    agents: Mapping[str, Agent | str],
) -> Field:
    seed = seed_of(lineup.seed_block)
    setting = Setting(
        rules=rules.preset_name or HOUSE_RULES,
        fingerprint=rules.fingerprint,
        base_points=rules.base_points,
        form=lineup.form,
        walls=lineup.walls,
        seed_block=lineup.seed_block,
        seed=seed,
        engine=mjenv.__version__,
    )
    present = [a for a in lineup.agents if any(a in result.match.names for result, _ in played)]
    took = (
        {a: percentiles(decision_times(agent_of(agents[a], rules.game), rules)) for a in present}
        if times
        else None
    )
    outcomes = [
        replace(outcome, times=took)
        for result, stop in played
        for outcome in _outcomes(setting, result, stop, lineup)
    ]
    seating, units = _all_deals(present, [result for result, _ in played])
    return field_of(present, outcomes, seating, units, lineup.reference)


def _outcomes(
    setting: Setting, result: MatchResult, stop: Stop, lineup: LineUp
) -> Iterator[Outcome]:
    """Of a match; where both sides have as many seats, as either sees it."""
    values = _values(result, lineup.variates)
    deals, tallies, seats = result.deals, result.tallies, result.match.challenger_seats
    (first, second), (a, b) = result.match.names, (int(count) for count in result.illegal)
    yield reckon(
        (first, second), setting, deals, tallies, seats, (a, b), stop, values, lineup.variates
    )
    if setting.form == "2v2" and lineup.reference is None:
        yield reckon(
            (second, first), setting, deals, tallies, ~seats, (b, a), stop, -values, lineup.variates
        )


def _all_deals(
    names: Sequence[str], results: Sequence[MatchResult]
) -> tuple[np.ndarray, np.ndarray]:
    """Who sat where and what every seat won, ``(deals, 4)`` each, set by set over all matches."""
    seating, units, numbers = [], [], []
    for result in results:
        challenger, reference = (names.index(name) for name in result.match.names)
        seats = np.where(result.match.challenger_seats, challenger, reference)
        sets = len(result.deals)
        seating.append(np.tile(seats, (sets, 1)))
        units.append(result.deals["units"].reshape(-1, NUM_SEATS))
        numbers.append(np.repeat(np.arange(sets), len(seats)))
    order = np.argsort(np.concatenate(numbers), kind="stable")
    return np.concatenate(seating)[order], np.concatenate(units)[order]
