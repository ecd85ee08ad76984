"""Agents for tests of the arena, which other processes find as ``module:...:InPython``."""

import os
import time
from collections import Counter
from multiprocessing import parent_process
from pathlib import Path
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


class Tiring(InPython):
    """Answers nothing legal once it is tired, as a program that is not started again."""

    name = "tiring/1"

    def __init__(self) -> None:
        super().__init__()
        self.faults = "none of the arena's"
        self._answers = 100

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        actions = super().act(observations, masks, rng)
        self._answers -= len(actions)
        return actions if self._answers > 0 else np.full_like(actions, -1)


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


class Failing(InPython):
    """Divides by zero in seat 2 with one hand in 64, which it takes for an omen."""

    name = "failing/1"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        views, _ = observations
        omen = (views["seat"] == 2) & (views["hand"] @ np.arange(27) % 64 == 0)
        if omen.any():
            raise ZeroDivisionError("division by\nzero")
        return super().act(observations, masks, rng)


class Exiting(InPython):
    """Has had enough."""

    name = "exiting/1"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        raise SystemExit(3)


class Waiting(InPython):
    """Never answers; leaves the number of its process in the folder ``PLAYERS_FOLDER``."""

    name = "waiting/1"

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        (Path(os.environ["PLAYERS_FOLDER"]) / f"{os.getpid()}").touch()
        while True:
            time.sleep(3600)


class UnmadeElsewhere(InPython):
    """Can be made in the main process alone."""

    name = "unmade_elsewhere/1"

    def __init__(self) -> None:
        super().__init__()
        if parent_process() is not None:
            raise RuntimeError("no room here")


class Impatient(InPython):
    """Fails when it is asked for the thousandth time."""

    name = "impatient/1"

    def __init__(self) -> None:
        super().__init__()
        self._asked = 0

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        self._asked += 1
        if self._asked == 1000:
            raise TimeoutError
        return super().act(observations, masks, rng)
