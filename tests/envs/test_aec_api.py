"""The conformance tests of PettingZoo, and what they leave out of its interface."""

import copy
import pickle

import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import data_equivalence
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.wrappers import (
    AssertOutOfBoundsWrapper,
    OrderEnforcingWrapper,
    TerminateIllegalWrapper,
)

import mjenv
from mjenv import sichuan_v0
from tests.envs.play import PRESETS, first_legal, play, random_legal, turns

NUM_SEEDS = 50


class Shifted(sichuan_v0.raw_env):
    """PettingZoo's tests reset with seed 0 or with none; here that becomes another seed."""

    shift = 0

    def reset(self, seed=None, options=None):
        super().reset(None if seed is None else seed + self.shift, options)


@pytest.mark.parametrize("preset", PRESETS)
def test_api(preset, capsys):
    env = Shifted(preset)
    for seed in range(NUM_SEEDS):
        env.shift = seed
        api_test(env)
    assert capsys.readouterr().out.count("Passed API test") == NUM_SEEDS


@pytest.mark.parametrize(
    "options",
    [
        {"rules": "qq", "reward": "points"},
        {"rules": "standalone", "reward": "final"},
        {"rules": "standalone", "episode": "match", "deals": 3},
    ],
)
def test_api_of_env_with_options(options, capsys):
    env = sichuan_v0.env(**options)
    for _ in range(3):
        api_test(env)
    assert capsys.readouterr().out.count("Passed API test") == 3


@pytest.mark.parametrize("preset", PRESETS)
def test_seeds(preset):
    seed_test(lambda: sichuan_v0.env(preset))
    seed_test(lambda: sichuan_v0.env(preset, episode="match", deals=4))


def test_render(capsys):
    render_test(sichuan_v0.env)
    render_test(sichuan_v0.raw_env)
    assert "dealer player_" in capsys.readouterr().out


def test_render_without_a_mode_says_which_there_are():
    env = sichuan_v0.env()
    env.reset(seed=0)
    with pytest.warns(UserWarning, match="ansi"):
        assert env.render() is None


def test_the_module_and_the_registry_name_the_environment():
    env = sichuan_v0.env()
    assert str(env) == str(env.unwrapped) == "sichuan_v0"
    assert sichuan_v0.raw_env.metadata["is_parallelizable"] is False
    if hasattr(pettingzoo, "make"):
        made = pettingzoo.make("aec", "mjenv/sichuan-v0", rules="standalone")
        assert type(made) is type(env)
        assert made.rules == mjenv.Rules.preset("standalone")
        assert made.on_illegal == "terminate"


def test_the_stock_wrappers_of_pettingzoo_fit(capsys):
    env = sichuan_v0.raw_env("standalone")
    env = TerminateIllegalWrapper(env, illegal_reward=-1)
    env = OrderEnforcingWrapper(AssertOutOfBoundsWrapper(env))
    for _ in range(3):
        api_test(env)
        env.reset(seed=1)
        mask = env.observe(env.agent_selection)["action_mask"]
        env.step(int(np.flatnonzero(mask == 0)[0]))
        assert all(env.terminations.values())
        for _ in env.agent_iter():
            env.step(None)
        assert env.agents == []
    assert capsys.readouterr().out.count("Passed API test") == 3


def test_spaces_are_known_before_a_reset_and_equal_for_all():
    env = sichuan_v0.raw_env()
    observations = {id(env.observation_space(agent)) for agent in env.possible_agents}
    assert len(observations) == 4
    for agent in env.possible_agents:
        assert env.observation_space(agent) is env.observation_space(agent)
        assert env.observation_space(agent) == env.observation_space("player_0")
        assert env.action_space(agent) is env.action_space(agent)
        assert env.action_space(agent) == env.action_space("player_0")


def test_state_is_within_its_space_and_fresh():
    env = sichuan_v0.raw_env("standalone")
    env.reset(seed=5)
    for _ in turns(env, random_legal(5)):
        state = env.state()
        assert env.state_space.contains(state)
        assert not np.shares_memory(state, env.state())


def test_any_integer_is_an_action():
    env = sichuan_v0.raw_env()
    for kind in (int, np.int8, np.int32, np.int64, np.uint8):
        env.reset(seed=0)
        env.step(kind(first_legal(env.observe(env.agent_selection)["action_mask"])))


def test_observations_and_infos_given_out_do_not_change():
    env = sichuan_v0.raw_env("standalone")
    env.reset(seed=3)
    kept = []
    for agent in turns(env, random_legal(3)):
        for seen in env.possible_agents:
            kept.append((env.observe(seen), env.infos[seen], env.rewards))
        kept.append((env.last()[0], env.last()[4], env.rewards))
        assert not np.shares_memory(env.observe(agent)["observation"], kept[-1][0]["observation"])
        if len(kept) == 200:
            before = copy.deepcopy(kept)
    assert data_equivalence(kept[:200], before)


@pytest.mark.parametrize("options", [{}, {"render_mode": "ansi"}, {"episode": "match", "deals": 3}])
@pytest.mark.parametrize("copied", [lambda env: pickle.loads(pickle.dumps(env)), copy.deepcopy])
def test_a_copy_in_the_middle_plays_on_alike(copied, options):
    env = sichuan_v0.raw_env("standalone", **options)
    env.reset(seed=8)
    for number, _ in enumerate(turns(env, first_legal)):
        if number == 40:
            break
    twin = copied(env)
    for agent, other in zip(turns(env, random_legal(1)), turns(twin, random_legal(1)), strict=True):
        assert agent == other
        assert data_equivalence(env.last(), twin.last())
        assert env.rewards == twin.rewards
        assert data_equivalence(env.infos, twin.infos)
    assert env.table.states.tobytes() == twin.table.states.tobytes()
    env.reset()
    twin.reset()
    assert env.table.states.tobytes() == twin.table.states.tobytes()


def test_a_pickle_holds_no_lookup_tables():
    env = sichuan_v0.raw_env()
    env.reset(seed=8)
    assert len(pickle.dumps(env)) < 100_000


def test_close_leaves_it_usable():
    env = sichuan_v0.env()
    env.reset(seed=1)
    env.close()
    env.reset()
    play(env, first_legal)
