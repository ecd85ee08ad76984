"""The JSON holds everything a view holds: the view is read back from it, byte for byte."""

import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from agents.at_table import AtTable
from agents.greedy import Greedy
from agents.random_legal import RandomLegal
from mjenv.agent import Agent
from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.suits import power_of_five
from mjenv.core.tiles import SUITS, parse_tile
from mjenv.render.view_in_json import view_in_json
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.history import fate_of, packed_deed
from mjenv.sichuan.log import CLASSES, DIRECTIONS, ENDS, KONG_KINDS, WINS
from mjenv.sichuan.patterns import EXTRA_NAMES, PATTERN_NAMES
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.state import VIEW, Claim, Deed, Ledger, Meld, Phase, Win
from mjenv.table import Table
from tests.agents.houses import random_house
from tests.agents.solo import questions

GREEDY = Greedy()
DEALS = 2
HOUSES = 2 if JIT_DISABLED else 8
KINDS = {name: meld for meld, name in KONG_KINDS.items()}


def number_of(text: str | None) -> int:
    return -1 if text is None else parse_tile(text, 27)


def seat_of(seat: int | None) -> int:
    return -1 if seat is None else seat


class Reader:
    """Turns the JSON of a view back into a view, by what the documents say alone."""

    def __init__(self, told: dict[str, Any], base: int) -> None:
        self.told, self.base = told, base
        self.views = np.zeros(1, VIEW)
        self.view = self.views[0]
        for name in ("given", "received", "discard_kind", "meld_kind"):
            self.view[name][...] = 0

    def read(self) -> np.void:
        told, view = self.told, self.view
        view["seat"], view["dealer"], view["turn"] = told["seat"], told["dealer"], told["turn"]
        view["phase"] = Phase[told["phase"]]
        view["claim_tile"], view["claim_from"] = number_of(told["tile"]), seat_of(told["from"])
        for tile in told["hand"]:
            view["hand"][number_of(tile)] += 1
            view["suit_key"][number_of(tile) // 9] += power_of_five(number_of(tile) % 9)
        view["drawn"], view["wall_count"] = number_of(told["drawn"]), told["wall"]
        for name in ("replacement", "must_discard", "kong_discard"):
            view[name] = told[name]
        view["lock_fan"] = told["pass_lock"]
        view["end_reason"] = 0 if told["end"] is None else ENDS.index(told["end"])
        view["left_seat"] = seat_of(told["left"])
        self.exchange(told["exchange"])
        for seat, facts in enumerate(told["seats"]):
            self.seat(seat, facts)
        for event in told["events"]:
            getattr(self, event.pop("type"))(**event)
        return view

    def exchange(self, exchange: dict[str, Any] | None) -> None:
        self.view["given"], self.view["received"], self.view["direction"] = -1, -1, -1
        if exchange is None:
            return
        for name in ("given", "received"):
            for place, tile in enumerate(exchange[name]):
                self.view[name][place] = number_of(tile)
        if exchange["direction"] is not None:
            self.view["direction"] = DIRECTIONS.index(exchange["direction"])

    def seat(self, seat: int, facts: dict[str, Any]) -> None:
        view = self.view
        view["void_suit"][seat] = -1 if facts["void"] is None else SUITS.index(facts["void"])
        view["hand_size"][seat], view["num_draws"][seat] = facts["hand_size"], facts["draws"]
        view["win_order"][seat] = facts["won"] or 0
        view["points"][seat] = facts["points"] // self.base
        for name, points in facts["ledger"].items():
            view["ledger"][seat][Ledger[name.upper()]] = points // self.base
        view["classes"][seat] = 0 if facts["class"] is None else CLASSES.index(facts["class"])
        view["win_tile"][seat], view["win_from"][seat] = -1, -1
        view["num_melds"][seat] = len(facts["melds"])
        for index, meld in enumerate(facts["melds"]):
            kind = Meld.PUNG if meld["type"] == "pung" else KINDS[meld["kind"]]
            view["meld_type"][seat, index] = kind
            view["meld_kind"][seat, index] = number_of(meld["tile"])
            view["meld_from"][seat, index] = meld.get("from", seat)
            if kind != Meld.PUNG:
                paid = [points // self.base for points in meld["paid"]]
                view["kong_paid"][seat, index] = paid
                view["kong_transferred"][seat, index] = meld["transferred"]

    def discard(self, seat: int, tile: str) -> None:
        number = int(self.view["num_discards"])
        self.view["discard_kind"][number] = number_of(tile)
        self.view["discard_fate"][number] = fate_of(seat, Claim.NONE, 0)
        self.view["num_discards"] += 1

    def claim(self, source: int, tile: str, claim: Claim, claimer: int) -> None:
        number = int(self.view["num_discards"]) - 1
        assert self.view["discard_kind"][number] == number_of(tile)
        if self.view["discard_fate"][number] == fate_of(source, Claim.NONE, 0):  # the first winner
            self.view["discard_fate"][number] = fate_of(source, claim, claimer)

    def deed(self, deed: Deed, seat: int, tile: str | None) -> None:
        meld = 0
        if tile is not None:
            meld = self.view["meld_kind"][seat].tolist().index(number_of(tile))
        number, packed = int(self.view["num_deeds"]), packed_deed(deed, seat, meld)
        after = int(self.view["num_discards"])
        before = self.view["deed"][number - 1], self.view["deed_after"][number - 1]
        if deed == Deed.ROBBED_KONG and number > 0 and before == (packed, after):
            return  # the second to rob it
        self.view["deed"][number] = packed
        self.view["deed_after"][number] = after
        self.view["num_deeds"] += 1

    def pung(self, seat: int, tile: str, **more: Any) -> None:
        self.claim(more["from"], tile, Claim.PUNG, seat)

    def kong(self, seat: int, tile: str, kind: str, **more: Any) -> None:
        if kind == "direct":
            self.claim(more["from"], tile, Claim.KONG, seat)
        else:
            self.deed(Deed[f"{kind}_kong".upper()], seat, tile)

    def win(self, seat: int, how: str, tile: str | None, **more: Any) -> None:
        view, source = self.view, more["from"]
        view["win_how"][seat] = WINS.index(how)
        view["win_from"][seat], view["win_tile"][seat] = seat_of(source), number_of(tile)
        view["win_fan"][seat] = more["fan"]
        view["win_patterns"][seat] = sum(1 << PATTERN_NAMES.index(p) for p in more["patterns"])
        for name, fan in more["extras"].items():
            view["win_extras"][seat][EXTRA_NAMES.index(name)] = fan
        if how == "discard":
            self.claim(source, tile or "", Claim.WIN, seat)
        elif how == "self_draw":
            self.deed(Deed.SELF_DRAW, seat, None)
        else:
            self.deed(Deed.ROBBED_KONG, source, tile)


def used(view: np.void) -> dict[str, Any]:
    """The fields of a view as far as they count: behind the last discard, deed and meld is nothing.

    What is offered is told by the menu, and the last field is padding.
    """
    fields = {
        name: view[name].copy() for name in VIEW.names or () if name not in ("offer", "unused")
    }
    for seat in range(4):
        for name in ("meld_type", "meld_kind", "meld_from", "kong_paid", "kong_transferred"):
            fields[name][seat, int(view["num_melds"][seat]) :] = 0
    for name, number in (
        ("discard_kind", "num_discards"),
        ("discard_fate", "num_discards"),
        ("deed", "num_deeds"),
        ("deed_after", "num_deeds"),
    ):
        fields[name][int(view[number]) :] = 0
    return {name: value.tolist() for name, value in fields.items()}


def views(agent: Agent, rules: Rules, deal: int) -> Iterator[np.void]:
    """What every seat may know at every decision of a deal, and at its end."""
    packed = rules.pack()
    tables = np.zeros(1, SICHUAN.state)
    for question in questions(agent, rules, deal):
        tables = question.tables
        yield from seen(packed, tables)
    yield from seen(packed, tables)


def seen(packed: np.ndarray, tables: np.ndarray) -> Iterator[np.void]:
    for seat in range(4):
        found = np.zeros(1, SICHUAN.view_dtype)
        SICHUAN.view_at(tables, 0, packed, seat, found)
        yield found[0]


def wins_told(agent: Agent, rules: Rules, deal: int) -> list[int]:
    """Tell every view and read it back; return how seats won."""
    told, end = {}, None
    for view in views(agent, rules, deal):
        told = json.loads(json.dumps(view_in_json(view, rules.base_points)))
        events = view_in_json(view, 1)["events"]
        assert [seat["river"] for seat in told["seats"]] == rivers_of(events)
        assert used(Reader(told, rules.base_points).read()) == used(view)
        end = view["win_how"].tolist()
    assert told["phase"] == "OVER"
    assert end is not None
    return end


@pytest.mark.parametrize("preset", PRESETS)
def test_the_view_comes_back(preset: str) -> None:
    rules = Rules.preset(preset)
    ways: list[int] = []
    for deal in range(DEALS):
        ways += wins_told(GREEDY, rules, deal) + wins_told(RandomLegal(), rules, deal)
    assert {Win.NONE, Win.DISCARD, Win.SELF_DRAW} <= set(ways)


@pytest.mark.parametrize(
    ("preset", "deal", "robbers"), [("qq", 215, 1), ("qq", 4796, 2), ("sichuan_modern", 7752, 2)]
)
def test_robbed_kongs_come_back(preset: str, deal: int, robbers: int) -> None:
    assert wins_told(GREEDY, Rules.preset(preset), deal).count(Win.ROB_KONG) == robbers


def test_house_rules_come_back() -> None:
    for seed in range(HOUSES):
        wins_told(GREEDY, random_house(random.Random(seed)), seed)


def rivers_of(events: list[dict[str, Any]]) -> list[list[str]]:
    """Discards of each seat that no event after them takes."""
    rivers: list[list[str]] = [[], [], [], []]
    for event, after in zip(events, [*events[1:], {"type": "none"}], strict=False):
        if event["type"] != "discard":
            continue
        taken = after["type"] == "pung" or after.get("kind") == "direct"
        if not taken and after.get("how") != "discard":
            rivers[event["seat"]].append(event["tile"])
    return rivers


def test_it_reads_as_the_record_does() -> None:
    table = Table("qq", seed=7)
    player = AtTable(GREEDY, table.rules)
    while not table.over:
        table.step(player(table))
    wanted = [
        event for event in table.events if event["type"] in ("discard", "pung", "kong", "win")
    ]
    told = view_in_json(table.view(0)[0], table.rules.base_points)
    assert told["events"] == wanted
    assert [seat["points"] for seat in told["seats"]] == table.points
    end = table.events[-1]
    assert (told["end"], [seat["class"] for seat in told["seats"]]) == (
        end["reason"],
        end["classes"],
    )


def test_another_world_reads_the_same() -> None:
    """What a seat cannot see is not in it: neither hands nor wall nor who is asked."""
    differs = 0
    for question in questions(GREEDY, Rules.preset("sichuan_modern"), deal=3):
        table = Table._at(Rules.preset("sichuan_modern"), question.tables.copy())
        seat = table.actor
        told = view_in_json(table.view(seat)[0], 1)
        other = table.redeal_hidden(seat, seed=5)
        differs += (other.state["hand"] != table.state["hand"]).any()
        assert view_in_json(other.view(seat)[0], 1) == told
    assert differs > 20
