import re

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from train.evaluation import check_intervals, check_value, check_variates, check_walls
from train.evaluation.checking import match_of

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")


def rows(text, columns):
    """Cells of the body of the table that has so many columns."""
    lines = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    found = [[cell.strip() for cell in line] for line in lines if len(line) == columns]
    return [row for row in found[1:] if not row[0].startswith("---")]


def test_walls_are_checked_and_tabled(capsys):
    code = check_walls.main(
        ["--deals", "300", "--sets", "60", "--pairs", "never_call/1:greedy/1", "--processes", "1"]
    )
    told = capsys.readouterr().out
    assert code == 0
    assert len(rows(told, 5)) > 30
    ((pair, *_, ordinary, keyed, less_luck),) = rows(told, 8)
    assert pair == "never_call/1 : greedy/1"
    for share in (ordinary, keyed, less_luck):
        assert 0 < float(share.split(" ± ")[0]) < 2
    assert re.search(r"least adjusted p value of \d+ traits: [01]\.\d+$", told.strip())


def test_walls_that_differ_end_with_1(capsys, monkeypatch):
    honest = check_walls.deals_of_copies

    def unfair(agent, rules, seed, deals, walls):
        played = honest(agent, rules, seed, deals, walls)
        played["units"][:, 1] += 3 * (walls == "seat-keyed")
        return played

    monkeypatch.setattr(check_walls, "deals_of_copies", unfair)
    assert check_walls.main(["--deals", "200", "--pairs", "--processes", "1"]) == 1
    assert "traits: 0.000" in capsys.readouterr().out


def test_variates_are_checked_and_tabled(capsys):
    code = check_variates.main(
        ["--sets", "200", "--pairs", "never_call/1:greedy/1", "--processes", "1"]
    )
    told = capsys.readouterr().out
    assert code == 0
    assert [row[1] for row in rows(told, 8)] == ["ordinary", "seat-keyed"]
    assert "18 means that should be zero" in told


def test_luck_that_is_not_zero_ends_with_1(capsys, monkeypatch):
    honest = check_variates.draw_luck
    monkeypatch.setattr(check_variates, "draw_luck", lambda *given: honest(*given) + 0.1)
    assert (
        check_variates.main(
            ["--sets", "200", "--pairs", "never_call/1:greedy/1", "--processes", "1"]
        )
        == 1
    )
    assert "zero: 0.000" in capsys.readouterr().out


def test_luck_by_value_is_checked_and_tabled(capsys, monkeypatch):
    call = ["--sets", "300", "--pairs", "never_call/1:greedy/1", "--processes", "1"]
    assert check_value.main(call) == 0
    (row,) = rows(capsys.readouterr().out, 8)
    assert float(row[5]) < 1
    honest = check_value.value_luck
    monkeypatch.setattr(check_value, "value_luck", lambda result: honest(result) + 1)
    assert check_value.main(call) == 1
    assert "zero: 0.000" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("pair", "names"),
    [
        ("greedy_plus/1:greedy/1", ("greedy_plus/1", "greedy/1")),
        ("module:my.bots:Mine:greedy/1", ("module:my.bots:Mine", "greedy/1")),
    ],
)
def test_a_pair_is_a_match(pair, names):
    assert match_of(pair).names == names


@pytest.mark.parametrize("pair", ["greedy/1", "greedy/1:", ":greedy/1"])
def test_what_is_no_pair_is_refused_in_a_line(pair, capsys):
    with pytest.raises(SystemExit):
        check_walls.main(["--pairs", pair])
    assert "write greedy_plus/1:greedy/1" in capsys.readouterr().err


@pytest.mark.parametrize("check", [check_walls, check_variates, check_value])
@pytest.mark.parametrize("sets", ["1", "0", "-3", "many"])
def test_a_check_that_could_not_fail_is_refused(check, sets, capsys):
    with pytest.raises(SystemExit):
        check.main(["--sets", sets])
    assert "allowed: 2 or more" in capsys.readouterr().err


@pytest.mark.slow
def test_luck_by_value_is_zero_on_average_in_100000_deals(capsys):
    assert check_value.main(["--sets", "25000"]) == 0, capsys.readouterr().out


@pytest.mark.slow
def test_draw_luck_moves_no_mean_of_100000_deals(capsys):
    assert check_variates.main(["--sets", "25000"]) == 0, capsys.readouterr().out


def test_intervals_are_simulated_and_tabled(capsys, monkeypatch):
    monkeypatch.setattr(check_intervals, "_LONGEST", 1000)
    assert check_intervals.main(["--sets", "100", "--samples", "60", "--processes", "1"]) == 0
    told = capsys.readouterr().out
    by_size = rows(told, 5)
    assert [row[0] for row in by_size[:5]] == ["Student", "Johnson", "Hall", "BCa", "Student"]
    assert len(by_size) == 4 * 4 + 4  # and the table of precisions with its header
    assert [row[0] for row in rows(told, 2)] == ["anytime", "Student, again and again"]
    held = [float(row[1].rstrip("%")) for row in rows(told, 2)]
    assert held[0] >= held[1]


def test_corrections_for_skewness_agree_where_there_is_none():
    values = np.concatenate([np.arange(-50.0, 51.0), np.arange(-50.0, 51.0)])
    for interval in (check_intervals.johnson, check_intervals.hall):
        assert interval(values) == pytest.approx(check_intervals.student(values))
    skewed = np.random.default_rng(1).exponential(1.0, 100)
    high = check_intervals.student(skewed)[1]
    for interval in (check_intervals.johnson, check_intervals.hall, check_intervals.bca):
        assert interval(skewed)[1] > high


def test_a_match_that_never_is_precise_is_played_to_its_end():
    values = np.random.default_rng(2).normal(size=1000)
    assert check_intervals.stopped(values, 1e-9).sets == 1000
    assert check_intervals.stopped(values, 1.0).sets < 1000
