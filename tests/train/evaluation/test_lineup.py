import re
from dataclasses import fields
from pathlib import Path

import pytest

from train.evaluation.errors import EvaluationError
from train.evaluation.lineup import DEALS, MAX_DEALS, LineUp, make_lineup, read_lineup

ROOT = Path(__file__).parents[3]
TWO = {"agents": ["a/1", "b/1"]}


def test_everybody_plays_everybody_or_the_reference_alone():
    three = LineUp(("a", "b", "c"))
    assert three.pairs == [(x, y) for x in "abc" for y in "abc" if x != y]
    assert LineUp(("a", "b", "c"), reference="b").pairs == [("a", "b"), ("c", "b")]
    assert make_lineup({"agents": "a", "reference": "b"}).pairs == [("a", "b")]


SLOW = {"deals_with": {"b/1": 50}}


@pytest.mark.parametrize(
    ("options", "fewest", "most"),
    [
        ({}, DEALS, DEALS),
        ({"deals": 7}, 7, 7),
        ({"precision": 0.05}, 1, MAX_DEALS),
        ({"precision": 0.05, "deals": 3000}, 3000, MAX_DEALS),
        ({"precision": 0.05, "deals": 3000, "max_deals": 5000}, 3000, 5000),
        (SLOW, 50, 50),
        ({**SLOW, "deals": 7}, 7, 7),
        ({**SLOW, "precision": 0.05, "deals": 3000}, 50, 50),
        ({"deals_with": {"b/1": 50, "a/1": 40}}, 40, 40),
    ],
)
def test_how_many_deal_sets(options, fewest, most):
    assert make_lineup({**TWO, **options}).sets("a/1", "b/1") == (fewest, most)


def test_a_slow_agent_holds_up_its_own_matches_alone():
    lineup = make_lineup({"agents": ["a/1", "b/1", "c/1"], **SLOW})
    assert lineup.sets("c/1", "b/1") == (50, 50)
    assert lineup.sets("a/1", "c/1") == (DEALS, DEALS)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"agents": []}, "agents: got none; give two or more"),
        ({"agents": ["a/1"]}, "agents: got 'a/1' alone; give two or more"),
        ({"agents": "a/1, b/1"}, "alone; give two or more; in a file they are written [greedy/1,"),
        ({"agents": "-a/1 -b/1"}, "alone; give two or more; in a file they are written [greedy/1,"),
        ({"agents": ["a/1", "b/1", "a/1"]}, "agents: 'a/1' is named twice"),
        (
            {"agents": ["a/1", "b/1", "sichuan/a/1"]},
            "agents: 'a/1' is named twice, also as 'sichuan/a/1'; once is enough",
        ),
        ({"agents": 3}, "agents: got 3; allowed: a list of names"),
        ({"deals": 0}, "deals: got 0; allowed: a whole number from 1 to 1000000000, without"),
        ({"deals": "1e3"}, "deals: got '1e3'; allowed: a whole number from 1"),
        ({"deals": True}, "deals: got True; allowed: a whole number from 1"),
        ({"deals": 10**400}, "allowed: a whole number from 1"),
        ({"max_deals": -1}, "max_deals: got -1; allowed: a whole number from 1"),
        ({"precision": 0}, "precision: got 0; allowed: a half-width above 0"),
        ({"precision": float("nan")}, "precision: got nan; allowed: a half-width above 0"),
        ({"deals_with": {"c/1": 5}}, "deals_with: 'c/1' is not one of the agents"),
        ({"precision": float("inf")}, "precision: got inf; allowed: a half-width above 0"),
        ({"deals_with": {"a/1": 0}}, "deals_with: a/1: got 0; allowed: a whole number from 1"),
        ({"deals_with": {"a/1": None}}, "deals_with: a/1: got None; allowed: a whole number"),
        ({"deals_with": 5}, "deals_with: got 5; allowed: lines of the form 'slow/1: 200'"),
        ({"reference": 3}, "reference: got 3; allowed: one of the agents: a/1, b/1"),
        ({"rules": []}, "rules: got none; give a preset or a file"),
        ({"rules": ["qq", "qq"]}, "rules: 'qq' is named twice"),
        ({"max_deals": 100}, "max_deals: only with a precision"),
        (
            {"max_deals": 9, "deals": 10, "precision": 1},
            "deals: got 10, the fewest for a precision",
        ),
        ({"deals": MAX_DEALS + 1, "precision": 1}, "allowed: max_deals, which is 100000, or less"),
        ({"form": "3v1"}, "form: got '3v1'; allowed: 1v3, 2v2"),
        ({"walls": "brick"}, "walls: got 'brick'; allowed: ordinary, seat-keyed"),
        ({"form": ["1v3"]}, "form: got ['1v3']; allowed: 1v3, 2v2"),
        ({"seed_block": "mine"}, "seed block: got 'mine'; allowed: dev, val, test"),
        ({"seed_block": ["dev"]}, "seed block: got ['dev']; allowed: dev, val, test"),
        ({"variates": "aivat"}, "variates: got 'aivat'; allowed: luck, value"),
        ({"deal": 5}, "unknown key 'deal' (did you mean 'deals'?); keys: agents, rules, deals"),
    ],
)
def test_what_cannot_be_played_is_refused(options, message):
    with pytest.raises(EvaluationError) as raised:
        make_lineup({**TWO, **options})
    assert message in str(raised.value)


def test_a_file_is_read_and_options_hold_instead(tmp_path):
    file = tmp_path / "ladder.yaml"
    file.write_text("agents: [a/1, b/1]\nrules: standalone\ndeals: 50\n", encoding="utf-8")
    lineup = read_lineup(file, {"deals": 9})
    assert lineup == LineUp(("a/1", "b/1"), ("standalone",), 9)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("agents: [a/1, b/1]\ndealz: 3\n", "unknown key 'dealz' (did you mean 'deals'?)"),
        ("agents: [a/1\n", "not a YAML file"),
        ("- a/1\n", "allowed: lines of the form 'deals: 2000'"),
        ("deals: 3\ndeals: 4\n", "'deals' is given twice"),
        ("deals: 2026-99-99\n", "not a YAML file: month must be in 1..12"),
        (f"deals: 1{'0' * 5000}\n", "not a YAML file: Exceeds the limit"),
        (f"agents: {'[' * 5000}", "not a YAML file: nested too deeply"),
    ],
)
def test_a_broken_file_is_named(text, message, tmp_path):
    file = tmp_path / "ladder.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(EvaluationError) as raised:
        read_lineup(file, {})
    assert str(file) in str(raised.value)
    assert message in str(raised.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(EvaluationError, match="cannot read the line-up"):
        read_lineup(tmp_path / "no.yaml", {})


def test_every_key_is_named_where_files_are_explained():
    page = (ROOT / "docs" / "arena.md").read_text(encoding="utf-8")
    text = page.split("\n## Line-ups\n", 1)[1].split("```", 1)[0]
    assert sorted(re.findall(r"`(\w+)`", text)) == sorted(field.name for field in fields(LineUp))


@pytest.mark.parametrize("file", sorted((ROOT / "configs" / "arena").glob("*.yaml")), ids=str)
def test_the_files_that_come_with_it_can_be_read(file):
    assert len(read_lineup(file, {}).agents) >= 2


@pytest.mark.parametrize("variates", [None, "luck"])
def test_a_value_without_its_variates_is_refused(variates: str | None) -> None:
    with pytest.raises(EvaluationError, match="value: got 'fitted' with the variates"):
        LineUp(("greedy/1", "random_legal/1"), variates=variates, value="fitted")
