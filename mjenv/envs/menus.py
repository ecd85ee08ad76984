"""Menus of many tables, and the masks that show them as an encoding numbers actions."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mjenv.core.game import NOBODY, Encoding, Game


class Menus:
    """The menus of the seats that are asked, in the numbers of the tables and as they are shown.

    Args:
        encoding: Whose numbers the masks have.
        masks: ``(N, A)`` int8, what is shown.

    Attributes:
        real: ``(N, A)`` int8 in the numbers of the tables; the masks themselves if the encoding
            has no others.
    """

    def __init__(self, encoding: Encoding, masks: np.ndarray) -> None:
        self._relabelling = encoding.relabelling
        self._masks = masks
        self.real = masks if self._relabelling is None else np.zeros_like(masks)

    def show(self, tables: np.ndarray, actors: np.ndarray) -> None:
        """Bring the masks up to date with the menus of these seats."""
        if self._relabelling is not None:
            order = self._relabelling.rows(tables, actors)
            self._relabelling.show_masks(self.real, order, self._masks)

    def write(self, game: Game, tables: np.ndarray, rules: Sequence[Any]) -> None:
        """Work out the menus of tables that were put there; table ``i`` has rules ``i % R``."""
        packed = [item.pack() for item in rules]
        self.real[:] = 0
        for i in np.flatnonzero(tables["actor"] != NOBODY):
            game.legal_at(tables, i, packed[i % len(packed)], game.luts(), self.real[i])
        self.show(tables, tables["actor"])

    def real_actions(self, actions: Any, tables: np.ndarray, actors: np.ndarray) -> Any:
        """The actions of the tables that have these numbers in the masks.

        What is not an integer for each table is returned as it is, to be refused.
        """
        given = np.asarray(actions)
        if self._relabelling is None or given.shape != actors.shape or given.dtype.kind not in "iu":
            return actions
        return self._relabelling.act(given, self._relabelling.rows(tables, actors))

    def real_choices(self, choices: Any, tables: np.ndarray) -> Any:
        """The same for ``(K,)`` or ``(K, A)`` ids of states; texts and other forms as they are."""
        given = np.asarray(choices)
        fits = given.ndim in (1, 2) and given.shape[:1] == tables.shape and given.size > 0
        if self._relabelling is None or not fits or "actor" not in (tables.dtype.names or ()):
            return choices
        columns = given.reshape(len(tables), -1).T
        shown = [self.real_actions(column, tables, tables["actor"]) for column in columns]
        return np.transpose(shown).reshape(given.shape)

    def show_actions(
        self, actions: np.ndarray, where: np.ndarray, tables: np.ndarray, actors: np.ndarray
    ) -> None:
        """Write the numbers in the masks over actions of the tables.

        Args:
            actions: ``(N,)`` int64.
            where: ``(N,)`` bool, which of them.
            tables: ``(N,)`` states.
            actors: ``(N,)`` int8, who is asked.
        """
        if self._relabelling is not None:
            order = self._relabelling.rows(tables, actors)
            actions[where] = self._relabelling.show(actions[where], order[where])
