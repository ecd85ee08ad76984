"""What a step of a batch brings."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mjenv.core.game import Game


@dataclass(frozen=True)
class Step:
    """What one step of a batch brought.

    Attributes:
        rewards: ``(num_tables, 4)`` int32, change of points of every seat in units since the
            step before, so that those of a deal add up to its points. The batch writes the same
            array at every step.
        finished: ``(k,)`` state records of the deals that ended, as they ended.
        finished_tables: ``(k,)`` int64, the tables they were played at; unless ``autoreset`` is
            off, these have already been dealt anew.
        skipped: ``(s,)`` state records of deals that began and ended in this step without any
            question to the caller; nobody is rewarded for them.
        skipped_tables: ``(s,)`` int64, the tables they were played at.
        game: What is played.
    """

    rewards: np.ndarray
    finished: np.ndarray
    finished_tables: np.ndarray
    skipped: np.ndarray
    skipped_tables: np.ndarray
    game: Game

    @cached_property
    def statistics(self) -> np.ndarray:
        """``(k,)`` records of what happened in the finished deals, by seat: see ``Game``."""
        return self.game.statistics(self.finished)
