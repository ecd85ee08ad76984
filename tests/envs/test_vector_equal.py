"""A vector environment is as many single ones, to the last key of its infos."""

import pytest
from gymnasium.utils.env_match import check_environments_match
from gymnasium.vector import AutoresetMode

from agents.greedy import Greedy
from mjenv.core.kernel import JIT_DISABLED
from mjenv.envs.single import SingleSeat
from tests.envs.play import PRESETS
from tests.envs.single_play import first_policy, keen_policy
from tests.envs.test_single_play import HEAVENLY
from tests.envs.vector_play import Learner, assert_same, make, make_sync, transitions

NUM_ENVS = 4
STEPS = 25 if JIT_DISABLED else 90
ENDS = 0 if JIT_DISABLED else NUM_ENVS
"""At least so many episodes end within these steps, most of them by themselves."""
SAME_STEP = AutoresetMode.SAME_STEP


def check(steps=STEPS, mode=SAME_STEP, num_envs=NUM_ENVS, reset=None, illegal_every=11, **options):
    """Play both and compare; return how many episodes ended."""
    reset = reset or {"seed": 3}
    env = make(num_envs, autoreset_mode=mode, **options)
    sync = make_sync(num_envs, mode, **options)
    assert env.observation_space == sync.observation_space
    assert env.action_space == sync.action_space
    ended = 0
    for mine, theirs in zip(
        transitions(env, Learner(1, illegal_every), steps, **reset),
        transitions(sync, Learner(1, illegal_every), steps, **reset),
        strict=True,
    ):
        assert_same(mine, theirs)
        ended += int(mine[2].sum()) if len(mine) > 2 else 0
    return ended


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_in_every_mode(preset, mode):
    assert check(mode=mode, rules=preset, learner_seat="rotate") > ENDS


@pytest.mark.parametrize(
    "options",
    [
        {"opponents": keen_policy},
        {"opponents": ["greedy/1", keen_policy, "random_legal/1"], "reward": "points"},
        {"opponents": [first_policy, Greedy(), first_policy], "learner_seat": 2},
        {"observation": "vector/1/canonical", "opponents": ["greedy/1", keen_policy, Greedy()]},
        {"observation": "vector/1", "learner_seat": "rotate", "opponents": "random_legal/1"},
        {"reward": "final", "illegal_reward": -7},
    ],
)
def test_options(options):
    assert check(rules="sichuan_modern", **options) > 0


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("opponents", ["greedy/1", ["random_legal/1", keen_policy, "greedy/1"]])
def test_matches(mode, opponents):
    ended = check(
        rules="standalone",
        mode=mode,
        episode="match",
        deals=2,
        learner_seat="rotate",
        opponents=opponents,
    )
    assert ended > ENDS


@pytest.mark.parametrize("rules", ["qq", "standalone_single"])
@pytest.mark.parametrize("episode", [{}, {"episode": "match", "deals": 2}])
@pytest.mark.parametrize("opponents", ["greedy/1", ["greedy/1", first_policy, "greedy/1"]])
def test_walls_dealers_and_skipped_deals(rules, episode, opponents):
    """The dealer holds a won hand: by the second of these rules the deal ends at once."""
    reset = {"seed": 5, "options": {"wall": HEAVENLY, "dealer": 1}}
    assert check(30, rules=rules, opponents=opponents, reset=reset, **episode) > 0
    env = make(2, rules=rules, opponents=opponents, **episode)
    infos = env.reset(**reset)[1]
    skipped = rules == "standalone_single" and not episode
    assert infos["skipped_deals"].tolist() == [int(skipped)] * 2


def test_seeds_in_a_list():
    assert check(40, reset={"seed": [7, 7, 2**40, 0]}) > 0
    env = make(3)
    env.reset(seed=1)
    for _ in range(40):
        env.step(env.unwrapped.action_masks().argmax(axis=1))
    infos = env.reset(seed=[None, 9, None])[1]
    assert infos["seed"].tolist() == [1, 9, 3]
    assert infos["deal"][1] == 0
    assert (infos["deal"][[0, 2]] > 0).all()


def test_threads_change_nothing():
    plain, threaded = make(5, learner_seat="rotate"), make(5, learner_seat="rotate", num_threads=2)
    for mine, theirs in zip(
        transitions(plain, Learner(1), 60, seed=3),
        transitions(threaded, Learner(1), 60, seed=3),
        strict=True,
    ):
        assert_same(mine, theirs)


def test_the_comparison_of_gymnasium():
    """Its actions are not masked: most steps end an episode."""
    env, sync = make(1), make_sync(1, SAME_STEP)
    # It compares arrays of objects by their values as numbers, which these are not.
    check_environments_match(env, sync, num_steps=60, info_comparison="keys-equivalence")


@pytest.mark.parametrize("preset", PRESETS)
def test_final_observations_against_a_replay(preset):
    """Every table alone, deal by deal, without anything that resets by itself."""
    env = make(3, rules=preset)
    learner = Learner(2)
    shown, infos = env.reset(seed=20)
    played = [[] for _ in range(3)]
    ends = [[] for _ in range(3)]
    for _ in range(STEPS):
        actions = learner(shown["action_mask"])
        shown, rewards, over, _, infos = env.step(actions)
        for table in range(3):
            played[table].append((int(actions[table]), rewards[table], bool(over[table])))
            if over[table]:
                assert infos["_final_obs"][table]
                points = infos["final_info"]["points"][table]
                ends[table].append((infos["final_obs"][table], points))
        assert "final_obs" in infos or not over.any()
    for table in range(3):
        single = SingleSeat("greedy/1", preset)
        single.reset(seed=20 + table)
        for action, reward, over in played[table]:
            seen, gained, ended, truncated, info = single.step(action)
            assert (gained, ended, truncated) == (reward, over, False)
            if ended:
                final, points = ends[table].pop(0)
                assert_same(final, seen)
                assert_same(points, info["points"])
                single.reset()
        assert not ends[table]
