"""Show how often intervals hold the truth, on units that deal sets really pay.

``python -m train.evaluation.check_intervals`` plays deal sets of a pair and takes them for the
whole world: samples are drawn from them again and again, and it is counted how often an interval
misses the mean of all. Beside Student's, which is in use, stand what was tried and lost: Johnson's
t for skewed values, the transformation of Hall, the BCa bootstrap. Then come the stop at a
precision, with the looks of a real match, and looking all the time. Tables in Markdown go to
stdout.
"""

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence

import numpy as np
from scipy import stats

from mjenv.games import rules_of
from train.evaluation.deal_sets import Match, seed_of
from train.evaluation.intervals import Estimate, Interval, mean, t_quantile
from train.evaluation.run import CHUNK_SETS, Conditions
from train.evaluation.sequential import anytime, is_precise, looks
from train.evaluation.workers import Workers

SEED = 1
_SIZES = (50, 100, 400, 2000)
_PRECISIONS = (0.2, 0.1, 0.05)
_LONGEST = 10_000
_RESAMPLES = 999
_RARELY = 10
"""The bootstrap and long matches are slow, and simulated once in so many times."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the simulations.

    Args:
        arguments: As on the command line; those of the process if left out.

    Returns:
        Exit code, always 0: the tests say what must hold.
    """
    options = _parser().parse_args(arguments)
    with Workers(options.processes) as workers:
        match = Match(options.challenger, options.reference)
        conditions = Conditions(rules_of(options.rules), seed_of("dev"))
        units = workers.play_match(match, conditions, options.sets).units
    print(
        f"{options.challenger} over three {options.reference}: mean {units.mean():+.3f}, "
        f"SD {units.std():.2f}, skewness {float(stats.skew(units)):+.2f}, {len(units):,} sets, "
        f"{options.samples:,} samples\n"
    )
    world = _World(units, options.samples)
    for line in (*_by_size(world), "", *_by_precision(world), "", *_at_all_looks(world)):
        print(line, flush=True)
    return 0


# ------------------------------------------------------------------------ kinds of intervals


def student(values: np.ndarray) -> Interval:
    """95 %, as in use."""
    return mean(values).ci95


def johnson(values: np.ndarray) -> Interval:
    """95 % by Johnson's t (JASA 73, 1978), which moves the interval towards the long tail."""
    estimate, quantile = mean(values), t_quantile(0.95, len(values) - 1)
    shift = float(stats.skew(values)) / (6 * len(values) ** 0.5) * (1 + 2 * quantile**2)
    half = quantile * estimate.error
    centre = estimate.value + shift * estimate.error
    return centre - half, centre + half


def hall(values: np.ndarray) -> Interval:
    """95 % by Hall's cubic transformation of t (J. R. Stat. Soc. B 54, 1992)."""
    estimate, quantile = mean(values), t_quantile(0.95, len(values) - 1)
    skewness = float(stats.skew(values)) / len(values) ** 0.5
    if skewness == 0:
        return estimate.ci95
    low, high = (
        3 / skewness * (np.cbrt(1 + skewness * (side - skewness / 6)) - 1)
        for side in (-quantile, quantile)
    )
    return estimate.value - high * estimate.error, estimate.value - low * estimate.error


def bca(values: np.ndarray) -> Interval:
    """95 % by the bias-corrected and accelerated bootstrap (Efron, JASA 82, 1987)."""
    rng = np.random.default_rng(SEED)
    found = stats.bootstrap((values,), np.mean, n_resamples=_RESAMPLES, method="BCa", rng=rng)
    low, high = found.confidence_interval
    return float(low), float(high)


INTERVALS: dict[str, Callable[[np.ndarray], Interval]] = {
    "Student": student,
    "Johnson": johnson,
    "Hall": hall,
    "BCa": bca,
}


# ------------------------------------------------------------------------------- simulations


class _World:
    """Deal sets taken for all there are.

    Attributes:
        truth: The mean of all.
        samples: How many are drawn for each line.
    """

    def __init__(self, units: np.ndarray, samples: int) -> None:
        self.truth = float(units.mean())
        self.samples = samples
        self._units = units
        self._rng = np.random.default_rng(SEED)

    def drawn(self, sets: int, samples: int) -> Iterable[np.ndarray]:
        """Samples with so many sets."""
        return (self._rng.choice(self._units, sets) for _ in range(max(1, samples)))

    def misses(self, intervals: Iterable[Interval]) -> str:
        """Cells of a table: how many hold the truth, lie above it, lie below it."""
        limits = np.array(list(intervals))
        above, below = (limits[:, 0] > self.truth).mean(), (limits[:, 1] < self.truth).mean()
        return f"{1 - above - below:.1%} | {above:.1%} | {below:.1%}"


def _by_size(world: _World) -> Iterable[str]:
    yield "| interval | sets | holds | above | below |"
    yield "|---|---|---|---|---|"
    for sets in _SIZES:
        for name, interval in INTERVALS.items():
            samples = world.samples // (_RARELY if interval is bca else 1)
            cells = world.misses(interval(values) for values in world.drawn(sets, samples))
            yield f"| {name} | {sets:,} | {cells} |"


def _by_precision(world: _World) -> Iterable[str]:
    yield "| until the half-width is | sets on average | holds | above | below |"
    yield "|---|---|---|---|---|"
    for precision in _PRECISIONS:
        ends = [
            stopped(values, precision) for values in world.drawn(_LONGEST, world.samples // _RARELY)
        ]
        sets = np.mean([estimate.sets for estimate in ends])
        yield f"| {precision} | {sets:,.0f} | {world.misses(e.ci95 for e in ends)} |"


def stopped(values: np.ndarray, precision: float) -> Estimate:
    """What a match would report that plays these sets until it is precise.

    Args:
        values: ``(sets,)`` of a match that is played to its end.
        precision: Half-width of the 95 % interval that is enough.
    """
    for sets in looks(CHUNK_SETS, len(values)):
        if is_precise(values[:sets], precision):
            return mean(values[:sets])
    return mean(values)


def _at_all_looks(world: _World) -> Iterable[str]:
    yield f"| at all looks up to {_LONGEST:,} sets | holds at each of them |"
    yield "|---|---|"
    for name, estimate in (("anytime", anytime), ("Student, again and again", mean)):
        held = [
            all(
                low <= world.truth <= high
                for sets in looks(CHUNK_SETS, _LONGEST)
                for low, high in [estimate(values[:sets]).ci95]
            )
            for values in world.drawn(_LONGEST, world.samples // _RARELY)
        ]
        yield f"| {name} | {np.mean(held):.1%} |"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m train.evaluation.check_intervals", description=__doc__
    )
    parser.add_argument("--rules", default="qq", help="a preset or a YAML file")
    parser.add_argument("--challenger", default="random_legal/1")
    parser.add_argument("--reference", default="greedy/1")
    parser.add_argument("--sets", type=int, default=10_000, help="deal sets that are played")
    parser.add_argument("--samples", type=int, default=10_000, help="samples for each line")
    parser.add_argument("--processes", type=int, help="as many as there are cores if left out")
    return parser


if __name__ == "__main__":
    sys.exit(main())
