"""Stable-Baselines3 checks the environment of a single seat, and MaskablePPO learns in it."""

import pytest

pytest.importorskip("sb3_contrib")
import gymnasium
import numpy as np
import torch
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_checker import check_env

import mjenv  # noqa: F401  # registers the environment
from tests.interop.examples import load, run

SEED = 5


# Stable-Baselines3 takes every array of three dimensions for a picture. It warns that planes would
# make a poor one, and goes on.
@pytest.mark.filterwarnings(
    "ignore:It seems that your observation observation is an image:UserWarning",
    "ignore:It seems that your observation space observation is an image:UserWarning",
    "ignore:Treating image space as channels-last:UserWarning",
    "ignore:The minimal resolution for an image is 36x36:UserWarning",
)
@pytest.mark.parametrize("observation", ["planes/1", "vector/1"])
@pytest.mark.parametrize("preset", ["qq", "sichuan_modern", "standalone", "standalone_single"])
def test_the_checker_finds_nothing(preset, observation):
    """It samples without a mask, so that illegal actions are among its steps."""
    env = gymnasium.make(
        "mjenv/Sichuan-v0", opponents="random_legal/1", rules=preset, observation=observation
    )
    check_env(env)


def test_the_mask_is_found_and_obeyed():
    example = load("sb3_maskable_ppo")
    env = example.make_env(1)
    assert is_masking_supported(env)
    torch.manual_seed(SEED)
    model = MaskablePPO("MultiInputPolicy", env, seed=SEED, device="cpu")
    deals = 0
    observation, _ = env.reset(seed=SEED)
    while deals < 3:
        masks = get_action_masks(env)
        np.testing.assert_array_equal(masks, observation["action_mask"] == 1)
        action, _ = model.predict(observation, action_masks=masks)
        assert masks[action]
        observation, _, terminated, truncated, info = env.step(int(action))
        assert not truncated
        assert info["points"].sum() == 0
        if terminated:
            deals += 1
            observation, _ = env.reset()


def test_learning_changes_the_policy():
    example = load("sb3_maskable_ppo")
    model, returns = example.train(steps=256, seed=SEED, tables=1)
    assert model.num_timesteps == 256
    assert len(returns) >= 5
    fresh = MaskablePPO(
        "MultiInputPolicy",
        example.make_env(1),
        policy_kwargs={"net_arch": [128, 128]},
        seed=SEED,
        device="cpu",
    )
    before, after = fresh.policy.state_dict(), model.policy.state_dict()
    assert all(torch.isfinite(weights).all() for weights in after.values())
    assert not before["action_net.weight"].equal(after["action_net.weight"])


def test_the_example_runs(monkeypatch, capsys):
    lines = run("sb3_maskable_ppo", ["--steps", "128", "--seed", "3"], monkeypatch, capsys)
    assert lines[-1].startswith("128 decisions, ")
    assert lines[-1].endswith(" units")
