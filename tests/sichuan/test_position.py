"""Positions: any state there and back, and everything that is wrong with one is named."""

import json
import random
import re
from pathlib import Path

import numpy as np
import pytest

from mjenv.core.tiles import counts_of, parse_tiles, tiles_text
from mjenv.errors import PositionError
from mjenv.sichuan.position import position_text, read_position
from mjenv.sichuan.position_fields import FIELDS
from mjenv.sichuan.rules import Rules
from mjenv.table import Table
from tests.at_table import PRESETS, Bot, house_rules, packed
from tests.sichuan.engine import SICHUAN

BOTS = ("uniform", "tidy", "patient")


def check_round_trip(states, rules):
    text = position_text(states[0], rules)
    back, back_rules = read_position(text)
    assert back.tobytes() == states.tobytes(), text
    assert back_rules == rules
    assert "\n" not in text


def check_deal(rules, seed, bot, every=1):
    """Every state of a deal; returns the phases seen."""
    table = Table(rules, seed)
    choose = Bot(bot, seed)
    phases = set()
    for number in range(1000):
        if number % every == 0 or table.phase not in phases or table.over:
            check_round_trip(table.state, table.rules)
        phases.add(table.phase)
        if table.over:
            return phases
        table.step(choose(table))
    raise AssertionError("the deal does not end")


@pytest.mark.parametrize("preset", PRESETS)
def test_every_state_of_a_deal(preset):
    phases = set()
    for seed, bot in enumerate(BOTS):
        phases |= check_deal(preset, seed, bot)
    assert phases >= {"TURN", "CLAIM", "OVER"}
    assert ("VOID" in phases) == Rules.preset(preset).void_suit
    assert ("EXCHANGE" in phases) == Rules.preset(preset).swap_three


@pytest.mark.parametrize("seed", range(16))
def test_states_under_house_rules(seed):
    check_deal(house_rules(seed), seed, BOTS[seed % 3], every=3)


def test_a_kong_that_may_be_robbed():
    assert "ROB" in check_deal("standalone", 22, "patient", every=10)


@pytest.mark.parametrize("preset", PRESETS)
def test_worlds_dealt_anew(preset):
    """Their past is made up, and their answers are taken back."""
    rng = random.Random(preset)
    table = Table(preset, 3)
    choose = Bot("tidy", 3)
    while not table.over:
        world = table.redeal_hidden(rng.randrange(4), rng.randrange(1000))
        check_round_trip(world.state, world.rules)
        table.step(choose(table))


def test_a_position_plays_on_like_the_table_it_is_of():
    table = Table("sichuan_modern", 6)
    choose = Bot("tidy", 6)
    for _ in range(60):
        table.step(choose(table))
    other = Table.from_position(table.to_position())
    while not table.over:
        action = choose(table)
        assert other.legal_actions() == table.legal_actions()
        table.step(action)
        other.step(action)
    assert other == table
    assert other.events == table.events[-len(other.events) :]


def test_house_rules_are_written_as_what_differs():
    rules = Rules.preset("qq").replace(fan_cap=6, extra_fans={"gen": 2})
    text = Table(rules, 1).to_position()
    changed = json.dumps({"extra_fans": dict(rules.extra_fans), "fan_cap": 6}).replace(" ", "")
    assert f" rules={rules.fingerprint}{changed} " in text
    assert Table.from_position(text).rules == rules


# ---------------------------------------------------------------------------- written by hand


def wall_after(tiles):
    """Everything that is not among some tiles, in order."""
    counts = counts_of(parse_tiles(tiles), 27)
    return tiles_text(kind for kind in range(27) for _ in range(4 - counts[kind]))


HANDS = "11122233344455m/6667778889999m/1112223334445p/5666777888999p"
BY_HAND = {
    "rules": "standalone",
    "phase": "TURN",
    "actor": "0",
    "dealer": "0",
    "hands": HANDS,
    "wall": wall_after(HANDS.replace("/", "")),
}


def text_of(fields):
    return " ".join(["sichuan", *(f"{name}={value}" for name, value in fields.items())])


def fields_of(text):
    return dict(word.split("=", 1) for word in text.split()[1:])


def test_a_position_written_by_hand():
    """What is left out has its default."""
    table = Table.from_position(text_of(BY_HAND))
    assert (table.actor, table.phase) == (0, "TURN")
    assert Table.from_position(table.to_position()) == table
    table.step("win")
    (win,) = [event for event in table.events if event["type"] == "win"]
    assert win["patterns"] == ["tian_hu"]


def test_the_page_shows_this_position_and_every_field():
    page = (Path(__file__).parents[2] / "docs" / "table.md").read_text(encoding="utf-8")
    assert text_of(BY_HAND) in page.splitlines()
    explained = page.split("| field | meaning |")[1]
    assert all(f"`{name}`" in explained for name in ("rules", *FIELDS))


def test_the_order_of_fields_does_not_matter():
    text = Table("sichuan_modern", 2).to_position()
    shuffled = dict(sorted(fields_of(text).items()))
    assert Table.from_position(text_of(shuffled)).to_position() == text


def faults_of(fields):
    with pytest.raises(PositionError) as caught:
        read_position(text_of(fields) if isinstance(fields, dict) else fields)
    faults = list(caught.value.faults)
    assert all(fault in str(caught.value) for fault in faults)
    return faults


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({"rules": "riichi"}, ["rules: unknown preset 'riichi'"]),
        ({"rules": '0123456789ab{"fan_cap":6}'}, ["rules: fingerprint is '0123456789ab'"]),
        ({"rules": "0123456789ab{fan_cap}"}, ["rules: options are written as JSON"]),
        ({"phase": "WAIT"}, ["phase: 'WAIT' is none of EXCHANGE, VOID"]),
        ({"actor": "4"}, ["actor: '4' is no seat"]),
        ({"dealer": "x"}, ["dealer: 'x' is no seat"]),
        ({"hands": HANDS[:-15]}, ["hands: '.*' has 3 parts"]),
        ({"hands": HANDS.replace("5p", "5x", 1)}, ["hands: '.*5x' in .* is no tile"]),
        ({"wall": "5"}, ["wall: '5' in '5' is no tile"]),
        ({"colour": "red"}, ["unknown field 'colour'; fields: rules, phase, actor"]),
        ({"drawn": "55m"}, ["drawn: '55m' is 2 tiles"]),
        ({"melds": "chow:1m/-/-/-"}, ["melds: 'chow:1m' is no meld; melds are written pung:5m<0"]),
        ({"void": "m/p/s/x"}, ["void: 'x' is no suit"]),
        ({"river": "1m"}, ["river: '1m' is no discard"]),
        ({"wins": "9:theft/-/-/-"}, ["wins: '9:theft' is no win"]),
        ({"offers": "chow/-/-/-"}, ["offers: 'chow' is none of pung, kong, win, forced"]),
        ({"answers": "void m/-/-/-"}, ["'m/-/-/-' is no field", "answers: 'void' has 1 parts"]),
        ({"answers": "quit/-/-/-"}, ["answers: 'quit' is no answer"]),
        ({"ledger": "tips:3/-/-/-"}, ["ledger: 'tips' is none of win, deal_in"]),
        ({"classes": "happy/-/-/-"}, ["classes: 'happy' is none of"]),
        ({"seed": "-1"}, ["seed: '-1' is no whole number from 0"]),
        ({"end": "boredom"}, ["end: 'boredom' is none of"]),
        ({"turn_kongs": "4"}, ["turn_kongs: '4' is no whole number from 0 to 3"]),
        ({"past": "1m"}, ["wall: 55 tiles, but 107 are left according to 'past'"]),
        ({"given": "1111m/-/-/-"}, ["given: '1111m' is more than 3 tiles"]),
    ],
)
def test_what_cannot_be_read(changes, faults):
    found = faults_of(BY_HAND | changes)
    assert len(found) == len(faults)
    assert all(re.match(wanted, got) for wanted, got in zip(faults, found, strict=True)), found


@pytest.mark.parametrize(
    ("changes", "faults"),
    [
        ({"hands": HANDS.replace("55m/", "5m/")}, ["3 tiles 5m in wall", "hands: seat 0 holds 13"]),
        ({"hands": HANDS.replace("5666", "6666")}, ["3 tiles 5p in", "5 tiles 6p in"]),
        ({"wall": BY_HAND["wall"][2:]}, ["draws: 0 in all, but 2", "3 tiles 1m", "3 tiles 2m"]),
        ({"wall": "1m" + BY_HAND["wall"][:-2] + "s"}, ["wall: 5 tiles 1m, there are 4|5 tiles 1m"]),
        ({"draws": "1/0/0/0"}, ["draws: 1 in all, but 0"]),
        ({"actor": "-"}, ["actor: a seat, or -"]),
        ({"phase": "EXCHANGE"}, ["phase: EXCHANGE, but swap_three is off"]),
        ({"phase": "CLAIM"}, ["hands: seat 0 holds 14", "question: given exactly when"]),
        ({"void": "s/-/-/-"}, ["void: nothing yet in TURN"]),
        ({"drawn": "9s"}, ["drawn: seat 0 does not hold 9s"]),
        ({"replacement": "1"}, ["replacement: 1, but nothing is drawn"]),
        ({"must_discard": "1"}, ["must_discard: 1, but seat 0 has no pung"]),
        ({"ledger": "win:2/kong:-1/-/-"}, ["ledger: the units of all seats sum to 1"]),
        ({"end": "wall_empty"}, ["end: given exactly when"]),
        ({"left": "2"}, ["left: given exactly when the deal ends with escape"]),
        ({"locks": "0/3/0/0"}, ["locks: given, but pass_win_lock is none"]),
        ({"offers": "-/win/-/-"}, ["offers, answers: given only when"]),
        ({"dealer": "1", "turn": "0"}, ["drawn: seat 0 acts after a draw"]),
        ({"given": "123m/-/-/-"}, ["given: all or none", "given: tiles, but swap_three is off"]),
        ({"river": "1s<1>pung:0"}, ["river: seat 0 claimed 1s"]),
        ({"wins": "1:self_draw:5m:1:ping_hu:-/-/-/-"}, ["actor: seat 0 has won"]),
        ({"wins": "-/2:self_draw:5m:1:ping_hu:-/-/-"}, ["hands: seat 1", r"wins: .* \[2\]"]),
    ],
)
def test_what_contradicts_itself(changes, faults):
    found = faults_of(BY_HAND | changes)
    for wanted in faults:
        assert any(re.match(wanted, got) for got in found), found


def test_all_faults_are_named_at_once():
    found = faults_of(
        "sichuan rules=qq phase=TURN actor=7 hands=1m/2m/3m wall=12m void=q/-/-/- river=? dealer"
    )
    wanted = [
        "'dealer' is no field",
        "the field 'dealer' is missing",
        "actor: '7' is no seat",
        "hands: '1m/2m/3m' has 3 parts",
        "void: 'q' is no suit",
        r"river: '\?' is no discard",
    ]
    assert all(any(re.match(text, fault) for fault in found) for text in wanted), found
    with pytest.raises(PositionError) as caught:
        read_position("chess e4")
    assert "begins with the word sichuan, not 'chess'" in str(caught.value)
    assert "the field 'wall' is missing" in str(caught.value)


@pytest.mark.parametrize("text", ["", "   ", "=", "hearts rules=qq", "sichuan", None, 5])
def test_texts_that_are_no_position(text):
    with pytest.raises(PositionError):
        Table.from_position(text)


def test_offers_that_the_rules_do_not_make():
    table = Table("standalone", 1)
    choose = Bot("tidy", 1)
    while table.phase != "CLAIM":
        table.step(choose(table))
    fields = fields_of(table.to_position())
    seat = table.actor
    offers = fields["offers"].split("/")
    other = next(s for s in range(4) if offers[s] == "-" and s != int(fields["question"][-1]))
    offers[other] = "win"
    assert faults_of(fields | {"offers": "/".join(offers)}) == [
        f"offers: seat {other} must be offered -"
    ]
    del fields["offers"]
    assert f"actor: seat {seat} has nothing to answer" in faults_of(fields)
    river = fields["river"].rsplit(",", 1)[0] if "," in fields["river"] else "-"
    assert any("is not the last discard" in fault for fault in faults_of(fields | {"river": river}))


def test_random_changes_are_read_or_refused():
    """Nothing but PositionError comes out, whatever the text."""
    rng = random.Random(2)
    table = Table("sichuan_modern", 9)
    choose = Bot("tidy", 9)
    texts = []
    while not table.over:
        texts.append(table.to_position())
        table.step(choose(table))
    refused = 0
    for _ in range(300):
        text = list(rng.choice(texts))
        for _ in range(rng.randrange(1, 4)):
            text[rng.randrange(len(text))] = rng.choice("0123456789mps/<>:,-=|$*+!{ x")
        try:
            states, rules = read_position("".join(text))
        except PositionError:
            refused += 1
            continue
        mask = np.zeros(SICHUAN.num_actions, np.int8)
        if states["actor"][0] >= 0:
            SICHUAN.legal_at(states, 0, packed(rules), SICHUAN.luts(), mask)
            assert mask.any()
    assert refused > 200
