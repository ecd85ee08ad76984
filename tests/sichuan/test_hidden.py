"""Redealt worlds: nothing is kept that the seat may not know, and questions are asked again."""

import random
from collections import Counter

import numpy as np
import pytest

from mjenv.core.kernel import kernel
from mjenv.sichuan.actions import PASS
from mjenv.sichuan.deal import receiver
from mjenv.sichuan.known import mark_known, void_limit
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import STATE, VIEW, Meld, Offer
from tests.sichuan.engine import Engine, discard_drawn, pass_all, some_house_rules, table_of
from tests.sichuan.players import PLAYERS
from tests.sichuan.test_properties import FEWER, deal, states

P = 1
"""Number of the suit of dots."""
LAST_DEALT = 52
"""Place of the dealer's last tile in the wall, which the dealer knows."""


def generator(seed: int) -> np.ndarray:
    return np.array([seed], np.uint64)


# ------------------------------------------------------------------------- no trace of the real one


@kernel
def knowledge(
    tables: np.ndarray, index: int, rules: np.ndarray, seat: int, known: np.ndarray
) -> None:
    mark_known(tables[index], seat, known)


@kernel
def limit_of(tables: np.ndarray, index: int, rules: np.ndarray, seat: int) -> int:
    return void_limit(tables[index], rules[0], seat)


def check_real_world_fits(engine: Engine) -> None:
    state = engine.state
    for seat in range(4):
        known = np.zeros((4, 27), np.int64)
        knowledge(engine.tables, 0, engine.packed, seat, known)
        assert (known <= state["hand"]).all()
        limit = limit_of(engine.tables, 0, engine.packed, seat)
        if limit >= 0:
            void = int(state["void_suit"][seat])
            held = int(state["hand"][seat].reshape(3, 9)[void].sum())
            if state["turn"] == seat and state["drawn"] // 9 == void:
                held -= 1
            assert held <= limit


def scramble(engine: Engine, seat: int, rng: random.Random) -> None:
    """Change whatever is hidden and no hand: what another real world might have there."""
    state = engine.state
    state["seed"] = rng.getrandbits(50)
    exchanged = engine.phase != "EXCHANGE" and state["num_given"][seat] > 0
    for other in {0, 1, 2, 3} - {seat}:
        state["lock_fan"][other] = rng.randrange(6)
        state["num_decisions"][other] = rng.randrange(100)
        to = receiver(other, int(state["direction"]))
        if exchanged and to != seat:
            state["given"][other] = state["received"][to] = rng.choices(range(27), k=3)
    if engine.phase == "EXCHANGE":
        state["direction"] = rng.randrange(3)
    dealt = state["wall"][:LAST_DEALT].tolist()
    rng.shuffle(dealt)
    state["wall"][:LAST_DEALT] = dealt


def check_no_trace(engine: Engine, seat: int, rng: random.Random) -> None:
    """Two worlds that the seat cannot tell apart are redealt to the same bytes."""
    other = engine.copy()
    other.redeal(seat, generator(rng.getrandbits(63) | 1))
    scramble(other, seat, rng)
    assert other.view(seat).tobytes() == engine.view(seat).tobytes()
    seed = rng.getrandbits(63) | 1
    first, second = engine.copy(), other.copy()
    first.redeal(seat, generator(seed))
    second.redeal(seat, generator(seed))
    assert first.tables.tobytes() == second.tables.tobytes()


def test_every_field_is_in_the_view_or_dealt_with() -> None:
    """A new field must be public, or be drawn anew and scrambled above."""
    public = {"deal", "wall_next", "wall_end", "turn_kongs", "last_kong", "num_events"}
    public |= {"num_wins", "num_win_events", "first_winner", "first_payer", "first_win_size"}
    drawn_anew = {"seed", "wall", "actor", "answer", "num_decisions", "num_given"}
    assert set(STATE.names or ()) - set(VIEW.names or ()) == public | drawn_anew


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_of_the_real_world_is_left(preset: str, player: str) -> None:
    rng = random.Random(f"trace {preset} {player}")
    for _ in range(8 // FEWER or 1):
        for engine in states(deal(Rules.preset(preset), rng), player):
            check_real_world_fits(engine)
            for seat in range(4):
                check_no_trace(engine, seat, rng)


@pytest.mark.parametrize("seed", range(10))
def test_nothing_of_the_real_world_is_left_under_house_rules(seed: int) -> None:
    rng = random.Random(f"trace {seed}")
    for _ in range(20 // FEWER or 1):
        player = rng.choice(list(PLAYERS))
        for engine in states(deal(some_house_rules(rng), rng), player):
            check_real_world_fits(engine)
            check_no_trace(engine, rng.randrange(4), rng)


# ------------------------------------------------------------------------------ open questions


def test_gifts_of_others_go_back_and_own_stay() -> None:
    engine = Engine.of_seed(Rules.preset("sichuan_modern"), 3)
    dealer = engine.actor
    for _ in range(4):
        engine.step(engine.menu()[0])
    second = (dealer + 1) % 4
    given = engine.state["given"][second].copy()
    engine.redeal(second, generator(5))
    assert engine.state["num_given"][dealer] == 0
    assert engine.state["num_given"][second] == 1
    assert (engine.state["given"][second] == given).all()
    assert (engine.actor, engine.phase) == (second, "EXCHANGE")
    asked = []
    while engine.phase == "EXCHANGE":
        asked.append(engine.actor)
        engine.step(engine.menu()[0])
    assert Counter(asked) == {dealer: 3, second: 2, (dealer + 2) % 4: 3, (dealer + 3) % 4: 3}


def test_the_direction_of_the_exchange_is_drawn_anew() -> None:
    engine = Engine.of_seed(Rules.preset("sichuan_modern"), 3)
    rng = generator(9)
    seen = set()
    for _ in range(40):
        engine.redeal(engine.actor, rng)
        seen.add(int(engine.state["direction"]))
    assert seen == {0, 1, 2}


def test_void_choices_of_others_are_asked_again() -> None:
    engine = Engine.of_seed(Rules.preset("qq").replace(void_auto=False), 3)
    dealer = engine.actor
    for _ in range(2):
        engine.step("void p")
    engine.redeal((dealer + 1) % 4, generator(5))
    assert engine.actor == dealer
    assert engine.state["void_suit"][(dealer + 1) % 4] == P
    assert engine.state["void_suit"][dealer] == -1
    asked = []
    while engine.phase == "VOID":
        asked.append(engine.actor)
        engine.step("void m")
    assert sorted(asked) == sorted({0, 1, 2, 3} - {(dealer + 1) % 4})


def test_a_seat_that_can_only_pass_is_asked_for_one_that_waits() -> None:
    """Seat 0 discards 5m, which seat 1 could pung; in other worlds perhaps nobody could."""
    menus = set()
    for seed in range(1, 40):
        engine = table_of(["5m", "55m", "", ""])
        engine.step("discard 5m")
        assert (engine.phase, engine.actor) == ("CLAIM", 1)
        before = engine.view(0).tobytes()
        engine.redeal(0, generator(seed))
        assert engine.phase == "CLAIM"
        assert engine.actor != 0
        assert engine.view(0).tobytes() == before
        menus.add(tuple(engine.menu()))
        if engine.menu() == ["pass"]:
            assert engine.state["offer"][engine.actor] == Offer.NOTHING
            assert engine.step("pass") == ["DRAW"]
            assert engine.actor == 1
    assert ("pass",) in menus
    assert ("pung", "pass") in menus


def test_the_own_answer_is_kept() -> None:
    engine = table_of(["5m", "55m", "46m123456789p11p", ""])
    engine.step("discard 5m")
    engine.step("pass")
    assert engine.actor == 2
    engine.redeal(1, generator(4))
    assert engine.state["answer"][1] == PASS
    assert engine.actor in (2, 3)
    while engine.phase == "CLAIM":
        assert engine.actor != 1
        engine.step("pass")


def test_a_kong_not_yet_announced_to_a_seat_is_taken_back() -> None:
    engine = table_of(["5m", "55m", "", "46m123456789s11s"], draws="1p1p1p5m")
    engine.step("discard 5m")
    engine.step("pung")
    engine.step("pass")
    engine.step(engine.menu()[-1])
    pass_all(engine)
    while engine.actor != 1:
        discard_drawn(engine)
    engine.step("kong 5m")
    assert (engine.phase, engine.actor) == ("ROB", 3)
    unaware, konger, asked = engine.copy(), engine.copy(), engine.copy()
    unaware.redeal(0, generator(7))
    assert (unaware.phase, unaware.actor) == ("TURN", 1)
    konger.redeal(1, generator(7))
    assert konger.phase == "ROB"
    assert konger.actor not in (1, -1)
    asked.redeal(3, generator(7))
    assert (asked.phase, asked.actor, asked.menu()) == ("ROB", 3, ["win", "pass"])
    assert asked.state["hand"][1, 4] == 1
    assert asked.state["meld_type"][1, 0] == Meld.PUNG


def test_the_next_deal_and_pass_locks_of_others_are_not_known() -> None:
    engine = Engine.of_seed(Rules.preset("qq"), 12)
    engine.state["lock_fan"][:] = 3
    engine.redeal(2, generator(8))
    assert engine.state["seed"] != 12
    assert 0 <= engine.state["seed"] < 1 << 53
    assert engine.state["lock_fan"].tolist() == [0, 0, 3, 0]
