import math
import re
from xml.etree import ElementTree

import pytest

from train.evaluation.drawings import WIDTH, Axis, bars, interval, scale
from train.evaluation.intervals import NOTHING, Estimate


@pytest.mark.parametrize(
    ("values", "ends"),
    [
        ([0.13, 0.35], (0.0, 0.4)),
        ([-0.21, 0.24], (-0.3, 0.3)),
        ([-3.7, 3.1], (-4.0, 4.0)),
        ([], (0.0, 1.0)),
        ([0.0], (0.0, 1.0)),
        ([math.nan, -0.004], (-0.004, 0.0)),
        ([1e-9], (0.0, 1e-9)),
        ([72.9], (0.0, 80.0)),
    ],
)
def test_an_axis_holds_zero_and_all_values_between_round_numbers(values, ends):
    axis = Axis.around(values)
    assert (axis.low, axis.high) == pytest.approx(ends)
    assert 1 <= len(axis.ticks()) - 1 <= 8
    assert any(tick == 0 for tick in axis.ticks())
    for value in values:
        assert math.isnan(value) or 0 < axis.place(value) < WIDTH


def test_an_interval_is_drawn_where_it_lies():
    estimate = Estimate(0.24, 0.025, 2000, (0.19, 0.29), (0.18, 0.30))
    axis = Axis.of([estimate])
    drawn = ElementTree.fromstring(interval(axis, estimate, "a & b: +0.24"))
    assert drawn.get("role") == "img"
    assert drawn.get("aria-label") == "a & b: +0.24"
    (line,) = [part for part in drawn if part.get("class") == "interval"]
    (dot,) = [part for part in drawn if part.get("class") == "dot"]
    assert float(line.get("x1")) == axis.place(0.19)
    assert float(line.get("x2")) == axis.place(0.29)
    assert float(dot.get("cx")) == axis.place(0.24)


def test_what_is_not_known_is_not_drawn():
    drawn = interval(Axis.of([NOTHING]), NOTHING, "nothing")
    assert "circle" not in drawn
    assert 'class="interval"' not in drawn


def test_bars_go_both_ways_from_zero():
    axis = Axis.around([-1.0, 2.0])
    drawn = ElementTree.fromstring(bars(axis, [2.0, -1.0], "two"))
    right, left = (part for part in drawn if part.get("class", "").startswith("bar"))
    assert float(right.get("x")) == axis.place(0)
    assert float(left.get("x")) == axis.place(-1)
    assert float(left.get("x")) + float(left.get("width")) == pytest.approx(axis.place(0))


def test_a_scale_names_its_ticks():
    numbers = re.findall(r">(-?[\d.]+)</text>", scale(Axis.around([-0.21, 0.24])))
    assert numbers == ["-0.3", "-0.2", "-0.1", "0.0", "0.1", "0.2", "0.3"]
