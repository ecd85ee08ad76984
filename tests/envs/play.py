"""Ways to play an environment, for the tests of it."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mjenv.sichuan.actions import WIN
from mjenv.sichuan.state import NUM_KINDS

PRESETS = ("qq", "sichuan_modern", "standalone", "standalone_single")

Chooser = Callable[[np.ndarray], int]


def first_legal(mask: np.ndarray) -> int:
    return int(mask.argmax())


def last_legal(mask: np.ndarray) -> int:
    return int(mask.nonzero()[0][-1])


def random_legal(seed: int, win: bool = True) -> Chooser:
    """Any legal action; with ``win`` a win is always taken."""
    rng = np.random.default_rng(seed)

    def choose(mask: np.ndarray) -> int:
        return WIN if win and mask[WIN] else int(rng.choice(mask.nonzero()[0]))

    return choose


def towards_a_win(env: Any, seed: int) -> Chooser:
    """Keep tiles that lie together: random play alone hardly ever wins."""
    rng = np.random.default_rng(seed)

    def choose(mask: np.ndarray) -> int:
        if mask[WIN]:
            return WIN
        discards = mask[:NUM_KINDS].nonzero()[0]
        if len(discards) == 0:
            return int(rng.choice(mask.nonzero()[0]))
        hand = env.table.states["hand"][0, env.table.actor()]
        padded = np.pad(hand.reshape(3, 9), ((0, 0), (2, 2)))
        near = 2 * (padded[:, 1:-3] + padded[:, 3:-1]) + padded[:, :-4] + padded[:, 4:]
        worth = (4 * hand + near.reshape(NUM_KINDS))[discards] + rng.random(len(discards))
        return int(discards[worth.argmin()])

    return choose


def turns(env: Any, choose: Chooser) -> Iterator[str]:
    """Play to the end of the episode: the agent that acts, before each of its actions."""
    while not any(env.terminations.values()):
        agent = env.agent_selection
        yield agent
        env.step(choose(env.observe(agent)["action_mask"]))


def play(env: Any, choose: Chooser) -> None:
    for _ in turns(env, choose):
        pass


def finish(env: Any) -> dict[str, float]:
    """Step the finished agents; what each was still owed."""
    rewards = {}
    for agent in env.agent_iter():
        _, rewards[agent], terminated, truncated, _ = env.last()
        assert terminated or truncated
        env.step(None)
    return rewards
