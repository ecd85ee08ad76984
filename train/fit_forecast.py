"""Fit the averages of :mod:`agents.forecast` anew on self-play, and hold them against those.

``python -m train.fit_forecast`` plays deals of four ``greedy/1`` under the rules ``qq`` and prints
a table in Markdown, the same whenever it is run: every constant as it is used and as it is fitted.
The constants belong to a frozen bot, so nothing is written.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from agents import forecast
from train.fitting.others import SIZES, count_others

BOT = "greedy/1"
RULES = "qq"
DEALS = 20_000
SEED = 20_28

_IN_FOURS = ("draws", "wins", "self_draws")
_IN_EIGHTS = ("offered", "dealt_in", "kept", "kept_by_chance", "void", "void_by_chance")
_THOUSANDTHS = 10.0
"""Numbers above it are in thousandths."""
_MIDDLE = slice(2, 7)
"""Ranks 3 to 7."""


@dataclass(frozen=True)
class Constant:
    """A constant of :mod:`agents.forecast`.

    Attributes:
        name: What it is called there.
        used: Its numbers there.
        fitted: The same from self-play.
        weights: How often each number is read in self-play, all together 1.
    """

    name: str
    used: np.ndarray
    fitted: np.ndarray
    weights: np.ndarray

    @property
    def deviation(self) -> float:
        """Mean distance of the two, as a share of the mean of what is fitted."""
        distance = np.abs(self.used - self.fitted) @ self.weights
        return float(distance / (self.fitted @ self.weights))

    @property
    def row(self) -> str:
        """Of a table in Markdown."""
        return (
            f"| `{self.name}` | {_text(self.used)} | {_text(self.fitted)} | {self.deviation:.1%} |"
        )


def _text(numbers: np.ndarray) -> str:
    """Whole numbers where they are thousandths."""
    digits = 0 if numbers.max() > _THOUSANDTHS else 2
    return " ".join(f"{number:.{digits}f}" for number in numbers)


def _by(sizes: int, counted: np.ndarray) -> np.ndarray:
    """Sums over so many sizes of the wall each."""
    sums: np.ndarray = np.add.reduceat(counted, np.arange(0, SIZES, sizes), axis=0)
    return sums


def _rate(name: str, used: Sequence[float], hits: np.ndarray, cases: np.ndarray) -> Constant:
    """Hits in a thousand cases."""
    fitted = forecast.THOUSAND * hits / cases
    return Constant(name, np.array(used), fitted, cases / cases.sum())


def _share(name: str, used: float, hits: float, cases: float) -> Constant:
    """A single number."""
    return Constant(name, np.array([used]), np.array([hits / cases]), np.ones(1))


def _kept(made: np.ndarray, by_chance: np.ndarray) -> tuple[Constant, Constant]:
    """``KEPT`` given the factors of ``OUTER`` that are used, and these given ``KEPT``."""
    outer, kept = np.array(forecast.OUTER), np.array(forecast.KEPT)
    by_rank = kept @ by_chance
    factors = made.sum(axis=0) / by_rank
    factors /= factors[_MIDDLE].mean()
    return (
        _rate("KEPT", forecast.KEPT, made.sum(axis=1), by_chance @ outer),
        Constant("OUTER", outer, factors, by_rank / by_rank.sum()),
    )


def fit(deals: int) -> list[Constant]:
    """Every constant, from deals 0 to ``deals - 1``."""
    counts = count_others(BOT, RULES, deals, SEED)
    fours = {name: _by(4, counts[name]) for name in _IN_FOURS}
    eights = {name: _by(8, counts[name]) for name in _IN_EIGHTS}
    wins = counts["wins"].sum()
    return [
        _rate("WINS", forecast.WINS, fours["wins"], fours["draws"]),
        _rate("SELF_DRAWS", forecast.SELF_DRAWS, fours["self_draws"], fours["draws"]),
        _rate("DEALS_IN", forecast.DEALS_IN, eights["dealt_in"], eights["offered"]),
        *_kept(eights["kept"], eights["kept_by_chance"]),
        _rate("VOID", forecast.VOID, eights["void"], eights["void_by_chance"]),
        _share("MULTIPLE", forecast.MULTIPLE, counts["units_won"], wins),
        _share("READY_AT_END", forecast.READY_AT_END, counts["ready"], counts["stayed"]),
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m train.fit_forecast", description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS, help=f"to be played ({DEALS:,})")
    options = parser.parse_args(arguments)
    print("| constant | used | fitted | apart |\n|---|---|---|---|")
    for constant in fit(options.deals):
        print(constant.row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
