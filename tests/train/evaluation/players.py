"""Agents for tests of the arena, which other processes find as ``module:...:InPython``."""

import os
from collections import Counter
from typing import Any

import numpy as np

from agents.greedy import Greedy

HERE = "module:tests.train.evaluation.players"


class InPython:
    """greedy/1 behind ``act`` alone."""

    name = "in_python/1"
    games = ("sichuan",)
    observation = "view"

    def __init__(self) -> None:
        self._bot = Greedy()

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        return self._bot.act(observations, masks, rng)


class Illegal(InPython):
    """Now and then answers what is not legal, and now and then knows that it failed."""

    name = "illegal/1"

    def __init__(self) -> None:
        super().__init__()
        self.faults: Counter[str] = Counter()

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        actions = super().act(observations, masks, rng)
        self.faults["late"] += int((rng % np.uint64(16) == 1).sum())
        return np.where(rng % np.uint64(16) == 0, -1, actions)


class Talkative(InPython):
    """Prints while it thinks."""

    name = "talkative/1"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        print("let me think")
        return super().act(observations, masks, rng)


class Deadly(InPython):
    """Ends the process it plays in."""

    name = "deadly/1"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        os._exit(7)
