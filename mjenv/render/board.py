"""The facts of a board, read from a view or from the whole table.

One form for all drawings: a view leaves empty what its seat may not know.
"""

from dataclasses import dataclass

import numpy as np

from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.history import fates
from mjenv.sichuan.patterns import Extra, Pattern
from mjenv.sichuan.state import (
    NO_SEAT,
    NO_SUIT,
    NUM_KINDS,
    NUM_SEATS,
    Class,
    End,
    Meld,
    Phase,
    Win,
)


@dataclass(frozen=True)
class MeldFacts:
    """A meld: ``what`` is ``"pung"``, ``"direct kong"``, ..."""

    what: str
    tile: int
    source: int


@dataclass(frozen=True)
class DiscardFacts:
    """A discard; ``claimer`` took it, -1 if it lies in the river."""

    tile: int
    claimer: int


@dataclass(frozen=True)
class WinFacts:
    """A win: ``how`` is ``"self draw"``, ``"discard"`` or ``"rob kong"``; ``extras`` add fan."""

    order: int
    how: str
    tile: int | None
    source: int
    fan: int
    patterns: tuple[str, ...]
    extras: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class SeatFacts:
    """What is known of a seat; ``hand`` is None where it is hidden.

    ``hand`` does not contain ``drawn``. ``points`` are those of the deal, ``result`` is empty
    until the deal is over: ``"ready"``, ``"pig"``, ...
    """

    hand: tuple[int, ...] | None
    hand_size: int
    drawn: int | None
    given: tuple[int, ...]
    void_suit: int | None
    melds: tuple[MeldFacts, ...]
    river: tuple[DiscardFacts, ...]
    points: int
    won: WinFacts | None
    result: str


@dataclass(frozen=True)
class Board:
    """A whole board; ``viewer`` is None where everything is shown.

    ``asked`` is the seat that decides, None where that is unknown or nobody does; ``question``
    the tile it is asked about and the seat it comes from. ``end`` is empty until the deal is
    over: ``"wall empty"``, ...
    """

    seats: tuple[SeatFacts, ...]
    viewer: int | None
    dealer: int
    wall_count: int
    phase: str
    asked: int | None
    question: tuple[int, int] | None
    end: str


def board_of_table(state: np.void, base_points: int) -> Board:
    """Everything about a table: for spectators, not for players.

    Args:
        state: A ``STATE``.
        base_points: Points of one unit.
    """
    hands = state["hand"].tolist()
    asked = int(state["actor"])
    seats = []
    for seat in range(NUM_SEATS):
        drawn = int(state["drawn"]) if state["turn"] == seat else NO_TILE
        given = state["given"][seat].tolist() if state["phase"] == Phase.EXCHANGE else []
        seats.append(_seat(state, seat, base_points, hands[seat], sum(hands[seat]), drawn, given))
    # The kernel that counts the wall would have to be compiled for this one call.
    wall = int(state["wall_end"]) - int(state["wall_next"])
    return _board(state, tuple(seats), None, asked, wall)


def board_of_view(view: np.void, base_points: int) -> Board:
    """What one seat may see.

    Args:
        view: A ``VIEW``.
        base_points: Points of one unit.
    """
    viewer = int(view["seat"])
    idle = view["phase"] in (Phase.WAIT, Phase.OVER)
    seats = []
    for seat in range(NUM_SEATS):
        own = seat == viewer
        hand = view["hand"].tolist() if own else None
        drawn = int(view["drawn"]) if own else NO_TILE
        given = view["given"].tolist() if own and view["phase"] == Phase.EXCHANGE else []
        size = int(view["hand_size"][seat])
        seats.append(_seat(view, seat, base_points, hand, size, drawn, given))
    asked = NO_SEAT if idle else viewer
    return _board(view, tuple(seats), viewer, asked, int(view["wall_count"]))


def _board(
    record: np.void, seats: tuple[SeatFacts, ...], viewer: int | None, asked: int, wall: int
) -> Board:
    question = None
    if record["claim_tile"] != NO_TILE:
        question = (int(record["claim_tile"]), int(record["claim_from"]))
    return Board(
        seats=seats,
        viewer=viewer,
        dealer=int(record["dealer"]),
        wall_count=wall,
        phase=Phase(int(record["phase"])).name,
        asked=None if asked == NO_SEAT else asked,
        question=question,
        end=_words(End(int(record["end_reason"]))),
    )


def _seat(
    record: np.void,
    seat: int,
    base_points: int,
    counts: list[int] | None,
    hand_size: int,
    drawn: int,
    given: list[int],
) -> SeatFacts:
    hand = None
    # What was drawn stays in the hand until the discard, and may have left it as a kong.
    apart = counts is not None and drawn != NO_TILE and counts[drawn] > 0
    if counts is not None:
        hand = tuple(kind for kind in range(NUM_KINDS) for _ in range(counts[kind]))
        if apart:
            at = hand.index(drawn)
            hand = hand[:at] + hand[at + 1 :]
    suit = int(record["void_suit"][seat])
    return SeatFacts(
        hand=hand,
        hand_size=hand_size,
        drawn=drawn if apart else None,
        given=tuple(kind for kind in given if kind != NO_TILE),
        void_suit=None if suit == NO_SUIT else suit,
        melds=_melds(record, seat),
        river=_river(record, seat),
        points=base_points * int(record["points"][seat]),
        won=_win(record, seat),
        result=_words(Class(int(record["classes"][seat]))),
    )


def _melds(record: np.void, seat: int) -> tuple[MeldFacts, ...]:
    return tuple(
        MeldFacts(
            what=_words(Meld(int(record["meld_type"][seat, m]))),
            tile=int(record["meld_kind"][seat, m]),
            source=int(record["meld_from"][seat, m]),
        )
        for m in range(int(record["num_melds"][seat]))
    )


def _river(record: np.void, seat: int) -> tuple[DiscardFacts, ...]:
    return tuple(
        DiscardFacts(int(record["discard_kind"][i]), claimer)
        for i, (discarder, _, claimer) in enumerate(fates(record))
        if discarder == seat
    )


def _win(record: np.void, seat: int) -> WinFacts | None:
    if record["win_order"][seat] == 0:
        return None
    tile = int(record["win_tile"][seat])
    bits = int(record["win_patterns"][seat])
    fans = record["win_extras"][seat].tolist()
    return WinFacts(
        order=int(record["win_order"][seat]),
        how=_words(Win(int(record["win_how"][seat]))),
        tile=None if tile == NO_TILE else tile,
        source=int(record["win_from"][seat]),
        fan=int(record["win_fan"][seat]),
        patterns=tuple(pattern.name.lower() for pattern in Pattern if bits >> pattern & 1),
        extras=tuple((extra.name.lower(), fans[extra]) for extra in Extra if fans[extra] > 0),
    )


def _words(member: Class | End | Meld | Win) -> str:
    """A constant in words; none is empty."""
    return "" if member == 0 else member.name.lower().replace("_", " ")
