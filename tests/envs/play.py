"""Ways to play an environment, for the tests of it."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from mjenv.sichuan.actions import WIN

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
