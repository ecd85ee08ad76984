import math
from itertools import permutations

import numpy as np
import pytest

from train.evaluation.errors import EvaluationError
from train.evaluation.intervals import mean
from train.evaluation.ratings import RatedMatch, covariance_of_means, rate

NAMES = ("a", "b", "c", "d")
STRENGTHS = {"a": 0.0, "b": 0.4, "c": -0.3, "d": 0.9}
REPEATS = 600


def round_robin(rng, sets, edge, noise=1.0):
    """Every ordered pair on the same sets: each set favours agents in its own way."""
    taste = {name: rng.normal(0.0, 2.0, sets) for name in NAMES}
    return [
        RatedMatch(a, b, edge(a, b) + taste[a] - taste[b] + rng.normal(0.0, noise, sets))
        for a, b in permutations(NAMES, 2)
    ]


def by_strength(a, b):
    return STRENGTHS[a] - STRENGTHS[b]


def exact(edge, sets=5):
    return [RatedMatch(a, b, np.full(sets, edge(a, b))) for a, b in permutations(NAMES, 2)]


def test_strengths_are_found_from_exact_edges():
    found = rate(exact(by_strength), "a")
    assert found.names == NAMES
    assert [rating.value for rating in found.ratings] == pytest.approx(list(STRENGTHS.values()))
    assert found.ratings[0].ci95 == (0, 0)
    assert found.intransitivity == pytest.approx(0, abs=1e-12)


def test_without_an_anchor_the_mean_is_zero():
    anchored, free = rate(exact(by_strength), "c"), rate(exact(by_strength))
    assert np.mean([rating.value for rating in free.ratings]) == pytest.approx(0)
    assert anchored.ratings[2].value == pytest.approx(0)
    for one, other in zip(anchored.ratings, free.ratings, strict=True):
        assert one.value - other.value == pytest.approx(-free.ratings[2].value)


def test_forms_of_play_are_weighed_as_the_model_says():
    matches = [
        RatedMatch("a", "b", np.full(3, 0.6), seats=1),
        RatedMatch("a", "c", np.full(3, 0.6), seats=2),
        RatedMatch("a", "d", np.full(3, 0.6), seats=3),
    ]
    found = rate(matches, "a")
    assert [r.value for r in found.ratings] == pytest.approx([0, -0.6, -0.9, -1.8])


def test_a_chain_is_enough():
    found = rate(
        [RatedMatch("a", "b", np.full(2, 1.0)), RatedMatch("c", "b", np.full(2, 3.0))], "a"
    )
    assert [r.value for r in found.ratings] == pytest.approx([0, -1, 2])
    assert math.isnan(found.intransitivity_p)


def test_a_round_robin_is_half_the_mean_as_challenger_less_that_as_reference():
    matches = round_robin(np.random.default_rng(1), 50, by_strength)
    found = rate(matches)
    for name, rating in zip(found.names, found.ratings, strict=True):
        alone = sum(m.units.mean() for m in matches if m.challenger == name)
        many = sum(m.units.mean() for m in matches if m.reference == name)
        assert rating.value == pytest.approx((alone - many) / (2 * len(NAMES)))


def test_errors_are_those_of_ratings_set_by_set():
    """The fit is linear, so the rating of the mean is the mean of ratings of single sets."""
    matches = round_robin(np.random.default_rng(2), 40, by_strength)
    found = rate(matches, "b")
    single = []
    for s in range(40):
        alone = [RatedMatch(m.challenger, m.reference, m.units[[s, s]]) for m in matches]
        single.append([rating.value for rating in rate(alone, "b").ratings])
    for rating, values in zip(found.ratings, np.transpose(single), strict=True):
        assert rating.value == pytest.approx(values.mean())
        assert rating.error == pytest.approx(mean(values).error, abs=1e-12)


def test_asymmetry_leaves_ratings_alone_and_is_no_intransitivity():
    alone = {"a": 0.1, "b": -0.2, "c": 0.0, "d": 0.3}
    found = rate(exact(lambda x, y: by_strength(x, y) + alone[x] + alone[y]), "a")
    assert [rating.value for rating in found.ratings] == pytest.approx(list(STRENGTHS.values()))
    assert found.intransitivity == pytest.approx(0, abs=1e-12)


def cycle(a, b):
    """A beats b beats c beats a by half a unit, and d stands beside."""
    return {"ab": 0.5, "bc": 0.5, "ca": 0.5, "ba": -0.5, "cb": -0.5, "ac": -0.5}.get(a + b, 0.0)


def test_a_cycle_moves_no_rating_and_is_seen():
    found = rate(exact(cycle))
    assert [rating.value for rating in found.ratings] == pytest.approx([0] * 4)
    # Six of twelve matches miss by a half.
    assert found.intransitivity == pytest.approx(0.5 * 0.5**0.5)
    noisy = rate(round_robin(np.random.default_rng(3), 400, cycle))
    assert noisy.intransitivity_p < 1e-6


def test_intervals_and_the_test_of_cycles_keep_what_they_claim():
    """Also where matches are as dependent as they are on shared sets."""
    rng, sets = np.random.default_rng(4), 60
    truth = STRENGTHS["d"] - STRENGTHS["a"]
    covered, wrong = 0, 0
    for _ in range(REPEATS):
        found = rate(round_robin(rng, sets, by_strength), "a")
        low, high = found.ratings[3].ci95
        covered += low <= truth <= high
        wrong += found.intransitivity_p < 0.05
    tolerance = 3 * (0.05 * 0.95 / REPEATS) ** 0.5
    assert abs(covered / REPEATS - 0.95) < tolerance
    assert abs(wrong / REPEATS - 0.05) < tolerance


def test_independence_would_be_wrong():
    matches = round_robin(np.random.default_rng(5), 400, by_strength)
    found = rate(matches, "a")
    shuffled = [
        RatedMatch(m.challenger, m.reference, np.roll(m.units, 17 * i))
        for i, m in enumerate(matches)
    ]
    assert found.ratings[3].error > 1.5 * rate(shuffled, "a").ratings[3].error


def test_matches_of_different_length_have_the_covariance_of_their_common_sets():
    rng, repeats = np.random.default_rng(6), 4000
    common = rng.normal(size=(repeats, 30))
    long = common + rng.normal(size=(repeats, 30))
    short = 2 * common[:, :10] + rng.normal(size=(repeats, 10))
    expected = np.cov(long.mean(axis=1), short.mean(axis=1))
    found = np.mean([covariance_of_means([a, b]) for a, b in zip(long, short, strict=True)], axis=0)
    assert found == pytest.approx(expected, rel=0.1)


def test_players_that_are_alike_have_ratings_without_width():
    none = np.zeros(500)
    matches = [RatedMatch(a, b, none) for a, b in permutations("abc", 2)]
    found = rate(matches)
    assert all(rating.ci95 == (0, 0) for rating in found.ratings)
    assert math.isnan(found.intransitivity_p)


def test_parts_without_a_match_between_them_are_named():
    values = np.zeros(5)
    matches = [
        RatedMatch("a", "b", values),
        RatedMatch("c", "d", values),
        RatedMatch("b", "e", values),
    ]
    with pytest.raises(EvaluationError, match=r"a, b, e \| c, d; play a match"):
        rate(matches)


@pytest.mark.parametrize(
    ("matches", "anchor", "message"),
    [
        ([], None, "at least one"),
        ([RatedMatch("a", "b", np.zeros(1))], None, "at least 2"),
        ([RatedMatch("a", "a", np.zeros(3))], None, "against itself"),
        ([RatedMatch("a", "b", np.zeros(3), seats=4)], None, "1 to 3"),
        ([RatedMatch("a", "b", np.zeros(3))], "z", "rated are a, b"),
        ([RatedMatch("a", "b", np.zeros((3, 2)))], None, "one number for each deal set"),
    ],
)
def test_what_cannot_be_rated_is_refused(matches, anchor, message):
    with pytest.raises(EvaluationError, match=message):
        rate(matches, anchor)
