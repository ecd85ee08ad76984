"""Faults that public mahjong programs had, each as a check that this one does not have it.

The numbers in the names are those of the project's list of such faults. Those of hands and of
claims are here, those of payments and of the environment in `test_faults_of_payment.py`.
"""

import random
from typing import Any

import numpy as np
import pytest

from mjenv.core.suits import load_tables
from mjenv.core.tiles import parse_tiles, tile_text
from mjenv.errors import IllegalActionError
from mjenv.sichuan.analysis import live_counts, useful_kinds
from mjenv.sichuan.hand import deficiency
from mjenv.sichuan.patterns import Pattern
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NUM_KINDS, Class, Win
from mjenv.table import Table
from tests.reference.hand import deficiency as reference_deficiency
from tests.reference.situations import JUNK, WAITS_5M
from tests.reference.wall import arrange_wall
from tests.sichuan.checks import faults
from tests.sichuan.engine import Engine, discard_drawn, pass_all, table_of
from tests.sichuan.test_states import discards, pung_then_draw, rob_by_seat_3

LUTS = load_tables()
POWERS = 5 ** np.arange(9)


def keys_of(tiles: str) -> np.ndarray:
    return np.bincount(parse_tiles(tiles), minlength=NUM_KINDS).reshape(3, 9) @ POWERS


def deficiency_of(tiles: str, num_melds: int = 0, melded: int = 0, void: int = -1) -> int:
    key0, key1, key2 = (int(key) for key in keys_of(tiles))
    return deficiency(key0, key1, key2, num_melds, melded, void, LUTS)


def win_on(hand: str, tile: str, preset: str = "standalone", void: str = "s") -> Engine:
    """Seat 0 discards a tile and seat 1, whose 13 tiles are given, wins if it may."""
    engine = table_of(["", "", "", ""], preset)
    engine.hold(0, tile + "1379m1379p1379s5s")
    engine.hold(1, hand)
    for seat in (2, 3):
        engine.hold(seat, "1379m1379p1379s5s")
    if preset == "qq":
        engine.state["void_suit"][0] = "mps".index(tile[-1])
        engine.state["void_suit"][1] = "mps".index(void)
    engine.ask_again()
    engine.step(f"discard {tile}")
    if engine.phase == "CLAIM" and "win" in engine.menu():
        assert engine.actor == 1
        engine.step("win")
    return engine


def end_at_empty_wall(
    hands: list[str], preset: str = "standalone", melds: dict[int, list[str]] | None = None
) -> Engine:
    """Seat 0 makes the last discard, its last tile; then nothing is left to draw."""
    engine = table_of(["", "", "", ""], preset)
    for seat, hand in enumerate(hands):
        engine.hold(seat, hand)
        engine.put_melds(seat, (melds or {}).get(seat, []), (seat + 1) % 4)
    engine.leave_in_wall(0)
    engine.ask_again()
    engine.step(f"discard {hands[0][-2:]}")
    pass_all(engine)
    assert engine.over
    return engine


# -------------------------------------------------------------------- hands, waits, deficiency


@pytest.mark.parametrize(("preset", "fan"), [("standalone", 1), ("qq", 2)])
def test_01_four_of_a_kind_split_over_a_triplet_and_a_run(preset: str, fan: int) -> None:
    engine = win_on("222234m444555p9p", "9p", preset)
    assert engine.state["win_how"][1] == Win.DISCARD
    assert engine.state["win_fan"][1] == fan


def test_02_the_pair_taken_from_three_of_a_kind() -> None:
    engine = win_on("3334567m777999p", "8m")
    assert engine.state["win_patterns"][1] == 1 << Pattern.PING_HU


@pytest.mark.parametrize("hand", ["123456789m1111p", "1111456789m123p"])
def test_04_only_a_fifth_copy_would_win(hand: str) -> None:
    engine = end_at_empty_wall(["12345678m1245p6p5s", hand, "1379m13579p2468p", "1379m13579p2468p"])
    assert engine.state["classes"][1] == Class.UNREADY


def test_05_only_a_fifth_copy_would_win_at_the_empty_wall() -> None:
    """The hands of case E21, and a tile that seat 0 discards last."""
    engine = end_at_empty_wall(
        ["1111456789m123p9s", "5p", "2344567s345789p", "88663377m44s899s"],
        melds={1: ["pung:1s", "pung:9p", "kong_direct:6p", "pung:7s"]},
    )
    classes = [Class.UNREADY, Class.READY, Class.READY, Class.READY]
    assert engine.state["classes"].tolist() == classes
    assert engine.points == [-42, 12, 6, 24]


def test_07_two_equal_pairs_are_two_pairs() -> None:
    assert win_on("11112222m33557p", "7p").state["win_fan"][1] == 4
    assert win_on("11112222m33557p", "7p", "qq").state["win_fan"][1] == 6
    assert deficiency_of("2222335577m11p9p") == 1


def test_08_no_seven_pairs_beside_a_meld() -> None:
    assert deficiency_of("1122446688p", 1, 1) > 1
    hands = ["12345678m1245p6p5s", "1122446688p", "1379m13579p2468p", "1379m13579p2468p"]
    engine = end_at_empty_wall(hands, melds={1: ["pung:9m"]})
    assert engine.state["classes"][1] == Class.UNREADY


def test_10_deficiency_of_random_hands() -> None:
    rng = random.Random(10)
    tiles = [kind for kind in range(NUM_KINDS) for _ in range(4)]
    for _ in range(20_000):
        counts = np.bincount(rng.sample(tiles, 13), minlength=NUM_KINDS)
        keys = counts.reshape(3, 9) @ POWERS
        got = deficiency(int(keys[0]), int(keys[1]), int(keys[2]), 0, 0, -1, LUTS)
        expected = 99
        for unused in range(3):
            two_suits = counts.copy()
            two_suits[9 * unused : 9 * unused + 9] = 0
            expected = min(expected, reference_deficiency(two_suits.tolist(), 0))
        assert got == expected


def test_11_useful_tiles_are_there_to_be_drawn() -> None:
    engine = table_of(["4444m2356m2356p99p", "", "", ""])
    live = np.zeros(NUM_KINDS, np.int8)
    live_counts(engine.view(0), live)
    four_m = parse_tiles("4m")[0]
    assert live[four_m] == 0
    assert live.min() >= 0
    keys = tuple(int(key) for key in engine.state["suit_key"][0])
    goal = deficiency(*keys, 0, 0, -1, LUTS) - 1
    useful = useful_kinds(keys, 0, 0, -1, goal, live, LUTS)
    assert useful
    assert not useful >> four_m & 1
    own = engine.state["hand"][0]
    assert (live == 4 - own).all(), "nothing else lies open yet"


@pytest.mark.parametrize(("void", "asked"), [(2, True), (1, False), (0, False)])
def test_13_a_kong_is_not_robbed_with_void_tiles(void: int, asked: bool) -> None:
    """Seat 3 waits for 5m with characters and dots, whichever suit it has declared void."""
    engine = table_of(["", "", "", WAITS_5M[0]], "qq")
    engine.hold(1, "5m1133m1133p2p")
    engine.put_melds(1, ["pung:5m"], 2)
    engine.state["turn"], engine.state["actor"] = 1, 1
    engine.state["drawn"] = parse_tiles("5m")[0]
    engine.state["void_suit"][:] = [0, 2, 0, void]
    engine.ask_again()
    engine.step("kong 5m")
    assert (engine.phase == "ROB" and engine.actor == 3) == asked


@pytest.mark.parametrize("action", ["win", "pung", "pass", "kong 1m", "quit", "void m", 62, -1])
def test_14_an_action_that_is_not_in_the_menu_is_refused(action: Any) -> None:
    table = Table("standalone", wall=arrange_wall([JUNK, "", "", ""]))
    before, actions = table.state.tobytes(), table.actions
    with pytest.raises(IllegalActionError):
        table.step(action)
    assert table.state.tobytes() == before
    assert table.actions == actions


# ---------------------------------------------------------------------- claims, kongs, turn order


def test_15_a_pung_does_not_erase_the_win_of_another() -> None:
    engine = table_of([JUNK, "55m44p123456789p", WAITS_5M[2], ""])
    engine.step("discard 5m")
    assert engine.menu() == ["pung", "win", "pass"]
    engine.step("pung")
    engine.step("win")
    assert engine.state["win_how"].tolist() == [0, 0, Win.DISCARD, 0]
    assert engine.melds(1) == []


@pytest.mark.parametrize(("left", "menu"), [(20, ["win", "pass"]), (3, ["win"])])
def test_16_only_who_can_rob_is_asked_and_only_for_that(left: int, menu: list[str]) -> None:
    engine = pung_then_draw("1p1p1p5m")
    engine.hold(3, WAITS_5M[2])
    engine.hold(0, "1379m1379p1379s5s")
    engine.hold(2, "1379m1379p1379s5s")
    engine.leave_in_wall(left)
    engine.ask_again()
    engine.step("kong 5m")
    assert (engine.phase, engine.actor, engine.menu()) == ("ROB", 3, menu)
    assert [bool(offer) for offer in engine.state["offer"]] == [False, False, False, True]
    engine.step("win")
    assert engine.phase == "TURN"


def test_17_after_a_claim_there_is_something_to_do() -> None:
    """With and without void tiles; for every state of whole deals see `test_properties.py`."""
    for held in ("55m", "55m9p"):
        engine = table_of(["5m", held, "", ""], "qq")
        engine.state["void_suit"][:] = [0, 1, 0, 0]
        engine.ask_again()
        engine.step("discard 5m")
        engine.step("pung")
        assert discards(engine)


@pytest.mark.parametrize(("left", "kong"), [(0, False), (1, True)])
def test_19_a_kong_needs_a_tile_to_replace_it(left: int, kong: bool) -> None:
    engine = table_of(["1111m5p", "555p", "", ""])
    engine.leave_in_wall(left)
    engine.ask_again()
    assert ("kong 1m" in engine.menu()) == kong
    engine.step("discard 5p")
    assert "pung" in engine.menu()
    assert ("kong" in engine.menu()) == kong


def test_20_an_added_kong_is_offered() -> None:
    assert "kong 5m" in pung_then_draw("1p1p1p5m").menu()


def test_22_an_added_kong_moves_one_tile() -> None:
    engine = pung_then_draw("1p1p1p5m9s")
    before = engine.state["hand"][1].copy()
    assert engine.step("kong 5m") == ["KONG", "PAY", "DRAW"]
    moved = engine.state["hand"][1] - before
    five, nine = parse_tiles("5m9s")
    assert (moved[five], moved[nine], moved.sum()) == (-1, 1, 0)
    assert engine.melds(1) == ["kong_added:5m"]
    assert not faults(engine.tables, 0, engine.mask)


def test_23_an_added_kong_takes_its_own_tile() -> None:
    engine = pung_then_draw("1p1p1p9p", hand="555m", added_kong_timing="any_turn_paid")
    nines = engine.hand(1).count("9p")
    engine.step("kong 5m")
    assert engine.events["tile"][-3] == parse_tiles("5m")[0]
    assert engine.hand(1).count("9p") >= nines
    assert "5m" not in engine.hand(1)


def test_24_a_kong_is_no_discard() -> None:
    engine = table_of(["7777p", "77m123456789s56p", "", ""])
    assert engine.step("kong 7p") == ["KONG", "PAY", "DRAW"]
    assert (engine.phase, engine.actor) == ("TURN", 0)
    engine = rob_by_seat_3()
    assert engine.menu() == ["win", "pass"]
    assert engine.step("pass")[0] == "KONG"


def test_26_the_dealer_draws_no_fifteenth_tile() -> None:
    engine = Engine.of_seed(Rules.preset("qq"), 26)
    dealer = int(engine.state["dealer"])
    while engine.phase == "VOID":
        events = engine.step(engine.menu()[0])
    assert events == ["VOID"]
    assert engine.state["hand"][dealer].sum() == 14
    assert (engine.wall_left, engine.actor, engine.phase) == (55, dealer, "TURN")


def test_27_the_first_question_of_the_dealer_offers_a_heavenly_win() -> None:
    engine = table_of(["123678m12355p99m9m", "", "", ""])
    assert (engine.actor, "win" in engine.menu()) == (0, True)
    engine.step("win")
    assert engine.state["win_fan"][0] == 6
    assert engine.state["win_patterns"][0] == 1 << Pattern.TIAN_HU
    assert engine.points == [576, -192, -192, -192]


def test_28_after_a_win_one_seat_draws_one_tile() -> None:
    engine = table_of([JUNK, WAITS_5M[0], "", ""])
    left = engine.wall_left
    engine.step("discard 5m")
    assert engine.step("win") == ["WIN", "PAY", "DRAW"]
    assert (engine.wall_left, engine.actor) == (left - 1, 2)
    assert engine.state["hand"].sum(axis=1).tolist() == [13, 13, 14, 13]


def test_30_a_void_choice_is_secret_until_all_have_chosen() -> None:
    """Neither who chose what, nor that anybody has: two choices look the same to all others."""
    rules = Rules.preset("qq").replace(void_auto=False)
    tables = [Engine.of_seed(rules, 30) for _ in range(2)]
    dealer = tables[0].actor
    for chosen in range(3):
        for engine, suit in zip(tables, "mp", strict=True):
            engine.step(f"void {suit}")
        for k in range(chosen + 1, 4):
            seat = (dealer + k) % 4
            views = [engine.view(seat) for engine in tables]
            assert views[0].tobytes() == views[1].tobytes()
            assert set(views[0]["void_suit"].tolist()) == {-1}
    for engine in tables:
        engine.step("void s")
    assert tables[0].view(dealer)["void_suit"].tolist().count(0) == 3
    assert tables[1].view(dealer)["void_suit"].tolist().count(1) == 3


@pytest.mark.parametrize(("option", "legal"), [("allowed", True), ("forbidden", False)])
def test_31_a_concealed_kong_while_void_tiles_are_held(option: str, legal: bool) -> None:
    engine = table_of(["1111m5p", "", "", ""], "qq", claim_with_void_tiles=option)
    engine.state["void_suit"][0] = 1
    engine.ask_again()
    assert ("kong 1m" in engine.menu()) == legal
    assert all(action.endswith("p") for action in discards(engine))


def test_a_drawn_tile_can_be_put_down_again() -> None:
    """The helper of these tests plays what it says."""
    engine = table_of(["", "", "", ""], draws="9s")
    engine.step(engine.menu()[0])
    pass_all(engine)
    assert tile_text(int(engine.state["drawn"])) == "9s"
    discard_drawn(engine)
    assert "9s" in [tile_text(int(kind)) for kind in engine.state["discard_kind"][:2]]
