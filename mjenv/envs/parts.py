"""Tables of a batch in slices, one for each thread.

Kernels do not hold Python's lock, so plain threads are enough. Row ``i`` of every array belongs to
table ``i``, hence a slice of the arrays is a batch of its own.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import numpy as np

from mjenv.core.game import Game
from mjenv.core.rng import new_generator


class Part:
    """Some consecutive tables, and scratch of their own.

    Args:
        game: What is played.
        start: First table.
        stop: One past the last.
        rules: ``(R,)`` packed rules of all tables.
        players: ``(P, S, 4)`` seatings of all tables.
    """

    def __init__(
        self, game: Game, start: int, stop: int, rules: np.ndarray, players: np.ndarray
    ) -> None:
        self.rows = slice(start, stop)
        # Row 0 of a slice is table `start`.
        self.rules = np.roll(rules, -start) if len(rules) > 1 else rules
        self.players = np.roll(players, -start, axis=0) if len(players) > 1 else players
        self.views = np.zeros(1, game.view_dtype)
        self.rng = new_generator()
        self.fault = np.zeros(2, np.int64)
        self.logs = np.zeros((stop - start, 0), game.event)


class Parts:
    """The slices of a batch.

    Args:
        game: What is played.
        num_tables: Of the batch.
        num_threads: How many slices; fewer if there are fewer tables.
        rules: ``(R,)`` packed rules.
        players: ``(P, S, 4)`` seatings.
    """

    def __init__(
        self, game: Game, num_tables: int, num_threads: int, rules: np.ndarray, players: np.ndarray
    ) -> None:
        ends = np.linspace(0, num_tables, min(num_threads, num_tables) + 1).astype(int).tolist()
        self._parts = [Part(game, start, stop, rules, players) for start, stop in pairwise(ends)]
        self._threads = ThreadPoolExecutor(len(self._parts)) if len(self._parts) > 1 else None

    def run(self, loop: Callable[..., Any], arguments: Callable[[Part], Sequence[Any]]) -> int:
        """Call a loop for every slice, side by side.

        Returns:
            The sum of what the loop returned.
        """
        if self._threads is None:
            return loop(*arguments(self._parts[0])) or 0
        calls = [self._threads.submit(loop, *arguments(part)) for part in self._parts]
        return sum(call.result() or 0 for call in calls)

    def clear_faults(self) -> None:
        """Forget what bots answered."""
        for part in self._parts:
            part.fault[0] = -1

    def fault(self) -> tuple[int, int] | None:
        """The table of a bot whose answer was not in its menu, and the answer."""
        for part in self._parts:
            if part.fault[0] >= 0:
                return part.rows.start + int(part.fault[0]), int(part.fault[1])
        return None
