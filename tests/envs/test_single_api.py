"""The interface of Gymnasium, and what is built on it."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.wrappers import RecordEpisodeStatistics, TimeLimit

import mjenv
from mjenv import sichuan_v0
from mjenv.envs.registration import register_gymnasium
from mjenv.envs.single import SingleSeat
from tests.envs.play import PRESETS, first_legal, random_legal
from tests.envs.single_play import first_policy, keen_policy, played, same

ID = "mjenv/Sichuan-v0"


def make(**options):
    return gymnasium.make(ID, **options).unwrapped


@pytest.mark.parametrize("preset", PRESETS)
def test_the_checker_of_gymnasium(preset, capsys):
    env = make(rules=preset)
    for _ in range(3):
        check_env(env)
    assert "dealer player_" in capsys.readouterr().out  # one of the modes is "human"


@pytest.mark.parametrize(
    "options",
    [
        {"observation": "vector/1", "opponents": keen_policy},
        {"rules": "standalone", "episode": "match", "deals": 3, "reward": "final"},
        {"learner_seat": "rotate", "opponents": ["greedy/1", first_policy, "random_legal/1"]},
        {"learner_seat": 3, "illegal_reward": -50, "reward": "points"},
    ],
)
def test_the_checker_with_options(options, capsys):
    check_env(make(**options))


def test_the_import_registers_it():
    assert mjenv.__version__
    spec = gymnasium.spec(ID)
    assert (spec.namespace, spec.name, spec.version) == ("mjenv", "Sichuan", 0)
    register_gymnasium()  # once is enough: a second time would warn
    env = gymnasium.make(ID)
    assert isinstance(env.unwrapped, SingleSeat)
    assert env.unwrapped.opponents[0].name == "greedy/1"
    assert env.observation_space["observation"].shape == (
        sichuan_v0.env().observation_space("player_0")["observation"].shape
    )


@pytest.mark.parametrize("observation", ["planes/1", "vector/1"])
def test_observations_and_masks_are_those_of_the_spaces(observation):
    env = gymnasium.make(ID, observation=observation, rules="sichuan_modern")
    choose = random_legal(1)
    shown, _ = env.reset(seed=1)
    over = False
    while not over:
        assert env.observation_space.contains(shown)
        masks = env.get_wrapper_attr("action_masks")()
        assert masks.dtype == np.bool_
        np.testing.assert_array_equal(masks, shown["action_mask"] == 1)
        kept = copy.deepcopy(shown)
        after, _, over, _, info = env.step(choose(shown["action_mask"]))
        assert data_equivalence(kept, shown, exact=True)  # what was given out stays as it was
        shown = after
    assert env.observation_space.contains(shown)
    assert shown["action_mask"].nonzero()[0].tolist() == [env.unwrapped.game.parse_action("pass")]
    assert info["phase"] == "OVER"


def test_wrappers():
    env = RecordEpisodeStatistics(TimeLimit(make(), 5))
    for _ in range(2):
        shown, _ = env.reset(seed=0)
        for step in range(5):
            shown, _, terminated, truncated, info = env.step(int(shown["action_mask"].argmax()))
            assert (terminated, truncated) == (False, step == 4)
        assert info["episode"]["l"] == 5
    # A reset in the middle goes on to the next deal.
    assert env.reset()[1]["deal"] == 1


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize(
    "opponents", ["greedy/1", keen_policy, ["random_legal/1", first_policy, "greedy/1"]]
)
def test_a_copy_plays_on_by_itself(copied, opponents):
    env = SingleSeat(opponents, "sichuan_modern", episode="match", deals=2, learner_seat="rotate")
    shown, _ = env.reset(seed=8)
    for _ in range(4):
        shown, *_ = env.step(first_legal(shown["action_mask"]))
    other = copied(env)
    for _ in range(200):
        action = first_legal(shown["action_mask"])
        mine, theirs = env.step(action), other.step(action)
        assert data_equivalence(mine, theirs, exact=True)
        shown = mine[0]
        if mine[2]:
            break
    assert mine[2]
    assert data_equivalence(env.reset(), other.reset(), exact=True)
    for one, two in zip(
        played(env, first_legal, 3, 2), played(other, first_legal, 3, 2), strict=True
    ):
        same(one, two)
    assert data_equivalence(env.np_random.bit_generator.state, other.np_random.bit_generator.state)


def test_render(capsys):
    env = make(render_mode="ansi")
    with pytest.raises(ResetNeeded):
        env.render()
    by_hand = sichuan_v0.raw_env(render_mode="ansi")
    env.reset(seed=1, options={"dealer": 0})
    by_hand.reset(seed=1, options={"dealer": 0})
    assert env.render() == by_hand.render()
    env.step(first_legal(env.action_masks()))
    assert "player_" in env.render()
    quiet = make()
    quiet.reset(seed=1)
    with pytest.warns(UserWarning, match="ansi"):
        assert quiet.render() is None
    assert not capsys.readouterr().out
    human = make(render_mode="human")
    human.reset(seed=1)
    human.step(first_legal(human.action_masks()))
    assert capsys.readouterr().out.count("dealer player_") == 2


def test_before_the_first_reset_and_after_the_end():
    env = SingleSeat()
    assert env.seat == -1
    for call in (env.action_masks, env.views):
        with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
            call()
    with pytest.raises(ResetNeeded, match=r"call reset\(\)"):
        env.step(0)
    for _ in played(env, first_legal, 1, 1):
        pass
    with pytest.raises(ResetNeeded, match=r"it is over: call reset\(\)"):
        env.step(60)
