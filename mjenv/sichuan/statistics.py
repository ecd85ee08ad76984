"""What happened to each seat in finished deals, as records of numbers."""

import numpy as np

from mjenv.sichuan.state import NUM_LEDGER, NUM_SEATS, Class, End, Meld, Win

KONGS = (Meld.DIRECT_KONG, Meld.ADDED_KONG, Meld.CONCEALED_KONG)

DEAL = np.dtype(
    [
        ("seed", "i8"),
        ("deal", "i8"),
        ("dealer", "i1"),
        ("end_reason", "i1"),  # End
        ("units", "i4", NUM_SEATS),  # gained or lost
        ("ledger", "i4", (NUM_SEATS, NUM_LEDGER)),  # what for, by Ledger, in units
        ("won", "?", NUM_SEATS),
        ("win_order", "i1", NUM_SEATS),  # 1 for the first winner; equal on a shared tile; 0 without
        ("fan", "i1", NUM_SEATS),  # of the win, 0 without one
        ("self_draw", "?", NUM_SEATS),
        ("deal_in", "?", NUM_SEATS),  # somebody won on its discard or on its added kong
        ("pungs", "i1", NUM_SEATS),
        ("kongs", "i1", (NUM_SEATS, len(KONGS))),  # direct, added, concealed
        ("decisions", "i2", NUM_SEATS),  # how often it was asked
        ("undecided", "?", NUM_SEATS),  # the wall ended before it had won
        ("ready", "?", NUM_SEATS),  # it was ready then (R41)
        ("pig", "?", NUM_SEATS),  # it was a pig then (R41)
    ]
)
"""One finished deal; seats are those of the table. Amounts are in units of the base."""


def deal_statistics(finished: np.ndarray) -> np.ndarray:
    """Read finished tables.

    Args:
        finished: ``(D,)`` states of deals that are over.

    Returns:
        ``(D,)`` records of :data:`DEAL`.
    """
    seats = np.arange(NUM_SEATS)
    how = finished["win_how"]
    payer = np.where((how == Win.DISCARD) | (how == Win.ROB_KONG), finished["win_from"], -1)
    made = np.arange(finished["meld_type"].shape[2]) < finished["num_melds"][:, :, None]
    won = finished["win_order"] > 0
    undecided = ~won & (finished["end_reason"] == End.WALL_EMPTY)[:, None]
    deals = np.zeros(len(finished), DEAL)
    for name in ("seed", "deal", "dealer", "end_reason", "ledger", "win_order"):
        deals[name] = finished[name]
    deals["units"] = finished["points"]
    deals["won"] = won
    deals["fan"] = np.where(won, finished["win_fan"], 0)
    deals["self_draw"] = how == Win.SELF_DRAW
    deals["deal_in"] = (payer[:, :, None] == seats).any(axis=1)
    deals["pungs"] = (made & (finished["meld_type"] == Meld.PUNG)).sum(axis=2)
    for column, kind in enumerate(KONGS):
        deals["kongs"][:, :, column] = (made & (finished["meld_type"] == kind)).sum(axis=2)
    deals["decisions"] = finished["num_decisions"]
    deals["undecided"] = undecided
    deals["ready"] = undecided & (finished["classes"] == Class.READY)
    deals["pig"] = undecided & (finished["classes"] == Class.PIG)
    return deals
