"""Tables of a batch in slices, one for each thread.

Kernels do not hold Python's lock, so plain threads are enough. Row ``i`` of every array belongs to
table ``i``, hence a slice of the arrays is a batch of its own.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from mjenv.core.batch import NO_FAULT, choose_all, deal_all, observe_all, oracle_all, step_all
from mjenv.core.game import Encoding, Game
from mjenv.core.kernel import Argument
from mjenv.core.rng import new_generator
from mjenv.envs.seating import Seating


@dataclass(frozen=True)
class Arrays:
    """What is known of every table, row by row; see the loops of :mod:`mjenv.core.batch`."""

    tables: np.ndarray
    masks: np.ndarray
    actors: np.ndarray
    rewards: np.ndarray
    fresh: np.ndarray


class Part:
    """Some consecutive tables, scratch of their own, and the loops over them.

    Args:
        game: What is played.
        rows: Which tables.
        arrays: Of all tables.
        rules: ``(R,)`` packed rules of all tables.
        seating: Bots and their seats.
        skip_forced: Play decisions with a single legal action.
    """

    def __init__(
        self,
        game: Game,
        rows: slice,
        arrays: Arrays,
        rules: np.ndarray,
        seating: Seating,
        skip_forced: bool,
    ) -> None:
        self.game = game
        self.rows = rows
        self.arrays = Arrays(**{name: array[rows] for name, array in vars(arrays).items()})
        players = seating.players
        # Row 0 of a slice is table `rows.start`.
        self.rules = np.roll(rules, -rows.start) if len(rules) > 1 else rules
        players = np.roll(players, -rows.start, axis=0) if len(players) > 1 else players
        self.fault = np.full(2, NO_FAULT, np.int64)
        self._luts = game.luts()
        self._views = np.zeros(1, game.view_dtype)
        self._rng = new_generator()
        logs = np.zeros((len(self.arrays.tables), 0), game.event)
        self._common = self.arrays.tables, self.rules, self._luts
        self._players = players
        self._playing = self.fault, logs, int(skip_forced), self._views, self._rng
        self._kernels = game.legal, game.step, game.view, *seating.kernels

    def step(self, actions: np.ndarray, moving: np.ndarray) -> int:
        """Step; how many deals ended."""
        at = self.arrays
        written = at.masks, at.actors, at.rewards, at.fresh
        asked = self._players, actions[self.rows], moving[self.rows]
        return int(step_all(*self._common, *asked, *written, *self._playing, *self._kernels))

    def deal(self, dealing: np.ndarray, match_length: int) -> int:
        """Deal; how many of the deals ended without a question."""
        at = self.arrays
        written = at.masks, at.actors, at.fresh
        asked = self._players, dealing[self.rows], match_length
        kernels = self.game.new_deal, self.game.next_dealer, *self._kernels
        return int(deal_all(*self._common, *asked, *written, *self._playing, *kernels))

    def observe(self, seats: np.ndarray, out: np.ndarray, encoding: Encoding) -> int:
        """Write observations to ``out``, ``(all tables, size)``."""
        what = self.game.view, encoding.observe
        observe_all(*self._common, seats[self.rows], self._views, out[self.rows], *what)
        return 0

    def oracle(self, seats: np.ndarray, out: np.ndarray) -> int:
        """Write oracles to ``out``, ``(all tables, size)``."""
        where = seats[self.rows], out[self.rows]
        oracle_all(self.arrays.tables, self.rules, *where, self.game.oracle)
        return 0

    def choose(self, bot: Argument, player: int, players: np.ndarray, actions: np.ndarray) -> int:
        """Write the actions of a bot to ``actions``, ``(all tables,)``."""
        asked = self.arrays.masks, players[self.rows], player, actions[self.rows]
        choose_all(*self._common, *asked, self._views, self._rng, self.game.view, bot)
        return 0


class Parts:
    """The slices of a batch.

    Args:
        game: What is played.
        num_threads: How many slices; fewer if there are fewer tables.
        arrays: Of all tables.
        rest: Further arguments of :class:`Part`.
    """

    def __init__(self, game: Game, num_threads: int, arrays: Arrays, *rest: Any) -> None:
        number = len(arrays.tables)
        ends = np.linspace(0, number, min(num_threads, number) + 1).astype(int).tolist()
        slices = [slice(start, stop) for start, stop in pairwise(ends)]
        self._parts = [Part(game, rows, arrays, *rest) for rows in slices]
        self._start()

    def _start(self) -> None:
        number = len(self._parts)
        self._threads = ThreadPoolExecutor(number) if number > 1 else None
        self._process = os.getpid()

    def run(self, call: Callable[[Part], int]) -> int:
        """Call something for every slice, side by side; the sum of what it returned.

        All are done when it returns, even where it is interrupted.
        """
        if self._threads is None:
            return call(self._parts[0])
        if self._process != os.getpid():
            self._start()  # a fork has the threads of its parent no more, and would wait for ever
            return self.run(call)
        calls = [self._threads.submit(call, part) for part in self._parts]
        try:
            return sum(each.result() for each in calls)
        finally:
            wait(calls)

    def clear_faults(self) -> None:
        """Forget what bots answered."""
        for part in self._parts:
            part.fault[0] = NO_FAULT

    def fault(self) -> tuple[int, int] | None:
        """The table of a bot whose answer was not in its menu, and the answer."""
        for part in self._parts:
            if part.fault[0] != NO_FAULT:
                return part.rows.start + int(part.fault[0]), int(part.fault[1])
        return None
