"""What is known after a match: the edge of the challenger, and what it and the reference did."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from mjenv.version import __version__
from train.evaluation.intervals import Estimate
from train.evaluation.metrics import Figures
from train.evaluation.sequential import Stop

HOUSE_RULES = "house rules"
"""What rules are called that are no preset."""


def name_of_rules(rules: Any) -> str:
    """The name of a preset, or :data:`HOUSE_RULES`."""
    return rules.preset_name or HOUSE_RULES


@dataclass(frozen=True)
class Setting:
    """What a result holds for. Two results can be compared if these are the same.

    Attributes:
        rules: Name of the preset, or :data:`HOUSE_RULES`.
        fingerprint: Of the rules.
        base_points: Points of a unit.
        form: ``"1v3"`` or ``"2v2"``.
        walls: ``"seat-keyed"`` or ``"ordinary"``.
        seed_block: Name of the block of seeds.
        seed: Of its deal sets.
        engine: Version of ``mjenv``.
    """

    rules: str
    fingerprint: str
    base_points: int
    form: str
    walls: str
    seed_block: str
    seed: int
    engine: str

    @property
    def called(self) -> str:
        """``rules qq``, or just ``house rules``."""
        return self.rules if self.rules == HOUSE_RULES else f"rules {self.rules}"

    @classmethod
    def by(cls, rules: Any, *, form: str, walls: str, seed_block: str, seed: int) -> "Setting":
        """By some rules, unpacked, in this version of ``mjenv``; the rest as above."""
        return cls(
            rules=name_of_rules(rules),
            fingerprint=rules.fingerprint,
            base_points=rules.base_points,
            form=form,
            walls=walls,
            seed_block=seed_block,
            seed=seed,
            engine=__version__,
        )


@dataclass(frozen=True, eq=False)
class Outcome:
    """A match that has been played. Equal to itself alone, so that it can be a key.

    Attributes:
        challenger: Its name.
        reference: Name of whoever sat in the other seats.
        setting: What it holds for.
        stop: Why it ended when it did.
        values: ``(sets,)`` units a deal of the challenger, one observation for each deal set; with
            control variates, after the luck they explain has been taken off.
        units: Mean of ``values`` with the intervals that are valid for the way it ended.
        p_value: Of there being no edge, valid in the same sense.
        variates: Name of the control variates, None without.
        luck: What they took off, on average; zero but for chance. Zero without.
        seats: Seats of the challenger in a deal.
        seatings: Deals of a deal set.
        challenger_figures: What the challenger did.
        reference_figures: What the others did.
        above_table: Units a deal of the challenger by reason, above the average of the table.
        illegal: Illegal answers of the challenger and of the reference.
        times: Seconds a decision of either takes, p50 and p99; None where they were not measured.
    """

    challenger: str
    reference: str
    setting: Setting
    stop: Stop
    values: np.ndarray
    units: Estimate
    p_value: float
    variates: str | None
    luck: float
    seats: int
    seatings: int
    challenger_figures: Figures
    reference_figures: Figures
    above_table: Mapping[str, Estimate]
    illegal: tuple[int, int]
    times: Mapping[str, Mapping[str, float]] | None = field(default=None)

    @property
    def deals(self) -> int:
        """Deal sets."""
        return len(self.values)
