"""The interface of Gymnasium's vector environments, for which it has no checker."""

import copy
import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics

from mjenv.core.kernel import JIT_DISABLED
from mjenv.envs.single import SingleSeat
from mjenv.envs.vector import SingleSeats
from tests.envs.play import PRESETS
from tests.envs.single_play import keen_policy
from tests.envs.vector_play import ID, Learner, assert_same, make, transitions

NUM_ENVS = 3
STEPS = 20 if JIT_DISABLED else 60


def test_make_vec_finds_it_and_both_vectorisers_of_gymnasium_work():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        env = gymnasium.make_vec(ID, num_envs=NUM_ENVS)
    assert isinstance(env, SingleSeats)
    assert isinstance(env, VectorEnv)
    assert env.spec.id == ID
    assert env.spec.kwargs == {"num_envs": NUM_ENVS, "vectorization_mode": "vector_entry_point"}
    again = gymnasium.make_vec(env.spec)
    assert again.num_envs == NUM_ENVS
    assert isinstance(gymnasium.make_vec(ID, vectorization_mode="sync"), SyncVectorEnv)
    assert repr(env) == f"SingleSeats({ID}, num_envs={NUM_ENVS})"
    env.close()


@pytest.mark.parametrize("mode", AutoresetMode)
def test_the_autoreset_mode_is_told(mode):
    names = (mode, mode.value, mode.name, mode.name.lower())
    for name in names:
        env = make(1, autoreset_mode=name)
        assert env.autoreset_mode is env.metadata["autoreset_mode"] is mode
    assert SingleSeats.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("observation", ["planes/1", "vector/1/canonical"])
@pytest.mark.parametrize("preset", PRESETS)
def test_shapes_dtypes_and_flags(preset, observation, mode):
    env = make(NUM_ENVS, rules=preset, observation=observation, autoreset_mode=mode)
    over = np.zeros(NUM_ENVS, bool)
    ended = 0
    for result in transitions(env, Learner(1, 13), STEPS, seed=1):
        shown, infos = result[0], result[-1]
        assert env.observation_space.contains(shown)
        assert (shown["action_mask"].sum(axis=1) > 0).all()
        np.testing.assert_array_equal(env.action_masks(), shown["action_mask"] == 1)
        assert env.action_masks().dtype == np.bool_
        for key in infos:
            if not key.startswith("_"):
                assert infos[f"_{key}"].shape == (NUM_ENVS,)
                assert infos[f"_{key}"].dtype == np.bool_
        if len(result) == 2:
            over[:] = False
            continue
        _, rewards, terminations, truncations, _ = result
        assert (rewards.shape, rewards.dtype) == ((NUM_ENVS,), np.float64)
        assert (terminations.shape, terminations.dtype) == ((NUM_ENVS,), np.bool_)
        assert (truncations.shape, truncations.dtype) == ((NUM_ENVS,), np.bool_)
        assert not truncations.any()
        assert ("final_obs" in infos) == (mode is AutoresetMode.SAME_STEP and terminations.any())
        if mode is AutoresetMode.NEXT_STEP:
            # The step after the end resets, and does nothing else.
            assert not terminations[over].any()
            assert not rewards[over].any()
            assert not over.any() or (infos["_skipped_deals"] == over).all()
        over = terminations.copy()
        ended += int(over.sum())
    assert ended > 0  # some of them by illegal actions


@pytest.mark.parametrize("mode", AutoresetMode)
def test_only_the_masked_tables_are_reset(mode):
    env = make(4, autoreset_mode=mode)
    before = env.reset(seed=1)[0]
    for _ in range(3):
        before = env.step(before["action_mask"].argmax(axis=1))[0]
    where = np.array([False, True, False, True])
    options = {"reset_mask": where}
    shown, infos = env.reset(seed=[5, 6, 7, 8], options=options)
    assert options == {"reset_mask": where}  # left as given, for wrappers that look at it
    assert infos["_seed"].tolist() == where.tolist()
    assert infos["seed"].tolist() == [0, 6, 0, 8]
    for key in shown:
        np.testing.assert_array_equal(shown[key][~where], before[key][~where])
        assert not np.array_equal(shown[key][1], before[key][1])
    shown, infos = env.reset(options={"reset_mask": where})
    assert infos["deal"].tolist() == [0, 1, 0, 1]
    # The seeds of the others are still those of the first reset.
    infos = env.step(shown["action_mask"].argmax(axis=1))[4]
    assert infos["seed"].tolist() == [1, 6, 3, 8]


def test_observations_are_copied_unless_asked_not_to_be():
    env = make(NUM_ENVS)
    results = list(transitions(env, Learner(1, 7), 25, seed=1))
    again = [copy.deepcopy(result) for result in transitions(env, Learner(1, 7), 25, seed=1)]
    assert_same(results, again)
    env = make(NUM_ENVS, copy=False)
    shared = []
    for result, other in zip(transitions(env, Learner(1, 7), 25, seed=1), results, strict=True):
        assert_same(result, other)
        shared.append((result[0]["observation"], result[0]["action_mask"]))
    assert all(pair[0] is shared[0][0] and pair[1] is shared[0][1] for pair in shared)


def test_a_first_reset_without_a_seed_draws_one():
    seeds = set()
    for _ in range(3):
        env = make(2)
        infos = env.reset()[1]
        first, second = infos["seed"].tolist()
        assert second == first + 1
        seeds.add(first)
        infos = env.reset()[1]
        assert infos["seed"].tolist() == [first, second]
        assert infos["deal"].tolist() == [1, 1]
    assert len(seeds) == 3


def test_a_reset_with_a_seed_seeds_np_random():
    env = make(2)
    env.reset(seed=11)
    assert env.np_random_seed == 11


def test_wrappers():
    env = RecordEpisodeStatistics(make(NUM_ENVS, rules="standalone"))
    base = env.unwrapped.settings.base_points
    returns = np.zeros(NUM_ENVS)
    shown, _ = env.reset(seed=1)
    ended = 0
    learner = Learner(1)
    for _ in range(80):
        shown, rewards, over, _, infos = env.step(learner(shown["action_mask"]))
        returns += rewards
        for table in np.flatnonzero(over):
            assert infos["episode"]["r"][table] == returns[table]
            assert infos["final_info"]["points"][table, 0] == returns[table] * base
            ended += 1
        returns[over] = 0
    assert ended > NUM_ENVS
    assert env.episode_count == ended
    listed = DictInfoToList(make(2))
    infos = listed.reset(seed=1)[1]
    assert [info["seed"] for info in infos] == [1, 2]


@pytest.mark.parametrize("opponents", ["greedy/1", ["random_legal/1", keen_policy, "greedy/1"]])
def test_a_pickled_copy_plays_on(opponents):
    env = make(NUM_ENVS, opponents=opponents, episode="match", deals=2).unwrapped
    shown = list(transitions(env, Learner(1), 25, seed=1))[-1]
    other = pickle.loads(pickle.dumps(env))
    for _ in range(40):
        actions = shown[0]["action_mask"].argmax(axis=1)
        shown = env.step(actions)
        assert_same(shown, other.step(actions))
    assert_same(env.reset(), other.reset())


def test_decisions_are_counted():
    """The same by hand: all deals at each table."""
    options = {"opponents": [keen_policy, "greedy/1", "random_legal/1"], "rules": "standalone"}
    env = make(2, **options).unwrapped
    assert env.decisions == 0
    learner, counted = Learner(1), 0
    singles = [SingleSeat(**options) for _ in range(2)]
    for table, single in enumerate(singles):
        single.reset(seed=1 + table)
    shown = env.reset(seed=1)[0]
    for _ in range(50):
        actions = learner(shown["action_mask"])
        shown = env.step(actions)[0]
        for single, action in zip(singles, actions, strict=True):
            if single.step(action)[2]:
                counted += int(single.table.states["num_decisions"].sum())
                single.reset()
        now = sum(int(single.table.states["num_decisions"].sum()) for single in singles)
        assert env.decisions == counted + now


def test_render():
    env = make(2, render_mode="ansi")
    env.reset(seed=1)
    boards = env.render()
    assert len(boards) == 2
    assert all("dealer player_" in board for board in boards)
    with pytest.warns(UserWarning, match="ansi"):
        assert make(1).render() is None
