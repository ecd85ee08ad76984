from dataclasses import replace

import numpy as np
import pytest

from tests.train.evaluation.matches import around, invented
from train.evaluation.field import field_of
from train.evaluation.intervals import mean
from train.evaluation.paired import compare
from train.evaluation.sequential import Stop

EDGES = {("a", "b"): 0.3, ("a", "c"): 0.32, ("b", "c"): 0.02}


def seated(names):
    """Deals for OpenSkill: every agent wins what it is worth in the alphabet."""
    seating = np.array([[i % len(names) for i in range(4)]] * 50)
    return seating, 10 - 3 * seating


def round_robin(sets=1000):
    names = ("a", "b", "c")
    outcomes = [
        invented(x, y, around(EDGES.get((x, y), -EDGES.get((y, x), 0)), sets, seed=seed))
        for seed, (x, y) in enumerate((x, y) for x in names for y in names if x != y)
    ]
    return field_of(names, outcomes, *seated(names), None)


def test_two_agents_have_no_ratings():
    outcomes = [invented("a", "b", around(0.3)), invented("b", "a", around(-0.3, seed=1))]
    field = field_of(("a", "b"), outcomes, *seated(("a", "b")), None)
    assert field.ratings == field.differences == ()
    first, second = (field.holm[outcome] for outcome in outcomes)
    assert min(first, second) == pytest.approx(2 * min(o.p_value for o in outcomes))


def test_ratings_rank_and_the_unclear_is_called_equal():
    field = round_robin()
    assert [rating.name for rating in field.ratings] == ["a", "b", "c"]
    assert sum(rating.units.value for rating in field.ratings) == pytest.approx(0)
    assert field.ranking() == "a > b = c"
    assert field.ratings[0].skill > field.ratings[1].skill > field.ratings[2].skill
    assert field.intransitivity is not None


def test_who_met_is_compared_by_the_matches_of_both_directions():
    field = round_robin()
    values = {(o.challenger, o.reference): o.values for o in field.outcomes}
    for pair in field.differences:
        assert pair.through == "their matches"
        there, back = values[pair.first, pair.second], values[pair.second, pair.first]
        assert pair.units == mean((there - back) / 2)
        assert pair.p_value <= pair.p_holm <= 1
    assert len(field.differences) == 3


def test_noise_of_matches_with_others_does_not_hide_a_clear_one():
    """A weak third, against whom everybody's luck is large, makes ratings uncertain."""
    names = ("a", "b", "c")
    edges = {"ab": 0.1, "ba": -0.1, "ac": 5.0, "bc": 5.0, "ca": -5.0, "cb": -5.0}
    outcomes = [
        invented(x, y, around(edge, spread=20.0 if "c" in (x, y) else 0.5, seed=seed))
        for seed, ((x, y), edge) in enumerate(edges.items())
    ]
    field = field_of(names, outcomes, *seated(names), None)
    by_name = {rating.name: rating.units for rating in field.ratings}
    assert by_name["a"].half_width > 0.1
    (pair,) = [pair for pair in field.differences if {pair.first, pair.second} == {"a", "b"}]
    assert pair.p_holm < 0.001


def test_a_ranking_never_says_what_a_match_denies():
    """By rating b stands before c, but c has beaten b."""
    names = ("a", "b", "c")
    edges = {("a", "b"): 0.3, ("a", "c"): 2.0, ("b", "c"): -0.3}
    outcomes = [
        invented(x, y, around(edges.get((x, y), -edges.get((y, x), 0.0)), seed=seed))
        for seed, (x, y) in enumerate((x, y) for x in names for y in names if x != y)
    ]
    assert field_of(names, outcomes, *seated(names), None).ranking() == "a > b = c"


def test_who_never_met_is_compared_by_ratings():
    names = ("a", "b", "c")
    outcomes = [invented("a", "b", around(0.5)), invented("b", "c", around(0.4, seed=1))]
    field = field_of(names, outcomes, *seated(names), None)
    by_name = {rating.name: rating.units.value for rating in field.ratings}
    (pair,) = [pair for pair in field.differences if (pair.first, pair.second) == ("a", "c")]
    assert pair.through == "all matches"
    assert pair.units.value == pytest.approx(by_name["a"] - by_name["c"])


def test_a_match_that_was_interrupted_rates_nobody():
    """A match stopped by who has watched it tells less than its mean."""
    names = ("a", "b", "c", "d")
    outcomes = [invented("a", x, around(1.0, seed=i)) for i, x in enumerate("bcd")]
    outcomes[-1] = replace(outcomes[-1], stop=Stop.INTERRUPTED)
    field = field_of(names, outcomes, *seated(names), None)
    assert field.agents == names
    assert field.outcomes == tuple(outcomes)
    assert {rating.name for rating in field.ratings} == {"a", "b", "c"}
    without = field_of(names[:3], outcomes[:2], *seated(names[:3]), None)
    assert [r.units for r in field.ratings] == [r.units for r in without.ratings]
    alone = replace(outcomes[0], stop=Stop.INTERRUPTED)
    assert field_of(names[:3], [alone, outcomes[1]], *seated(names[:3]), None).ratings == ()


def test_through_a_common_reference_agents_are_paired_set_by_set():
    base = around(0.0)
    values = {"a": base + 0.3, "b": base + around(0.0, spread=0.1, seed=1)}
    outcomes = [invented(name, "r", of) for name, of in values.items()]
    names = ("a", "b", "r")
    field = field_of(names, outcomes, *seated(names), "r")
    (ab,) = [pair for pair in field.differences if (pair.first, pair.second) == ("a", "b")]
    assert ab.through == "r"
    assert ab.units == compare(values["a"], values["b"]).difference
    assert ab.units.half_width < 0.1 * outcomes[0].units.half_width
    with_r = [pair for pair in field.differences if "r" in (pair.first, pair.second)]
    assert {pair.through for pair in with_r} == {"their match"}
    for pair in with_r:
        sign = 1 if pair.second == "r" else -1
        other = pair.first if pair.second == "r" else pair.second
        assert pair.units.value == pytest.approx(sign * values[other].mean())


def test_one_deal_set_is_too_few_to_rate():
    outcomes = [invented(x, "c", np.array([1.0])) for x in "ab"]
    field = field_of(("a", "b", "c"), outcomes, *seated(("a", "b", "c")), "c")
    assert field.ratings == ()
