"""Deal sets: the same hands and walls played with every seating of a match.

A deal set is one deal of a seed, played once for each seating of a form. In ``1v3`` the challenger
sits in each of the four seats against three copies of the reference; in ``2v2`` two copies of
each sit in all six ways. What luck gives to a seat it gives to both sides, so that most of it
cancels. The mean of the challenger's units over a set is one observation.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from mjenv.agent import Agent
from mjenv.core.game import NUM_SEATS
from train.evaluation.errors import EvaluationError

CHALLENGER, REFERENCE = 0, 1
"""The sides of a match, as numbers in seatings."""

SEED_BLOCKS = {
    "dev": 6_000_000_000_000_000,
    "val": 7_000_000_000_000_000,
    "test": 8_000_000_000_000_000,
}
"""Seeds that evaluations use, far from those that people train with. ``dev`` is for free use,
``val`` chooses between checkpoints, ``test`` is for what is published. Set ``k`` is deal ``k``."""


def _seatings(challengers: int) -> np.ndarray:
    """All ways to seat that many challengers, ``(seatings, 4)`` int8 sides."""
    chosen = list(combinations(range(NUM_SEATS), challengers))
    sides = np.full((len(chosen), NUM_SEATS), REFERENCE, np.int8)
    for row, seats in zip(sides, chosen, strict=True):
        row[list(seats)] = CHALLENGER
    return sides


FORMS: dict[str, np.ndarray] = {"1v3": _seatings(1), "2v2": _seatings(2)}
"""Seatings by the name of a form, ``(seatings, 4)`` int8 of sides."""


@dataclass(frozen=True)
class Match:
    """A pairing: who plays whom, and how they are seated.

    Attributes:
        challenger: The agent that is measured, or its name.
        reference: The agent it is measured against, or its name.
        form: A key of :data:`FORMS`.

    Raises:
        EvaluationError: An unknown form.
    """

    challenger: Agent | str
    reference: Agent | str
    form: str = "1v3"

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise EvaluationError(f"form: got {self.form!r}; allowed: {', '.join(FORMS)}")

    @property
    def names(self) -> tuple[str, str]:
        """Names of the challenger and the reference, as given or as they call themselves."""
        sides = (self.challenger, self.reference)
        first, second = (side if isinstance(side, str) else side.name for side in sides)
        return first, second

    @property
    def seatings(self) -> np.ndarray:
        """``(seatings, 4)`` int8, the side in each seat."""
        return FORMS[self.form]

    @property
    def challenger_seats(self) -> np.ndarray:
        """``(seatings, 4)`` bool."""
        seats: np.ndarray = self.seatings == CHALLENGER
        return seats


def seed_of(block: str) -> int:
    """The seed of a block.

    Raises:
        EvaluationError: There is no such block.
    """
    if block not in tuple(SEED_BLOCKS):  # not hashed: a file may say anything
        raise EvaluationError(f"seed block: got {block!r}; allowed: {', '.join(SEED_BLOCKS)}")
    return SEED_BLOCKS[block]
