"""Menus of many tables, and the masks that show them as an encoding numbers actions."""

from typing import Any

import numpy as np

from mjenv.core.game import Encoding


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

    def real_actions(self, actions: Any, tables: np.ndarray, actors: np.ndarray) -> Any:
        """The actions of the tables that have these numbers in the masks.

        What is not an integer for each table is returned as it is, to be refused.
        """
        given = np.asarray(actions)
        if self._relabelling is None or given.shape != actors.shape or given.dtype.kind not in "iu":
            return actions
        return self._relabelling.act(given, self._relabelling.rows(tables, actors))

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
