"""Random legal play of environments written in JAX, on one thread of the processor.

One compiled loop draws a random legal action, steps a batch of environments and resets those that
have ended: nothing leaves it for some thousand steps. Compiling is not counted; it takes most of a
minute for every loop, so a mode that is left out is not compiled either.
"""

import argparse
import os
import random
import time
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")
_ONE_THREAD = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} {_ONE_THREAD}".strip()

import jax  # noqa: E402 - JAX reads the variables when it is loaded
import jax.numpy as jnp  # noqa: E402 - after jax itself
from timing import Play, measure  # noqa: E402 - it measures with jax loaded

LANE_STEPS = 16384
"""Steps of one call of the loop, all environments together."""


def _one(env: Any, state: Any, key: Any) -> tuple[Any, Any]:
    """A random legal step of one environment; a new game where it ended."""
    choosing, stepping, dealing = jax.random.split(key, 3)
    logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
    after = env.step(state, jax.random.categorical(choosing, logits), stepping)
    ended = after.terminated | after.truncated
    fresh = env.init(dealing)
    return jax.tree_util.tree_map(lambda new, old: jnp.where(ended, new, old), fresh, after), ended


def _total(observation: Any) -> Any:
    """A sum over everything observed, so that the compiler cannot leave it out."""
    leaves = jax.tree_util.tree_leaves(observation)
    return sum(jnp.sum(leaf.astype(jnp.float32)) for leaf in leaves)


def player(env: Any, batch: int, observe: Any) -> Play:
    """What plays a batch of environments; compiles at once.

    Args:
        env: With ``init(key)`` and ``step(state, action, key)``.
        batch: How many.
        observe: Function of a state, or None to observe nothing.
    """
    steps = max(4, min(512, LANE_STEPS // batch))

    def body(carry: tuple[Any, Any], key: Any) -> tuple[tuple[Any, Any], Any]:
        states, total = carry
        if observe is not None:
            total = total + _total(jax.vmap(observe)(states))
        keys = jax.random.split(key, batch)
        states, ended = jax.vmap(lambda state, one: _one(env, state, one))(states, keys)
        return (states, total), jnp.sum(ended)

    @jax.jit
    def run(states: Any, total: Any, key: Any) -> tuple[Any, Any, Any]:
        (states, total), ended = jax.lax.scan(body, (states, total), jax.random.split(key, steps))
        return states, total, jnp.sum(ended)

    key = jax.random.PRNGKey(0)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))
    now = list(run(states, jnp.float32(0), key))
    jax.block_until_ready(now)

    def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
        decisions = games = 0
        key = jax.random.PRNGKey(rng.randrange(1 << 30))
        while time.perf_counter() < deadline:
            key, one = jax.random.split(key)
            now[0], now[1], ended = run(now[0], now[1], one)
            games += int(ended)
            decisions += batch * steps
        return decisions, games, {}

    return play


def measure_if_asked(
    library: str, version: str, mode: str, env: Any, observe: Any, options: argparse.Namespace
) -> None:
    """Measure a mode, the end of whose name is the size of its batch."""
    if not options.modes or mode in options.modes.split(","):
        play = player(env, int(mode.rpartition("/")[2]), observe)
        measure(library, version, mode, "steps of one environment", play, options)
