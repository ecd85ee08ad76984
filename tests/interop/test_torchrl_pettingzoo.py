"""TorchRL steps, checks and learns from the PettingZoo environment."""

import numpy as np
import pytest

pytest.importorskip("torchrl")
import torch
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

from mjenv import sichuan_v0
from tests.interop.examples import load, run
from tests.interop.replay import replay_deal

SEED = 5

pytestmark = pytest.mark.filterwarnings(
    # TorchRL is tested with PettingZoo 1.24.3 and says so; that later ones work is tested here.
    "ignore:PettingZoo in TorchRL is tested using version:UserWarning",
)


@pytest.mark.parametrize("preset", ["qq", "sichuan_modern", "standalone"])
@pytest.mark.parametrize("observation", ["planes/1", "vector/1"])
def test_specs(preset, observation):
    env = sichuan_v0.env(preset, observation=observation, info=False)
    check_env_specs(PettingZooWrapper(env, use_mask=True))


@pytest.fixture
def rollout():
    example = load("torchrl_pettingzoo")
    torch.manual_seed(SEED)
    env = example.make_env(SEED)
    actor, _ = example.make_networks(env)
    with torch.no_grad():
        return env.rollout(400, actor, break_when_any_done=False)


def test_whole_deals_are_played_by_the_rules(rollout):
    ends = np.flatnonzero(rollout["next", "done"].numpy())
    assert len(ends) >= 3
    assert not rollout["next", "truncated"].any()
    asked = rollout["seats", "mask"].numpy()
    assert (asked.sum(axis=1) == 1).all()
    seats = asked.argmax(axis=1)
    actions = rollout["seats", "action"].numpy()[np.arange(len(seats)), seats]
    rewards = rollout["next", "seats", "reward"].numpy()[:, :, 0]
    start = 0
    for number, end in enumerate(ends):
        steps = slice(start, end + 1)
        # Making the environment and seeding it play deal 0; the rollout resets to the next.
        again = replay_deal(SEED, number + 1, seats[steps], actions[steps])
        np.testing.assert_array_equal(rewards[steps], again)
        start = end + 1
    assert (rewards.sum(axis=1) == 0).all()


def test_learning_changes_the_policy(rollout):
    example = load("torchrl_pettingzoo")
    actor, critic = example.make_networks(example.make_env(SEED))
    loss, advantage = example.make_loss(actor, critic)
    with torch.no_grad():
        advantage(rollout)
    samples = example.decisions(rollout)
    assert len(samples) == len(rollout)
    losses = loss(samples)
    sum(losses[f"loss_{part}"] for part in ("objective", "critic", "entropy")).backward()
    for parameter in actor.parameters():
        assert torch.isfinite(parameter.grad).all()
        assert parameter.grad.abs().sum() > 0


def test_the_example_runs(monkeypatch, capsys):
    arguments = ["--steps", "150", "--seed", "3"]
    lines = run("torchrl_pettingzoo", arguments, monkeypatch, capsys)
    assert lines[-1].startswith("150 decisions, 2 deals ended, returns of the seats: [")
    returns = [float(text) for text in lines[-1].split("[")[1].rstrip("]").split(",")]
    assert len(returns) == 4
    assert sum(returns) == 0
