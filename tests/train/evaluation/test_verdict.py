from dataclasses import replace

import numpy as np
import pytest

from tests.train.evaluation.matches import ALONE, SETTING, around, invented
from tests.train.evaluation.matches import played as match
from train.evaluation.outcome import HOUSE_RULES
from train.evaluation.reckoning import reckon
from train.evaluation.sequential import MINIMUM_SETS, Stop
from train.evaluation.verdict import advice, digits, edge, played, verdict


def of(value: float, **options):
    return invented("a/1", "b/1", around(value, **options))


def test_the_sign_is_said_only_where_the_interval_leaves_out_zero():
    assert verdict(of(0.24)) == (
        "a/1 is stronger than b/1: +0.24 units a deal, 95 % +0.13 to +0.35"
    )
    assert verdict(of(-0.24)) == ("a/1 is weaker than b/1: -0.24 units a deal, 95 % -0.35 to -0.13")
    assert verdict(of(0.05)) == (
        "a/1 and b/1 cannot be told apart: +0.05 units a deal, 95 % -0.06 to +0.16"
    )


def test_equal_play_is_called_equal():
    assert verdict(invented("a/1", "b/1", np.zeros(50))) == (
        "a/1 and b/1 won the same in every deal set"
    )
    assert advice(invented("a/1", "b/1", np.zeros(50))) is None


def test_a_narrow_interval_gets_a_digit_more():
    assert (digits(0.05), digits(0.019)) == (2, 3)
    assert edge(of(0.1, sets=40_000)) == "+0.100 units a deal, 95 % +0.083 to +0.117"


def test_what_an_open_result_needs():
    # (2.8 * 1.7 / 0.05) ** 2 = 9063.04
    assert advice(of(0.05)) == (
        "An edge of 0.05 would take about 9,100 deal sets to be seen four times out of five."
    )
    assert advice(of(0.24)) is None


def test_few_deal_sets_are_called_a_rough_guess():
    assert "rough guess" in advice(of(3.0, sets=99))
    assert "rough guess" in advice(of(0.05, sets=99))
    assert "rough guess" in advice(invented("a/1", "b/1", np.full(2, 2.75)))
    assert advice(of(3.0, sets=100)) is None


def test_no_interval_is_no_verdict():
    single = invented("a/1", "b/1", np.array([2.0]))
    assert "too few for an interval" in verdict(single)
    assert advice(single) == "An interval needs 2 deal sets, a sound one 100."
    assert played([single, of(0.1)]).startswith("1 to 1,000 deal sets of")
    assert played([single]).startswith("1 deal set of seed block")
    early = replace(single, stop=Stop.INTERRUPTED)
    assert str(MINIMUM_SETS) in advice(early)


@pytest.mark.parametrize("stop", list(Stop))
def test_what_was_played_names_all_that_a_result_depends_on(stop):
    text = played([replace(of(0.1), stop=stop, variates="luck")])
    for part in ("1,000 deal sets", "dev", "1v3", "ordinary", "luck", "qq (0123456789ab)", "0.1.0"):
        assert part in text
    assert ("stopped" in text) == (stop == Stop.PRECISION)
    assert ("interrupted" in text) == (stop == Stop.INTERRUPTED)


def test_matches_of_different_length_are_told_as_such():
    short, long = of(0.1, sets=400), of(0.1, sets=2000)
    assert played([long, short]).startswith("400 to 2,000 deal sets of seed block dev")
    text = played([replace(short, stop=Stop.PRECISION), long])
    assert text.endswith(", some stopped at the precision asked for")
    assert "interrupted" not in text


def test_house_rules_are_called_so():
    home = of(0.1)
    home = replace(home, setting=replace(home.setting, rules=HOUSE_RULES))
    assert ", house rules (0123456789ab)," in played([home])


def test_an_interrupted_match_has_the_wider_interval():
    deals, tallies = (np.resize(real, (MINIMUM_SETS, 4)) for real in match()[:2])
    values = around(0.2, MINIMUM_SETS)
    fixed, at_will = (
        reckon(("a", "b"), SETTING, deals, tallies, ALONE, stop=stop, values=values)
        for stop in (Stop.PLAYED, Stop.INTERRUPTED)
    )
    assert at_will.units.value == fixed.units.value
    assert at_will.units.half_width > 1.3 * fixed.units.half_width
    assert at_will.p_value > fixed.p_value
