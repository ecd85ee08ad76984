"""TorchRL steps, checks and learns from the Gymnasium environment of a single seat."""

import pytest

pytest.importorskip("torchrl")
import gymnasium
import numpy as np
import torch
from torchrl.envs import ActionMask, GymWrapper, TransformedEnv
from torchrl.envs.utils import check_env_specs

import mjenv  # noqa: F401  # registers the environment
from tests.interop.examples import load, run

SEED = 5


@pytest.mark.parametrize("observation", ["planes/1", "vector/1"])
@pytest.mark.parametrize("preset", ["qq", "sichuan_modern", "standalone", "standalone_single"])
def test_specs(preset, observation):
    """The masks as they come, int8, do for ``ActionMask``; an illegal action would raise."""
    env = gymnasium.make(
        "mjenv/Sichuan-v0",
        opponents="random_legal/1",
        rules=preset,
        observation=observation,
        illegal_action="raise",
    )
    env = TransformedEnv(GymWrapper(env, categorical_action_encoding=True), ActionMask())
    env.set_seed(SEED)
    check_env_specs(env)
    data = env.rollout(100, break_when_any_done=False)
    assert data["next", "done"].any()


def test_many_tables_that_torchrl_resets_itself():
    """In the other modes TorchRL's reader of final observations fails on dictionaries."""
    env = gymnasium.make_vec(
        "mjenv/Sichuan-v0",
        4,
        opponents="random_legal/1",
        observation="vector/1",
        illegal_action="raise",
        autoreset_mode="disabled",
    )
    env = TransformedEnv(GymWrapper(env, categorical_action_encoding=True), ActionMask())
    env.set_seed(SEED)
    check_env_specs(env)
    data = env.rollout(60, break_when_any_done=False)
    assert data.batch_size == (4, 60)
    assert data["action_mask"].gather(-1, data["action"][..., None]).all()
    ended = data["next", "done"][:, :-1]
    assert ended.any(dim=1).all()
    # What follows an end is the first question of another deal.
    after = data["observation"][:, 1:][ended[..., 0]]
    before = data["next", "observation"][:, :-1][ended[..., 0]]
    assert (after != before).any(dim=1).all()


@pytest.fixture
def rollout():
    example = load("torchrl_gymnasium")
    torch.manual_seed(SEED)
    env = example.make_env(SEED, "random_legal/1")
    actor, _ = example.make_networks(env)
    with torch.no_grad():
        return env.rollout(150, actor, break_when_any_done=False)


def test_what_the_seat_gets_the_others_pay(rollout):
    """The same actions again on the plain environment, which tells the points of all four."""
    env = gymnasium.make(
        "mjenv/Sichuan-v0",
        opponents="random_legal/1",
        observation="vector/1",
        illegal_action="raise",
    )
    # Seeding, and once more the rollout, reset the environment before the first step.
    env.reset(seed=SEED)
    observation, _ = env.reset()
    ended = 0
    for step in rollout:
        np.testing.assert_array_equal(step["observation"], observation["observation"])
        np.testing.assert_array_equal(step["action_mask"], observation["action_mask"] == 1)
        observation, reward, terminated, truncated, info = env.step(int(step["action"]))
        assert step["next", "reward"].item() == reward
        assert step["next", "terminated"].item() == terminated
        assert not truncated
        assert info["points"].sum() == 0
        if terminated:
            ended += 1
            observation, _ = env.reset()
    assert ended >= 3


def test_learning_changes_the_policy(rollout):
    example = load("torchrl_gymnasium")
    actor, critic = example.make_networks(example.make_env(SEED))
    loss = example.ClipPPOLoss(actor, critic, entropy_coeff=0.01)
    with torch.no_grad():
        example.GAE(gamma=1.0, lmbda=0.95, value_network=critic)(rollout)
    losses = loss(rollout)
    sum(losses[f"loss_{part}"] for part in ("objective", "critic", "entropy")).backward()
    for parameter in actor.parameters():
        assert torch.isfinite(parameter.grad).all()
        assert parameter.grad.abs().sum() > 0


def test_the_example_runs(monkeypatch, capsys):
    lines = run("torchrl_gymnasium", ["--steps", "150", "--seed", "3"], monkeypatch, capsys)
    assert lines[-1].startswith("150 decisions, ")
    assert lines[-1].endswith(" units")
