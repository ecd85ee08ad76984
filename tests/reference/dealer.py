"""Who deals next (R60 to R62 and the preset table).

Where the pages are open: `shooter` in a blood deal looks at the first win event, as
`first_winner` does; a deal ended by an escape goes back to dice, since R3 sends a table whose
membership changed there.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from tests.reference.presets import RulesMapping

Dice = Literal["dice"]


def next_dealer(
    rules: RulesMapping,
    dealer: int,
    winners: Sequence[int] = (),
    shooter: int | None = None,
    escaped: bool = False,
) -> int | Dice:
    """The next dealer, given the first win event's winners and discarder or robbed konger.

    No winners: nobody has won. Winners without a shooter: a self-draw.
    """
    rule = rules["next_dealer"]
    if rule == "dice" or escaped:
        return "dice"
    if not winners:
        return dealer
    if rule == "shooter":
        return _after_self_draw(rules, dealer, winners[0]) if shooter is None else shooter
    if len(winners) > 1 and shooter is not None:
        return shooter
    return winners[0]


def _after_self_draw(rules: RulesMapping, dealer: int, winner: int) -> int | Dice:
    """R62: nobody fired."""
    choice = rules["dealer_after_self_draw"]
    if choice == "winner":
        return winner
    return dealer if choice == "stay" else "dice"


def next_dealer_after(
    rules: RulesMapping, dealer: int, events: Iterable[dict[str, Any]]
) -> int | Dice:
    """The same, read from the events of a finished deal."""
    winners: list[int] = []
    shooter = None
    escaped = False
    first_event_open = True
    for event in events:
        if event["type"] == "win" and first_event_open:
            winners.append(event["seat"])
            shooter = event["from"]
        elif winners:
            first_event_open = False
        if event["type"] == "end":
            escaped = event["reason"] == "escape"
    return next_dealer(rules, dealer, winners, shooter, escaped)
