"""A single seat, and the same game played by hand with the environment of all seats."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mjenv import sichuan_v0
from mjenv.agent import Agent
from mjenv.core.rng import new_generator, policy_stream
from mjenv.envs.single import SingleSeat

Choose = Callable[[np.ndarray], int]


def first_policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """An opponent that is a function: the first legal action."""
    return masks.argmax(axis=1)


def last_policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """Another: the last legal action."""
    return masks.shape[1] - 1 - masks[:, ::-1].argmax(axis=1)


def keen_policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    """One that looks at what it is given."""
    weight = observations.reshape(len(observations), -1).sum(axis=1).astype(np.int64)
    legal = [mask.nonzero()[0] for mask in masks]
    return np.array([row[w % len(row)] for row, w in zip(legal, weight, strict=True)])


def answer(agent: Agent, env: Any) -> int:
    """What an agent answers where it is asked in the environment of all seats."""
    rng, state = new_generator(), env.table.states[0]
    seat = int(state["actor"])
    decision = int(state["num_decisions"][seat])
    policy_stream(rng, int(state["seed"]), int(state["deal"]), seat, decision)
    name = env.agent_selection
    if agent.observation == "view":
        chosen = int(agent.act(env.views(name), env.table.menu[None], rng)[0])
        return env.table.shown_action(chosen)
    shown = env.table.observe_as(seat, agent.observation)
    answers = agent.act(shown["observation"][None], shown["action_mask"][None], rng)
    return env.table.shown_action(env.table.real_action(int(answers[0]), agent.observation))


@dataclass
class Decision:
    """What a learner saw, and what its action brought."""

    observation: dict[str, np.ndarray]
    state: bytes
    action: int
    reward: float = 0.0
    over: bool = False
    points: Any = field(default=())


def played_by_hand(
    opponents: tuple[Agent, ...], choose: Choose, seed: int, seats: list[int], **options: Any
) -> Iterator[list[Decision]]:
    """Episodes of a seed, every seat asked by hand; the learner sits in ``seats``, in turn."""
    env = sichuan_v0.raw_env(**options)
    for number, seat in enumerate(seats):
        env.reset(seed=seed if number == 0 else None)
        learner = f"player_{seat}"
        decisions: list[Decision] = []
        total = 0.0
        for name in env.agent_iter():
            total += env.rewards[learner]
            if any(env.terminations.values()):
                break
            if name != learner:
                place = (int(name[-1]) - seat - 1) % 4
                env.step(answer(opponents[place], env))
                continue
            if decisions:
                decisions[-1].reward, total = total, 0.0
            shown = env.observe(learner)
            action = choose(shown["action_mask"])
            decisions.append(Decision(shown, env.table.states.tobytes(), action))
            env.step(action)
        decisions[-1].reward, decisions[-1].over = total, True
        decisions[-1].points = env.infos[learner]["points"]
        yield decisions


def played(env: SingleSeat, choose: Choose, seed: int, episodes: int) -> Iterator[list[Decision]]:
    """Episodes of a seed."""
    for number in range(episodes):
        shown, _ = env.reset(seed=seed if number == 0 else None)
        decisions, over = [], False
        while not over:
            action = choose(shown["action_mask"])
            decision = Decision(shown, env.table.states.tobytes(), action)
            shown, reward, over, truncated, info = env.step(action)
            assert not truncated
            decision.reward, decision.over = float(reward), over
            decisions.append(decision)
        decisions[-1].points = tuple(info["points"])
        yield decisions


def same(one: list[Decision], other: list[Decision]) -> None:
    """Assert that two episodes are the same."""
    assert len(one) == len(other)
    for mine, theirs in zip(one, other, strict=True):
        np.testing.assert_array_equal(
            mine.observation["observation"], theirs.observation["observation"]
        )
        np.testing.assert_array_equal(
            mine.observation["action_mask"], theirs.observation["action_mask"]
        )
        assert mine.state == theirs.state
        assert (mine.action, mine.over) == (theirs.action, theirs.over)
    assert sum(item.reward for item in one) == sum(item.reward for item in other)
    assert [item.reward for item in one[1:]] == [item.reward for item in other[1:]]
    assert one[-1].points == other[-1].points
