import json
from pathlib import Path

import pytest

from mjenv.core.cases import Case, Fields, read_cases
from mjenv.errors import CaseError
from mjenv.sichuan.cases import ANSWERS, run_case

FILE = Path(__file__).parents[1] / "cases" / "sichuan.jsonl"
CASES = list(read_cases(FILE))
BY_NAME = {case.name: case for case in CASES}


def changed(name: str, expect: dict | None = None, **fields) -> Case:
    """A case of the file with other fields; a field of None is taken out."""
    line = FILE.read_text(encoding="utf-8").splitlines()[BY_NAME[name].line - 1]
    values = {**json.loads(line), **fields}
    values = {key: value for key, value in values.items() if value is not None}
    values["expect"] = values["expect"] if expect is None else expect
    return Case(7, name, "sichuan", Fields(values), values["expect"])


def test_every_type_is_in_the_file():
    types = {json.loads(line)["type"] for line in FILE.read_text(encoding="utf-8").splitlines()}
    assert types == set(ANSWERS)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_case(case):
    assert run_case(case) == []


@pytest.mark.parametrize(
    ("name", "field", "wrong"),
    [
        ("A01", "fan", 2),
        ("A01", "multiple", 2),
        ("A01", "delta", [12, -12, 0, 0]),
        ("A01", "base", ["qi_dui"]),
        ("A01", "extras", {"gen": 1}),
        ("B06", "extras", {}),
        ("M03", "base", ["ping_hu", "dui_dui_hu"]),
        ("C01", "reason", "bad_shape"),
        ("C01", "win", True),
        ("C12", "waits", ["5m"]),
        ("C12", "ready", False),
        ("C12", "max_fan", 5),
        ("D10", "delta", [0, 0, 0, 0]),
        ("D09", "ended", "three_wins"),
        ("F01", "delta", [0, 0, 0, 0]),
        ("E21", "classes", ["pig", "ready:2", "ready:1", "ready:3"]),
        ("F05", "coins", [0, 0, 0, 0]),
        ("F05", "system", 0),
        ("F10", "next", "dice"),
    ],
)
def test_every_field_is_compared(name, field, wrong):
    case = BY_NAME[name]
    (found,) = run_case(changed(name, {**case.expect, field: wrong}))
    assert (found.field, found.expected, found.line, found.case) == (field, wrong, 7, name)
    assert str(found).startswith(f"line 7: case {name}: {field}: expected {json.dumps(wrong)}, got")


def test_extras_must_fit_the_pattern_of_a_tie():
    """Six fan: the dragon with its root inside, or clean terminals and one root."""
    fits = [("qing_long_qi_dui", {}), ("qing_yao_jiu", {"gen": 1})]
    for pattern, extras in fits:
        assert run_case(changed("B16", {"base": [pattern], "extras": extras})) == []
    for (pattern, _), (_, extras) in zip(fits, reversed(fits), strict=True):
        (found,) = run_case(changed("B16", {"base": [pattern], "extras": extras}))
        assert found.field == "extras"
    assert run_case(changed("B16", {"extras": {}})) == []


def test_a_fan_case_that_is_no_win():
    found = run_case(changed("A01", win="1s"))
    assert {item.field for item in found} == {"base", "extras", "fan", "multiple", "delta"}
    assert found[0].got == "no win: bad_shape"


def test_a_not_win_case_that_is_a_win():
    expect = {"win": False, "reason": "bad_shape"}
    found = run_case(changed("C06", expect, hand="111222333m4567p", win="4p"))
    assert [(item.field, item.got) for item in found] == [("win", True), ("reason", None)]


def test_a_fifth_tile_is_found_wherever_it_is():
    expect = {"win": False, "reason": "fifth_tile"}
    assert run_case(changed("C07", expect, hand="11111m56789m123p", win="9m")) == []
    assert run_case(changed("C07", expect, hand="1m456789m123p", melds=["kong_direct:1m"])) == []


def test_options_are_used():
    expect = {"fan": 3, "delta": [24, -24, 0, 0], "base": ["long_qi_dui"]}
    assert run_case(changed("B05", expect, options={"fan_cap": 3})) == []
    expect = {"fan": 4, "extras": {"qiang_gang": 3}}
    assert run_case(changed("A32", expect, options={"extra_fans": {"qiang_gang": 3}})) == []


def test_unknown_fields_are_ignored():
    case = changed("A01", {**BY_NAME["A01"].expect, "mood": "good"}, weather="rain")
    assert run_case(case) == []


def test_later_winners_of_a_flow_pay_and_get_nothing():
    players = [{"hand": "1111456789m123p"}, None, {"hand": "2344567s345789p"}, {"hand": "1p"}]
    players[1] = {}
    case = changed(
        "E21",
        {"classes": ["unready", "won", "ready:1", "won"], "delta": [-6, 0, 6, 0]},
        players=players,
        won_before=[1, 3],
    )
    assert run_case(case) == []


def test_kongs_of_flow_hands_are_paid_and_refunded():
    kongs = [
        {"ev": "kong", "seat": 0, "kind": "added"},
        {"ev": "kong", "seat": 1, "kind": "direct", "from": 3},
    ]
    paid_once = [-42, 12 + 12, 6, 24 - 12]  # seat 0 is unready and gives its 18 back
    assert run_case(changed("E21", {"delta": paid_once}, kongs=kongs)) == []


@pytest.mark.parametrize(
    ("preset", "state", "expected"),
    [
        ("standalone", {"end": "three_wins", "winners": [2, 1, 3]}, "dice"),
        ("standalone_single", {"end": "rob_kong", "konger": 3, "winners": [1]}, 3),
        ("sichuan_modern", {"end": "three_wins", "winners": [2, 1, 3]}, 2),
        ("sichuan_modern", {"end": "three_wins", "winners": [1, 2, 3], "discarder": 0}, 0),
        ("sichuan_modern", {"end": "three_wins", "winners": [1, 2, 3], "konger": 0}, 0),
        ("sichuan_modern", {"end": "flow"}, 1),
        ("sichuan_modern", {"end": "flow", "winners": [3, 0]}, 3),
        ("sichuan_modern", {"end": "self_draw", "winners": [2]}, 2),
    ],
)
def test_next_dealer(preset, state, expected):
    case = changed("F10", {"next": expected}, preset=preset, state={"dealer": 1, **state})
    assert run_case(case) == []


WIN = {"ev": "win", "winners": [1], "fans": [1], "from": 0}


@pytest.mark.parametrize(
    ("name", "fields", "message"),
    [
        ("A01", {"type": "riddle"}, "type: got 'riddle'; known: fan, not_win"),
        ("A01", {"type": None}, "type is missing"),
        ("A01", {"preset": "tokyo"}, "unknown preset 'tokyo'"),
        ("A01", {"preset": None}, "preset is missing"),
        ("A01", {"options": {"fancap": 3}}, "unknown option 'fancap'"),
        ("A01", {"options": {"fan_cap": "many"}}, "fan_cap: got 'many'"),
        ("A01", {"options": [1]}, r"options: got \[1\]; allowed: a JSON object"),
        ("A01", {"hand": None}, "hand is missing"),
        ("A01", {"hand": 5}, "hand: got 5; allowed: a text"),
        ("A01", {"hand": "123m"}, "the hand has 3 tiles"),
        ("A01", {"hand": "11111m456m789m11p"}, "5 tiles 1m in one hand"),
        ("A01", {"win": None}, "win is missing"),
        ("A01", {"win": "9x"}, "is no tile"),
        ("A01", {"by": None}, "by is missing"),
        ("A01", {"by": "luck"}, "by: got 'luck'"),
        ("A01", {"flags": ["moon"]}, "flags: got 'moon'; known: after_kong"),
        ("A01", {"flags": ["after_kong"]}, "after_kong goes with self_draw"),
        ("A01", {"flags": "after_kong"}, "flags: got .*; allowed: a list of texts"),
        ("A01", {"melds": ["pung"]}, "is no meld|exactly one is wanted"),
        ("A01", {"won_before": [4]}, r"won_before: got \[4\]; allowed: a list of seats"),
        ("A01", {"void": "x"}, "'x' is no suit"),
        ("A01", {"expect": {}}, "expect names nothing to compare; known here: base"),
        ("A01", {"expect": {"base": "ping_hu"}}, "base: got 'ping_hu'; allowed: a list"),
        ("C12", {"hand": "1122335577m9999p1p"}, "14 tiles|15 tiles"),
        ("D02", {"events": None}, "events is missing"),
        ("D02", {"events": [{"ev": "chow"}]}, "event 1 of events: ev: got 'chow'"),
        ("D02", {"events": [{"seat": 0}]}, "event 1 of events: ev is missing"),
        ("D02", {"events": [WIN, {"ev": "kong", "seat": 4, "kind": "added"}]}, "event 2.*a seat"),
        ("D02", {"events": [{"ev": "kong", "seat": 0, "kind": "big"}]}, "kind: got 'big'"),
        ("D02", {"events": [{"ev": "kong", "seat": 0, "kind": "direct"}]}, "from is missing"),
        ("D02", {"events": [{**WIN, "fans": [1, 2]}]}, "fans: .*a list of 1 whole numbers"),
        ("D02", {"events": [{"ev": "win", "winners": [1], "fans": [1]}]}, "from is missing"),
        ("D02", {"events": [WIN, WIN]}, "seat 1 has won and cannot win any more"),
        ("D02", {"events": [{**WIN, "kong_discard": 1}]}, "kong_discard: got 1; allowed: true"),
        ("D02", {"events": [{"ev": "flow", "ready": {"9": 1}}]}, "ready: .*fan by seat"),
        ("D02", {"events": "kong"}, "events: got .*a list of events"),
        ("E21", {"players": [{"hand": "1p"}]}, "players: got 1; allowed: 4"),
        ("E21", {"void": ["m"]}, "void: got .*a list of 4 suits"),
        ("E21", {"won_before": [0, 0]}, "seat 0 has won"),
        ("F05", {"points": [1, 2]}, r"points: got \[1, 2\]; allowed: a list of 4 whole"),
        ("F05", {"table_fee": -1}, "table_fee: got -1"),
        ("F10", {"state": None}, "state is missing"),
        ("F10", {"state": {"dealer": 0, "end": "storm"}}, "state: end: got 'storm'"),
        ("F10", {"state": {"dealer": 0, "end": "discard_win", "winners": [1]}}, "must be named"),
        ("F10", {"state": {"dealer": 0, "end": "three_wins"}}, "winners is missing"),
        ("F10", {"state": {"end": "flow"}}, "dealer is missing"),
    ],
)
def test_broken_cases_are_refused_with_line_and_reason(name, fields, message):
    with pytest.raises(CaseError, match=message) as caught:
        run_case(changed(name, **fields))
    assert caught.value.line == 7
    assert str(caught.value).startswith(f"line 7: case {name}: ")
