"""Payments and names of wins at the reference table: transfer, escape, first-tile wins."""

from typing import Any

import pytest

from tests.reference.presets import with_options
from tests.reference.situations import JUNK, WAITS_5M, pass_all, set_wall, table_of
from tests.reference.table import ReferenceTable
from tests.reference.tiles import count, parse_tiles
from tests.reference.wall import arrange_wall


def kong_then_shot(**options: Any) -> list[dict[str, Any]]:
    """Seat 0 declares two concealed kongs and discards 5m, which seats 1 and 3 win."""
    hands = ["1111m2222s5m13s46p", "46m123789p22288p", "", "46m345678999s77s"]
    table = table_of(hands, draws="7s8p", base_points=1, **options)
    table.step("kong 1m")
    table.step("kong 2s")
    table.step("discard 5m")
    while table.phase == "CLAIM":
        events = table.step("win")
    return events


@pytest.mark.parametrize(
    ("transfer", "scope", "moved"),
    [
        ("full_each", "last_kong", [-12, 6, 0, 6]),
        ("full_each", "kong_chain", [-24, 12, 0, 12]),
        ("split_ceil", "last_kong", [-6, 3, 0, 3]),
        ("split_ceil", "kong_chain", [-12, 6, 0, 6]),
        ("none", "last_kong", None),
    ],
)
def test_call_transfer(transfer: str, scope: str, moved: list[int] | None) -> None:
    events = kong_then_shot(call_transfer=transfer, transfer_scope=scope)
    pays = {event["reason"]: event["points"] for event in events if event["type"] == "pay"}
    assert pays.get("transfer") == moved
    assert [event["type"] for event in events[:3]] == ["win", "win", "pay"]


def test_replacements_from_the_back() -> None:
    wall = arrange_wall(["1111m", "", "", ""], last="7p")
    table = ReferenceTable(with_options("standalone", {"kong_draw_end": "back"}), wall, 0)
    assert table.step("kong 1m")[-1]["tile"] == "7p"


@pytest.mark.parametrize(
    ("left", "points"),
    [(5, [-48, 16, 16, 16]), (4, [-64, 32, 32, 0])],
    ids=["before the last four", "in the last four"],
)
def test_escape_pays_the_larger_of_penalty_and_ready_check(left: int, points: list[int]) -> None:
    table = table_of(["", "", "", ""], allow_quit=True, base_points=1)
    table.held[1] = count(parse_tiles("1122444455779m"))
    table.held[2] = count(parse_tiles("1122444455779s"))
    set_wall(table, left)
    assert table.legal()[-1] == "quit"
    events = table.step("quit")
    assert events[0] == {"type": "pay", "reason": "escape", "points": points}
    assert events[-1]["reason"] == "escape"
    assert events[-1]["classes"][:3] == ["left", "ready", "ready"]


def test_heavenly_win_names_the_last_dealt_tile() -> None:
    table = table_of(["123678m12355p999m", "", "", ""])
    assert "win" in table.legal()
    event = table.step("win")[0]
    assert (event["patterns"], event["tile"], event["fan"]) == (["tian_hu"], "9m", 6)


def test_earthly_win_on_the_dealers_first_discard_is_an_option() -> None:
    for option, name in (("first_draw_uninterrupted", "ping_hu"), ("also_first_discard", "di_hu")):
        table = table_of([JUNK, WAITS_5M[0], "", ""], di_hu=option)
        table.step("discard 5m")
        assert table.step("win")[0]["patterns"] == [name]


def test_earthly_win_on_the_first_draw_unless_something_was_melded() -> None:
    table = table_of([JUNK, WAITS_5M[0], "", ""], draws="5m")
    table.step("discard 9s")
    assert table.step("win")[0]["patterns"] == ["di_hu"]
    table = table_of(["9999s", WAITS_5M[0], "", ""], draws="8s5m")
    table.step("kong 9s")
    table.step("discard 8s")
    pass_all(table)
    assert table.step("win")[0]["patterns"] == ["ping_hu"]
