"""Value models for tests, which other processes find as ``module:...:Tiles``."""

from typing import Any

import numpy as np

from agents.chance import VALUE, Value
from mjenv.core.kernel import kernel
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.state import NUM_KINDS, NUM_SEATS

HERE = "module:tests.agents.value_models"


class Tiles:
    """Of a seat that has drawn, what its pairs promise it, and cost the next seat."""

    name = "tiles"
    observation = "planes/1"

    def __init__(self) -> None:
        self._channel = SICHUAN.encodings["planes/1"].channels.index("hand >= 2")

    def values(self, observations: np.ndarray) -> np.ndarray:
        pairs = observations[:, self._channel].sum(axis=(1, 2), dtype=np.float64)
        return pairs[:, None] * [1.0, -1.0, 0.0, 0.0]


@kernel
def _pairs(
    state: np.void, rules: np.void, luts: np.ndarray, weights: np.ndarray, out: np.ndarray
) -> None:
    """The same as :class:`Tiles`, compiled."""
    turn, drawn = int(state["turn"]), int(state["drawn"])
    for drawn_instead in range(NUM_KINDS):
        pairs = 0
        for kind in range(NUM_KINDS):
            held = int(state["hand"][turn, kind])
            held += (1 if kind == drawn_instead else 0) - (1 if kind == drawn else 0)
            pairs += 1 if held >= 2 else 0
        for seat in range(NUM_SEATS):
            out[drawn_instead, seat] = 0.0
        out[drawn_instead, turn] = float(pairs)
        out[drawn_instead, (turn + 1) % NUM_SEATS] = -float(pairs)


def compiled() -> Value:
    """A value that is no model, but compiled."""
    return Value("pairs", np.zeros((1, 1)), VALUE.like(_pairs))


class AllSeeing:
    """Senseless, and different for whatever differs: it sees all hands and the wall."""

    name = "all_seeing"
    observation = "oracle/1"

    def values(self, observations: np.ndarray) -> np.ndarray:
        flat = observations.reshape(len(observations), -1).astype(np.float64)
        weights = np.random.default_rng(1).normal(size=(flat.shape[1], NUM_SEATS))
        return np.sin(flat @ weights)


class Silent(Tiles):
    """Answers for one seat alone."""

    def values(self, observations: np.ndarray) -> np.ndarray:
        return super().values(observations)[:, 0]


class Unsure(Tiles):
    """Divides by nothing."""

    def values(self, observations: np.ndarray) -> np.ndarray:
        return super().values(observations) * np.nan


class Failing(Tiles):
    """Fails when it is asked."""

    def values(self, observations: np.ndarray) -> np.ndarray:
        raise ZeroDivisionError("no value today")


class Blind(Tiles):
    """Wants to see what there is not."""

    observation = "crystal_ball/1"


def broken() -> Any:
    """Fails."""
    raise ZeroDivisionError("no model today")
