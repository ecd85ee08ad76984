import math

import numpy as np
import pytest
from scipy import stats

from train.evaluation.errors import EvaluationError
from train.evaluation.intervals import mean
from train.evaluation.sequential import (
    GROWTH,
    MINIMUM_SETS,
    Stop,
    anytime,
    anytime_p_value,
    is_precise,
    looks,
    reported,
)

CHUNK = 50
REPEATS = 1000


def test_looks_are_growing_multiples_of_the_chunk_and_end_at_the_maximum():
    found = list(looks(CHUNK, 10_020))
    assert found[0] == MINIMUM_SETS
    assert found[-1] == 10_020
    assert all(sets % CHUNK == 0 for sets in found[:-1])
    steps = np.diff(found[:-1])
    assert (steps >= CHUNK).all()
    assert (steps <= (GROWTH - 1) * np.array(found[:-2]) + CHUNK).all()
    assert len(found) < 40


@pytest.mark.parametrize(("chunk", "maximum"), [(300, 100), (1000, 1000), (7, 1)])
def test_a_small_maximum_is_the_only_look(chunk, maximum):
    assert list(looks(chunk, maximum)) == [maximum]


def test_no_look_comes_before_the_minimum():
    assert next(looks(300, 9000)) == 600


@pytest.mark.parametrize(("chunk", "maximum"), [(0, 10), (10, 0)])
def test_looks_at_nothing_are_refused(chunk, maximum):
    with pytest.raises(EvaluationError, match="start at 1"):
        next(looks(chunk, maximum))


def test_below_the_minimum_nothing_is_said():
    values = np.ones(MINIMUM_SETS - 1)
    assert all(math.isnan(limit) for limit in anytime(values).ci95)
    assert anytime_p_value(values) == 1
    assert not is_precise(values, 10.0)
    assert is_precise(np.ones(MINIMUM_SETS), 10.0)
    assert math.isnan(anytime(np.zeros(0)).value)


def test_players_that_are_alike_have_precision_at_once_and_no_sign():
    nothing = np.zeros(MINIMUM_SETS)
    assert is_precise(nothing, 0.05)
    assert anytime_p_value(nothing) == 1
    assert anytime_p_value(nothing + 1) == 0


def test_the_p_value_says_the_same_as_the_interval():
    values = np.random.default_rng(1).normal(0.0, 1.0, 3000)
    values -= values.mean()
    half95, half99 = (
        (high - low) / 2 for low, high in (anytime(values).ci95, anytime(values).ci99)
    )
    assert anytime_p_value(values + half95) == pytest.approx(0.05, rel=1e-6)
    assert anytime_p_value(values - half99) == pytest.approx(0.01, rel=1e-6)
    assert half95 > mean(values).half_width


def test_only_who_looked_at_nothing_but_the_width_gets_the_narrow_interval():
    values = np.random.default_rng(2).normal(1.0, 1.0, 1000)
    narrow, wide = mean(values), anytime(values)
    assert reported(values, Stop.PRECISION) == reported(values, Stop.PLAYED) == narrow
    assert reported(values, Stop.INTERRUPTED) == wide


# ------------------------------------------------------------------------------- simulations


def end(values, precision):
    """Play until the mean is precise: after how many sets, None if it never is."""
    for sets in looks(CHUNK, len(values)):
        if is_precise(values[:sets], precision):
            return sets
    return None


def test_the_precision_stop_covers_on_real_units(units):
    rng, truth = np.random.default_rng(3), units.mean()
    ideal = (1.96 * units.std() / 0.1) ** 2
    hits, lengths = 0, []
    for _ in range(REPEATS):
        values = rng.choice(units, 4 * round(ideal))
        sets = end(values, 0.1)
        assert sets is not None
        estimate = reported(values[:sets], Stop.PRECISION)
        assert estimate.half_width <= 0.1
        low, high = estimate.ci95
        hits += low <= truth <= high
        lengths.append(sets)
    # The skewness of these units costs a point, as it does with a fixed number of sets.
    assert hits / REPEATS >= 0.94 - 3 * (0.95 * 0.05 / REPEATS) ** 0.5
    assert np.mean(lengths) < 1.15 * ideal


def all_looks_cover(drawn, truth):
    """At how many of the samples every look holds the truth: anytime, and Student's."""
    always, naive = 0, 0
    for values in drawn:
        at = [values[:sets] for sets in looks(CHUNK, len(values))]
        always += all(low <= truth <= high for low, high in (anytime(v).ci95 for v in at))
        naive += all(low <= truth <= high for low, high in (mean(v).ci95 for v in at))
    return always / len(drawn), naive / len(drawn)


def test_the_interval_at_any_time_covers_at_all_looks_where_peeking_does_not(units):
    rng = np.random.default_rng(4)
    drawn = [rng.choice(units, 6000) for _ in range(400)]
    always, naive = all_looks_cover(drawn, units.mean())
    assert always >= 0.95 - 3 * (0.95 * 0.05 / 400) ** 0.5
    assert naive < 0.85


def test_the_boundary_is_that_of_a_brownian_motion():
    """Looking ever closer, the probability to leave it comes near to what the theorem says."""
    rng, steps, until = np.random.default_rng(6), 40, 2000
    # Times of a grid that is even in log n, in units of the first look.
    times = np.exp(np.linspace(0, np.log(until), steps * 20))
    motion = np.cumsum(
        rng.normal(size=(4000, len(times))) * np.sqrt(np.diff(times, prepend=0)), axis=1
    )
    half = anytime(np.tile([-1.0, 1.0], MINIMUM_SETS // 2)).half_width
    error = 1 / (MINIMUM_SETS - 1) ** 0.5
    start = half / error
    left = (np.abs(motion) > np.sqrt(times * (start**2 + np.log(times)))).any(axis=1).mean()
    assert 0.04 < left < 0.05 + 3 * (0.05 * 0.95 / 4000) ** 0.5
    assert start == pytest.approx(2.7955, abs=1e-3)
    assert stats.norm.ppf(0.975) * 1.42 < start < stats.norm.ppf(0.975) * 1.44
