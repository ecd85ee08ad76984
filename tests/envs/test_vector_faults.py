"""Mistakes of learners, opponents and users at many tables."""

import re
from dataclasses import dataclass

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode

from mjenv import AgentError, CompiledBot, IllegalActionError, OptionError, RulesError
from mjenv.core.kernel import kernel
from mjenv.core.setup import SEED_LIMIT
from mjenv.envs.vector import SingleSeats
from mjenv.sichuan.game import SICHUAN
from tests.envs.single_play import first_policy
from tests.envs.vector_play import Learner, assert_same, make, transitions


@kernel
def careless(view, rules, luts, mask, rng):
    """Answers what is no action."""
    return 99


class Fails:
    """A function that fails when asked for the nth time, and answers first actions else."""

    def __init__(self, at, fault):
        self.left, self.fault = at, fault

    def __call__(self, observations, masks):
        self.left -= 1
        if self.left == 0:
            if isinstance(self.fault, BaseException):
                raise self.fault
            return self.fault(masks)
        return masks.argmax(axis=1)


FAULTS = [
    (
        lambda masks: masks.argmin(axis=1),
        AgentError,
        r"table \d: bot 'Fails' in seat \d answered '",
    ),
    (lambda masks: masks.argmax(axis=1) + 90, AgentError, r"answered '\d+' in [A-Z]+; legal: "),
    (lambda masks: masks.argmax(axis=1) - 90, AgentError, r"answered '-\d+' in [A-Z]+; legal: "),
    (lambda masks: masks.argmax(axis=1)[:-1], AgentError, r"it must answer whole numbers \(\d,\)"),
    (lambda masks: masks.argmax(axis=1) * 1.0, AgentError, "answered float64"),
    (ZeroDivisionError("lost"), ZeroDivisionError, "lost"),
]


@pytest.mark.parametrize("at", [1, 20, 40])
@pytest.mark.parametrize(("fault", "error", "words"), FAULTS)
def test_a_failing_opponent_leaves_all_tables_as_they_were(at, fault, error, words):
    options = {"rules": "sichuan_modern", "episode": "match", "deals": 2, "learner_seat": "rotate"}
    env = make(3, opponents=["greedy/1", Fails(at, fault), "greedy/1"], **options).unwrapped
    sound = make(3, opponents=["greedy/1", first_policy, "greedy/1"], **options)
    tables = env.learners.batch.tables
    failures = []

    def again(call):
        before = tables.tobytes(), env.decisions
        try:
            return call()
        except error as caught:
            failures.append(caught)
            assert (tables.tobytes(), env.decisions) == before
            return call()

    learner = Learner(1, 7)
    mine, theirs = again(lambda: env.reset(seed=2)), sound.reset(seed=2)
    for _ in range(60):
        assert_same(mine, theirs)
        actions = learner(mine[0]["action_mask"])
        mine, theirs = again(lambda actions=actions: env.step(actions)), sound.step(actions)
    (caught,) = failures
    assert re.search(words, str(caught))
    if isinstance(caught, ZeroDivisionError):
        assert re.search(r"raised by agent 'Fails', asked at \d tables", caught.__notes__[-1])


def test_a_compiled_opponent_that_answers_what_is_illegal():
    bot = CompiledBot("careless/1", careless, SICHUAN)
    with pytest.raises(AgentError, match=r"table \d: bot 'careless/1' in seat \d answered '99' in"):
        make(3, opponents=bot).reset(seed=1)


@kernel
def careless_at_the_end(view, rules, luts, mask, rng):
    """Answers what is no action, when few tiles are left."""
    return 99 if view["wall_count"] < 30 else int(np.argmax(mask))


def test_a_compiled_opponent_that_fails_later_leaves_all_tables_as_they_were():
    env = make(4, opponents=CompiledBot("careless/2", careless_at_the_end, SICHUAN)).unwrapped
    shown = env.reset(seed=1)[0]
    tables = env.learners.batch.tables
    with pytest.raises(AgentError, match=r"table \d: bot 'careless/2' in seat \d answered '99'"):  # noqa: PT012 - plays on until it does
        while True:
            before, decisions = tables.tobytes(), env.decisions
            shown = env.step(shown["action_mask"].argmax(axis=1))[0]
    assert (tables.tobytes(), env.decisions) == (before, decisions)
    np.testing.assert_array_equal(env.action_masks(), shown["action_mask"] == 1)
    # Another deal can be played up to there.
    shown = env.reset()[0]
    assert not env.step(shown["action_mask"].argmax(axis=1))[2].any()


# ------------------------------------------------------------------------------- the learner


@pytest.mark.parametrize("mode", AutoresetMode)
def test_an_illegal_action_ends_the_episode_of_its_table(mode):
    env = make(3, illegal_reward=-4, autoreset_mode=mode)
    shown, _ = env.reset(seed=1)
    actions = shown["action_mask"].argmax(axis=1)
    actions[1] = shown["action_mask"][1].argmin()
    shown, rewards, terminations, truncations, infos = env.step(actions)
    assert rewards.tolist() == [0, -4, 0]
    assert terminations.tolist() == [False, True, False]
    assert not truncations.any()
    told = infos["final_info"] if mode is AutoresetMode.SAME_STEP else infos
    assert told["illegal"].tolist() == [False, True, False]
    assert told["error"][1].startswith("seat 0 cannot ")
    assert told["phase"][1] == "OVER"
    last = infos["final_obs"][1]["action_mask"] if mode is AutoresetMode.SAME_STEP else None
    last = shown["action_mask"][1] if last is None else last
    assert last.nonzero()[0].tolist() == [SICHUAN.parse_action("pass")]


@pytest.mark.parametrize("number", [-1, 62, 10**9])
def test_numbers_that_are_no_actions(number):
    env = make(2)
    shown, _ = env.reset(seed=1)
    actions = shown["action_mask"].argmax(axis=1)
    actions[0] = number
    assert env.step(actions)[2].tolist() == [True, False]
    strict = make(2, illegal_action="raise")
    shown, _ = strict.reset(seed=1)
    before = strict.unwrapped.learners.batch.tables.tobytes()
    with pytest.raises(
        IllegalActionError, match=rf"table 0: seat 0 cannot '{number}' in VOID; leg"
    ):
        strict.step(actions)
    assert strict.unwrapped.learners.batch.tables.tobytes() == before
    assert not strict.step(shown["action_mask"].argmax(axis=1))[2].any()


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        (np.zeros(3, np.int64), r"got int64 \(3,\); allowed: whole numbers \(2,\)"),
        (np.zeros((2, 1), np.int64), r"got int64 \(2, 1\); allowed"),
        (5, r"got int64 \(\); allowed"),
        (np.zeros(2), r"got float64 \(2,\); allowed"),
        (np.zeros(2, bool), r"got bool \(2,\); allowed"),
        ([None, 3], r"got object \(2,\); allowed"),
        (["discard 5p", "pass"], r"allowed: whole numbers"),
    ],
)
@pytest.mark.parametrize("illegal_action", ["raise", "terminate"])
def test_wrong_arrays_of_actions_change_nothing(actions, words, illegal_action):
    env = make(2, illegal_action=illegal_action)
    shown, _ = env.reset(seed=1)
    before = env.unwrapped.learners.batch.tables.tobytes()
    with pytest.raises(IllegalActionError, match=words):
        env.step(actions)
    assert env.unwrapped.learners.batch.tables.tobytes() == before
    # Whole numbers of every kind do, and a list of them.
    env.step(shown["action_mask"].argmax(axis=1).astype(np.uint8))
    env.step(env.action_masks().argmax(axis=1).tolist())


def test_steps_without_an_episode():
    env = make(2)
    for call in (lambda: env.step(np.zeros(2, int)), env.action_masks):
        with pytest.raises(ResetNeeded, match=r"no episodes yet: call reset\(\)"):
            call()
    env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded, match="no episodes yet"):
        env.step(np.zeros(2, int))
    env = make(2, autoreset_mode="disabled")
    for result in transitions(env, Learner(1), 3, seed=1):
        shown = result
    actions = shown[0]["action_mask"].argmax(axis=1)
    actions[1] = -1
    env.step(actions)
    with pytest.raises(ResetNeeded, match="table 1: its episode is over; call reset"):
        env.step(actions)
    env.reset(options={"reset_mask": np.array([False, True])})
    assert not env.step(env.action_masks().argmax(axis=1))[2].any()


# ------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"num_envs": 0}, OptionError, "num_envs: got 0; allowed: a whole number from 1 on"),
        ({"num_envs": 2.5}, OptionError, "num_envs: got 2.5"),
        ({"num_threads": 0}, OptionError, "num_threads: got 0"),
        (
            {"autoreset_mode": "sometimes"},
            OptionError,
            "got 'sometimes'; allowed: 'next_step', 'same_step', 'disabled', or an AutoresetMode",
        ),
        ({"render_mode": "human"}, OptionError, "render_mode: got 'human'; allowed: None, 'ansi'"),
        ({"observation": "planes/9"}, OptionError, "got 'planes/9'; allowed: 'planes/1'"),
        ({"learner_seat": 4}, OptionError, "learner_seat: got 4; .*'rotate'"),
        ({"opponents": 3}, OptionError, "opponents: got 3; allowed: the name of an agent"),
        ({"opponents": "gready/1"}, AgentError, "did you mean 'greedy/1'"),
        ({"episode": "match"}, OptionError, "deals: got None"),
        ({"rules": "bejing"}, RulesError, "bejing"),
    ],
)
def test_wrong_arguments_are_explained(options, error, words):
    with pytest.raises(error, match=words):
        SingleSeats(**options)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"seed": -1}, "seed: got -1"),
        ({"seed": SEED_LIMIT - 1}, "seed: got"),  # table 1 would have one too large
        ({"seed": 0.5}, "seed: got 0.5"),
        ({"seed": [1]}, "got 1 seeds; allowed: one, or 2"),
        ({"seed": [1, 2.5]}, "seed: got 2.5"),
        ({"options": {"dealer": 4}}, "dealer: got 4"),
        ({"options": {"deeler": 1}}, "did you mean 'dealer'"),
        (
            {"options": {"reset_mask": [True, False]}},
            r"reset_mask: got list \(2,\); allowed: an ar",
        ),
        ({"options": {"reset_mask": np.ones(3, bool)}}, r"got bool \(3,\); allowed: an array \(2,"),
        ({"options": {"reset_mask": np.ones(2, int)}}, r"got int64 \(2,\)"),
        ({"options": {"reset_mask": np.zeros(2, bool)}}, "got no True"),
    ],
)
def test_wrong_resets_are_explained_and_change_nothing(call, words):
    env, other = make(2), make(2)
    assert_same(env.reset(seed=2), other.reset(seed=2))
    with pytest.raises(OptionError, match=words):
        env.reset(**call)
    actions = env.action_masks().argmax(axis=1)
    assert_same(env.step(actions), other.step(actions))


def scribbles(observations, masks):
    """Answers first actions, and leaves nothing of what it was given."""
    actions = masks.argmax(axis=1)
    masks[:] = 0
    observations[:] = 0
    return actions


def lets_itself(observations, masks):
    """Allows itself everything, and takes what is not in its menu."""
    actions = masks.argmin(axis=1)
    masks[:] = 1
    return actions


@pytest.mark.parametrize("observation", ["vector/1", "vector/1/canonical"])
def test_what_opponents_do_to_their_arguments_changes_nothing(observation):
    options = {"observation": observation, "rules": "sichuan_modern"}
    env = make(3, opponents=[scribbles, "greedy/1", scribbles], **options)
    sound = make(3, opponents=[first_policy, "greedy/1", first_policy], **options)
    mine, theirs = env.reset(seed=2), sound.reset(seed=2)
    for _ in range(10):
        assert_same(mine, theirs)
        actions = mine[0]["action_mask"].argmax(axis=1)
        mine, theirs = env.step(actions), sound.step(actions)
    cheating = make(3, opponents=[lets_itself, "greedy/1", "greedy/1"], **options)

    def play():
        shown, _ = cheating.reset(seed=2)
        for _ in range(10):
            shown, *_ = cheating.step(shown["action_mask"].argmax(axis=1))

    with pytest.raises(AgentError, match=r"table \d: bot 'lets_itself' in seat \d answered"):
        play()


@dataclass
class Follows:
    """An agent that is equal to others and cannot be hashed."""

    name: str = "follows/1"
    games: tuple[str, ...] = ("sichuan",)
    observation: str = "vector/1"

    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)


def test_agents_that_cannot_be_hashed_are_opponents():
    env = make(2, opponents=[Follows(), "greedy/1", Follows()])
    sound = make(2, opponents=[first_policy, "greedy/1", first_policy])
    mine, theirs = env.reset(seed=2), sound.reset(seed=2)
    for _ in range(10):
        assert_same(mine, theirs)
        actions = mine[0]["action_mask"].argmax(axis=1)
        mine, theirs = env.step(actions), sound.step(actions)


def test_a_number_beyond_all_integers_is_no_action():
    env = make(1, observation="vector/1/canonical")
    env.reset(seed=1)
    assert env.step(np.array([2**64 - 1], np.uint64))[2].tolist() == [True]
