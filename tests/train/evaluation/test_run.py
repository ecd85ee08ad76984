"""Deal sets played in chunks by anybody are the same deal sets."""

import sys
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from agents.play import play_deals
from mjenv.core.kernel import JIT_DISABLED
from mjenv.errors import AgentError
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.statistics import deal_statistics
from tests.train.evaluation.players import HERE
from train.evaluation import run
from train.evaluation.deal_sets import Match
from train.evaluation.errors import EvaluationError
from train.evaluation.run import Conditions, MatchResult, Task, join, play_task, tasks_of
from train.evaluation.workers import Workers

SETS = 2 if JIT_DISABLED else 20
CONDITIONS = Conditions(Rules.preset("qq"), 5)
MATCH = Match("greedy/1", "random_legal/1")


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "CHUNK_SETS", 8)


def same(one: MatchResult, other: MatchResult) -> bool:
    return (
        one.deals.tobytes() == other.deals.tobytes()
        and one.tallies.tobytes() == other.tallies.tobytes()
        and one.illegal.tolist() == other.illegal.tolist()
    )


@pytest.mark.parametrize("form", ["1v3", "2v2"])
def test_chunks_make_up_a_match(form: str) -> None:
    match = Match("greedy/1", "random_legal/1", form)
    whole = play_task(Task(match, CONDITIONS, 0, SETS))
    assert whole.deals.shape == whole.tallies.shape == (SETS, len(match.seatings))
    parts = [play_task(task) for task in tasks_of(match, CONDITIONS, SETS)]
    assert len(parts) == -(-SETS // 8)
    assert same(join(parts), whole)


def test_a_set_is_a_deal_with_every_seating() -> None:
    conditions = Conditions(Rules.preset("qq"), 5, "ordinary")
    result = play_task(Task(MATCH, conditions, 0, SETS))
    for seat in range(4):
        line_up = ["greedy/1" if other == seat else "random_legal/1" for other in range(4)]
        alone = deal_statistics(play_deals(line_up, "qq", SETS, 5).finished)
        assert alone.tobytes() == result.deals[:, seat].tobytes()
    challengers = result.deals["units"][:, np.arange(4), np.arange(4)]
    np.testing.assert_allclose(result.units, challengers.mean(axis=1))
    assert result.units.any()


def test_equals_have_no_edge() -> None:
    """Four copies of one agent: what it wins in one seat it loses in the others."""
    result = play_task(Task(Match("greedy/1", "greedy/1"), CONDITIONS, 3, SETS))
    assert (result.units == 0).all()
    assert result.deals["units"].any()


@pytest.mark.parametrize("match", [MATCH, Match(f"{HERE}:InPython", "greedy/1", "2v2")])
def test_workers_change_nothing(match: Match) -> None:
    with Workers(1) as alone:
        expected = alone.play_match(match, CONDITIONS, SETS)
    with Workers(3) as many:
        assert same(many.play_match(match, CONDITIONS, SETS), expected)
        first = many.play_match(match, CONDITIONS, 1)
        assert first.deals.tobytes() == expected.deals[:1].tobytes()


def test_an_agent_in_python_plays_as_its_kernel() -> None:
    python = play_task(Task(Match(f"{HERE}:InPython", "random_legal/1"), CONDITIONS, 0, SETS))
    kernel = play_task(Task(MATCH, CONDITIONS, 0, SETS))
    assert python.deals.tobytes() == kernel.deals.tobytes()


def test_only_agents_that_may_be_networks_change_how_many_threads_torch_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has one number for a process, in which compiled bots play in several threads at once."""
    numbers: list[int] = []
    torch = SimpleNamespace(get_num_threads=lambda: 7, set_num_threads=numbers.append)
    monkeypatch.setitem(sys.modules, "torch", torch)
    play_task(Task(MATCH, CONDITIONS, 0, 1))
    assert numbers == []
    play_task(Task(Match(f"{HERE}:InPython", "greedy/1"), CONDITIONS, 0, 1))
    assert numbers == [1, 7]


def test_illegal_answers_are_counted_by_side() -> None:
    result = play_task(Task(Match("greedy/1", f"{HERE}:Illegal"), CONDITIONS, 0, SETS))
    assert result.illegal[0] == 0
    # A sixteenth was illegal, a sixteenth known to be late.
    decisions = (result.deals["decisions"] * ~MATCH.challenger_seats).sum()
    assert decisions / 16 < result.illegal[1] < decisions / 4
    again = play_task(Task(Match("greedy/1", f"{HERE}:Illegal"), CONDITIONS, 0, SETS))
    assert same(again, result)


@pytest.mark.parametrize("workers", [1, 2])
def test_tasks_are_taken_only_as_they_are_needed(workers: int) -> None:
    taken = []

    def endless() -> Iterator[Task]:
        for first in range(1000):
            taken.append(first)
            yield Task(MATCH, CONDITIONS, first, 1)

    with Workers(workers) as some:
        results = some.play(endless())
        firsts = [next(results).deals["deal"][0, 0] for _ in range(3)]
        results.close()  # type: ignore[attr-defined]
    assert firsts == [0, 1, 2]
    assert len(taken) <= 3 + 2 * workers


def test_mistakes_are_told() -> None:
    with pytest.raises(EvaluationError, match="processes: got 0; it must be 1 or more"):
        Workers(0)
    with Workers(2) as workers:
        with pytest.raises(EvaluationError, match="deals: got 0"):
            workers.play_match(MATCH, CONDITIONS, 0)
        with pytest.raises(AgentError, match="did you mean 'greedy/1'"):
            workers.play_match(Match("greedy", "greedy/1"), CONDITIONS, 1)
