"""The arena: agents against each other on the same deal sets, and what that tells.

``mjenv arena`` is this function and a table::

    result = arena(["greedy/1", "random_legal/1"], rules="qq", deals=200)
    print(result.outcomes[0].units.ci95)
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

from agents.failure import AgentFailedError
from agents.play import Walls
from agents.value_model import make_value
from mjenv.agent import Agent, check_agent
from mjenv.core.game import NUM_SEATS
from mjenv.errors import MjenvError
from mjenv.games import game_by_name, rules_of
from train.evaluation.course import Course, End, Look, corrected, value_of
from train.evaluation.deal_sets import Match, seed_of
from train.evaluation.errors import EvaluationError
from train.evaluation.field import Field, field_of
from train.evaluation.lineup import LineUp, make_lineup
from train.evaluation.outcome import Outcome, Setting
from train.evaluation.plain import Plain, plain
from train.evaluation.reckoning import reckon
from train.evaluation.run import MatchResult, agent_of
from train.evaluation.sequential import Stop
from train.evaluation.times import decision_times, percentiles
from train.evaluation.workers import Workers


@dataclass(frozen=True)
class ArenaResult:
    """What an arena tells.

    Attributes:
        fields: All matches by the same rules taken together, in the order of the rules.
        interrupted: Whether some of what was asked for has not been played or measured.
        failure: Why, if it was not Ctrl-C: what an agent did. Its notes say in which match.
    """

    fields: tuple[Field, ...]
    interrupted: bool = False
    failure: MjenvError | None = None

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
        AgentFailedError: An agent raised an error; :func:`play_lineup` keeps what was played.
        RulesError: Rules that are none.
    """
    asked = {"agents": agents, "rules": rules, "deals": deals, "form": form, "walls": walls}
    lineup = make_lineup({**asked, "seed_block": seed_block, "precision": precision})
    with Workers(processes) as workers:
        result = play_lineup(lineup, workers, watch)
    if result.failure is not None:
        raise result.failure
    return result


def play_lineup(
    lineup: LineUp,
    workers: Workers,
    watch: Callable[[Look], None] | None = None,
    *,
    times: bool = False,
    made: Mapping[str, Agent] | None = None,
) -> ArenaResult:
    """Play everything a line-up asks for.

    After Ctrl-C, or when an agent has failed, what has been played until then is told.

    Args:
        lineup: What to play.
        workers: Who plays it.
        watch: Called after every chunk of deal sets.
        times: Measure the time of a decision of each agent as well.
        made: Agents by name that are not made from it.

    Raises:
        EvaluationError: Something that cannot be played.
        AgentError: An agent that is unknown or cannot play.
        OptionError: A value that is unknown or does not answer.
        RulesError: Rules that are none.
        KeyboardInterrupt: Before there was anything to tell.
    """
    named = _different_rules(lineup.rules)
    agents = _agents(lineup, [rules.game for rules in named], made or {})
    if (value := value_of(lineup)) is not None:
        make_value(value)  # before the first deal, like the agents
    matches = [Match(agents[a], agents[b], lineup.form) for a, b in _pairings(lineup)]
    fields: list[Field] = []
    for at, rules in enumerate(named):
        setting = _setting(lineup, rules)
        played, took = list[_Played](), None
        end: End = None
        for number, match in enumerate(matches, start=at * len(matches) + 1):
            course = Course(match, rules, number, len(matches) * len(named), lineup, watch)
            result, stop, end = course.play(workers)
            if result is not None:
                played.append(_played(setting, result, stop, lineup))
            if end is not None:
                break
        if times and end is None:
            took, end = _times(lineup.agents, agents, rules)
        if played:
            fields.append(_field(lineup, played, took))
        if end is not None:
            if not fields:
                raise end
            return ArenaResult(tuple(fields), True, end if isinstance(end, MjenvError) else None)
    return ArenaResult(tuple(fields))


@dataclass(frozen=True)
class _Played:
    """What is kept of a match: records of every deal of many matches would fill the memory.

    Attributes:
        match: Who played.
        outcomes: One; two where both sides have as many seats, as either sees it.
        units: ``(sets, seatings, 4)`` int32, what each seat gained or lost.
    """

    match: Match
    outcomes: tuple[Outcome, ...]
    units: np.ndarray


def _different_rules(names: Sequence[str]) -> list[Any]:
    """Rules by name, or from files.

    Raises:
        EvaluationError: Two are the same: everything would be played twice.
    """
    named: dict[str, tuple[str, Any]] = {}
    for name in names:
        rules = rules_of(name)
        first, _ = named.setdefault(rules.fingerprint, (name, rules))
        if first != name:
            raise EvaluationError(
                f"rules: {first!r} and {name!r} are the same rules ({rules.fingerprint}); "
                "leave one out"
            )
    return [rules for _, rules in named.values()]


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


def _setting(lineup: LineUp, rules: Any) -> Setting:
    return Setting.by(
        rules,
        form=lineup.form,
        walls=lineup.walls,
        seed_block=lineup.seed_block,
        seed=seed_of(lineup.seed_block),
    )


def _played(setting: Setting, result: MatchResult, stop: Stop, lineup: LineUp) -> _Played:
    values, variates = corrected(result, lineup.variates)
    if variates is not None and lineup.value is not None:
        variates += f" by {lineup.value}"
    deals, tallies, seats = result.deals, result.tallies, result.match.challenger_seats
    challenger, reference = result.match.names
    a, b = (int(count) for count in result.illegal)
    names = (challenger, reference)
    outcomes = [reckon(names, setting, deals, tallies, seats, (a, b), stop, values, variates)]
    if setting.form == "2v2" and lineup.reference is None:
        other = (names[::-1], setting, deals, tallies, ~seats, (b, a), stop, -values, variates)
        outcomes.append(reckon(*other))
    return _Played(result.match, tuple(outcomes), deals["units"].copy())


_Times = dict[str, dict[str, float]]


def _times(
    names: Sequence[str], agents: Mapping[str, Agent | str], rules: Any
) -> tuple[_Times | None, End]:
    """Time per decision of each agent; after Ctrl-C or an agent that fails, what ended it."""
    took = {}
    for name in names:
        agent = agent_of(agents[name], rules.game)
        try:
            took[name] = percentiles(decision_times(agent, rules))
        except KeyboardInterrupt as error:
            return None, error
        except (Exception, SystemExit) as error:
            return None, AgentFailedError.of(name, error, "when its time was measured")
    return took, None


def _field(lineup: LineUp, played: Sequence[_Played], took: _Times | None) -> Field:
    present = [a for a in lineup.agents if any(a in one.match.names for one in played)]
    outcomes = [replace(outcome, times=took) for one in played for outcome in one.outcomes]
    return field_of(present, outcomes, *_all_deals(present, played), lineup.reference)


def _all_deals(names: Sequence[str], matches: Sequence[_Played]) -> tuple[np.ndarray, np.ndarray]:
    """Who sat where and what every seat won, ``(deals, 4)`` each, set by set over all matches."""
    seating, units, numbers = [], [], []
    for played in matches:
        challenger, reference = (names.index(name) for name in played.match.names)
        seats = np.where(played.match.challenger_seats, challenger, reference)
        sets = len(played.units)
        seating.append(np.tile(seats, (sets, 1)))
        units.append(played.units.reshape(-1, NUM_SEATS))
        numbers.append(np.repeat(np.arange(sets), len(seats)))
    order = np.argsort(np.concatenate(numbers), kind="stable")
    return np.concatenate(seating)[order], np.concatenate(units)[order]
