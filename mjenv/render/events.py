"""Events of a deal in words."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from mjenv.core.game import Game
from mjenv.render.text import SEAT_NAMES, table_text


def board_and_latest(game: Game, state: np.void, log: np.ndarray, rules: Any) -> str:
    """The board with all hands open, and below it what happened last.

    Args:
        game: The game.
        state: Of the table.
        log: The events of its deal, and any number of cells after them.
        rules: The rules it is played by.
    """
    events = game.event_dicts(state, log[: state["num_events"]], rules)
    board = table_text(state, rules.base_points)
    return f"{board}\n{latest_text(events)}" if events else board


def latest_text(events: Iterable[Mapping[str, Any]]) -> str:
    """The latest thing somebody did, with the payments and draws it led to.

    Args:
        events: Events of a record, oldest first.
    """
    latest: list[str] = []
    for event in events:
        if event["type"] not in ("pay", "draw", "end"):
            latest = []
        latest.append(event_text(event))
    return "; ".join(latest)


def event_text(event: Mapping[str, Any]) -> str:
    """An event of a record in words, for example ``player_1 discards 5p``."""
    kind = event["type"]
    if kind == "exchange":
        return f"tiles were exchanged with the {event['direction']} seat"
    if kind == "void":
        return f"void suits are {' '.join(event['suits'])}"
    if kind == "pay":
        points = " ".join(f"{amount:+d}" for amount in event["points"])
        return f"{event['reason'].replace('_', ' ')} pays {points}"
    if kind == "end":
        return f"the deal is over: {event['reason'].replace('_', ' ')}"
    return f"{SEAT_NAMES[event['seat']]} {_deed(event)}"


def _deed(event: Mapping[str, Any]) -> str:
    """What one seat did."""
    kind = event["type"]
    source = event.get("from")
    origin = "" if source is None else f" from {SEAT_NAMES[source]}"
    if kind == "draw":
        return f"draws {event['tile']}" + (" as a replacement" if event["replacement"] else "")
    if kind == "kong":
        return f"declares a {event['kind']} kong of {event['tile']}{origin}"
    if kind == "win":
        tile = "" if event["tile"] is None else f" on {event['tile']}"
        return f"wins{tile}{origin} with {event['fan']} fan"
    return f"{kind}s {event['tile']}{origin}"
