"""Whether the discards and deeds of a position can follow each other in its order.

The course of play is gone through turn by turn: whose discard and deed it can be, and what its
melds and wins are from. The first thing that does not fit is named, since the turns after it
follow from it.
"""

from collections.abc import Iterator

import numpy as np

from mjenv.core.tiles import tile_text
from mjenv.errors import PositionError
from mjenv.sichuan.history import deeds
from mjenv.sichuan.position_tiles import SEATS, discards_of, melds_of
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NO_SEAT, NUM_SEATS, Claim, Deed, Meld, Win


def check_history(state: np.void, rules: Rules) -> Iterator[str]:
    """What does not fit; for states whose melds, river and wins fit each other."""
    try:
        _Course(state, rules).follow()
    except PositionError as fault:
        yield str(fault)


class _Course:
    """A deal from the first turn on, as far as it has been gone through."""

    def __init__(self, state: np.void, rules: Rules) -> None:
        self.state = state
        self.last_winner_next = rules.next_after_discard_win == "last_winner_next"
        self.melds = {seat: melds_of(state, seat) for seat in SEATS}
        self.turn = int(state["dealer"])
        self.due = NO_SEAT  # who draws before anything else can happen
        self.draws = [0] * NUM_SEATS
        self.wins = 0
        self.made: set[tuple[int, int]] = set()  # seat and index of melds
        self.fourth: set[tuple[int, int]] = set()  # pungs that got, or were robbed of, a tile
        self.when = ""

    def follow(self) -> None:
        """Go through everything."""
        river, after = discards_of(self.state), deeds(self.state)
        place = 0
        for number in range(len(river) + 1):
            while place < len(after) and after[place][0] == number:
                self.when = f"deeds: after {number} discards"
                self.deed(*after[place][1:])
                place += 1
            if number < len(river):
                self.when = f"river: discard {number + 1}, {tile_text(river[number][0])}"
                self.discard(*river[number])
        if place < len(after):
            number = after[place][0]
            raise PositionError(f"deeds: one after {number} discards is out of order or too late")
        self.compare()

    def compare(self) -> None:
        """What has come out against the rest of the state."""
        drawn = self.state["num_draws"].tolist()
        if self.due != NO_SEAT and sum(self.draws) < sum(drawn):
            self.draw()
        if self.draws != drawn:
            raise PositionError(f"draws: {drawn}, but by river and deeds they are {self.draws}")
        if self.turn != self.state["turn"]:
            raise PositionError(
                f"turn: of seat {self.state['turn']}, but by river and deeds of seat {self.turn}"
            )
        if self.wins < max(self.state["win_order"].tolist()):
            raise PositionError(f"deeds: win {self.wins + 1} is missing")
        for seat in SEATS:
            for index, (meld, kind, _) in enumerate(self.melds[seat]):
                done = self.fourth if meld == Meld.ADDED_KONG else self.made
                if (seat, index) not in done:
                    name = f"{meld.name.lower()} of {tile_text(kind)} of seat {seat}"
                    raise PositionError(f"deeds: the {name} is missing")

    def draw(self) -> None:
        self.turn, self.due = self.due, NO_SEAT
        self.draws[self.turn] += 1

    def act(self, seat: int) -> None:
        """A seat does something in its turn."""
        if self.due != NO_SEAT:
            self.draw()
        if seat != self.turn:
            raise PositionError(f"{self.when}: seat {seat} acts in the turn of seat {self.turn}")

    def discard(self, kind: int, seat: int, claim: Claim, claimer: int) -> None:
        self.act(seat)
        if claim == Claim.NONE:
            self.due = self.next_active(seat)
        elif claim == Claim.WIN:
            first = self.win(Win.DISCARD, seat, kind)
            if first != claimer:
                raise PositionError(f"{self.when}: seat {first}, not {claimer}, wins on it first")
        else:
            self.claim(kind, seat, claim, claimer)

    def claim(self, kind: int, seat: int, claim: Claim, claimer: int) -> None:
        wanted = (Meld.DIRECT_KONG,) if claim == Claim.KONG else (Meld.PUNG, Meld.ADDED_KONG)
        for index, (meld, melded, source) in enumerate(self.melds[claimer]):
            if meld in wanted and (melded, source) == (kind, seat) and self.is_active(claimer):
                self.made.add((claimer, index))
                self.turn, self.due = claimer, claimer if claim == Claim.KONG else NO_SEAT
                return
        raise PositionError(
            f"{self.when}: seat {claimer} has no {claim.name.lower()} of it or had won before"
        )

    def deed(self, deed: Deed, seat: int, index: int) -> None:
        self.act(seat)
        if deed == Deed.SELF_DRAW:
            self.win(Win.SELF_DRAW, seat, None)
            return
        meld, kind, _ = self.melds[seat][index] if index < len(self.melds[seat]) else (None, 0, 0)
        wanted = {Deed.CONCEALED_KONG: Meld.CONCEALED_KONG, Deed.ADDED_KONG: Meld.ADDED_KONG}
        melds, before = self.made, deed == Deed.CONCEALED_KONG
        if deed != Deed.CONCEALED_KONG:
            melds, before = self.fourth, (seat, index) in self.made
        if meld != wanted.get(deed, Meld.PUNG) or not before or (seat, index) in melds:
            name = deed.name.lower()
            raise PositionError(f"{self.when}: meld {index} of seat {seat} is no {name} there")
        melds.add((seat, index))
        if deed == Deed.ROBBED_KONG:
            self.win(Win.ROB_KONG, seat, kind)
        else:
            self.due = seat

    def win(self, how: Win, source: int, kind: int | None) -> int:
        """The next win must be this one; return the first winner in play order."""
        winners = [seat for seat in self.after(source) if self.order(seat) == self.wins + 1]
        if how == Win.SELF_DRAW:
            fits = self.order(source) == self.wins + 1 and self.is_so(source, how, NO_SEAT, None)
            winners = [source]
        else:
            fits = bool(winners) and self.is_so(winners[0], how, source, kind)
        if not fits:
            name = how.name.lower()
            raise PositionError(f"{self.when}: win {self.wins + 1} is no {name} here")
        self.wins += 1
        later = self.last_winner_next and how != Win.SELF_DRAW
        self.due = self.next_active(winners[-1] if later else source)
        return winners[0]

    def is_so(self, winner: int, how: Win, source: int, kind: int | None) -> bool:
        record = self.state
        tile = int(record["win_tile"][winner])
        same = record["win_how"][winner] == how and record["win_from"][winner] == source
        return bool(same) and kind in (None, tile)

    def order(self, seat: int) -> int:
        return int(self.state["win_order"][seat])

    def is_active(self, seat: int) -> bool:
        return not 0 < self.order(seat) <= self.wins

    def after(self, seat: int) -> list[int]:
        """The other seats in play order."""
        return [(seat + k) % NUM_SEATS for k in range(1, NUM_SEATS)]

    def next_active(self, seat: int) -> int:
        return next((other for other in self.after(seat) if self.is_active(other)), NO_SEAT)
