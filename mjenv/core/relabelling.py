"""Actions of encodings that show suits in another order than the table has them.

Such an encoding has *shown* numbers for actions beside the *real* ones: where the seat's third
suit is shown as its first, ``discard 1m`` is shown where ``discard 1s`` is real. Agents that read
the encoding are given masks of shown actions and answer with one; tables know real ones only.
"""

from dataclasses import dataclass

import numpy as np

from mjenv.core.kernel import kernel


@kernel
def _show_each(masks: np.ndarray, rows: np.ndarray, shown: np.ndarray, out: np.ndarray) -> None:
    for i in range(masks.shape[0]):
        row = rows[i]
        for action in range(masks.shape[1]):
            out[i, shown[row, action]] = masks[i, action]


@dataclass(frozen=True, eq=False)
class Relabelling:
    """Two tables of numbers, inverse to each other, with a row for every order of suits.

    Attributes:
        field: Field of a state, ``(4,)`` by seat; its value + 1 is the row for that seat.
        shown: ``(R, A)`` int8, the shown number of a real action.
        real: ``(R, A)`` int8, the real action of a shown number.
    """

    field: str
    shown: np.ndarray
    real: np.ndarray

    def rows(self, tables: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The row for a seat of every table.

        Args:
            tables: ``(N,)`` states.
            seats: ``(N,)`` integers; for a seat of -1 the row is one that changes nothing.

        Returns:
            ``(N,)`` int64.
        """
        values = tables[self.field][np.arange(len(tables)), seats]
        return np.where(np.asarray(seats) < 0, 0, values + 1).astype(np.int64)

    def show_masks(
        self, masks: np.ndarray, rows: np.ndarray, out: np.ndarray | None = None
    ) -> np.ndarray:
        """Masks of shown actions from masks of real ones.

        Args:
            masks: ``(N, A)`` int8.
            rows: ``(N,)`` int64 from :meth:`rows`.
            out: ``(N, A)`` int8 that receives them, another array than ``masks``; a new one if
                left out.

        Returns:
            ``out``.
        """
        target = np.empty_like(masks) if out is None else out
        _show_each(masks, rows, self.shown, target)
        return target

    def show(self, actions: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Shown numbers, ``(N,)`` int64, of real actions, ``(N,)`` integers."""
        return self._looked_up(self.shown, actions, rows)

    def act(self, answers: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Real actions, ``(N,)`` int64, of shown numbers, ``(N,)`` integers.

        A number that is no action stays what it is, to be refused where actions are checked.
        """
        return self._looked_up(self.real, answers, rows)

    def _looked_up(self, table: np.ndarray, numbers: np.ndarray, rows: np.ndarray) -> np.ndarray:
        known = (numbers >= 0) & (numbers < table.shape[1])
        found = table[rows, np.where(known, numbers, 0)]
        return np.where(known, found, numbers.astype(np.int64))
