"""The log of a deal: a buffer that the caller owns, filled by the rules as they happen.

A buffer of length 0 turns the log off. Every payment, draw and claim of the record format is one
``EVENT``; the questions asked are not in it, since a log is public.
"""

from enum import IntEnum

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.state import NUM_EXTRAS, NUM_SEATS

# Exchange, void, end; 55 draws, 72 discards, 16 melds; wins, and a payment for each win and kong.
MAX_EVENTS = 256


class Event(IntEnum):
    """Types of events; see docs/records.md."""

    EXCHANGE = 1
    VOID = 2
    DRAW = 3
    DISCARD = 4
    PUNG = 5
    KONG = 6
    WIN = 7
    PAY = 8
    END = 9


class Reason(IntEnum):
    """Why points moved."""

    WIN = 0
    KONG = 1
    TRANSFER = 2
    PIG = 3
    READY_CHECK = 4
    REFUND = 5
    ESCAPE = 6


EVENT = np.dtype(
    [
        ("units", "i4", NUM_SEATS),  # PAY: change of every seat
        ("patterns", "i2"),  # WIN
        ("type", "i1"),
        ("seat", "i1"),
        ("tile", "i1"),
        ("source", "i1"),  # PUNG, direct KONG, WIN: the seat it was taken from
        (
            "detail",
            "i1",
        ),  # DRAW: replacement; KONG: Meld; WIN: Win; PAY: Reason; EXCHANGE: direction
        ("fan", "i1"),  # WIN
        ("extras", "i1", NUM_EXTRAS),  # WIN
        ("unused", "i1", 2),  # no gaps, which NumPy does not copy
    ],
    align=True,
)


@kernel
def log_event(
    state: np.void,
    log: np.ndarray,
    kind: int,
    seat: int,
    tile: int,
    source: int,
    detail: int,
) -> None:
    """Append an event that moves no points."""
    number = int(state["num_events"])
    state["num_events"] = number + 1
    if number < log.shape[0]:
        event = log[number]
        event["type"] = kind
        event["seat"] = seat
        event["tile"] = tile
        event["source"] = source
        event["detail"] = detail
