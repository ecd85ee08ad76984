"""From deal to deal: who deals next, and points as coins (R52, R60-R62)."""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.rules import DealerAfterSelfDraw, NextDealer, Rules
from mjenv.sichuan.state import NO_SEAT, End

DICE = NO_SEAT
"""What :func:`next_dealer` returns when the dice decide."""


@kernel
def next_dealer_after(
    rules: np.void, dealer: int, first_winner: int, first_payer: int, first_win_size: int
) -> int:
    """The next dealer after a finished deal, or ``DICE``.

    Args:
        rules: Packed rules.
        dealer: Of the deal that ended.
        first_winner: First winner in play order of the first win, ``NO_SEAT`` if nobody won.
        first_payer: Its discarder or robbed konger, ``NO_SEAT`` if it was self-drawn.
        first_win_size: Winners of that tile.
    """
    if rules["next_dealer"] == NextDealer.DICE:
        return DICE
    if first_winner == NO_SEAT:
        return dealer
    if rules["next_dealer"] == NextDealer.FIRST_WINNER:
        return first_winner if first_win_size == 1 else first_payer
    if first_payer != NO_SEAT:
        return first_payer
    if rules["dealer_after_self_draw"] == DealerAfterSelfDraw.WINNER:
        return first_winner
    if rules["dealer_after_self_draw"] == DealerAfterSelfDraw.STAY:
        return dealer
    return DICE


@kernel
def next_dealer(state: np.void, rules: np.void) -> int:
    """:func:`next_dealer_after` of a finished table; a seat that left brings back the dice."""
    if state["end_reason"] == End.ESCAPE:
        return DICE
    return next_dealer_after(
        rules,
        int(state["dealer"]),
        int(state["first_winner"]),
        int(state["first_payer"]),
        int(state["first_win_size"]),
    )


def coins(points: list[int], rules: Rules) -> tuple[list[int], int]:
    """Coins won by every seat for its points, and what the system keeps (R52).

    Example: with ``room_coefficient=200, table_fee=400`` the points ``[54, -18, -18, -18]`` are
    ``([10400, -4000, -4000, -4000], 1600)``.
    """
    won = [rules.room_coefficient * amount - rules.table_fee for amount in points]
    return won, -sum(won)
