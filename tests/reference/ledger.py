"""Who pays whom: kongs, wins, call transfer, the empty wall and leaving (R20 to R53).

Amounts are counted in units and booked in points (point 34). `split_ceil` therefore rounds up to
whole units: the pages give its formula without saying whether points or units are rounded, and
every payment line is said to be units x base.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.reference.presets import RulesMapping

SEATS = range(4)
ESCAPE_MULTIPLE = 16
Event = dict[str, Any]


@dataclass
class Kong:
    """One kong and what each seat paid for it, in units."""

    seat: int
    collected: list[int]
    transferred: bool = False


@dataclass
class Ledger:
    """Points of one deal; each method returns the `pay` lines it causes, zero lines left out."""

    rules: RulesMapping
    points: list[int] = field(default_factory=lambda: [0, 0, 0, 0])
    won: list[bool] = field(default_factory=lambda: [False] * 4)
    left: list[bool] = field(default_factory=lambda: [False] * 4)
    kongs: list[Kong] = field(default_factory=list)
    chain: list[Kong] = field(default_factory=list)

    def playing(self) -> list[int]:
        """Seats that have not won."""
        return [seat for seat in SEATS if not self.won[seat]]

    def _pay(self, reason: str, units: Sequence[int]) -> list[Event]:
        """Book units as points and write the line."""
        assert sum(units) == 0, (reason, units)
        if not any(units):
            return []
        points = [amount * self.rules["base_points"] for amount in units]
        self.points = [old + new for old, new in zip(self.points, points, strict=True)]
        return [{"type": "pay", "reason": reason, "points": points}]

    def kong(
        self, seat: int, kind: str, feeder: int | None = None, paid: bool = True
    ) -> list[Event]:
        """R21: direct 2 from the discarder, added 1 and concealed 2 from everybody playing."""
        collected = [0, 0, 0, 0]
        others = [other for other in self.playing() if other != seat]
        if kind == "direct":
            everyone = self.rules["direct_kong_payment"] == "everyone"
            for other in others:
                collected[other] = 2 if other == feeder else int(everyone)
        elif paid:
            for other in others:
                collected[other] = 2 if kind == "concealed" else 1
        if self.chain and self.chain[-1].seat != seat:
            self.close_window()
        kong = Kong(seat, collected)
        self.kongs.append(kong)
        self.chain.append(kong)
        units = [-amount for amount in collected]
        units[seat] += sum(collected)
        return self._pay("kong", units)

    def close_window(self) -> None:
        """R26b: a normal draw, a pung, a passed discard or a robbed kong ends the kong chain."""
        self.chain = []

    def win(
        self,
        how: str,
        winners: Sequence[int],
        fans: Sequence[int],
        payer: int | None = None,
        after_kong: bool = False,
    ) -> list[Event]:
        """R32, R33, R14 and R25; `after_kong`: the won discard came straight after a kong."""
        payers = [seat for seat in self.playing() if seat not in winners]
        for winner in winners:
            self.won[winner] = True
        units = [0, 0, 0, 0]
        for winner, fan in zip(winners, fans, strict=True):
            for seat, amount in self._win_shares(how, fan, payers, payer):
                units[seat] -= amount
                units[winner] += amount
        lines = self._pay("win", units)
        if how == "discard" and after_kong and payer is not None:
            lines += self._transfer(payer, winners)
        return lines

    def _win_shares(
        self, how: str, fan: int, payers: list[int], payer: int | None
    ) -> list[tuple[int, int]]:
        """(seat, units) of those who pay one winner."""
        multiple = 2 ** (fan - 1)
        if how == "self_draw":
            bonus = int(self.rules["self_draw_bonus"] == "add_base")
            return [(seat, multiple + bonus) for seat in payers]
        assert payer is not None
        if how == "rob_kong" and self.rules["rob_kong_payer"] == "konger_for_all":
            return [(payer, multiple * len(payers))]
        return [(payer, multiple)]

    def _transfer(self, konger: int, winners: Sequence[int]) -> list[Event]:
        """R26: income of the last kong, or of the whole chain, goes on to the winners."""
        kongs = [kong for kong in self.chain if kong.seat == konger]
        if self.rules["call_transfer"] == "none" or not kongs:
            return []
        if self.rules["transfer_scope"] == "last_kong":
            kongs = kongs[-1:]
        total = sum(sum(kong.collected) for kong in kongs)
        portion = total
        if self.rules["call_transfer"] == "split_ceil":
            portion = -(-total // len(winners))
        for kong in kongs:
            kong.transferred = True
        units = [0, 0, 0, 0]
        for winner in winners:
            units[winner] += portion
            units[konger] -= portion
        return self._pay("transfer", units)

    def flow(
        self, pigs: Iterable[int], unready: Iterable[int], ready: Mapping[int, int]
    ) -> list[Event]:
        """R42 to R44 at the empty wall; `ready` maps seats to their largest fan."""
        pigs, unready = list(pigs), list(unready)
        lines = self._pay("pig", self._pig_units(pigs, unready))
        lines += self._pay("ready_check", _ready_units(unready, ready))
        if self.rules["refund_on_draw"] and (ready or not self.rules["refund_requires_ready"]):
            givers = unready + (pigs if self.rules["pigs_refund"] else [])
            lines += self._refund(givers)
        return lines

    def _pig_units(self, pigs: list[int], unready: list[int]) -> list[int]:
        """R42: every pig pays every seat that is no pig and still at the table."""
        units = [0, 0, 0, 0]
        for pig in pigs:
            for seat in SEATS:
                skipped = (
                    seat in pigs
                    or self.left[seat]
                    or (self.won[seat] and not self.rules["pig_pays_winners"])
                    or (seat in unready and not self.rules["pig_pays_unready"])
                )
                if not skipped:
                    units[pig] -= self.rules["pig_multiple"]
                    units[seat] += self.rules["pig_multiple"]
        return units

    def _refund(self, givers: Iterable[int]) -> list[Event]:
        """R44: kong income goes back to its payers, transferred kongs and leavers excepted."""
        givers = list(givers)
        units = [0, 0, 0, 0]
        for kong in self.kongs:
            if kong.seat in givers and not kong.transferred:
                for seat, amount in enumerate(kong.collected):
                    if not self.left[seat]:
                        units[seat] += amount
                        units[kong.seat] -= amount
        return self._pay("refund", units)

    def escape(self, seat: int, last_four: bool, ready: Mapping[int, int]) -> list[Event]:
        """R53a and point 38; `ready` maps the other ready seats to their largest fan."""
        penalty = {other: ESCAPE_MULTIPLE for other in self.playing() if other != seat}
        check = {other: 2 ** (fan - 1) for other, fan in ready.items()} if last_four else {}
        owed = check if sum(check.values()) > sum(penalty.values()) else penalty
        units = [0, 0, 0, 0]
        for other, amount in owed.items():
            units[other] += amount
            units[seat] -= amount
        lines = self._pay("escape", units)
        if self.rules["escape_refunds_kong"]:
            lines += self._refund([seat])
        return lines


def _ready_units(unready: list[int], ready: Mapping[int, int]) -> list[int]:
    """R43: every unready seat pays every ready seat its largest fan."""
    units = [0, 0, 0, 0]
    for payer in unready:
        for seat, fan in ready.items():
            units[payer] -= 2 ** (fan - 1)
            units[seat] += 2 ** (fan - 1)
    return units
