"""Plays what a library did again, on an environment that raises at the first illegal action."""

from collections.abc import Sequence

import numpy as np

from mjenv import sichuan_v0


def replay_deal(seed: int, deal: int, seats: Sequence[int], actions: Sequence[int]) -> np.ndarray:
    """The rewards ``(T, 4)`` of the steps of one whole deal of the preset ``qq``."""
    env = sichuan_v0.raw_env("qq")
    env.reset(seed=seed)
    for _ in range(deal):
        env.reset()
    rewards = []
    for seat, action in zip(seats, actions, strict=True):
        assert env.agent_selection == f"player_{seat}"
        env.step(action)
        rewards.append(list(env.rewards.values()))
    assert all(env.terminations.values())
    return np.array(rewards)
