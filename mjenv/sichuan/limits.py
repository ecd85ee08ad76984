"""What a win can be worth at most, and which options contradict each other."""

from typing import TYPE_CHECKING

from mjenv.errors import RulesError
from mjenv.sichuan.options import MAX_FAN
from mjenv.sichuan.patterns import ALONE

if TYPE_CHECKING:
    from mjenv.sichuan.rules import Rules

MAX_WIN_POINTS = 2**27
"""Most points of one payment for a win: a whole deal of them fits in 32 bits."""
MAX_ROOTS = 4
"""Fours of a kind in one hand, declared kongs included."""


def highest_fan(rules: "Rules") -> int:
    """A bound on the fan of any win, cap included."""
    table = rules.table
    best = max(table["fans"].values())
    if table["additive"]:
        best = max(best, sum(fan for name, fan in table["fans"].items() if name not in ALONE))
    extra = rules.extra_fans
    situation = max(extra["gang_shang_hua"], extra["gang_shang_pao"], extra["qiang_gang"])
    highest = best + MAX_ROOTS * extra["gen"] + situation + extra["hai_di"]
    highest += rules.self_draw_bonus == "add_fan"
    return highest if rules.fan_cap is None else min(highest, rules.fan_cap)


def check_together(rules: "Rules") -> None:
    """Refuse options that are fine one by one but not together.

    Raises:
        RulesError: The message names the option to change and what it may be.
    """
    if rules.pig_rule != "three_suits" and not rules.void_suit:
        raise RulesError(
            f"pig_rule: got {rules.pig_rule!r} with void_suit off; "
            "allowed then: three_suits (or turn void_suit on)"
        )
    if rules.fan_cap is not None and rules.fan_cap < rules.min_fan:
        raise RulesError(
            f"fan_cap: got {rules.fan_cap} with min_fan {rules.min_fan}; "
            f"allowed then: null or a whole number from {rules.min_fan} to {MAX_FAN}"
        )
    highest = highest_fan(rules)
    if highest < rules.min_fan:
        raise RulesError(
            f"min_fan: got {rules.min_fan}; allowed: 1 to {highest}, "
            "the most that fan_table and extra_fans can reach"
        )
    if highest > MAX_FAN:
        raise RulesError(
            f"fan_cap: got null, but a win could reach {highest} fan; "
            f"allowed then: a whole number from 1 to {MAX_FAN}"
        )
    if rules.base_points * 2 ** (highest - 1) > MAX_WIN_POINTS:
        raise RulesError(
            f"base_points: got {rules.base_points}, but a win could reach {highest} fan; "
            f"allowed then: 1 to {MAX_WIN_POINTS >> (highest - 1)}, or a lower fan_cap"
        )
