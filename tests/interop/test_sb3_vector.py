"""The vector environment, as Stable-Baselines3 calls it, is many single ones, and trains."""

import pytest

pytest.importorskip("sb3_contrib")
import gymnasium
import numpy as np
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import DummyVecEnv

import mjenv  # noqa: F401  # registers the environment
from tests.interop.examples import load, run

SEED = 5
NUM_TABLES = 3
OPTIONS = {"opponents": "greedy/1", "observation": "vector/1", "illegal_action": "raise"}


def test_it_does_what_single_tables_do():
    """``DummyVecEnv`` over single tables is Stable-Baselines3's own way."""
    ours = load("sb3_maskable_ppo").VectorOfSB3(
        gymnasium.make_vec("mjenv/Sichuan-v0", NUM_TABLES, **OPTIONS)
    )
    theirs = DummyVecEnv([lambda: gymnasium.make("mjenv/Sichuan-v0", **OPTIONS)] * NUM_TABLES)
    assert is_masking_supported(ours)
    assert ours.observation_space == theirs.observation_space
    assert ours.action_space == theirs.action_space
    ours.seed(SEED)
    theirs.seed(SEED)
    seen, expected = ours.reset(), theirs.reset()
    rng = np.random.default_rng(SEED)
    ended = 0
    for _ in range(80):
        for key, cells in expected.items():
            np.testing.assert_array_equal(seen[key], cells)
        masks = get_action_masks(ours)
        np.testing.assert_array_equal(masks, get_action_masks(theirs))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
        seen, rewards, dones, infos = ours.step(actions)
        expected, other_rewards, other_dones, other_infos = theirs.step(actions)
        assert rewards.dtype == other_rewards.dtype
        np.testing.assert_array_equal(rewards, other_rewards)
        np.testing.assert_array_equal(dones, other_dones)
        for table in np.flatnonzero(dones):
            ended += 1
            told, other = infos[table], other_infos[table]
            assert not told["TimeLimit.truncated"]
            assert told["points"].sum() == 0
            np.testing.assert_array_equal(told["points"], other["points"])
            assert told["ledger"] == other["ledger"]
            for key, cells in other["terminal_observation"].items():
                np.testing.assert_array_equal(told["terminal_observation"][key], cells)
    assert ended >= NUM_TABLES


def test_without_a_seed_a_reset_goes_on_to_the_next_deal():
    env = load("sb3_maskable_ppo").VectorOfSB3(
        gymnasium.make_vec("mjenv/Sichuan-v0", NUM_TABLES, **OPTIONS)
    )
    env.seed(SEED)
    env.reset()
    assert [info["seed"] for info in env.reset_infos] == [SEED, SEED + 1, SEED + 2]
    first = [info["deal"] for info in env.reset_infos]
    env.reset()
    assert [info["seed"] for info in env.reset_infos] == [SEED, SEED + 1, SEED + 2]
    second = [info["deal"] for info in env.reset_infos]
    assert all(after > before for before, after in zip(first, second, strict=True))


def test_other_ways_to_start_the_next_episode_are_refused():
    env = gymnasium.make_vec("mjenv/Sichuan-v0", NUM_TABLES, autoreset_mode="next_step", **OPTIONS)
    with pytest.raises(ValueError, match="needs SAME_STEP"):
        load("sb3_maskable_ppo").VectorOfSB3(env)


def test_learning_on_many_tables():
    model, returns = load("sb3_maskable_ppo").train(steps=256, seed=SEED, tables=8)
    assert model.num_timesteps == 256
    assert len(returns) >= 5


def test_the_example_runs(monkeypatch, capsys):
    arguments = ["--steps", "256", "--tables", "8", "--seed", "3"]
    lines = run("sb3_maskable_ppo", arguments, monkeypatch, capsys)
    assert lines[-1].startswith("256 decisions, ")
