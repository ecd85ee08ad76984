import io
from dataclasses import replace

import numpy as np
import pytest

from tests.train.evaluation.matches import NAMES, around, invented, outcome, played
from tests.train.evaluation.test_field import round_robin
from train.evaluation.field import field_of
from train.evaluation.sequential import Stop
from train.evaluation.tables import WIDTH, console_for, shown
from train.evaluation.verdict import played as sets_told
from train.evaluation.verdict import verdict


def text_of(field, width: int = WIDTH) -> str:
    stream = io.StringIO()
    console = console_for(stream)
    console.width = width
    for part in shown(field):
        console.print(part)
    return stream.getvalue()


def pair(*outcomes):
    deals, _, result = played()
    return field_of(NAMES, outcomes, result.players, deals["units"].reshape(-1, 4), None)


def test_a_pair_begins_with_the_verdict():
    there = outcome()
    back = invented("random_legal/1", "greedy/1", around(-3.7))
    lines = text_of(pair(there, back)).splitlines()
    assert lines[0] == f"{verdict(there)}."
    assert lines[1] == (
        "The other way round, random_legal/1 against three greedy/1: "
        "-3.70 units a deal, 95 % -3.81 to -3.59."
    )
    assert lines[-1].startswith(f"{there.deals:,} to 1,000 deal sets of seed block dev, 1v3")


def test_no_line_is_broken_where_there_is_no_terminal():
    long = replace(outcome(), challenger="module:a_package.a_module:AnAgent", stop=Stop.PRECISION)
    lines = text_of(replace(pair(long), agents=(long.challenger, long.reference))).splitlines()
    assert lines[0] == f"{verdict(long)}."
    assert lines[-1] == f"{sets_told([long])}."
    assert len(lines[-1]) > 120


def test_the_ledger_of_a_pair_adds_up():
    lines = text_of(pair(outcome())).splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("units a deal for"))
    end = next(i for i, line in enumerate(lines) if line.startswith("in all"))
    body = [line for line in lines[start + 1 : end] if line]
    above = [float(line.split("±")[0].split()[-1]) for line in body]
    total = float(lines[end].split("±")[0].split()[-1])
    assert abs(sum(above) - total) <= 0.005 * (len(above) + 1)
    assert "leaving" not in text_of(pair(outcome()))  # nothing was booked for it


def test_what_is_rare_is_shown_only_where_it_happened():
    plain = text_of(pair(outcome()))
    assert "answers replaced" not in plain
    assert "time a decision" not in plain
    times = {name: {"p50": 1.5e-6, "p99": 0.002} for name in NAMES}
    full = text_of(pair(replace(outcome(), illegal=(3, 0), times=times)))
    assert "answers replaced" in full
    assert "greedy/1 gave no legal answer to 3 of " in full
    assert "1.5 µs" in full
    assert "2 ms" in full


def test_luck_stands_in_the_ledger():
    real = outcome()
    text = text_of(pair(outcome(values=real.values - 0.25, variates="luck")))
    (line,) = [line for line in text.splitlines() if line.startswith("luck taken off")]
    assert line.split()[-2:] == ["-0.25", "-0.25"]


def test_many_begin_with_the_ranking():
    lines = text_of(round_robin()).splitlines()
    assert lines[0] == "a > b = c"
    for title in ("Ratings: ", "Pairs compared on the same deal sets", "The edge of each "):
        assert any(line.startswith(title) for line in lines)
    assert sum(line.startswith("a ") for line in lines) == 1 + 1 + 2 + 2  # itself, all tables


def test_what_is_rare_is_shown_of_many_too():
    field = round_robin()
    plain = text_of(field)
    assert "replaced" not in plain
    assert "time a decision" not in plain
    times = {name: {"p50": 1.5e-6, "p99": 0.002} for name in field.agents}
    first, *others = field.outcomes
    outcomes = (replace(first, illegal=(3, 1), times=times), *others)
    by_match = dict(zip(outcomes, field.holm.values(), strict=True))
    full = text_of(replace(field, outcomes=outcomes, holm=by_match))
    assert "replaced, of either" in full
    assert "no legal answer to 3 of" in full
    assert "3 / 1" in full
    assert full.count("0 / 0") == len(others)
    assert full.count("1.5 µs") == len(field.agents)


def test_too_few_deal_sets_make_no_table_of_ratings():
    outcomes = [invented(x, "c", np.array([1.0])) for x in "ab"]
    deals = np.zeros((1, 4), int)
    text = text_of(field_of(("a", "b", "c"), outcomes, deals, deals, "c"))
    assert "OpenSkill" not in text
    assert "challenger" in text


@pytest.mark.parametrize("columns", [40, 60])
def test_a_narrow_terminal_cuts_no_number_off(columns):
    narrow, wide = (text_of(round_robin(), width) for width in (columns, WIDTH))
    assert max(len(line) for line in narrow.splitlines()) <= columns
    # In lines of another length, but every sign of it.
    assert sorted("".join(narrow.split())) == sorted("".join(wide.split()))


def test_names_are_text_and_not_markup():
    strange = replace(outcome(), challenger="module:x:[bold]Bot", reference="process:smile:")
    text = text_of(replace(pair(strange), agents=(strange.challenger, strange.reference)))
    assert text.count("module:x:[bold]Bot") == 3
    assert text.count("each process:smile:") == 2
