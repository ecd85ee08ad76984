"""tianshou collects whole deals from the PettingZoo environment, and its DQN learns from them."""

import numpy as np
import pytest

pytest.importorskip("tianshou")
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.utils.torch_utils import policy_within_training_step

from tests.interop.examples import load, run
from tests.interop.replay import replay_deal

SEED = 5
NUM_DEALS = 4


@pytest.fixture
def played():
    """A collector that has played deals at one table, its buffer, and the learner."""
    example = load("tianshou_dqn")
    np.random.seed(SEED)  # noqa: NPY002  # tianshou explores with the generator of the module
    table = DummyVectorEnv([example.make_env])
    table.seed(SEED)
    algorithm = example.make_algorithm(example.make_env())
    buffer = VectorReplayBuffer(2000, 1)
    collector = Collector(algorithm, table, buffer, exploration_noise=True)
    collector.reset()
    with policy_within_training_step(algorithm.policy):
        statistics = collector.collect(n_episode=NUM_DEALS)
    return algorithm, buffer, statistics


def test_whole_deals_are_played_by_the_rules(played):
    _, buffer, statistics = played
    steps = buffer[:]
    assert not steps.truncated.any()
    ends = np.flatnonzero(steps.terminated)
    assert len(ends) == NUM_DEALS
    seats = [int(agent.removeprefix("player_")) for agent in steps.obs.agent_id]
    start = 0
    for number, end in enumerate(ends):
        part = slice(start, end + 1)
        # Seeding plays deal 0, the reset of the collector starts deal 1.
        rewards = replay_deal(SEED, number + 1, seats[part], steps.act[part])
        np.testing.assert_array_equal(steps.rew[part], rewards)
        np.testing.assert_array_equal(statistics.returns[number], rewards.sum(axis=0))
        start = end + 1
    assert (statistics.returns.sum(axis=1) == 0).all()


def test_a_return_runs_to_the_end_of_the_deal(played):
    """So that it holds what others' wins cost, and no value of another seat's observation."""
    algorithm, buffer, _ = played
    steps = buffer[:]
    rows = np.arange(len(steps))
    batch = algorithm._preprocess_batch(buffer[rows], buffer, rows)
    ends = np.flatnonzero(steps.terminated)
    for seat in range(4):
        own = np.flatnonzero(steps.obs.agent_id == f"player_{seat}")
        expected = [steps.rew[row : ends[ends >= row][0] + 1, seat].sum() for row in own]
        np.testing.assert_allclose(batch[f"player_{seat}"].returns.flatten(), expected, atol=1e-4)


def test_an_update_changes_the_network(played):
    algorithm, buffer, _ = played
    weights = next(algorithm.policy.parameters())
    before = weights.detach().clone()
    with policy_within_training_step(algorithm.policy):
        algorithm.update(buffer, 64)
    assert weights.isfinite().all()
    assert not weights.equal(before)


def test_the_example_runs(monkeypatch, capsys):
    lines = run("tianshou_dqn", ["--steps", "300", "--seed", "3"], monkeypatch, capsys)
    returns = [float(text) for text in lines[-1].split("[")[1].rstrip("]").split(",")]
    assert len(returns) == 4
    assert sum(returns) == 0
