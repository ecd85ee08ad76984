"""RLlib plays and learns in all four seats, in this process and in two workers of Ray's."""

import numpy as np
import pytest

ray = pytest.importorskip("ray")
pytest.importorskip("ray.rllib")

from mjenv import sichuan_v0
from tests.interop.examples import load, run_alone
from tests.interop.replay import replay_deal

SEED = 5
NUM_DEALS = 3

pytestmark = pytest.mark.filterwarnings(
    # RLlib registers its own environment with Gymnasium once more for every algorithm.
    "ignore:.*Overriding environment rllib-multi-agent-env-v0 already in registry:UserWarning",
)


@pytest.fixture(autouse=True)
def _ray_reports_nothing(monkeypatch):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")


@pytest.fixture
def one_ray():
    ray.init("local", num_cpus=2)
    yield
    ray.shutdown()


def test_the_adapter_renames_and_nothing_else():
    env = load("rllib_ppo").RLlibNames(sichuan_v0.env())
    env.reset(seed=SEED)
    agent = env.agent_selection
    seen, plain = env.observe(agent), env.unwrapped.observe(agent)
    assert seen in env.observation_space(agent)
    np.testing.assert_array_equal(seen["observations"], plain["observation"])
    np.testing.assert_array_equal(seen["action_mask"], plain["action_mask"])
    observation, *_ = env.last()
    np.testing.assert_array_equal(observation["action_mask"], seen["action_mask"])


@pytest.mark.usefixtures("one_ray")
def test_whole_deals_are_played_by_the_rules():
    algorithm = load("rllib_ppo").make_config(0, SEED, 300).build_algo()
    episodes = algorithm.env_runner.sample(num_episodes=NUM_DEALS)
    table = algorithm.env_runner.env.envs[0].unwrapped.env.unwrapped
    last_deal = table.series.deal
    assert len(episodes) == NUM_DEALS
    for back, episode in enumerate(reversed(episodes)):
        assert episode.is_terminated
        assert not episode.is_truncated
        steps = [dict(episode.get_actions(step)) for step in range(len(episode))]
        assert all(len(step) == 1 for step in steps)
        seats = [int(next(iter(step)).removeprefix("player_")) for step in steps]
        actions = [int(next(iter(step.values()))) for step in steps]
        rewards = replay_deal(table.series.seed, last_deal - back, seats, actions)
        for seat in range(4):
            returned = episode.agent_episodes[f"player_{seat}"].get_return()
            assert returned == rewards[:, seat].sum()
    algorithm.stop()


@pytest.mark.parametrize("workers", [0, 2])
def test_the_example_runs(workers):
    """In a process of its own: Ray's workers get its functions, but could not import a test's."""
    lines = run_alone("rllib_ppo", ["--steps", "300", "--seed", "3", "--workers", str(workers)])
    (line,) = [line for line in lines if "returns in a deal" in line]
    returns = [float(text.split()[1]) for text in line.split(": ")[1].split(", ")]
    assert len(returns) == 4
    assert abs(sum(returns)) <= 4 * 0.005  # each is rounded
