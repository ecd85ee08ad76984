"""What a policy did, counted from the text of records alone. Imports nothing of mjenv or train."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import nan
from typing import Any

from tests.reference.hand import waits
from tests.reference.tiles import KIND, SUITS, Meld

Event = dict[str, Any]
Seat = Counter[str]
"""What a seat did in a deal; what it did not do is 0."""

LEDGER = (
    *("win", "deal_in", "self_draw_paid", "kong", "transfer"),
    *("pig", "ready_check", "refund", "escape"),
)
_SEATS = range(4)
_STEP = {"next": 1, "previous": -1, "opposite": 2}


def deals_of(lines: Iterable[str]) -> Iterator[list[Event]]:
    """Events of each deal of a record."""
    events: list[Event] = []
    for line in lines:
        events.append(json.loads(line))
        if events[-1]["type"] == "end":
            yield events
            events = []


def seats_of(events: Sequence[Event]) -> list[Seat]:
    """What the four seats did in a deal."""
    deal = _Deal(events[0])
    for event in events[1:]:
        getattr(deal, f"_{event['type']}")(event)
        deal.last = event["type"]
    return deal.seats


class _Deal:
    def __init__(self, head: Event) -> None:
        self.base = head["rules"]["base_points"]
        self.hands = [list(tiles) for tiles in head.get("hands") or _dealt(head)]
        self.melds: list[list[Meld]] = [[] for _ in _SEATS]
        self.void: list[int | None] = [None] * 4
        self.seats = [Counter[str]() for _ in _SEATS]
        self.places = 0
        self.last = ""

    def _decide(self, event: Event) -> None:
        self.seats[event["seat"]]["decisions"] += 1

    def _exchange(self, event: Event) -> None:
        for seat, given in enumerate(event["tiles"]):
            self._take(seat, *given)
        for seat, given in enumerate(event["tiles"]):
            self.hands[(seat + _STEP[event["direction"]]) % 4] += given

    def _void(self, event: Event) -> None:
        self.void = [SUITS.index(suit) for suit in event["suits"]]

    def _draw(self, event: Event) -> None:
        seat = event["seat"]
        self._see(seat)
        self.seats[seat]["draws"] += 1
        self.hands[seat].append(event["tile"])

    def _discard(self, event: Event) -> None:
        self._take(event["seat"], event["tile"])

    def _pung(self, event: Event) -> None:
        seat, tile = event["seat"], event["tile"]
        self._take(seat, tile, tile)
        self.melds[seat].append(Meld("pung", KIND[tile]))
        self.seats[seat]["pungs"] += 1
        self.seats[seat]["called"] = 1

    def _kong(self, event: Event) -> None:
        seat, tile, kind = event["seat"], event["tile"], event["kind"]
        self.seats[seat][kind] += 1
        if kind == "added":
            self.seats[seat]["pungs"] -= 1
            self.melds[seat].remove(Meld("pung", KIND[tile]))
        if kind == "direct":
            self.seats[seat]["called"] = 1
        self._take(seat, *[tile] * {"added": 1, "direct": 3, "concealed": 4}[kind])
        self.melds[seat].append(Meld(f"kong_{kind}", KIND[tile]))

    def _win(self, event: Event) -> None:
        seat = event["seat"]
        self.self_drawn = event["how"] == "self_draw"
        if self.last != "win":  # several on one tile share their place
            self.places += 1
            if event["how"] == "rob_kong":
                self._take(event["from"], event["tile"])
        if not self.self_drawn:
            self._see(seat)
            self.seats[event["from"]]["dealt_in"] = 1
        self.seats[seat].update(won=1, fan=event["fan"], self_draws=self.self_drawn)
        self.seats[seat][f"place {self.places}"] = 1
        self.seats[seat][f"fan {event['fan']}"] = 1

    def _pay(self, event: Event) -> None:
        for seat, points in zip(self.seats, event["points"], strict=True):
            reason = event["reason"]
            if reason == "win" and points < 0:
                reason = "self_draw_paid" if self.self_drawn else "deal_in"
            assert points % self.base == 0
            seat[reason] += points // self.base
            seat["units"] += points // self.base

    def _end(self, event: Event) -> None:
        assert event["points"] == [self.base * seat["units"] for seat in self.seats]
        for number, seat in enumerate(self.seats):
            if not seat["won"]:
                self._see(number)
            if event["reason"] == "wall_empty":
                seat["wall_ended"] = 1
                seat["undecided"] = 1 - seat["won"]
                seat[f"{event['classes'][number]} at the wall's end"] = 1

    def _see(self, number: int) -> None:
        seat = self.seats[number]
        hand = tuple(sorted(self.hands[number]))
        if not seat["was ready"] and is_ready(hand, tuple(self.melds[number]), self.void[number]):
            seat["was ready"], seat["draws before"] = 1, seat["draws"]

    def _take(self, seat: int, *tiles: str) -> None:
        for tile in tiles:
            self.hands[seat].remove(tile)


@lru_cache(maxsize=200_000)
def is_ready(hand: tuple[str, ...], melds: tuple[Meld, ...], void: int | None) -> bool:
    """Whether some tile completes a win, not all four of it being owned (R41)."""
    counts = [0] * len(KIND)
    for tile in hand:
        counts[KIND[tile]] += 1
    return bool(waits(counts, melds, void))


def _dealt(head: Event) -> list[list[str]]:
    """The dealt hands, from the wall."""
    wall, dealer = head["wall"], head["dealer"]
    hands = [wall[13 * place : 13 * place + 13] for place in ((s - dealer) % 4 for s in _SEATS)]
    hands[dealer] = [*hands[dealer], wall[52]]
    return hands


def figures(seats: Sequence[Seat]) -> dict[str, float]:
    """Every figure of ``metrics`` in ``mjenv arena --json``, and ``fan.N`` and ``ledger.REASON``.

    Args:
        seats: Those of one policy, over all deals.

    Returns:
        By name; NaN where there is nothing to divide by.
    """
    all_of = Counter[str]()
    for seat in seats:
        all_of.update(seat)

    def per(divisor: int, *names: str) -> float:
        return sum(all_of[name] for name in names) / divisor if divisor else nan

    kongs, wins = ("direct", "added", "concealed"), all_of["won"]
    found = {
        "units_per_deal": per(len(seats), "units"),
        "win_rate": per(len(seats), "won"),
        "first_winner_rate": per(len(seats), "place 1"),
        "second_winner_rate": per(len(seats), "place 2"),
        "third_winner_rate": per(len(seats), "place 3"),
        "average_fan": per(wins, "fan"),
        "self_draw_share": per(wins, "self_draws"),
        "deal_in_rate": per(len(seats), "dealt_in"),
        "deal_in_cost": per(-all_of["dealt_in"], "deal_in"),
        "call_rate": per(len(seats), "called"),
        "pungs_per_deal": per(len(seats), "pungs"),
        "kongs_per_deal": per(len(seats), *kongs),
        **{f"{kind}_kongs_per_deal": per(len(seats), kind) for kind in kongs},
        "kong_income": per(len(seats), "kong", "transfer", "refund"),
        "ready_at_wall_end": per(all_of["undecided"], "ready at the wall's end"),
        "pig_rate": per(len(seats), "pig at the wall's end"),
        "wall_end_rate": per(len(seats), "wall_ended"),
        "decisions_per_deal": per(len(seats), "decisions"),
        "ready_turn": per(all_of["was ready"], "draws before"),
        "ever_ready_rate": per(len(seats), "was ready"),
    }
    highest = max((seat["fan"] for seat in seats), default=0)
    found |= {f"fan.{fan}": per(wins, f"fan {fan}") for fan in range(1, highest + 1)}
    return found | {f"ledger.{reason}": per(len(seats), reason) for reason in LEDGER}
