"""Small situations at the reference table: legality, forced wins, priority, who draws next.

The ids in the names are those of `cases/sichuan-states.jsonl`.
"""

from typing import Any

import pytest

from tests.reference.presets import PRESETS, with_options
from tests.reference.situations import JUNK, WAITS_5M, discard_drawn, pass_all, set_wall, table_of
from tests.reference.table import ReferenceTable
from tests.reference.tiles import KIND, count, parse_meld, parse_tiles
from tests.reference.wall import arrange_wall


def test_g21_the_deal() -> None:
    table = table_of(["", "", "", ""])
    assert [len(hand) for hand in table.hands] == [14, 13, 13, 13]
    assert table.wall_left == 55
    assert table.events == []


@pytest.mark.parametrize(
    ("winners", "won", "discarder_next", "last_winner_next"),
    [([2], [], 1, 3), ([1, 3], [], 2, 0), ([3], [1], 2, 0)],
    ids=["G01", "G02", "G04"],
)
@pytest.mark.parametrize("option", ["discarder_next", "last_winner_next"])
def test_next_draw_after_discard_wins(
    winners: list[int], won: list[int], discarder_next: int, last_winner_next: int, option: str
) -> None:
    hands = [JUNK, "", "", ""]
    for seat in winners:
        hands[seat] = WAITS_5M[seat - 1]
    table = table_of(hands, next_after_discard_win=option)
    for seat in won:
        table.ledger.won[seat] = True
    table.step("discard 5m")
    while table.phase == "CLAIM":
        table.step("win")
    assert table.phase == "TURN"
    assert table.actor == (discarder_next if option == "discarder_next" else last_winner_next)


def test_g03_next_draw_after_a_self_draw() -> None:
    table = table_of([JUNK, "", "", WAITS_5M[2]], draws="2p2p5m")
    table.step("discard 9s")
    discard_drawn(table)
    discard_drawn(table)
    assert (table.actor, table.legal()[-1]) == (3, "win")
    table.step("win")
    assert table.actor == 0


@pytest.mark.parametrize(
    ("preset", "left", "options", "forced"),
    [
        ("standalone", 4, {}, True),
        ("standalone", 5, {}, False),
        ("standalone", 5, {"last_four_scope": "window"}, True),
        ("qq", 1, {}, False),
        ("qq", 1, {"void_suit": False}, True),
    ],
    ids=["G05", "G06", "window", "G08", "G09"],
)
def test_forced_win_of_the_drawer(
    preset: str, left: int, options: dict[str, Any], forced: bool
) -> None:
    table = table_of([JUNK, WAITS_5M[0], "", ""], preset, **options)
    set_wall(table, left, "5m")
    table.step(table.legal()[-1])
    pass_all(table)
    assert table.actor == 1
    menu = table.legal()
    assert menu == ["win"] if forced else menu[0].startswith("discard") and menu[-1] == "win"


def test_g07_forced_win_on_a_discard() -> None:
    table = table_of([JUNK, "55m44p123456789p", "", ""])
    set_wall(table, 1)
    table.step("discard 5m")
    assert (table.actor, table.legal()) == (1, ["win"])


def test_a_free_claim_offers_pung_win_and_pass() -> None:
    table = table_of([JUNK, "55m44p123456789p", "", ""])
    table.step("discard 5m")
    assert table.legal() == ["pung", "win", "pass"]


@pytest.mark.parametrize(("left", "kong"), [(0, False), (1, True)], ids=["G10", "G11"])
def test_a_kong_needs_a_tile_in_the_wall(left: int, kong: bool) -> None:
    table = table_of(["1111m", "", "", ""])
    set_wall(table, left)
    assert table.phase == "TURN"
    table._ask_turn(0)
    assert ("kong 1m" in table.legal()) == kong


def test_a_kong_at_the_empty_wall_ends_the_deal_where_it_is_allowed() -> None:
    table = table_of(["1111m", "", "", ""], kong_needs_wall=False)
    set_wall(table, 0)
    events = table.step("kong 1m")
    assert [event["type"] for event in events[:2]] == ["kong", "pay"]
    assert events[-1]["reason"] == "wall_empty"


def test_g12_only_discards_after_a_pung() -> None:
    table = table_of(["5m", "55m1111p", "", ""])
    table.step("discard 5m")
    table.step("pung")
    assert all(action.startswith("discard") for action in table.legal())


def pung_then_draw(draws: str, **options: Any) -> ReferenceTable:
    """Seat 1 has punged 5m, the others have drawn and discarded, and seat 1 has drawn."""
    table = table_of(["5m", str(options.pop("hand", "55m")), "", ""], draws=draws, **options)
    table.step("discard 5m")
    table.step("pung")
    table.step(table.legal()[-1])
    pass_all(table)
    for _ in range(3):
        discard_drawn(table)
    assert table.actor == 1
    return table


@pytest.mark.parametrize(
    ("timing", "legal", "paid"),
    [
        ("just_drawn", False, False),
        ("any_turn_paid", True, True),
        ("any_turn_unpaid", True, False),
    ],
)
def test_g13_the_fourth_tile_held_earlier(timing: str, legal: bool, paid: bool) -> None:
    table = pung_then_draw("1p1p1p9p", hand="555m", added_kong_timing=timing)
    assert ("kong 5m" in table.legal()) == legal
    if legal:
        kinds = [event["type"] for event in table.step("kong 5m")]
        assert kinds == (["kong", "pay", "draw"] if paid else ["kong", "draw"])
        assert table.melds[1] == ["kong_added:5m"]


def rob_by_seat_3(**options: Any) -> ReferenceTable:
    """Seat 1 declares the added kong of 5m; seat 3 waits for it."""
    table = pung_then_draw("1p1p1p5m", **options)
    table.held[3] = count(parse_tiles(WAITS_5M[2]))
    table.step("kong 5m")
    assert (table.phase, table.actor) == ("ROB", 3)
    return table


def test_g14_an_added_kong_can_be_robbed_and_then_passed() -> None:
    table = rob_by_seat_3()
    assert table.legal() == ["win", "pass"]
    assert [event["type"] for event in table.step("pass")] == ["kong", "pay", "draw"]


def test_g24_a_robbed_kong_leaves_a_pung_and_no_payment() -> None:
    table = rob_by_seat_3()
    events = table.step("win")
    assert [event["type"] for event in events] == ["win", "pay", "draw"]
    assert (events[0]["how"], events[0]["from"]) == ("rob_kong", 1)
    assert events[1]["points"] == [0, -6, 0, 6]
    assert table.melds[1] == ["pung:5m"]
    assert len(table.hands[1]) % 3 == 1
    assert table.actor == 2


def test_a_robbed_konger_may_have_to_pay_for_all() -> None:
    events = rob_by_seat_3(rob_kong_payer="konger_for_all").step("win")
    assert events[1]["points"] == [0, -18, 0, 18]


def test_g15_a_direct_kong_asks_nobody_else() -> None:
    table = table_of(["5m", "555m", "", ""], draws="1p")
    table.step("discard 5m")
    assert table.legal() == ["pung", "kong", "pass"]
    events = table.step("kong")
    assert [event["type"] for event in events] == ["kong", "pay", "draw"]
    assert events[1]["points"] == [-12, 12, 0, 0]
    assert (table.actor, table.phase) == (1, "TURN")


def test_g16_a_concealed_kong_asks_nobody() -> None:
    table = table_of(["5555m", "46m123456789p11p", "", ""])
    events = table.step("kong 5m")
    assert [event["type"] for event in events] == ["kong", "pay", "draw"]


def test_g17_void_tiles_first() -> None:
    table = table_of(["123m456m5p7s999s13s4s", "", "", ""], "qq")
    table.void[0] = 1
    table._ask_turn(0)
    assert [a for a in table.legal() if a.startswith("discard")] == ["discard 5p"]


@pytest.mark.parametrize("held", ["55p", "555p"])
def test_g18_void_tiles_are_never_claimed(held: str) -> None:
    table = table_of(["5p", held, "", ""], "qq")
    table.void = [1, 1, 1, 1]
    table._ask_turn(0)
    table.step("discard 5p")
    assert (table.phase, table.actor) == ("TURN", 1)


@pytest.mark.parametrize(
    ("dealt", "auto", "menu"),
    [
        ("11112222333344s", True, ["void m", "void p"]),
        ("1111222233344m4s", True, ["void p"]),
        ("1111222233344m4s", False, ["void m", "void p", "void s"]),
        ("111122223334m4s1p", True, ["void m", "void p", "void s"]),
    ],
    ids=["G20", "G19", "no auto", "three suits"],
)
def test_void_choices(dealt: str, auto: bool, menu: list[str]) -> None:
    rules = with_options("qq", {"void_auto": auto})
    table = ReferenceTable(rules, arrange_wall([dealt, "", "", ""]), 0)
    assert (table.phase, table.legal()) == ("VOID", menu)


def test_g22_a_win_goes_before_a_pung() -> None:
    table = table_of([JUNK, "55m", "", WAITS_5M[2]])
    table.step("discard 5m")
    assert table.step("pung") == []
    events = table.step("win")
    assert [event["type"] for event in events] == ["win", "pay", "draw"]
    assert table.melds[1] == []


def test_g23_two_wins_go_before_a_kong() -> None:
    table = table_of([JUNK, WAITS_5M[0], WAITS_5M[2], "555m"])
    table.step("discard 5m")
    table.step("win")
    table.step("win")
    events = table.step("kong")
    assert [event.get("seat") for event in events[:2]] == [1, 2]
    assert events[2]["points"] == [-12, 6, 6, 0]
    assert table.rivers[0] == []
    assert table.taken == [KIND["5m"]]


def test_an_illegal_action_is_refused() -> None:
    table = table_of(["", "", "", ""])
    with pytest.raises(ValueError, match="not legal"):
        table.step("win")


def test_a_declined_win_locks_the_same_fan_until_the_next_own_draw() -> None:
    modern = {"swap_three": False, "draws": "5m1p1p1p"}
    table = table_of([JUNK, "", WAITS_5M[1], ""], "sichuan_modern", **modern)
    table.void = [None] * 4
    table._ask_turn(0)
    table.step("discard 5m")
    assert table.legal() == ["win", "pass"]
    table.step("pass")
    assert table.lock[2] == 1
    table.step("discard 5m")
    assert table.actor == 2, "seat 2 is not asked about the same tile but draws"
    assert table.lock[2] == 0


def test_a_locked_seat_is_asked_about_a_better_win() -> None:
    hands = [JUNK, "1111m3792344s67p", WAITS_5M[1], ""]
    table = table_of(hands, "sichuan_modern", swap_three=False, draws="5m8s")
    table.void = [None] * 4
    table._ask_turn(0)
    table.step("discard 5m")
    table.step("pass")
    table.step("kong 1m")
    table.step("discard 5m")
    assert (table.actor, table.legal()) == (2, ["win", "pass"])
    assert table.step("win")[0]["extras"] == {"gang_shang_pao": 1}


def test_exchange_moves_all_triples_at_once() -> None:
    rules = PRESETS["sichuan_modern"]
    wall = arrange_wall(["111222333m111p22p", "999m", "999p", "999s"])
    table = ReferenceTable(rules, wall, 0, "opposite")
    given = []
    while table.phase == "EXCHANGE":
        given.append((table.actor, table.legal()[0]))
        events = table.step(table.legal()[0])
    assert given[:3] == [(0, "give 1m")] * 3
    assert events[0]["direction"] == "opposite"
    assert table.held[2][KIND["1m"]] == 3
    assert [len(hand) for hand in table.hands] == [14, 13, 13, 13]
    assert table.phase == "VOID"


def test_a_meld_of_another_suit_counts_for_the_pig_rule() -> None:
    table = table_of(["", "", "", ""])
    table.sets[1] = [parse_meld("pung:1s")]
    table.held[1] = count(parse_tiles("1111m22223333p"))
    assert table._classes()[1] == ("pig", 0)
