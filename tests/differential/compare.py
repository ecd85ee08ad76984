"""One deal at both tables: the engine plays it, the reference follows decision by decision.

Compared are, for every decision, who is asked, in which phase, with which menu, and afterwards
points, pass locks, the wall and how many events there are; for every deal all events in order,
the next dealer and what lies on the table at the end.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from mjenv.core.suits import load_tables
from mjenv.sichuan.actions import ACTION_TEXTS, NUM_ACTIONS, parse_action
from mjenv.sichuan.events import EVENT, MAX_EVENTS
from mjenv.sichuan.history import fates
from mjenv.sichuan.state import STATE, Claim, Direction, Phase
from tests.differential.deals import Deal
from tests.differential.engine import (
    DECISION,
    MAX_DECISIONS,
    MELD_NAMES,
    dealer_after,
    play_deal,
    record_events,
)
from tests.differential.occurrences import FORCED, note_deal, note_next_dealer, note_resolution
from tests.reference import menus
from tests.reference.dealer import next_dealer_after
from tests.reference.fan import readings
from tests.reference.table import ReferenceTable
from tests.reference.tiles import KIND, KINDS, TEXT, show

Event = dict[str, Any]

PHASES = [phase.name for phase in Phase]
PLAY_BITS = {text: 1 << action for action, text in enumerate(ACTION_TEXTS)}
GIVE_BITS = {f"give {text}": 1 << kind for kind, text in enumerate(TEXT)}
NO_ACTION = 1 << NUM_ACTIONS
QUESTIONS = (Phase.CLAIM, Phase.ROB)


class DifferenceError(AssertionError):
    """The two tables disagree; the message holds all that is needed to see it again."""


class Comparison:
    """Compares deal after deal and counts what was compared."""

    def __init__(self) -> None:
        self.forget()
        self.tables = np.zeros(1, STATE)
        self._luts = load_tables()
        self._rng = np.ones(1, np.uint64)
        self._mask = np.zeros(NUM_ACTIONS, np.int8)
        self.decisions = np.zeros(MAX_DECISIONS, DECISION)
        self.log = np.zeros(MAX_EVENTS, EVENT)

    def forget(self) -> None:
        """Start counting anew."""
        self.deals = 0
        self.menus = 0
        self.events = 0
        self.seen: Counter[str] = Counter()

    def compare(self, deal: Deal, script: Iterable[str] = ()) -> ReferenceTable:
        """Play a deal at both tables, the first decisions from a script.

        Returns:
            The reference's table after the deal.

        Raises:
            DifferenceError: The tables disagree.
        """
        number = self.play(deal, script)
        state = self.tables[0]
        table = ReferenceTable(deal.house.mapping, deal.wall, deal.dealer, deal.direction)
        log = self.log[: state["num_events"]]
        events = record_events(log, state, deal.house.rules)
        self._follow(deal, table, self.decisions[:number], events)
        self._compare_end(deal, table)
        self.deals += 1
        self.menus += number
        self.events += len(events)
        note_deal(self.seen, table)
        return table

    def play(self, deal: Deal, script: Iterable[str] = ()) -> int:
        """Play a deal at the engine alone; return the number of decisions."""
        state = self.tables[0]
        state["wall"] = [KIND[text] for text in deal.wall]
        state["dealer"] = deal.dealer
        state["direction"] = Direction[deal.direction.upper()]
        self._rng[0] = deal.player_seed
        return play_deal(
            self.tables,
            deal.house.packed,
            self._luts,
            np.array(deal.styles, np.int8),
            self._rng,
            self._mask,
            np.array([parse_action(text) for text in script], np.int64),
            self.decisions,
            self.log,
        )

    def _follow(
        self, deal: Deal, table: ReferenceTable, decisions: np.ndarray, events: list[Event]
    ) -> None:
        """Take every decision at the reference as well."""
        base = deal.house.rules.base_points
        columns = (decisions[name].tolist() for name in DECISION.names or ())
        num_before = 0
        for place, row in enumerate(zip(*columns, strict=True)):
            menu, points, num_events, lock, wall, actor, phase, action = row
            bits = GIVE_BITS if phase == Phase.EXCHANGE else PLAY_BITS
            expected = sum([bits.get(text, NO_ACTION) for text in table.menu])
            if (actor, PHASES[phase], menu) != (table.actor, table.phase, expected):
                got = (actor, PHASES[phase], _menu_text(menu))
                raise _difference(
                    deal, decisions[:place], got, (table.actor, table.phase, table.menu)
                )
            table.step(TEXT_OF[phase == Phase.EXCHANGE][action])
            got = ([units * base for units in points], lock, wall, num_events)
            if got != (table.ledger.points, table.lock, table.wall_left, len(table.events)):
                want = (table.ledger.points, table.lock, table.wall_left, table.events[num_before:])
                got = (*got[:3], events[num_before:num_events])
                raise _difference(deal, decisions[: place + 1], got, want)
            if menu in FORCED:
                self.seen[f"forced win {PHASES[phase]}"] += 1
            if num_events != num_before:
                self._compare_events(deal, table, decisions[: place + 1], events, num_before)
                if phase in QUESTIONS:
                    note_resolution(self.seen, table)
            num_before = num_events
        if not table.over or self.tables[0]["phase"] != Phase.OVER:
            raise _difference(deal, decisions, "over", table.phase)

    def _compare_events(
        self,
        deal: Deal,
        table: ReferenceTable,
        decisions: np.ndarray,
        events: list[Event],
        start: int,
    ) -> None:
        """Equal but for the choice among readings of a win that tie."""
        for want, got in zip(table.events[start:], events[start : len(table.events)], strict=True):
            if want == got:
                continue
            if want["type"] == got["type"] == "win":
                names = {"patterns": sorted(want["patterns"])}
                if {**want, **names} == got:
                    continue
                if self._ties(deal, decisions, want, got):
                    self.seen["win read otherwise"] += 1
                    continue
            raise _difference(deal, decisions, got, want)

    def _ties(self, deal: Deal, decisions: np.ndarray, want: Event, got: Event) -> bool:
        """Whether both readings of a win have the same total before the cap (point 26)."""
        table = ReferenceTable(deal.house.mapping, deal.wall, deal.dealer, deal.direction)
        for decision in decisions[:-1]:
            table.step(TEXT_OF[int(decision["phase"]) == Phase.EXCHANGE][decision["action"]])
        seat, how = want["seat"], want["how"]
        hand = list(table.held[seat])
        if how == "self_draw":
            situation = menus.self_draw_situation(table, seat)
        else:
            situation = menus.claim_situation(table, how)
            hand[KIND[want["tile"]]] += 1
        found = readings(table.rules, hand, table.sets[seat], situation)
        named = [(sorted(reading.patterns), reading.extras) for reading in found]
        rest = ("seat", "how", "from", "tile", "fan")
        same = all(want[name] == got[name] for name in rest)
        return same and (got["patterns"], got["extras"]) in named

    def _compare_end(self, deal: Deal, table: ReferenceTable) -> None:
        state = self.tables[0]
        want = {
            "hands": table.hands,
            "melds": table.melds,
            "rivers": table.rivers,
            "next_dealer": next_dealer_after(table.rules, table.dealer, table.events),
            "ledger": table.points,
        }
        seats = range(4)
        dealer = dealer_after(self.tables, deal.house.packed)
        got = {
            "hands": [show(state["hand"][seat].tolist()) for seat in seats],
            "melds": [_melds(state, seat) for seat in seats],
            "rivers": [_river(state, seat) for seat in seats],
            "next_dealer": "dice" if dealer < 0 else dealer,
            "ledger": (state["ledger"].sum(axis=1) * deal.house.rules.base_points).tolist(),
        }
        if got != want:
            raise _difference(deal, self.decisions[:0], got, want)
        note_next_dealer(self.seen, table, want["next_dealer"])


def _melds(state: np.void, seat: int) -> list[str]:
    """Melds of a seat as the reference writes them."""
    kinds = zip(state["meld_type"][seat].tolist(), state["meld_kind"][seat].tolist(), strict=True)
    melds = [f"{MELD_NAMES[meld]}:{TEXT[kind]}" for meld, kind in kinds if meld]
    assert len(melds) == state["num_melds"][seat]
    return melds


def _river(state: np.void, seat: int) -> list[str]:
    """Unclaimed discards of a seat."""
    kinds = state["discard_kind"].tolist()
    return [
        TEXT[kinds[i]]
        for i, (by, claim, _) in enumerate(fates(state))
        if by == seat and claim == Claim.NONE
    ]


def _menu_text(menu: int) -> list[str]:
    return [text for text, bit in PLAY_BITS.items() if menu & bit]


def _difference(deal: Deal, decisions: np.ndarray, got: object, want: object) -> DifferenceError:
    """Says how to see it again, what the engine has and what the reference wants."""
    report = {
        "rules": deal.house.mapping,
        "wall": deal.wall,
        "dealer": deal.dealer,
        "direction": deal.direction,
        "actions": _script(decisions),
    }
    return DifferenceError(f"{json.dumps(report)}\nengine:    {got}\nreference: {want}")


def _script(decisions: np.ndarray) -> list[str]:
    return [
        TEXT_OF[phase == Phase.EXCHANGE][action]
        for phase, action in zip(
            decisions["phase"].tolist(), decisions["action"].tolist(), strict=True
        )
    ]


TEXT_OF: Sequence[Sequence[str]] = (ACTION_TEXTS, tuple(GIVE_BITS) + ACTION_TEXTS[KINDS:])
"""Texts of actions in play, and while tiles are exchanged."""
