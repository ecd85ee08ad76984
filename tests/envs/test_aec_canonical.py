"""The environment with an encoding in the canonical order of suits."""

import copy
import pickle
import random

import numpy as np
import pytest

from mjenv import IllegalActionError, sichuan_v0
from mjenv.sichuan.actions import WIN
from mjenv.sichuan.observation import ENCODINGS
from tests.envs.play import play, random_legal, turns
from tests.sichuan.relabelled import PERMUTATIONS, keeps_order, relabelled, relabelled_action

NAME = "vector/1/canonical"
CHANNELS = ENCODINGS[NAME].channels
KEEPS, USEFUL = CHANNELS.index("discard keeps 1m"), CHANNELS.index("useful after 1m")
HELD = CHANNELS.index("suit held m")
WEIGHTS = np.random.default_rng(1).random((62, len(CHANNELS))).astype(np.float32)
WITH_VOID_SUITS = ("qq", "sichuan_modern")


def policy(observation):
    """Reads nothing but the observation: the shortest suit is void, then what keeps the hand."""
    cells, mask = observation["observation"], observation["action_mask"]
    if mask[WIN]:
        return WIN
    worth = WEIGHTS @ cells / 100
    worth[:27] += 10 * cells[KEEPS:][:27] + cells[USEFUL:][:27]
    worth[54:57] -= 10 * cells[HELD:][:3]
    return int(np.where(mask, worth, -np.inf).argmax())


def start(preset, seed, permutation=None):
    env = sichuan_v0.raw_env(preset, observation=NAME)
    env.reset(seed=seed)
    if permutation is not None:
        wall = relabelled(env.table.states[0], permutation)["wall"][0]
        dealer = int(env.table.states["dealer"][0])
        env.reset(seed=seed, options={"wall": wall.tolist(), "dealer": dealer})
    return env


def over(env):
    return env.table.actor() < 0


def own_void(env):
    return int(env.table.states["void_suit"][0, env.table.actor()])


@pytest.mark.parametrize("preset", WITH_VOID_SUITS)
@pytest.mark.parametrize("permutation", PERMUTATIONS[1:-1])  # the last turns all pairs round
def test_a_policy_does_the_same_in_a_world_with_other_suits(permutation, preset):
    alike, wins = 0, 0
    for seed in range(12):
        here, there = start(preset, seed), start(preset, seed, permutation)
        while not over(here):
            agent = here.agent_selection
            choice = policy(here.last()[0])
            real = here.table.real_action(choice)
            if own_void(here) >= 0 and keeps_order(permutation, own_void(here)):
                ours, theirs = here.observe(agent), there.observe(agent)
                assert ours["observation"].tobytes() == theirs["observation"].tobytes()
                assert ours["action_mask"].tobytes() == theirs["action_mask"].tobytes()
                assert policy(theirs) == choice
                alike += 1
            number = there.table.shown_action(relabelled_action(real, permutation))
            assert there.agent_selection == agent
            there.step(number)
            here.step(choice)
        assert there.rewards == here.rewards
        assert there.infos == here.infos
        wins += int((here.table.states["win_order"] > 0).sum())
    assert alike > 50
    assert wins > 0


@pytest.mark.parametrize("preset", ["standalone", *WITH_VOID_SUITS])
def test_masks_and_steps_are_those_of_the_table_in_other_numbers(preset):
    env, plain = start(preset, 5), sichuan_v0.raw_env(preset, observation="vector/1")
    plain.reset(seed=5)
    choices, moved = random.Random(1), 0
    while not over(env):
        agent = env.agent_selection
        shown, real = env.observe(agent)["action_mask"], plain.observe(agent)["action_mask"]
        assert env.table.menu.tolist() == real.tolist()
        numbers = shown.nonzero()[0]
        actions = [env.table.real_action(int(item)) for item in numbers]
        assert sorted(actions) == real.nonzero()[0].tolist()
        assert [env.table.shown_action(action) for action in actions] == numbers.tolist()
        number, action = choices.choice(list(zip(numbers.tolist(), actions, strict=True)))
        moved += action != number
        plain.step(action)
        env.step(number)
    assert moved > 10 if preset in WITH_VOID_SUITS else moved == 0
    assert plain.table.states.tobytes() == env.table.states.tobytes()


def test_before_void_suits_are_chosen_nothing_is_renumbered():
    env = start("sichuan_modern", 1)
    seen = set()
    for agent in turns(env, lambda mask: int(mask.argmax())):
        if own_void(env) >= 0:
            continue
        mask = env.observe(agent)["action_mask"]
        assert mask.tolist() == env.table.menu.tolist()
        seen.add(env.infos[agent]["phase"])
    assert seen == {"EXCHANGE", "VOID"}


def test_an_illegal_action_is_told_in_real_tiles():
    env = start("qq", 3)
    while own_void(env) < 0:  # everybody declares characters, or what comes next in the menu
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    agent = env.agent_selection
    assert own_void(env) == 0
    mask = env.observe(agent)["action_mask"]
    hand = env.table.states["hand"][0, env.table.actor()]
    absent = next(kind for kind in range(27) if not hand[kind])
    number = env.table.shown_action(absent)
    assert not mask[number]
    with pytest.raises(IllegalActionError, match=f"cannot 'discard {absent % 9 + 1}"):
        env.step(number)
    for nothing in (-1, 62, 99):
        with pytest.raises(IllegalActionError, match=f"action {nothing}"):
            env.step(nothing)


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_copies_renumber_by_their_own_table(duplicate):
    env = start("qq", 2)
    for _, _ in zip(range(30), turns(env, random_legal(4)), strict=False):
        pass
    other = duplicate(env)
    play(env, random_legal(5))
    again = duplicate(other)
    play(other, random_legal(5))
    assert other.table.states.tobytes() == env.table.states.tobytes()
    play(again, random_legal(5))
    assert again.table.states.tobytes() == env.table.states.tobytes()
