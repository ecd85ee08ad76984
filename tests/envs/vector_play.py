"""Ways to play a vector environment, and to compare what comes out of it."""

from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode

ID = "mjenv/Sichuan-v0"


def make(num_envs: int, **options: Any) -> Any:
    return gymnasium.make_vec(ID, num_envs=num_envs, **options)


def make_sync(num_envs: int, autoreset_mode: AutoresetMode, **options: Any) -> Any:
    """The same of single environments, vectorised by Gymnasium."""
    return gymnasium.make_vec(
        ID,
        num_envs=num_envs,
        vectorization_mode="sync",
        vector_kwargs={"autoreset_mode": autoreset_mode},
        **options,
    )


class Learner:
    """Chooses legal actions at random, and an illegal one now and then."""

    def __init__(self, seed: int, illegal_every: int = 0) -> None:
        self._rng = np.random.default_rng(seed)
        self._illegal_every = illegal_every
        self._steps = 0

    def __call__(self, masks: np.ndarray) -> np.ndarray:
        self._steps += 1
        actions = np.array([self._rng.choice(mask.nonzero()[0]) for mask in masks])
        if self._illegal_every and self._steps % self._illegal_every == 0:
            table = int(self._rng.integers(len(masks)))
            actions[table] = self._rng.choice(np.flatnonzero(masks[table] == 0))
        return actions


def transitions(env: Any, learner: Learner, steps: int, **reset: Any) -> Iterator[Any]:
    """What a reset and every step return; finished tables are reset if nobody else does it."""
    manual = env.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    shown = env.reset(**reset)
    yield shown
    for _ in range(steps):
        shown = env.step(learner(shown[0]["action_mask"]))
        yield shown
        over = shown[2] | shown[3]
        if manual and over.any():
            shown = env.reset(options={"reset_mask": over})
            yield shown


def assert_same(one: Any, other: Any, path: str = "") -> None:
    """Assert that two results are equal to the last key, dtype and None."""
    if isinstance(one, tuple | list):
        assert len(one) == len(other), path
        for number, pair in enumerate(zip(one, other, strict=True)):
            assert_same(*pair, f"{path}({number})")
    elif isinstance(one, dict):
        assert one.keys() == other.keys(), (path, one.keys() ^ other.keys())
        for key in one:
            assert_same(one[key], other[key], f"{path}/{key}")
    elif isinstance(one, np.ndarray) and one.dtype == object:
        assert_same(one.tolist(), other.tolist(), path)
    elif isinstance(one, np.ndarray):
        assert (one.dtype, one.shape) == (other.dtype, other.shape), path
        np.testing.assert_array_equal(one, other, err_msg=path)
    else:
        assert one == other, path
