"""Looking at many tables at once that ask a question each."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mjenv.core.kernel import kernel, loop
from mjenv.core.rng import policy_stream

Function = Callable[..., Any]


@loop
def view_all(
    tables: np.ndarray,
    rules: np.ndarray,
    seats: np.ndarray,
    out: np.ndarray,
    view: Function,
) -> None:
    """Write what seat ``seats[i]`` of table ``i`` may know to ``out[i]``, ``(N,)`` views."""
    for i in range(tables.shape[0]):
        view(tables[i], rules[i % rules.shape[0]], int(seats[i]), out[i])


@kernel
def policy_streams(tables: np.ndarray, seats: np.ndarray, rng: np.ndarray) -> None:
    """Put ``rng[i]``, ``(N,)`` uint64, at the stream of what seat ``seats[i]`` decides next."""
    for i in range(tables.shape[0]):
        state = tables[i]
        seat = int(seats[i])
        decision = int(state["num_decisions"][seat])
        policy_stream(rng[i : i + 1], int(state["seed"]), int(state["deal"]), seat, decision)


@loop
def watch_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    tallies: np.ndarray,
    watch: Function,
) -> None:
    """Let a game look at every table that asks somebody; ``tallies`` are ``(N,)`` of its dtype."""
    for i in range(tables.shape[0]):
        if tables[i]["actor"] >= 0:
            watch(tables[i], rules[i % rules.shape[0]], luts, tallies[i])


@loop
def imagine_all(
    views: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    out: np.ndarray,
    imagine: Function,
) -> None:
    """Write to ``out[i]``, ``(N,)`` states, a table that fits ``views[i]``."""
    for i in range(views.shape[0]):
        imagine(views[i], rules[i % rules.shape[0]], luts, out[i])
