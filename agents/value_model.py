"""Values by models that people train, for the luck of draws (:mod:`agents.chance`).

A model is given observations, never a table: for every draw one of each tile that might have been
drawn, with the tiles left in the wall in order, since a model that saw the order they will come in
would know what is luck. So luck is zero on average for any model, fixed before, good or bad.

- ``fitted``: the compiled value of :mod:`agents.value`.
- ``module:PACKAGE.MODULE:NAME``: whatever calling NAME returns, a :class:`ValueModel`, or a
  :class:`agents.chance.Value` with a kernel of its own.
- ``ppo:PATH``: the critic of a trained policy.
"""

from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint
from typing import Any, Protocol, runtime_checkable

import numpy as np

from agents.chance import LuckMeter, fitted_value
from agents.ppo.resolver import import_with_torch
from mjenv.core.batch import observe_all, oracle_all
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import kernel
from mjenv.errors import MjenvError, OptionError
from mjenv.registry import search_current_folder
from mjenv.sichuan.draws import wall_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import add_tile, remove_tile
from mjenv.sichuan.state import NUM_KINDS
from mjenv.sichuan.tally import has_drawn

FITTED = "fitted"
ORACLE = "oracle/1"
FORMS = f"{FITTED}, module:PACKAGE.MODULE:NAME, ppo:PATH"

_MEMBERS = ("name", "observation", "values")


@runtime_checkable
class ValueModel(Protocol):
    """What foretells how deals end, from what it is shown just after a draw.

    Attributes:
        name: What it is called in results.
        observation: Of the seat that has drawn: an encoding, such as ``"vector/1"``, or
            ``"oracle/1"``, which shows the hands of all.
    """

    name: str
    observation: str

    def values(self, observations: np.ndarray) -> np.ndarray:
        """What seats will have won by the end of the deal.

        Args:
            observations: ``(N, *shape)``.

        Returns:
            ``(N, 4)`` units: of the seat that has drawn, then of the seats after it. Only
            differences between draws count, so that the same may be left out of all.
        """
        ...


@kernel
def note_draws(tables: np.ndarray, seen: np.ndarray, weights: np.ndarray) -> None:
    """See what has been drawn, and how the values of all possible draws make up its luck.

    Args:
        tables: ``(N,)`` states.
        seen: ``(N, 4)`` int8, draws of each seat that have been looked at; brought up to date.
        weights: ``(N, 27)`` float64 zeros; where a seat has drawn, receives 1 for its tile, less
            the chance of every kind. A kind that the wall did not hold keeps 0.
    """
    wall = np.empty(NUM_KINDS, np.int8)
    for i in range(tables.shape[0]):
        if tables[i]["actor"] < 0 or not has_drawn(tables[i], seen[i]):
            continue
        drawn = int(tables[i]["drawn"])
        wall_counts(tables[i], wall)
        wall[drawn] += 1
        size = int(tables[i]["wall_end"]) - int(tables[i]["wall_next"]) + 1
        for kind in range(NUM_KINDS):
            weights[i, kind] = (1.0 if kind == drawn else 0.0) - int(wall[kind]) / size


@kernel
def draw_another(tables: np.ndarray, kinds: np.ndarray) -> None:
    """Let the tile drawn at table ``i`` be ``kinds[i]``, and put the rest of the wall in order."""
    left = np.empty(NUM_KINDS, np.int8)
    for i in range(tables.shape[0]):
        state, kind = tables[i], int(kinds[i])
        seat, drawn = int(state["turn"]), int(state["drawn"])
        wall_counts(state, left)
        left[drawn] += 1
        left[kind] -= 1
        place = int(state["wall_next"])
        for other in range(NUM_KINDS):
            for _ in range(int(left[other])):
                state["wall"][place] = other
                place += 1
        remove_tile(state, seat, drawn)
        add_tile(state, seat, kind)
        state["drawn"] = kind


@dataclass(frozen=True)
class ModelLuck:
    """The luck of draws by a model.

    Attributes:
        model: The model.
    """

    model: ValueModel

    @property
    def name(self) -> str:
        """Of the model."""
        return self.model.name

    def watch(
        self,
        tables: np.ndarray,
        rules: np.ndarray,
        luts: np.ndarray,
        seen: np.ndarray,
        luck: np.ndarray,
    ) -> None:
        """Look at ``(N,)`` tables at a question; see :func:`agents.chance.add_luck_of_all`.

        Raises:
            OptionError: The model does not answer as it should.
        """
        weights = np.zeros((len(tables), NUM_KINDS))
        note_draws(tables, seen, weights)
        rows, kinds = np.nonzero(weights)
        if not len(rows):
            return
        worlds = tables[rows]
        draw_another(worlds, kinds)
        drawers = worlds["turn"].astype(np.int64)
        values = self._values(_observe(self.model.observation, worlds, rules, luts))
        seats = (drawers[:, None] + np.arange(NUM_SEATS)) % NUM_SEATS
        np.add.at(luck, (rows[:, None], seats), weights[rows, kinds][:, None] * values)

    def _values(self, observations: np.ndarray) -> np.ndarray:
        try:
            values = np.asarray(self.model.values(observations), np.float64)
        except Exception as error:  # whatever the author of a model did wrong
            raise OptionError(f"value {self.name!r}: {type(error).__name__}: {error}") from error
        if values.shape != (len(observations), NUM_SEATS) or not np.isfinite(values).all():
            raise OptionError(
                f"value {self.name!r} answered {values.shape} to {len(observations)} observations, "
                f"or what is not finite; it must answer numbers ({len(observations)}, {NUM_SEATS})"
            )
        return values


def _observe(
    observation: str, tables: np.ndarray, rules: np.ndarray, luts: np.ndarray
) -> np.ndarray:
    """What the seats whose turn it is see."""
    game, seats = SICHUAN, tables["turn"].astype(np.int8)
    if observation == ORACLE:
        out = np.zeros((len(tables), int(np.prod(game.oracle_shape))), np.int8)
        oracle_all(tables, rules, seats, out, game.oracle)
        return out.reshape(len(tables), *game.oracle_shape)
    encoding = game.encodings[observation]
    out = np.zeros((len(tables), encoding.size), encoding.dtype)
    views = np.zeros(1, game.view_dtype)
    observe_all(tables, rules, luts, seats, views, out, game.view, encoding.observe)
    return out.reshape(len(tables), *encoding.shape)


@lru_cache(maxsize=8)
def make_value(name: str) -> LuckMeter:
    """What measures luck by the value of a name, one of the forms above.

    Raises:
        OptionError: There is no such value, or it cannot be used.
        CheckpointError: There is no such checkpoint.
        MissingExtraError: It needs packages that are not installed.
    """
    if name == FITTED:
        return fitted_value()
    made = _made(name)
    if hasattr(made, "watch"):
        meter: LuckMeter = made
        return meter
    missing = [member for member in _MEMBERS if not hasattr(made, member)]
    if missing:
        raise OptionError(
            f"value {name!r}: a {type(made).__name__} without {', '.join(missing)}; "
            f"a value model has {', '.join(_MEMBERS)}"
        )
    allowed = (*SICHUAN.encodings, ORACLE)
    if made.observation not in allowed:
        raise OptionError(
            f"value {name!r}: observation {made.observation!r}; allowed: {', '.join(allowed)}"
        )
    return ModelLuck(made)


def _made(name: str) -> Any:
    kind, _, argument = name.partition(":")
    if kind == "ppo" and argument:
        module = import_with_torch("agents.ppo.critic", f"value 'ppo:{argument}'")
        return module.load_critic(argument)
    if kind != "module" or not all(argument.partition(":")):
        raise OptionError(f"value {name!r}: allowed: {FORMS}")
    search_current_folder()
    try:
        return EntryPoint(name, argument, "").load()()
    except MjenvError:
        raise
    except Exception as error:  # whatever the author of a model did wrong
        raise OptionError(f"value {name!r}: {type(error).__name__}: {error}") from error
