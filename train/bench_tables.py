"""Many tables through ``mjenv.Batch`` and the vector environment, for benchmarks of any size."""

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np

import mjenv
from mjenv.core.batch import random_action
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import kernel
from mjenv.core.rng import new_generator
from mjenv.envs.batch import Batch
from mjenv.envs.vector import SingleSeats

SEED = 1
BOT = "greedy/1"
PLAYER = "random_legal/1"
VECTOR_ENV = "mjenv/Sichuan-v0"
_CHUNK = 4096
"""Decisions played between two looks at the clock, at least."""

Chunk = Callable[[], int]
"""Plays a little and returns how many decisions that were."""


def _rounds(num_tables: int) -> int:
    return max(1, _CHUNK // num_tables)


def batch(num_tables: int, observation: str | None = None, num_threads: int = 1) -> Chunk:
    """Steps of a batch whose actions are random legal ones, chosen in compiled code.

    Args:
        num_tables: How many.
        observation: Encoding that is written for every decision; None to write none.
        num_threads: Of the batch.
    """
    # Without an observation, the buffer of any is never made.
    tables = Batch(num_tables, "qq", SEED, observation or "planes/1", num_threads=num_threads)
    player: Any = mjenv.make_agent(PLAYER)
    players = np.zeros((num_tables, NUM_SEATS), np.int8)
    actions = np.zeros(num_tables, np.int64)
    rounds = _rounds(num_tables)

    def chunk() -> int:
        for _ in range(rounds):
            if observation is not None:
                tables.observe()
            tables.choose(player.kernel, 0, players, actions)
            tables.step(actions)
        return rounds * num_tables

    return chunk


def batch_drawn(num_tables: int, observation: str) -> Chunk:
    """Steps of a batch with observations, its random legal actions drawn by NumPy outside."""
    tables = Batch(num_tables, "qq", SEED, observation)
    draw = np.random.default_rng(SEED)
    rounds = _rounds(num_tables)

    def chunk() -> int:
        for _ in range(rounds):
            tables.observe()
            tables.step(_drawn(draw, tables.masks))
        return rounds * num_tables

    return chunk


@kernel
def _random_actions(masks: np.ndarray, rng: np.ndarray, actions: np.ndarray) -> None:
    for i in range(masks.shape[0]):
        actions[i] = random_action(masks[i], rng)


def vector_env(num_tables: int, num_threads: int = 1) -> Chunk:
    """Learners that play at random against three greedy bots each; decisions of all count."""
    envs = gymnasium.make_vec(
        VECTOR_ENV, num_envs=num_tables, opponents=BOT, num_threads=num_threads
    )
    at: SingleSeats = envs.unwrapped  # type: ignore[assignment]  # what the name stands for
    rng = new_generator()
    rng[0] = SEED
    shown = [envs.reset(seed=SEED)[0]]
    actions = np.zeros(num_tables, np.int64)
    steps = max(1, _CHUNK // num_tables // NUM_SEATS)

    def chunk() -> int:
        before = at.decisions
        for _ in range(steps):
            _random_actions(shown[0]["action_mask"], rng, actions)
            shown[0] = envs.step(actions)[0]
        return at.decisions - before

    return chunk


def _drawn(draw: np.random.Generator, masks: np.ndarray) -> np.ndarray:
    """A random legal action of every row: the largest of random numbers at legal places."""
    actions: np.ndarray = (draw.random(masks.shape, np.float32) * masks).argmax(axis=1)
    return actions
