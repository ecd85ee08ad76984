"""Faults of payments and of environments that public mahjong programs had; see `test_faults.py`."""

import random

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.tiles import parse_tiles
from mjenv.envs.batch import Batch
from mjenv.sichuan.analysis import live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.patterns import Extra
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NUM_KINDS, Class, End, Ledger, Win
from tests.reference.situations import JUNK, WAITS_5M
from tests.sichuan.checks import faults
from tests.sichuan.engine import Engine, some_house_rules, table_of
from tests.sichuan.players import PLAYERS
from tests.sichuan.test_faults import end_at_empty_wall, win_on
from tests.sichuan.test_properties import check_redealt, deal, play_and_check, states, walls
from tests.sichuan.test_states import pung_then_draw, rob_by_seat_3

UNREADY = "1379m13579p2468p"
READY_1 = "123m456m789m11p23p"
KONG_AND_JUNK = "1111m5m289m13579p2p"
"""A concealed kong, 5m to discard, and nothing that is ready."""


def discard_after_a_kong(preset: str, hand: str, draw: str = "8m") -> Engine:
    """Seat 0 kongs 1m, draws and discards 5m, which seat 1 may win on and nobody else claim."""
    engine = table_of(["", "", "", ""], preset)
    engine.hold(0, KONG_AND_JUNK)
    engine.hold(1, hand)
    engine.hold(2, UNREADY)
    engine.hold(3, READY_1)
    engine.state["void_suit"][:] = [2, 2, 2, 2] if preset == "qq" else -1
    engine.leave_in_wall(20, draw)
    engine.ask_again()
    engine.step("kong 1m")
    engine.step("discard 5m")
    assert (engine.phase, engine.actor) == ("CLAIM", 1)
    return engine


# ------------------------------------------------------------------------------------- payments


def test_33_the_discarder_pays_all_and_nobody_else() -> None:
    assert win_on("11122244m33399p", "4m").points == [-12, 12, 0, 0]


def test_34_both_winners_won_from_the_discarder() -> None:
    engine = table_of([JUNK, WAITS_5M[0], WAITS_5M[2], ""])
    engine.step("discard 5m")
    engine.step("win")
    engine.step("win")
    assert engine.state["win_from"].tolist() == [-1, 0, 0, -1]
    assert engine.state["win_order"].tolist() == [0, 1, 1, 0]
    assert engine.events["source"][1:3].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("answers", "points"),
    [
        (["win", "win", "win"], [-18, 6, 6, 6]),
        (["win", "pass", "win"], [-12, 6, 0, 6]),
        (["pass", "win", "pass"], [-6, 0, 6, 0]),
        (["pass", "pass", "pass"], [0, 0, 0, 0]),
    ],
)
def test_35_wins_are_paid_once_all_have_answered(answers: list[str], points: list[int]) -> None:
    engine = table_of([JUNK, *WAITS_5M])
    engine.step("discard 5m")
    for seat, answer in enumerate(answers, start=1):
        assert engine.points == [0, 0, 0, 0]
        assert engine.actor == seat
        engine.step(answer)
    assert engine.points == points
    assert engine.over == (answers == ["win"] * 3)
    if engine.over:
        assert engine.state["end_reason"] == End.THREE_WINS


def test_36_winners_take_no_part_in_the_ready_check() -> None:
    engine = discard_after_a_kong("standalone", WAITS_5M[0])
    engine.step("win")
    before = engine.points
    engine.leave_in_wall(0)
    engine.step("discard 9p" if "discard 9p" in engine.menu() else engine.menu()[-1])
    while engine.phase == "CLAIM":
        engine.step("pass")
    assert engine.state["end_reason"] == End.WALL_EMPTY
    change = np.array(engine.points) - before
    assert engine.state["classes"].tolist() == [
        Class.UNREADY,
        Class.WON,
        Class.UNREADY,
        Class.READY,
    ]
    assert change.tolist() == [-6, 0, -6, 12], "the transferred kong is not refunded either"


def test_36_no_check_after_three_wins() -> None:
    engine = table_of([JUNK, *WAITS_5M])
    engine.step("discard 5m")
    for _ in range(3):
        engine.step("win")
    assert engine.over
    checks = [Ledger.PIG, Ledger.READY_CHECK, Ledger.REFUND]
    assert not engine.state["ledger"][:, checks].any()


def test_37_deals_are_won_and_wall_ends_are_paid() -> None:
    rng = random.Random(37)
    won, paid, drawn, pigs = 0, 0, 0, 0
    for number in range(300):
        engine = Engine.of_seed(Rules.preset("qq"), number)
        for _ in states(engine, rng.choice(["tidy", "patient"])):
            pass
        won += bool(engine.state["num_wins"])
        if engine.state["end_reason"] == End.WALL_EMPTY:
            drawn += 1
            checks = engine.state["ledger"][:, [Ledger.PIG, Ledger.READY_CHECK]]
            all_alike = len(set(engine.state["classes"].tolist()) - {Class.WON}) == 1
            paid += bool(checks.any())
            assert checks.any() or all_alike or engine.state["num_wins"]
            pigs += engine.state["classes"].tolist() == [Class.PIG] * 4
    assert won > 100
    assert paid > drawn / 2 > 10
    assert pigs < drawn / 10


def test_38_a_robbed_kong_collects_nothing() -> None:
    engine = rob_by_seat_3()
    engine.step("win")
    assert engine.points == [0, -6, 0, 6]
    assert not engine.state["ledger"][:, Ledger.KONG].any()
    assert not engine.state["kong_paid"].any()


def test_38_two_robbers_are_paid_for_their_wins_alone() -> None:
    engine = pung_then_draw("1p1p1p5m")
    engine.hold(2, WAITS_5M[0])
    engine.hold(3, WAITS_5M[2])
    engine.step("kong 5m")
    for seat in (2, 3):
        assert (engine.phase, engine.actor) == ("ROB", seat)
        engine.step("win")
    assert engine.points == [0, -12, 6, 6]
    assert not engine.state["ledger"][:, Ledger.KONG].any()
    assert engine.state["win_how"].tolist() == [0, 0, Win.ROB_KONG, Win.ROB_KONG]


def test_40_a_transferred_kong_is_not_refunded() -> None:
    engine = discard_after_a_kong("standalone", WAITS_5M[0])
    engine.leave_in_wall(0)
    engine.step("win")
    assert engine.over
    assert engine.points == [-12, 30, -18, 0]
    assert engine.state["ledger"][0, Ledger.TRANSFER] == -6
    assert not engine.state["ledger"][:, Ledger.REFUND].any()


def test_41_the_dice_name_a_dealer_after_a_self_draw() -> None:
    engine = table_of(["123678m12355p99m9m", "", "", ""], "standalone_single")
    engine.step("win")
    assert engine.over
    assert SICHUAN.next_dealer_at(engine.tables, 0, engine.packed) == -1
    dealers = {int(Engine.of_seed(engine.rules, 41, k).state["dealer"]) for k in range(40)}
    assert dealers == {0, 1, 2, 3}


def test_43_a_win_on_a_replacement_tile_counts() -> None:
    engine = table_of(["", "", "", ""], "qq")
    engine.hold(0, "1111m234m55m789p55p")
    for seat in (1, 2, 3):
        engine.hold(seat, UNREADY)
    engine.state["void_suit"][:] = 2
    engine.leave_in_wall(20, "5p")
    engine.ask_again()
    engine.step("kong 1m")
    engine.step("win")
    assert engine.state["win_extras"][0][Extra.GANG_SHANG_HUA] == 1
    assert engine.state["win_fan"][0] == 2
    assert engine.points == [90, -30, -30, -30], "12 each for the kong, 18 each for the win"


def test_44_a_win_on_the_discard_after_a_kong_counts_and_moves_its_income() -> None:
    engine = discard_after_a_kong("qq", WAITS_5M[0])
    engine.step("win")
    assert engine.state["win_extras"][1][Extra.GANG_SHANG_PAO] == 1
    assert engine.state["win_fan"][1] == 2
    assert engine.points == [36 - 12 - 36, -12 + 12 + 36, -12, -12]


def test_44_a_kong_is_refunded_by_who_is_not_ready() -> None:
    hands = ["23579m2468p3p5s", UNREADY, READY_1, READY_1]
    engine = table_of(["", "", "", ""])
    for seat, hand in enumerate(hands):
        engine.hold(seat, hand)
    engine.put_melds(0, ["kong_concealed:1m"], 0)
    engine.state["kong_paid"][0, 0] = [0, 2, 2, 2]
    engine.state["points"][:] = [6, -2, -2, -2]
    engine.state["ledger"][:, Ledger.KONG] = [6, -2, -2, -2]
    engine.leave_in_wall(0)
    engine.ask_again()
    engine.step("discard 5s")
    assert engine.over
    classes = [Class.UNREADY, Class.UNREADY, Class.READY, Class.READY]
    assert engine.state["classes"].tolist() == classes
    assert engine.points == [-12, -12, 12, 12]


def test_46_what_is_charged_is_received() -> None:
    """Case E02: two unready seats pay a hand of 1 fan and one of 3."""
    engine = end_at_empty_wall([READY_1 + "9p", "123345678999m5m", UNREADY, UNREADY])
    assert engine.points == [12, 48, -30, -30]


@pytest.mark.parametrize("preset", PRESETS)
def test_47_ten_thousand_deals_sum_to_zero(preset: str) -> None:
    batch = Batch(256, preset, seed=47)
    rng = np.random.default_rng(47)
    deals = 0
    totals = np.zeros((256, 4), np.int64)
    while deals < (100 if JIT_DISABLED else 10_000):
        step = batch.step((rng.random(batch.masks.shape) * batch.masks).argmax(axis=1))
        assert not step.rewards.sum(axis=1).any()
        totals += step.rewards
        deals += len(step.finished)
        assert (step.finished["points"] == totals[step.finished_tables]).all()
        assert (step.finished["ledger"].sum(axis=2) == step.finished["points"]).all()
        assert not step.finished["points"].sum(axis=1).any()
        totals[step.finished_tables] = 0


# ----------------------------------------------------------------------------------- environment


def test_48_second_deals_differ_and_repeat() -> None:
    second = [walls(seed, 2)[1] for seed in range(50)]
    assert len(set(second)) == 50
    assert second == [walls(seed, 2)[1] for seed in range(50)]


def test_49_deals_of_one_match_differ() -> None:
    assert len(set(walls(49, 100))) == 100


@pytest.mark.parametrize("player", PLAYERS)
def test_50_no_tile_comes_five_times(player: str) -> None:
    rng = random.Random(f"50 {player}")
    for _ in range(10):
        play_and_check(some_house_rules(rng), player, 3, rng)


def test_52_what_is_shown_after_a_win_holds_no_hand() -> None:
    rng = random.Random(52)
    generator = np.array([52], np.uint64)
    looked = 0
    for _ in range(20):
        for engine in states(deal(Rules.preset("qq"), rng), "tidy"):
            if engine.state["num_wins"]:
                check_redealt(engine, rng.randrange(4), generator)
                looked += 1
    assert looked > 200


def test_52_two_hidden_tiles_that_change_places_change_nothing() -> None:
    engine = table_of([JUNK, "1m", "9m", ""])
    other = engine.copy()
    other.hold(1, engine.hand(1).replace("1m", "9m", 1))
    other.hold(2, engine.hand(2).replace("9m", "1m", 1))
    assert not faults(other.tables, 0, other.mask)
    assert engine.view(0).tobytes() == other.view(0).tobytes()
    assert engine.view(1).tobytes() != other.view(1).tobytes()


@pytest.mark.parametrize("preset", PRESETS)
def test_54_tiles_not_seen_are_counted_from_one_seat(preset: str) -> None:
    """They are the wall and the hands of the others, whatever lies where."""
    rng = random.Random(f"54 {preset}")
    live = np.zeros(NUM_KINDS, np.int8)
    for _ in range(5):
        for engine in states(deal(Rules.preset(preset), rng), "tidy"):
            state = engine.state
            for seat in range(4):
                live_counts(engine.view(seat), live)
                hidden = np.bincount(
                    state["wall"][int(state["wall_next"]) : int(state["wall_end"])],
                    minlength=NUM_KINDS,
                )
                for other in {0, 1, 2, 3} - {seat}:
                    hidden = hidden + state["hand"][other]
                    if engine.phase == "EXCHANGE":
                        given = state["given"][other][: int(state["num_given"][other])]
                        hidden += np.bincount(given, minlength=NUM_KINDS)
                    if state["win_how"][other] == Win.SELF_DRAW and state["win_tile"][other] >= 0:
                        hidden[state["win_tile"][other]] -= 1
                if engine.phase == "ROB" and engine.actor == seat:
                    hidden[state["claim_tile"]] -= 1
                assert live.tolist() == hidden.tolist()


def test_the_hands_of_these_tests_are_what_their_names_say() -> None:
    engine = end_at_empty_wall(["123m456m789m1579p", UNREADY, READY_1, READY_1])
    assert engine.state["classes"].tolist()[1:] == [Class.UNREADY, Class.READY, Class.READY]
    assert len(parse_tiles(KONG_AND_JUNK)) == 14
