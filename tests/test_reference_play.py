"""Whole deals at the reference table: what must hold in every deal under any rules."""

import random
from collections import Counter
from typing import Any

import pytest

from tests.reference.dealer import next_dealer_after
from tests.reference.house import house_rules
from tests.reference.policies import Policy, patient, tidy, uniform
from tests.reference.presets import PRESETS, with_options
from tests.reference.state import GIVE_TO
from tests.reference.table import ReferenceTable
from tests.reference.tiles import TEXT
from tests.reference.wall import clustered_wall

NOISES = (0.5, 2, 8, 100)
PLAYERS = (uniform, tidy, patient)


def new_table(rules: dict[str, Any], rng: random.Random) -> ReferenceTable:
    wall = clustered_wall(rng, rng.choice(NOISES))
    return ReferenceTable(rules, wall, rng.randrange(4), rng.choice(sorted(GIVE_TO)))


def play(table: ReferenceTable, policy: Policy, rng: random.Random) -> None:
    decisions = 0
    while not table.over:
        menu = table.legal()
        assert menu
        assert len(set(menu)) == len(menu)
        assert not table.ledger.won[table.actor]
        check_tiles(table)
        table.step(policy(table, menu, rng))
        decisions += 1
        assert decisions < 600


def check_tiles(table: ReferenceTable) -> None:
    """Four of each kind over hands, melds, rivers, wall and tiles taken by winners."""
    counts = Counter(table.wall[table.front : table.back])
    for seat in range(4):
        counts.update(dict(enumerate(table.held[seat])))
        counts.update(table.discards[seat])
        if table.phase == "EXCHANGE":
            counts.update(table.given[seat])
        for meld in table.sets[seat]:
            counts[meld.tile] += meld.copies
            if meld.kind in ("pung", "kong_direct", "kong_added"):
                assert table.melded
    counts.update(table.taken)
    assert all(counts[kind] == 4 for kind in range(len(TEXT)))


def check_events(table: ReferenceTable) -> None:
    events = table.events
    assert [event["type"] for event in events].count("end") == 1
    end = events[-1]
    assert end["type"] == "end"
    assert end["points"] == table.points
    assert sum(table.points) == 0
    pays = [event["points"] for event in events if event["type"] == "pay"]
    assert all(sum(points) == 0 and any(points) for points in pays)
    assert [sum(column) for column in zip([0] * 4, *pays, strict=True)] == table.points
    winners = [event["seat"] for event in events if event["type"] == "win"]
    assert len(winners) == len(set(winners)) <= 3
    won = [seat for seat in range(4) if end["classes"][seat] == "won"]
    assert sorted(winners) == won
    assert (end["reason"] == "escape") == ("left" in end["classes"])
    if end["reason"] in ("three_wins", "first_win"):
        assert not {"pig", "ready_check", "refund"} & {
            event["reason"] for event in events if event["type"] == "pay"
        }
    assert next_dealer_after(table.rules, table.dealer, events) in ("dice", 0, 1, 2, 3)


@pytest.mark.parametrize("policy", PLAYERS, ids=lambda policy: policy.__name__)
@pytest.mark.parametrize("preset", PRESETS)
def test_presets(preset: str, policy: Policy) -> None:
    rng = random.Random(f"{preset} {policy.__name__}")
    for _ in range(16):
        table = new_table(PRESETS[preset], rng)
        play(table, policy, rng)
        check_events(table)


@pytest.mark.parametrize("seed", range(60))
def test_house_rules(seed: int) -> None:
    rng = random.Random(seed)
    table = new_table(house_rules(rng), rng)
    play(table, rng.choice(PLAYERS), rng)
    check_events(table)


def test_the_same_wall_and_choices_give_the_same_events() -> None:
    def events(seed: int) -> list[dict[str, Any]]:
        rng = random.Random(seed)
        table = new_table(PRESETS["sichuan_modern"], rng)
        play(table, tidy, rng)
        return table.events

    assert events(5) == events(5)


def test_play_reaches_every_kind_of_event_and_payment() -> None:
    rng = random.Random(11)
    seen: set[str] = set()
    for _ in range(120):
        table = new_table(house_rules(rng), rng)
        play_plainly(table, rng)
        for event in table.events:
            seen.add(event["type"])
            seen.update(event[name] for name in ("reason", "how", "kind") if name in event)
    assert seen >= {"exchange", "void", "draw", "discard", "pung", "kong", "win", "pay", "end"}
    assert seen >= {"direct", "added", "concealed", "discard", "self_draw"}
    assert seen >= {"three_wins", "first_win", "wall_empty", "escape"}
    assert seen >= {"transfer", "pig", "ready_check", "refund"}


def play_plainly(table: ReferenceTable, rng: random.Random) -> None:
    policy = rng.choice(PLAYERS)
    while not table.over:
        table.step(policy(table, table.legal(), rng))


@pytest.mark.parametrize(
    ("rule", "winners", "shooter", "expected"),
    [
        ("dice", [1], 2, "dice"),
        ("shooter", [1, 3], 2, 2),
        ("shooter", [], None, 0),
        ("shooter", [1], None, "dice"),
        ("first_winner", [1], 2, 1),
        ("first_winner", [1, 3], 2, 2),
        ("first_winner", [3], None, 3),
        ("first_winner", [], None, 0),
    ],
)
def test_next_dealer(
    rule: str, winners: list[int], shooter: int | None, expected: int | str
) -> None:
    rules = with_options("qq", {"next_dealer": rule})
    later = {"type": "win", "seat": 0, "from": 3}
    events: list[dict[str, Any]] = [
        {"type": "win", "seat": seat, "from": shooter} for seat in winners
    ]
    if winners:
        events += [{"type": "pay", "reason": "win"}, later]
    events.append({"type": "end", "reason": "wall_empty"})
    assert next_dealer_after(rules, 0, events) == expected
