"""Tables in the middle of play, to look at from every seat."""

from collections.abc import Iterator
from itertools import count

import numpy as np

from mjenv.core.batch import random_action
from mjenv.core.game import NOBODY
from mjenv.core.rng import new_generator
from mjenv.sichuan.actions import WIN
from mjenv.sichuan.analysis import discard_analysis, live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NUM_KINDS, Phase

PRESETS = ("qq", "sichuan_modern", "standalone", "standalone_single")


class Play:
    """Whole deals in which seats win when they can and mostly discard towards a win.

    Random play alone would hardly ever win. Iterating gives the tables before the first decision,
    after each ``every`` decisions of every table, and at the end.
    """

    def __init__(self, preset: str, num_tables: int, seed: int = 1, every: int = 1) -> None:
        self.rules, self.luts = Rules.preset(preset).pack(), SICHUAN.luts()
        self.tables = np.zeros(num_tables, SICHUAN.state)
        self.every = every
        self._masks = np.zeros((num_tables, SICHUAN.num_actions), np.int8)
        self._rng = new_generator()
        self._rng[0] = seed
        self._views = np.zeros(1, SICHUAN.view_dtype)
        for i in range(num_tables):
            self.tables[i]["seed"], self.tables[i]["dealer"] = seed + i, NOBODY
            SICHUAN.deal_at(self.tables, i, self.rules, self.luts, self._masks[i])

    def __iter__(self) -> Iterator[np.ndarray]:
        log = np.zeros(0, SICHUAN.event)
        for turn in count():
            playing = [i for i, table in enumerate(self.tables) if table["actor"] >= 0]
            if turn % self.every == 0 or not playing:
                yield self.tables
            if not playing:
                return
            for i in playing:
                action = self._choose(i)
                SICHUAN.step_at(self.tables, i, self.rules, self.luts, action, log, self._masks[i])

    def _choose(self, i: int) -> int:
        if self._masks[i][WIN]:
            return WIN
        action = int(random_action(self._masks[i], self._rng))
        if action < NUM_KINDS and self.tables[i]["phase"] == Phase.TURN and action % 5:
            view = self.view(i, int(self.tables[i]["actor"]))
            live, after, useful = (np.zeros(NUM_KINDS, np.int8) for _ in range(3))
            live_counts(view, live)
            least = discard_analysis(view, self.rules[0], self.luts, live, after, useful)
            return int(np.argmax(np.where(after == least, useful, -1)))
        return action

    def view(self, i: int, seat: int) -> np.void:
        """What a seat of table ``i`` sees; overwritten by the next call."""
        SICHUAN.view_at(self.tables, i, self.rules, seat, self._views)
        return self._views[0]

    def views(self) -> Iterator[np.void]:
        """What each seat of each table sees."""
        for i in range(len(self.tables)):
            for seat in range(4):
                yield self.view(i, seat)
