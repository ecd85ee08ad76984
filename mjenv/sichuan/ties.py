"""Wins that may be read in two ways worth the same: either stands in a record (point 26)."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mjenv.core.suits import load_tables
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.claims import score_claim
from mjenv.sichuan.patterns import EXTRA_NAMES, NUM_EXTRAS, NUM_PATTERNS, PATTERN_NAMES
from mjenv.sichuan.rules import NOT_IN_TABLE, Rules
from mjenv.sichuan.wins import score_self_draw

NO_CAP = 0


def is_tie(state: np.void, rules: Rules, win: Mapping[str, Any]) -> bool:
    """Whether the patterns and extras of a win event are one of its best readings.

    Args:
        state: The table before the decision that the win follows from.
        rules: Unpacked.
        win: The event; its other fields are right.
    """
    packed = rules.pack()
    rule = packed[0]
    rule["fan_cap"] = NO_CAP  # the best reading is that of the most fan before the cap
    best, _, _ = _score(state, rule, win["seat"])
    for pattern in range(NUM_PATTERNS):
        if rule["fans"][pattern] >= 0 and PATTERN_NAMES[pattern] not in win["patterns"]:
            # In a table of single patterns it stays there, since a dragon hides what it is made of.
            rule["fans"][pattern] = NOT_IN_TABLE if rule["additive"] else 0
    fan, patterns, extras = _score(state, rule, win["seat"])
    named = sum(1 << PATTERN_NAMES.index(name) for name in set(win["patterns"]))
    return (fan, patterns, extras) == (best, named, win["extras"])


def _score(state: np.void, rule: np.void, seat: int) -> tuple[int, int, dict[str, int]]:
    """Fan, pattern bits and extras of the win of a seat."""
    extras = np.zeros(NUM_EXTRAS, np.int8)
    score = score_self_draw if state["claim_tile"] == NO_TILE else score_claim
    fan, patterns = score(state, rule, load_tables(), seat, extras)
    added = zip(EXTRA_NAMES, extras.tolist(), strict=True)
    return int(fan), int(patterns), {name: value for name, value in added if value > 0}
