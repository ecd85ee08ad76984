"""Small situations at the engine: legality, forced wins, priority, who draws next.

One test for each line of `cases/sichuan-states.jsonl`, whose id it bears.
"""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from mjenv.core.tiles import parse_tiles
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import Win
from tests.reference.situations import JUNK, WAITS_5M
from tests.reference.wall import arrange_wall
from tests.sichuan.engine import Engine, discard_drawn, pass_all, table_of

CASES = Path(__file__).parents[1] / "cases" / "sichuan-states.jsonl"


def test_every_case_has_a_test() -> None:
    ids = {json.loads(line)["id"].lower() for line in CASES.read_text("utf-8").splitlines()}
    source = Path(__file__).read_text("utf-8").lower()
    assert ids == set(re.findall(r"\bg\d\d|(?<=_)g\d\d", source))


def mark_won(engine: Engine, seats: list[int]) -> None:
    """These seats have won before, on discards."""
    for order, seat in enumerate(seats, start=1):
        engine.state["win_order"][seat] = order
        engine.state["win_how"][seat] = Win.DISCARD
        engine.state["num_wins"] += 1
        engine.state["num_win_events"] += 1


def discards(engine: Engine) -> list[str]:
    return [action for action in engine.menu() if action.startswith("discard")]


# ------------------------------------------------------------------------------- who draws next


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
    engine = table_of(hands, next_after_discard_win=option)
    mark_won(engine, won)
    engine.step("discard 5m")
    while engine.phase == "CLAIM":
        engine.step("win")
    assert engine.phase == "TURN"
    assert engine.actor == (discarder_next if option == "discarder_next" else last_winner_next)


def test_g03_next_draw_after_a_self_draw() -> None:
    engine = table_of([JUNK, "", "", WAITS_5M[2]], draws="2p2p5m")
    engine.step("discard 9s")
    discard_drawn(engine)
    discard_drawn(engine)
    assert engine.actor == 3
    assert "win" in engine.menu()
    engine.step("win")
    assert engine.actor == 0


# ---------------------------------------------------------------------------------- forced wins


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
    engine = table_of([JUNK, WAITS_5M[0], "", ""], preset, **options)
    engine.leave_in_wall(left, "5m")
    engine.step(engine.menu()[-1])
    pass_all(engine)
    assert engine.actor == 1
    assert engine.menu() == ["win"] if forced else "win" in engine.menu() and discards(engine)


def test_g07_forced_win_on_a_discard() -> None:
    engine = table_of([JUNK, "55m44p123456789p", "", ""])
    engine.leave_in_wall(1)
    engine.step("discard 5m")
    assert (engine.actor, engine.menu()) == (1, ["win"])


def test_a_free_claim_offers_pung_win_and_pass() -> None:
    engine = table_of([JUNK, "55m44p123456789p", "", ""])
    engine.step("discard 5m")
    assert engine.menu() == ["pung", "win", "pass"]


# ----------------------------------------------------------------------------------------- kongs


@pytest.mark.parametrize(("left", "kong"), [(0, False), (1, True)], ids=["G10", "G11"])
def test_a_kong_needs_a_tile_in_the_wall(left: int, kong: bool) -> None:
    engine = table_of(["1111m", "", "", ""])
    engine.leave_in_wall(left)
    engine.ask_again()
    assert ("kong 1m" in engine.menu()) == kong


def test_a_kong_at_the_empty_wall_ends_the_deal_where_it_is_allowed() -> None:
    engine = table_of(["1111m", "", "", ""], kong_needs_wall=False)
    engine.leave_in_wall(0)
    engine.ask_again()
    events = engine.step("kong 1m")
    assert events[:2] == ["KONG", "PAY"]
    assert events[-1] == "END"
    assert engine.over


def test_g12_only_discards_after_a_pung() -> None:
    engine = table_of(["5m", "55m1111p", "", ""])
    engine.step("discard 5m")
    engine.step("pung")
    assert engine.menu() == discards(engine) != []


def pung_then_draw(draws: str, hand: str = "55m", **options: Any) -> Engine:
    """Seat 1 has punged 5m, the others have drawn and discarded, and seat 1 has drawn."""
    engine = table_of(["5m", hand, "", ""], draws=draws, **options)
    engine.step("discard 5m")
    engine.step("pung")
    engine.step(engine.menu()[-1])
    pass_all(engine)
    for _ in range(3):
        discard_drawn(engine)
    assert engine.actor == 1
    return engine


@pytest.mark.parametrize(
    ("timing", "legal", "paid"),
    [
        ("just_drawn", False, False),
        ("any_turn_paid", True, True),
        ("any_turn_unpaid", True, False),
    ],
)
def test_g13_the_fourth_tile_held_earlier(timing: str, legal: bool, paid: bool) -> None:
    engine = pung_then_draw("1p1p1p9p", hand="555m", added_kong_timing=timing)
    assert ("kong 5m" in engine.menu()) == legal
    if legal:
        assert engine.step("kong 5m") == (["KONG", "PAY", "DRAW"] if paid else ["KONG", "DRAW"])
        assert engine.melds(1) == ["kong_added:5m"]


def rob_by_seat_3(**options: Any) -> Engine:
    """Seat 1 declares the added kong of 5m; seat 3 waits for it."""
    engine = pung_then_draw("1p1p1p5m", **options)
    engine.hold(3, WAITS_5M[2])
    engine.step("kong 5m")
    assert (engine.phase, engine.actor) == ("ROB", 3)
    return engine


def test_g14_an_added_kong_can_be_robbed_and_then_passed() -> None:
    engine = rob_by_seat_3()
    assert engine.menu() == ["win", "pass"]
    assert engine.step("pass") == ["KONG", "PAY", "DRAW"]
    assert engine.melds(1) == ["kong_added:5m"]


def test_g24_a_robbed_kong_leaves_a_pung_and_no_payment() -> None:
    engine = rob_by_seat_3()
    assert engine.step("win") == ["WIN", "PAY", "DRAW"]
    assert engine.state["win_how"][3] == Win.ROB_KONG
    assert engine.state["win_from"][3] == 1
    assert engine.points == [0, -6, 0, 6]
    assert engine.melds(1) == ["pung:5m"]
    assert len(parse_tiles(engine.hand(1))) % 3 == 1
    assert "5m" not in engine.hand(1)
    assert engine.actor == 2


def test_a_robbed_konger_may_have_to_pay_for_all() -> None:
    engine = rob_by_seat_3(rob_kong_payer="konger_for_all")
    engine.step("win")
    assert engine.points == [0, -18, 0, 18]


def test_g15_a_direct_kong_asks_nobody_else() -> None:
    engine = table_of(["5m", "555m", "", WAITS_5M[2].replace("46m", "44m").replace("11s", "66s")])
    engine.step("discard 5m")
    assert engine.menu() == ["pung", "kong", "pass"]
    assert engine.step("kong") == ["KONG", "PAY", "DRAW"]
    assert engine.points == [-12, 12, 0, 0]
    assert (engine.actor, engine.phase) == (1, "TURN")


def test_g16_a_concealed_kong_asks_nobody() -> None:
    engine = table_of(["5555m", WAITS_5M[0], "", ""])
    assert engine.step("kong 5m") == ["KONG", "PAY", "DRAW"]
    assert (engine.actor, engine.phase) == (0, "TURN")


# ------------------------------------------------------------------------------------ void suits


def test_g17_void_tiles_first() -> None:
    engine = table_of(["123m456m5p7s999s13s4s", "", "", ""], "qq")
    engine.state["void_suit"][0] = 1
    engine.ask_again()
    assert discards(engine) == ["discard 5p"]


@pytest.mark.parametrize("held", ["55p", "555p"])
def test_g18_void_tiles_are_never_claimed(held: str) -> None:
    engine = table_of(["5p", held, "", ""], "qq")
    engine.state["void_suit"][:] = 1
    engine.ask_again()
    engine.step("discard 5p")
    assert (engine.phase, engine.actor) == ("TURN", 1)


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
    rules = Rules.preset("qq").replace(void_auto=auto)
    engine = Engine.of_wall(rules, arrange_wall([dealt, "", "", ""]))
    assert (engine.phase, engine.menu()) == ("VOID", menu)


# ---------------------------------------------------------------------------- deal and priority


@pytest.mark.parametrize("dealer", range(4))
def test_g21_the_deal(dealer: int) -> None:
    rules = Rules.preset("standalone")
    wall = arrange_wall(["", "", "", ""], dealer)
    engine = Engine.of_wall(rules, wall, dealer)
    sizes = [len(parse_tiles(engine.hand(seat))) for seat in range(4)]
    assert sizes == [14 if seat == dealer else 13 for seat in range(4)]
    assert engine.wall_left == 55
    assert (engine.actor, engine.phase, len(engine.events)) == (dealer, "TURN", 0)


def test_g22_a_win_goes_before_a_pung() -> None:
    engine = table_of([JUNK, "55m", "", WAITS_5M[2]])
    engine.step("discard 5m")
    assert engine.step("pung") == []
    assert engine.step("win") == ["WIN", "PAY", "DRAW"]
    assert engine.melds(1) == []


def test_g23_two_wins_go_before_a_kong() -> None:
    engine = table_of([JUNK, WAITS_5M[0], WAITS_5M[2], "555m"])
    engine.step("discard 5m")
    engine.step("win")
    engine.step("win")
    assert engine.step("kong") == ["WIN", "WIN", "PAY", "DRAW"]
    assert engine.events["seat"][1:3].tolist() == [1, 2]
    assert engine.points == [-12, 6, 6, 0]
    assert engine.melds(3) == []


# --------------------------------------------------------------------------- pass lock, exchange


def modern(hands: list[str], draws: str) -> Engine:
    """The modern rules without exchange and void suits, which only get in the way here."""
    engine = table_of(hands, "sichuan_modern", swap_three=False, draws=draws)
    engine.state["void_suit"][:] = -1
    engine.ask_again()
    return engine


def test_a_declined_win_locks_the_same_fan_until_the_next_own_draw() -> None:
    engine = modern([JUNK, "", WAITS_5M[1], ""], "5m1p1p1p")
    engine.step("discard 5m")
    assert engine.menu() == ["win", "pass"]
    engine.step("pass")
    assert engine.state["lock_fan"][2] == 1
    engine.step("discard 5m")
    assert engine.actor == 2, "seat 2 is not asked about the same tile but draws"
    assert engine.state["lock_fan"][2] == 0


def test_a_locked_seat_is_asked_about_a_better_win() -> None:
    engine = modern([JUNK, "1111m3792344s67p", WAITS_5M[1], ""], "5m8s")
    engine.step("discard 5m")
    engine.step("pass")
    engine.step("kong 1m")
    engine.step("discard 5m")
    assert (engine.actor, engine.menu()) == (2, ["win", "pass"])
    engine.step("win")
    assert engine.state["win_fan"][2] == 2


def test_exchange_moves_all_triples_at_once() -> None:
    wall = arrange_wall(["111222333m111p22p", "999m", "999p", "999s"])
    engine = Engine.of_wall(Rules.preset("sichuan_modern"), wall, 0, "opposite")
    given = []
    while engine.phase == "EXCHANGE":
        given.append((engine.actor, engine.menu()[0]))
        events = engine.step(engine.menu()[0])
    assert given[:3] == [(0, "give 1m")] * 3
    assert events == ["EXCHANGE"]
    assert engine.state["hand"][2][0] == 3
    assert [len(parse_tiles(engine.hand(seat))) for seat in range(4)] == [14, 13, 13, 13]
    assert engine.phase == "VOID"
