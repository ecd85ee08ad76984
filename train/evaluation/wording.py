"""How figures are called and written wherever people read them."""

import math

from train.evaluation.intervals import Estimate
from train.evaluation.metrics import SHARES
from train.evaluation.verdict import digits

UNKNOWN = "-"

EDGES_TITLE = "The edge of each challenger, with its 95 % interval"
RATINGS_TITLE = "Ratings: one number for each agent, fitted to all matches"
PAIRS_TITLE = "Pairs compared on the same deal sets"

REASON_WORDS = {
    "win": "wins",
    "deal_in": "dealing in",
    "self_draw_paid": "self-draws of others",
    "kong": "kongs",
    "transfer": "kongs transferred",
    "pig": "flower pigs",
    "ready_check": "ready check",
    "refund": "kongs refunded",
    "escape": "leaving",
}
"""Rows of a ledger; their names are those of :class:`mjenv.sichuan.state.Ledger`."""

FIGURE_WORDS = {
    "win_rate": "wins",
    "first_winner_rate": "  first to win",
    "second_winner_rate": "  second",
    "third_winner_rate": "  third",
    "average_fan": "average fan",
    "self_draw_share": "self-drawn wins",
    "deal_in_rate": "deals in",
    "deal_in_cost": "  units paid then",
    "call_rate": "deals with a call",
    "pungs_per_deal": "pungs a deal",
    "kongs_per_deal": "kongs a deal",
    "direct_kongs_per_deal": "  direct",
    "added_kongs_per_deal": "  added",
    "concealed_kongs_per_deal": "  concealed",
    "kong_income": "units from kongs",
    "ever_ready_rate": "ever ready",
    "ready_turn": "  after draws",
    "ready_at_wall_end": "ready at wall end",
    "pig_rate": "flower pigs",
    "wall_end_rate": "wall ended",
    "decisions_per_deal": "decisions a deal",
}
"""Figures in the order in which they are shown; an indented one belongs to the one above it."""


def value(name: str, estimate: Estimate) -> str:
    """A figure alone: ``66.1 %``."""
    if math.isnan(estimate.value):
        return UNKNOWN
    return f"{100 * estimate.value:.1f} %" if name in SHARES else f"{estimate.value:.2f}"


def figure(name: str, estimate: Estimate) -> str:
    """A figure with half of its 95 % interval: ``66.1 ± 0.4 %``."""
    if math.isnan(estimate.half_width):
        return value(name, estimate)
    if name in SHARES:
        return f"{100 * estimate.value:.1f} ± {100 * estimate.half_width:.1f} %"
    return f"{estimate.value:.2f} ± {estimate.half_width:.2f}"


def units(estimate: Estimate, places: int | None = None) -> str:
    """``+0.24 ± 0.05``, with the digits that the interval deserves unless some are given."""
    if math.isnan(estimate.value):
        return UNKNOWN
    half = estimate.half_width
    shown = digits(half) if places is None else places
    amount = f"{estimate.value:+.{shown}f}"
    return amount if math.isnan(half) else f"{amount} ± {half:.{shown}f}"


def bounds(estimate: Estimate) -> str:
    """``+0.19 to +0.29``."""
    low, high = estimate.ci95
    if math.isnan(low):
        return UNKNOWN
    places = digits(estimate.half_width)
    return f"{low:+.{places}f} to {high:+.{places}f}"


def p_text(p_value: float | None) -> str:
    """A p value as far as it is worth telling."""
    least = 0.001
    if p_value is None or math.isnan(p_value):
        return UNKNOWN
    return f"< {least}" if p_value < least else f"{p_value:.3f}"


def duration(seconds: float) -> str:
    """A time per decision: ``2.5 ms``, ``0.58 µs``."""
    millisecond = 1e-3
    if seconds < millisecond:
        return f"{seconds * 1e6:.3g} µs"
    return f"{seconds * 1e3:.3g} ms"
