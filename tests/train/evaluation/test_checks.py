import re

import pytest

from train.evaluation import check_variates, check_walls


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


@pytest.mark.slow
def test_draw_luck_moves_no_mean_of_100000_deals(capsys):
    assert check_variates.main(["--sets", "25000"]) == 0, capsys.readouterr().out
