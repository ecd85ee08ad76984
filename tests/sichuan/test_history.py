"""Fates and deeds of a state against the log of its deal."""

import random
from collections import Counter

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.events import Event
from mjenv.sichuan.history import (
    claim_of,
    claimer_of,
    deed_of,
    deeds,
    discarder,
    doer_of,
    fate_of,
    fates,
    meld_of,
    packed_deed,
)
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NO_SEAT, Claim, Deed, Meld, Win
from tests.sichuan.engine import Engine, some_house_rules
from tests.sichuan.fingerprints import play
from tests.sichuan.players import PLAYERS

DEALS = 2 if JIT_DISABLED else 40


def told_by(log: np.ndarray) -> tuple[list[object], list[object]]:
    """Fates of the discards and deeds, read from the log alone."""
    discards: list[list[int]] = []
    done: list[tuple[int, Deed, int, int]] = []
    robbed = None
    for event in log:
        kind, seat, tile = int(event["type"]), int(event["seat"]), int(event["tile"])
        detail = int(event["detail"])
        if kind != Event.WIN:
            robbed = None
        if kind == Event.DISCARD:
            discards.append([seat, Claim.NONE, NO_SEAT])
        elif kind == Event.PUNG:
            discards[-1][1:] = [Claim.PUNG, seat]
        elif kind == Event.KONG and detail == Meld.DIRECT_KONG:
            discards[-1][1:] = [Claim.KONG, seat]
        elif kind == Event.KONG:
            added = detail == Meld.ADDED_KONG
            deed = Deed.ADDED_KONG if added else Deed.CONCEALED_KONG
            done.append((len(discards), deed, seat, tile))
        elif kind == Event.WIN and detail == Win.SELF_DRAW:
            done.append((len(discards), Deed.SELF_DRAW, seat, -1))
        elif kind == Event.WIN and detail == Win.ROB_KONG:
            rob = (len(discards), Deed.ROBBED_KONG, int(event["source"]), tile)
            if rob != robbed:  # else another winner on the same tile
                done.append(rob)
            robbed = rob
        elif kind == Event.WIN and discards[-1][1] == Claim.NONE:
            discards[-1][1:] = [Claim.WIN, seat]
    return [tuple(fate) for fate in discards], done


def check(engine: Engine) -> list[tuple[int, Deed, int, int]]:
    wanted_fates, wanted_deeds = told_by(engine.events)
    state = engine.state
    assert fates(state) == wanted_fates
    named = [
        (after, deed, seat, -1 if deed == Deed.SELF_DRAW else int(state["meld_kind"][seat, meld]))
        for after, deed, seat, meld in deeds(state)
    ]
    assert named == wanted_deeds
    for seat in range(4):
        view = engine.view(seat)
        assert (fates(view), deeds(view)) == (fates(state), deeds(state))
    return named


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("preset", [*PRESETS, "house"])
def test_history_is_what_the_log_tells(preset: str, player: str) -> None:
    rng = random.Random(f"history {preset} {player}")
    seen: Counter[Deed] = Counter()
    for _ in range(DEALS):
        rules = some_house_rules(rng) if preset == "house" else Rules.preset(preset)
        engine = Engine.of_seed(rules, rng.randrange(2**31))
        while not engine.over:
            play(engine, player)
            if rng.random() < 0.1:
                check(engine)
        seen.update(deed for _, deed, _, _ in check(engine))
    if player == "tidy" and not JIT_DISABLED:
        assert all(seen[deed] for deed in Deed if deed != Deed.ROBBED_KONG)


def test_robbed_kongs_are_among_the_deeds() -> None:
    rules = Rules.preset("standalone")
    rng = random.Random(5)
    for _ in range(400):
        engine = Engine.of_seed(rules, rng.randrange(2**31))
        while not engine.over:
            play(engine, "patient")
        if any(deed == Deed.ROBBED_KONG for _, deed, _, _ in check(engine)):
            return
    raise AssertionError("no kong was robbed")


@pytest.mark.parametrize("seat", range(4))
def test_the_parts_of_a_byte(seat: int) -> None:
    unclaimed = fate_of(seat, Claim.NONE, NO_SEAT)
    assert (discarder(unclaimed), claim_of(unclaimed)) == (seat, Claim.NONE)
    assert claimer_of(unclaimed) == NO_SEAT
    for claimer in range(4):
        for claim in (Claim.PUNG, Claim.KONG, Claim.WIN):
            fate = fate_of(seat, claim, claimer)
            assert 0 <= fate < 128
            assert (discarder(fate), claim_of(fate), claimer_of(fate)) == (seat, claim, claimer)
    for deed in Deed:
        for meld in range(4):
            byte = packed_deed(deed, seat, meld)
            assert 0 <= byte < 128
            assert (deed_of(byte), doer_of(byte), meld_of(byte)) == (deed, seat, meld)
