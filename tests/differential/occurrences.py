"""What happened in compared deals, so that "no difference" can be seen to cover every rule."""

from collections import Counter
from typing import Any

from mjenv.sichuan.actions import QUIT, WIN
from mjenv.sichuan.events import Reason
from mjenv.sichuan.patterns import EXTRA_NAMES, PATTERN_NAMES
from mjenv.sichuan.state import Class, End
from tests.reference.ledger import ESCAPE_MULTIPLE
from tests.reference.table import ReferenceTable

Event = dict[str, Any]
FORCED = frozenset({1 << WIN, 1 << WIN | 1 << QUIT})
WALL_AFTER_DEAL = 55
TIMES = {1: "single", 2: "double", 3: "triple"}

EXPECTED = (
    *(f"exchange {way}" for way in ("next", "previous", "opposite")),
    *("pung", "pung at an empty wall", "replacement draw"),
    *("kong direct", "kong added", "kong added unpaid", "kong concealed", "kong at an empty wall"),
    *("win single self_draw", "win at an empty wall", "win on no tile"),
    *("win single discard", "win double discard", "win triple discard"),
    *("win single rob_kong", "win double rob_kong"),
    *("win locked out", "win below min_fan", "win passed beside a win", "claim void beside a win"),
    *(f"forced win {phase}" for phase in ("TURN", "CLAIM", "ROB")),
    *(f"pattern {name}" for name in PATTERN_NAMES),
    "pattern di_hu discard",
    *(f"extra {name}" for name in EXTRA_NAMES),
    *(f"pay {reason.name.lower()}" for reason in Reason),
    *("pay transfer to several", "pay escape ready check", "pay refund of a leaver"),
    *(f"class {name.name.lower()}" for name in Class if name),
    *(f"end {end.name.lower()}" for end in End if end),
    *("next dealer dice", "next dealer stays", "next dealer winner", "next dealer payer"),
)
"""What a comparison must have seen to be worth something."""


def note_resolution(seen: Counter[str], table: ReferenceTable) -> None:
    """The answers to a discard or an added kong that has just been resolved."""
    answers = set(table.answers)
    if "win" in answers:
        if answers & {"pung", "kong"}:
            seen["claim void beside a win"] += 1
        if "pass" in answers:
            seen["win passed beside a win"] += 1


def note_deal(seen: Counter[str], table: ReferenceTable) -> None:
    """Everything a finished deal shows."""
    seen["win locked out"] += table.locked_out
    seen["win below min_fan"] += table.too_small
    events = table.events
    base = table.rules["base_points"]
    wall = WALL_AFTER_DEAL
    for place, event in enumerate(events):
        kind = event["type"]
        before = events[place - 1] if place else {"type": "deal"}
        after = events[place + 1] if place + 1 < len(events) else {"type": "over"}
        if kind == "draw":
            wall -= 1
            if event["replacement"]:
                seen["replacement draw"] += 1
        elif kind == "pung":
            seen["pung"] += 1
            seen["pung at an empty wall"] += wall == 0
        elif kind == "kong":
            _note_kong(seen, event, after, wall)
        elif kind == "win" and before["type"] != "win":
            _note_wins(seen, events, place, wall)
        elif kind == "pay":
            _note_payment(seen, event, before, base)
        elif kind == "exchange":
            seen[f"exchange {event['direction']}"] += 1
        elif kind == "end":
            seen[f"end {event['reason']}"] += 1
            for name in event["classes"]:
                seen[f"class {name}"] += 1


def _note_kong(seen: Counter[str], event: Event, after: Event, wall: int) -> None:
    seen[f"kong {event['kind']}"] += 1
    if event["kind"] == "added" and after.get("reason") != "kong":
        seen["kong added unpaid"] += 1
    seen["kong at an empty wall"] += wall == 0


def _note_wins(seen: Counter[str], events: list[Event], place: int, wall: int) -> None:
    """All wins on one tile."""
    wins = []
    while events[place]["type"] == "win":
        wins.append(events[place])
        place += 1
    how = wins[0]["how"]
    seen[f"win {TIMES[len(wins)]} {how}"] += 1
    seen["win at an empty wall"] += wall == 0
    seen["win on no tile"] += wins[0]["tile"] is None
    for win in wins:
        for name in win["patterns"]:
            seen[f"pattern {name}"] += 1
        for name in win["extras"]:
            seen[f"extra {name}"] += 1
        seen["pattern di_hu discard"] += how == "discard" and "di_hu" in win["patterns"]


def _note_payment(seen: Counter[str], event: Event, before: Event, base: int) -> None:
    reason = event["reason"]
    seen[f"pay {reason}"] += 1
    gains = [points for points in event["points"] if points > 0]
    if reason == "transfer" and len(gains) > 1:
        seen["pay transfer to several"] += 1
    elif reason == "escape" and any(points != ESCAPE_MULTIPLE * base for points in gains):
        seen["pay escape ready check"] += 1
    elif reason == "refund" and before.get("reason") == "escape":
        seen["pay refund of a leaver"] += 1


def note_next_dealer(seen: Counter[str], table: ReferenceTable, dealer: int | str) -> None:
    """Why this seat deals next."""
    wins = [event for event in table.events if event["type"] == "win"]
    if dealer == "dice":
        seen["next dealer dice"] += 1
    elif not wins:
        seen["next dealer stays"] += 1
    elif dealer == wins[0]["from"]:
        seen["next dealer payer"] += 1
    elif dealer == wins[0]["seat"]:
        seen["next dealer winner"] += 1
    else:
        seen["next dealer stays"] += 1
