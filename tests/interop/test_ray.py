"""An evaluation on a Ray cluster is the same evaluation."""

import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("scipy")

from agents.failure import AgentFailedError
from mjenv.sichuan.rules import Rules
from tests.train.evaluation.players import HERE
from train.evaluation.deal_sets import Match
from train.evaluation.errors import EvaluationError
from train.evaluation.run import CHUNK_SETS, Conditions
from train.evaluation.workers import Workers

SETS = CHUNK_SETS + 10


@pytest.fixture(autouse=True)
def _ray_reports_nothing(monkeypatch):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    yield
    ray.shutdown()


def test_ray_plays_the_same_deal_sets():
    match, conditions = Match("greedy/1", "random_legal/1"), Conditions(Rules.preset("qq"), 5)
    with Workers(1) as here:
        expected = here.play_match(match, conditions, SETS)
    with Workers(ray="local") as cluster:
        result = cluster.play_match(match, conditions, SETS)
    assert result.deals.tobytes() == expected.deals.tobytes()
    assert result.tallies.tobytes() == expected.tallies.tobytes()


def test_an_agent_that_fails_there_is_told_as_it_is_here():
    match, conditions = Match(f"{HERE}:Exiting", "greedy/1"), Conditions(Rules.preset("qq"), 5)
    with Workers(ray="local") as cluster, pytest.raises(AgentFailedError) as there:
        cluster.play_match(match, conditions, 1)
    with Workers(1) as alone, pytest.raises(AgentFailedError) as here:
        alone.play_match(match, conditions, 1)
    assert str(there.value) == str(here.value)
    assert "raise SystemExit(3)" in there.value.trace


def test_an_agent_that_ends_its_process_there_is_a_line():
    match, conditions = Match(f"{HERE}:Deadly", "greedy/1"), Conditions(Rules.preset("qq"), 5)
    with Workers(ray="local") as cluster, pytest.raises(EvaluationError) as raised:
        cluster.play_match(match, conditions, 1)
    assert str(raised.value).startswith("a process that played has ended")


def test_a_cluster_that_is_not_there_is_named():
    with pytest.raises(EvaluationError, match="ray: cannot reach 'auto': "):
        Workers(ray="auto")
