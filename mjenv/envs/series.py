"""The deals that one table plays, one episode after the other."""

from typing import Any

import numpy as np

from mjenv.core.game import NUM_SEATS
from mjenv.envs.deals import ResetOptions, check_seed, draw_seed
from mjenv.envs.one_table import OneTable

Info = dict[str, Any]


class Series:
    """Deals 0, 1, 2, ... of a seed at one table, in episodes of as many deals as a match has.

    Args:
        table: Where they are played.
        base_points: Points of one unit.
        deals: Deals of an episode.

    Attributes:
        seed: Of the deals, None before the first episode.
        deal: Number of the deal, -1 before the first.
        begun: Deals of this episode that were begun.
        units: Units of the four seats in this deal, as last taken from the table.
        last_deal: What the deal before it in the same match brought each seat, None in its first.
    """

    def __init__(self, table: OneTable, base_points: int, deals: int) -> None:
        self.table = table
        self.base_points = base_points
        self.deals = deals
        self.seed: int | None = None
        self.deal = -1
        self.begun = 0
        self.units = [0] * NUM_SEATS
        self.last_deal: tuple[Info, ...] | None = None
        self._carried = [0] * NUM_SEATS

    def begin(self, seed: int | None, options: ResetOptions, rng: np.random.Generator) -> None:
        """Begin an episode.

        Args:
            seed: Begin with deal 0 of this seed; without it with the next deal of the last one
                that is the first of a match.
            options: Replace wall and dealer of the first deal.
            rng: Draws the first seed, if none was ever given.

        Raises:
            OptionError: The seed is out of range.
        """
        if seed is not None:
            self.seed = check_seed(seed)
            self.deal = -1
        elif self.seed is None:
            self.seed = draw_seed(rng)
        # The deals of match m are the same however the matches before it ended.
        self.deal += -(self.deal + 1) % self.deals
        self.begun = 0
        self.last_deal = None
        self._carried = [0] * NUM_SEATS
        self._begin_deal(options)

    def advance(self) -> bool:
        """Begin the next deal of a match, by the dealer that the rules name; False at its end."""
        if self.begun == self.deals:
            return False
        self.last_deal = tuple(self._summary(seat) for seat in range(NUM_SEATS))
        self._carried = self.total_units()
        self._begin_deal(ResetOptions(dealer=self.table.next_dealer()))
        return True

    def _begin_deal(self, options: ResetOptions) -> None:
        assert self.seed is not None
        self.deal += 1
        self.begun += 1
        self.table.deal(self.seed, self.deal, options)
        self.units = [0] * NUM_SEATS

    def save(self) -> Any:
        """What :meth:`restore` needs to bring back everything as it is now."""
        counts = self.seed, self.deal, self.begun
        return counts, self.units, self._carried, self.last_deal, self.table.save()

    def restore(self, saved: Any) -> None:
        """Undo what has happened since :meth:`save`."""
        counts, self.units, self._carried, self.last_deal, table = saved
        self.seed, self.deal, self.begun = counts
        self.table.restore(table)

    def total_units(self) -> list[int]:
        """Units of the episode so far: of earlier deals and of this one."""
        return [sum(pair) for pair in zip(self._carried, self.units, strict=True)]

    def points(self) -> tuple[int, ...]:
        """The same in points."""
        return tuple(self.base_points * units for units in self.total_units())

    def ledger(self, seat: int) -> dict[str, int]:
        """What the points of a seat in this deal were for."""
        ledger = self.table.ledger(seat)
        return {column: self.base_points * units for column, units in ledger.items()}

    def _summary(self, seat: int) -> Info:
        points = tuple(self.base_points * units for units in self.units)
        return {"deal": self.deal, "points": points, "ledger": self.ledger(seat)}
