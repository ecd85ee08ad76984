"""The engine's side of the comparison: whole deals in one call, and its log as record events."""

from typing import Any

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.deal import deal_wall
from mjenv.sichuan.log import KONG_KINDS, event_dicts
from mjenv.sichuan.match import next_dealer
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.settlement import wall_count
from mjenv.sichuan.state import NO_SEAT, NUM_SEATS, Meld
from mjenv.sichuan.step import legal, step
from tests.differential.players import choose

MAX_DECISIONS = 600
"""More than any deal has: 16 before the first turn, 72 discards with three answers each, kongs."""
DECISION = np.dtype(
    [
        ("menu", "i8"),  # bit a: action a is legal
        ("points", "i4", NUM_SEATS),  # after the decision, in units
        ("num_events", "i2"),  # after the decision
        ("lock", "i1", NUM_SEATS),  # after the decision
        ("wall", "i1"),  # after the decision
        ("actor", "i1"),
        ("phase", "i1"),
        ("action", "i1"),
    ],
    align=True,
)


@kernel
def play_deal(
    tables: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    styles: np.ndarray,
    rng: np.ndarray,
    mask: np.ndarray,
    script: np.ndarray,
    decisions: np.ndarray,
    log: np.ndarray,
) -> int:
    """Deal the wall in ``tables[0]``, play to the end, note every decision; return their number.

    Args:
        tables: ``(1,)`` state with wall, dealer and direction set.
        rules: ``(1,)`` packed rules.
        luts: Lookup tables.
        styles: ``(4,)`` int8, the style of every seat.
        rng: Generator of the players.
        mask: ``(62,)`` int8 scratch.
        script: ``(N,)`` int64, the first decisions; the players choose after them. The deal stops
            where one is not legal.
        decisions: ``(MAX_DECISIONS,)`` of DECISION, receives them.
        log: Events, receives the log.
    """
    state = tables[0]
    deal_wall(state, rules[0])
    number = 0
    while state["actor"] != NO_SEAT and number < decisions.shape[0]:
        legal(state, rules[0], luts, mask)
        seat = int(state["actor"])
        note = decisions[number]
        note["actor"] = seat
        note["phase"] = state["phase"]
        note["menu"] = menu_bits(mask)
        if number < script.shape[0]:
            action = int(script[number])
        else:
            action = choose(state, mask, int(styles[seat]), luts, rng)
        note["action"] = action
        if mask[action] == 0:
            break
        step(state, rules[0], luts, action, log)
        note["points"][:] = state["points"]
        note["lock"][:] = state["lock_fan"]
        note["num_events"] = state["num_events"]
        note["wall"] = wall_count(state)
        number += 1
    return number


@kernel
def menu_bits(mask: np.ndarray) -> int:
    """A menu as one number."""
    bits = 0
    for action in range(mask.shape[0]):
        if mask[action] != 0:
            bits |= 1 << action
    return bits


@kernel
def dealer_after(tables: np.ndarray, rules: np.ndarray) -> int:
    """The next dealer of a finished deal, -1 for dice."""
    return next_dealer(tables[0], rules[0])


MELD_NAMES = {meld.value: f"kong_{name}" for meld, name in KONG_KINDS.items()}
MELD_NAMES[Meld.PUNG.value] = "pung"
"""Kinds of melds as the reference writes them."""


def record_events(log: np.ndarray, state: np.void, rules: Rules) -> list[dict[str, Any]]:
    """The log of a finished deal as events of its record, patterns in sorted order."""
    events = event_dicts(state, log, rules)
    for event in events:
        if event["type"] == "win":
            event["patterns"].sort()
    return events
