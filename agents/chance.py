"""The luck of draws, measured by what a deal is worth: the correction terms of AIVAT.

At every draw the luck of a seat is the value of the deal to it after the tile that was drawn, less
the mean of that over all tiles that were in the wall, each as likely as the other. However good
or bad the value is, luck is zero on average whatever the seats do, if the value was fixed before
(Burch and others, AIVAT, AAAI 2018; here the terms of chance alone, since bots do not tell how
likely their choices were).
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from agents.fitted_values import VALUE_WEIGHTS
from agents.value import values_after_draws
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import Argument, ArrayOf, kernel, loop
from mjenv.sichuan.draws import wall_counts
from mjenv.sichuan.game import LUTS
from mjenv.sichuan.rules import RULES_DTYPE
from mjenv.sichuan.state import NUM_KINDS, STATE
from mjenv.sichuan.tally import has_drawn

VALUE = Argument(
    values_after_draws,
    (STATE, RULES_DTYPE, LUTS, ArrayOf(np.float64, 2), ArrayOf(np.float64, 2)),
    None,
)
"""The value of :mod:`agents.value` as an argument of loops; ``VALUE.like(kernel)`` for another."""


@kernel
def add_luck(state: np.void, values: np.ndarray, luck: np.ndarray) -> None:
    """Add the luck of the draw just made to ``luck``, ``(4,)``; ``values`` are ``(27, 4)``."""
    drawn = int(state["drawn"])
    wall = np.empty(NUM_KINDS, np.int8)
    wall_counts(state, wall)
    wall[drawn] += 1
    size = 0
    for kind in range(NUM_KINDS):
        size += int(wall[kind])
    for seat in range(NUM_SEATS):
        mean = 0.0
        for kind in range(NUM_KINDS):
            if wall[kind] > 0:
                mean += values[kind, seat] * int(wall[kind]) / size
        luck[seat] += values[drawn, seat] - mean


@loop
def add_luck_of_all(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    weights: np.ndarray,
    seen: np.ndarray,
    luck: np.ndarray,
    value: Callable[..., Any],
) -> None:
    """Look at every table at a question, and add the luck of what has been drawn.

    Args:
        tables: ``(N,)`` states.
        rules: ``(R,)`` packed rules; table ``i`` follows ``rules[i % R]``.
        luts: Lookup tables.
        weights: Of the value.
        seen: ``(N, 4)`` int8, draws of each seat that have been looked at; zeros at first.
        luck: ``(N, 4)`` float64, of each seat so far.
        value: Kernel ``(state, rules, luts, weights, out)``: see
            :func:`agents.value.values_after_draws`.
    """
    values = np.zeros((NUM_KINDS, NUM_SEATS))
    for i in range(tables.shape[0]):
        if tables[i]["actor"] >= 0 and has_drawn(tables[i], seen[i]):
            value(tables[i], rules[i % rules.shape[0]], luts, weights, values)
            add_luck(tables[i], values, luck[i])


class LuckMeter(Protocol):
    """What play can be watched with, to see how lucky its draws are.

    Attributes:
        name: Of the value that luck is measured by.
    """

    @property
    def name(self) -> str: ...  # noqa: D102 - the class says what it is

    def watch(
        self,
        tables: np.ndarray,
        rules: np.ndarray,
        luts: np.ndarray,
        seen: np.ndarray,
        luck: np.ndarray,
    ) -> None:
        """Look at ``(N,)`` tables at a question; see :func:`add_luck_of_all`."""


@dataclass(frozen=True)
class Value:
    """A compiled value that play can be watched with.

    Attributes:
        name: For results that it corrects.
        weights: Its numbers, fixed.
        kernel: Kernel ``(state, rules, luts, weights, out)``: see
            :func:`agents.value.values_after_draws`.
    """

    name: str
    weights: np.ndarray
    kernel: Argument = VALUE

    def watch(
        self,
        tables: np.ndarray,
        rules: np.ndarray,
        luts: np.ndarray,
        seen: np.ndarray,
        luck: np.ndarray,
    ) -> None:
        """Look at ``(N,)`` tables at a question; see :func:`add_luck_of_all`."""
        add_luck_of_all(tables, rules, luts, self.weights, seen, luck, self.kernel)


def fitted_value() -> Value:
    """The value of :mod:`agents.value` with the weights of :mod:`agents.fitted_values`."""
    return Value("fitted", VALUE_WEIGHTS)
