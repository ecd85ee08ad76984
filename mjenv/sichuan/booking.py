"""The settlement of a deal without its tiles: kongs, wins, the empty wall, leaving.

Scoring a hand and checking rule cases book what happened and let the rules of a table in play do
the paying.
"""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.tiles import NO_TILE
from mjenv.errors import PositionError
from mjenv.sichuan.events import EVENT, MAX_EVENTS, Event, Reason
from mjenv.sichuan.fan import capped
from mjenv.sichuan.holding import empty_tables
from mjenv.sichuan.options import MAX_FAN
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.settlement import LAST_TILES, book_kong, pay_escape, settle_empty_wall
from mjenv.sichuan.state import (
    MAX_MELDS,
    NO_SEAT,
    NUM_DRAWS,
    NUM_EXTRAS,
    NUM_SEATS,
    Class,
    End,
    Meld,
    Win,
)
from mjenv.sichuan.turn import add_meld
from mjenv.sichuan.wins import (
    WINS_OF_BLOOD,
    deal_is_won,
    record_win,
    settle_claimed_wins,
    settle_self_draw,
)

_SEATS = range(NUM_SEATS)


@kernel
def _close_window(state: np.void) -> None:
    """The kongs made so far are no longer open to a call transfer (R26b)."""
    state["turn_kongs"] = 0
    state["last_kong"] = -1


@kernel
def close_window_at(tables: np.ndarray) -> None:
    """:func:`_close_window` of ``tables[0]``."""
    _close_window(tables[0])


@kernel
def kong_at(
    tables: np.ndarray, rules: np.ndarray, log: np.ndarray, seat: int, meld_type: int, source: int
) -> None:
    """Book a kong; another seat's kong, or a claimed one, begins a new turn."""
    state = tables[0]
    if state["turn"] != seat or meld_type == Meld.DIRECT_KONG:
        _close_window(state)
    state["turn"] = seat
    meld = add_meld(state, seat, meld_type, NO_TILE, source)
    book_kong(state, rules[0], log, seat, meld, True)


@kernel
def wins_at(
    tables: np.ndarray,
    rules: np.ndarray,
    log: np.ndarray,
    fans: np.ndarray,
    how: int,
    source: int,
    kong_discard: int,
) -> None:
    """Book the wins on one tile; ``fans`` is ``(4,)`` int64, 0 for a seat that does not win."""
    state = tables[0]
    extras = np.zeros(NUM_EXTRAS, np.int8)
    for k in range(1, NUM_SEATS + 1):
        seat = (source + k) % NUM_SEATS
        if fans[seat] > 0:
            fan = capped(int(fans[seat]), rules[0])
            record_win(state, log, seat, how, source, NO_TILE, fan, 0, extras)
            if how == Win.SELF_DRAW:
                settle_self_draw(state, rules[0], log, seat)
    # Only the seat whose turn it is can have an open kong to be transferred.
    state["kong_discard"] = kong_discard if state["turn"] == source else 0
    if how != Win.SELF_DRAW:
        settle_claimed_wins(state, rules[0], log, source, how)
    _close_window(state)
    deal_is_won(state, rules[0])


@kernel
def empty_wall_at(tables: np.ndarray, rules: np.ndarray, log: np.ndarray, fans: np.ndarray) -> None:
    """Settle the empty wall among the classes in ``tables[0]``; ``fans`` of ready seats."""
    state = tables[0]
    for seat in range(NUM_SEATS):
        fans[seat] = capped(int(fans[seat]), rules[0])
    settle_empty_wall(state, rules[0], log, fans)
    state["end_reason"] = End.WALL_EMPTY


@kernel
def escape_at(
    tables: np.ndarray, rules: np.ndarray, log: np.ndarray, seat: int, fans: np.ndarray
) -> None:
    """A seat leaves; ``fans`` of ready seats."""
    state = tables[0]
    for other in range(NUM_SEATS):
        fans[other] = capped(int(fans[other]), rules[0])
    pay_escape(state, rules[0], log, seat, fans)
    state["end_reason"] = End.ESCAPE


class Booking:
    """What each seat has won and lost, one event after the other.

    Every method raises PositionError if its event cannot follow those before it.

    Args:
        rules: Rules of the table.
        won: Seats that have won before, in that order; what they were paid is left out.
    """

    def __init__(self, rules: Rules, won: Iterable[int] = ()) -> None:
        self._base = rules.base_points
        self._rules = rules.pack()
        self._tables = empty_tables()
        self._state = self._tables[0]
        self._state["wall_end"] = NUM_DRAWS
        self._log = np.zeros(MAX_EVENTS, EVENT)
        for seat in won:
            self._require_active(seat, "win")
            self._state["num_wins"] += 1
            self._state["num_win_events"] += 1
            self._state["win_order"][seat] = self._state["num_win_events"]
        if self._state["num_wins"] >= WINS_OF_BLOOD:
            self._state["end_reason"] = End.THREE_WINS

    @property
    def points(self) -> list[int]:
        """Points of every seat so far."""
        return [int(units) * self._base for units in self._state["points"]]

    @property
    def payments(self) -> list[tuple[Reason, list[int]]]:
        """Every payment: its reason and the points of the four seats."""
        events = self._log[: int(self._state["num_events"])]
        return [
            (Reason(int(event["detail"])), [int(units) * self._base for units in event["units"]])
            for event in events[events["type"] == Event.PAY]
        ]

    @property
    def ended(self) -> str | None:
        """Why the deal has ended, None while it goes on."""
        reason = End(int(self._state["end_reason"]))
        return None if reason == End.NONE else reason.name.lower()

    def kong(self, seat: int, meld: Meld, source: int | None = None) -> None:
        """A kong that stands; ``source`` is the discarder of a direct one."""
        self._require_active(seat, "kong")
        if meld == Meld.DIRECT_KONG:
            if source is None or source == seat:
                raise PositionError("a direct kong needs the seat it was claimed from")
            self._require_active(source, "discard")
        if self._state["num_melds"][seat] == MAX_MELDS:
            raise PositionError(f"seat {seat} has {MAX_MELDS} kongs; there can be no more")
        claimed_from = source if source is not None and meld == Meld.DIRECT_KONG else seat
        kong_at(self._tables, self._rules, self._log, seat, int(meld), claimed_from)

    def close_window(self) -> None:
        """The discard after the kong was passed: it has no call transfer any more."""
        self._require_going_on()
        close_window_at(self._tables)

    def win(
        self,
        how: Win,
        winners: Sequence[int],
        fans: Sequence[int],
        source: int | None = None,
        *,
        kong_discard: bool = False,
    ) -> None:
        """All wins on one tile.

        Args:
            how: Self-draw, discard or robbed kong.
            winners: Seats.
            fans: Total fan of each of them, extras included.
            source: Discarder or robbed konger, None for a self-draw.
            kong_discard: Whether the discard came straight after a kong's replacement draw.
        """
        by_seat = np.zeros(NUM_SEATS, np.int64)
        for winner, fan in zip(winners, fans, strict=True):
            self._require_active(winner, "win")
            if by_seat[winner]:
                raise PositionError(f"seat {winner} stands twice among the winners of one tile")
            by_seat[winner] = _fan(winner, fan)
        if how == Win.SELF_DRAW:
            if len(winners) != 1 or source is not None or kong_discard:
                raise PositionError("a self-draw has one winner, nobody it is taken from")
        elif not winners or source is None or source in winners:
            raise PositionError("a claimed win needs winners, and another seat it is taken from")
        else:
            self._require_active(source, "deal in")
        taken_from = NO_SEAT if source is None else source
        wins_at(
            self._tables, self._rules, self._log, by_seat, int(how), taken_from, int(kong_discard)
        )

    def leave(self, seat: int) -> None:
        """A seat that has won leaves: pigs do not pay it, kongs it paid stay paid (R53b)."""
        self._require_going_on()
        if not self._state["win_order"][seat]:
            raise PositionError(f"seat {seat} has not won; only a seat that has won may leave")
        self._state["classes"][seat] = Class.LEFT
        self._state["kong_paid"][:, :, seat] = 0

    def empty_wall(
        self, pigs: Iterable[int], unready: Iterable[int], ready: Mapping[int, int]
    ) -> None:
        """The wall is empty; ``ready`` maps seats to the largest fan they could reach.

        A deal that its wins have ended pays nothing here (R40).
        """
        if self.ended in ("three_wins", "first_win"):
            return
        self._require_going_on()
        classes = dict.fromkeys(pigs, Class.PIG)
        for group, value in ((unready, Class.UNREADY), (ready, Class.READY)):
            for seat in group:
                if seat in classes:
                    raise PositionError(f"seat {seat} cannot be two of pig, unready and ready")
                classes[seat] = value
        for seat in _SEATS:
            if (seat in classes) == bool(self._state["win_order"][seat]):
                raise PositionError(
                    f"seat {seat}: exactly the seats that have not won are pig, unready or ready"
                )
        for seat in _SEATS:
            if seat in classes:
                self._state["classes"][seat] = classes[seat]
            elif self._state["classes"][seat] != Class.LEFT:
                self._state["classes"][seat] = Class.WON
        empty_wall_at(self._tables, self._rules, self._log, self._fans(ready))

    def escape(self, seat: int, *, last_four: bool, ready: Mapping[int, int]) -> None:
        """A seat that has not won leaves, and the deal ends (R53a).

        Args:
            seat: Who leaves.
            last_four: Whether at most four tiles are left in the wall.
            ready: Largest fan of each other seat that is ready.
        """
        self._require_active(seat, "escape")
        for other in ready:
            self._require_active(other, "be ready")
        if last_four:
            self._state["wall_next"] = NUM_DRAWS - LAST_TILES
        escape_at(self._tables, self._rules, self._log, seat, self._fans(ready))

    def _fans(self, ready: Mapping[int, int]) -> np.ndarray:
        fans = np.zeros(NUM_SEATS, np.int64)
        for seat, fan in ready.items():
            fans[seat] = _fan(seat, fan)
        return fans

    def _require_going_on(self) -> None:
        if self.ended is not None:
            raise PositionError(f"the deal has ended ({self.ended})")

    def _require_active(self, seat: int, deed: str) -> None:
        self._require_going_on()
        if self._state["win_order"][seat]:
            raise PositionError(f"seat {seat} has won and cannot {deed} any more")


def _fan(seat: int, fan: int) -> int:
    """A fan that its payments can be computed for: far beyond the limit they would overflow."""
    if not 1 <= fan <= MAX_FAN:
        raise PositionError(f"seat {seat}: got {fan} fan; allowed: 1 to {MAX_FAN}")
    return fan
