"""What a vector environment tells beside observations: arrays, and masks of whom they are for.

For every key ``name`` there is ``_name``, ``(num_envs,)`` bool; where that is False the value is
0, False or None. A dictionary within holds the same again. It is what Gymnasium makes of the infos
of single environments.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mjenv.envs.learners import Learners

Infos = dict[str, Any]


class InfoArrays:
    """Infos of the learners of many tables; the same keys as those of a single seat.

    Args:
        learners: The tables.
        base_points: Points of one unit.
    """

    def __init__(self, learners: Learners, base_points: int) -> None:
        self.learners = learners
        self.base_points = base_points
        game = learners.batch.game
        self._phases = np.full(max(game.phases) + 1, None, object)
        for phase in game.phases:
            self._phases[phase] = phase.name
        self._columns = [column.name.lower() for column in game.ledger]

    def of(self, rows: np.ndarray, over: np.ndarray, refused: Mapping[int, str]) -> Infos:
        """Infos of some tables.

        Args:
            rows: ``(num_envs,)`` bool, of which.
            over: ``(num_envs,)`` bool, those of them whose episode is over.
            refused: By table, what was said of an illegal action that ended its episode.
        """
        learners = self.learners
        tables = learners.batch.tables
        phases = self._phases[tables["phase"]]
        phases[over] = "OVER"
        infos: Infos = {}
        put(infos, "phase", phases, rows)
        put(infos, "points", self.base_points * learners.units(), rows)
        put(infos, "seat", learners.seats.astype(np.int64), rows)
        put(infos, "deal", tables["deal"].astype(np.int64), rows)
        put(infos, "seed", tables["seed"].astype(np.int64), rows)
        earlier = rows & learners.has_last
        if earlier.any():
            put(infos, "last_deal", self._last(earlier), earlier)
        ended = rows & over
        if ended.any():
            found = np.flatnonzero(ended)
            ledgers = np.zeros((len(rows), len(self._columns)), np.int64)
            ledgers[found] = learners.ledgers(found)
            put(infos, "ledger", self._ledger(ledgers, ended), ended)
        told = [table for table in refused if ended[table]]
        if told:
            illegal = np.zeros(len(rows), bool)
            illegal[told] = True
            errors = np.full(len(rows), None, object)
            errors[told] = [refused[table] for table in told]
            put(infos, "illegal", illegal, illegal)
            put(infos, "error", errors, illegal)
        return infos

    def _last(self, rows: np.ndarray) -> Infos:
        last: Infos = {}
        put(last, "deal", self.learners.last["deal"], rows)
        put(last, "points", self.base_points * self.learners.last["points"], rows)
        put(last, "ledger", self._ledger(self.learners.last["ledger"], rows), rows)
        return last

    def _ledger(self, units: np.ndarray, rows: np.ndarray) -> Infos:
        ledger: Infos = {}
        for number, column in enumerate(self._columns):
            put(ledger, column, self.base_points * units[:, number], rows)
        return ledger


def put(infos: Infos, name: str, values: Any, rows: np.ndarray) -> None:
    """Add values of some tables, ``(num_envs, ...)`` or a dictionary of such, and their mask."""
    if isinstance(values, np.ndarray):
        shown = np.full_like(values, None if values.dtype == object else 0)
        shown[rows] = values[rows]
        values = shown
    infos[name] = values
    infos[f"_{name}"] = rows.copy()
