"""Courses of a deal without its tiles: kongs, wins and an end, as `settle` cases state them."""

import random
from typing import Any

from tests.reference.presets import RulesMapping

Event = dict[str, Any]
SEATS = (0, 1, 2, 3)
MAX_KONGS = 4


class Course:
    """A course by chance that a deal under these rules can take."""

    def __init__(self, rng: random.Random, rules: RulesMapping) -> None:
        self.events: list[Event] = []
        self._rng = rng
        self._single = rules["mode"] == "single"
        self._highest = rules["fan_cap"] or 8
        self._playing = set(SEATS)
        self._kongs = dict.fromkeys(SEATS, 0)
        self._turn()

    def _turn(self) -> None:
        """Turn after turn until the deal ends or the course stops."""
        over = False
        while not over and self._rng.random() < 0.9:
            over = self._kongs_and_discard() if self._rng.random() < 0.7 else self._win(None)
        if not over:
            self._end()

    def _kongs_and_discard(self) -> bool:
        """Some kongs of one seat, then a self-draw, or a discard that is won or passed."""
        seat = self._any_seat()
        for number in range(self._rng.choice([1, 1, 2, 3])):
            if self._kongs[seat] < MAX_KONGS:
                self._kongs[seat] += 1
                self._kong(seat, first=number == 0)
        end = self._rng.random()
        if end < 0.4:
            return self._win(seat, kong_discard=True)
        if end < 0.5:
            return self._rob(seat)
        if end < 0.6:
            return self._win(None, seat)
        self.events.append({"ev": "discard_passed"})
        return False

    def _kong(self, seat: int, first: bool) -> None:
        kind = self._rng.choice(
            ["direct", "added", "concealed"] if first else ["added", "concealed"]
        )
        event = {"ev": "kong", "seat": seat, "kind": kind}
        if kind == "direct":
            event["from"] = self._any_seat(but=seat)
        self.events.append(event)

    def _win(self, source: int | None, winner: int | None = None, **flags: bool) -> bool:
        if source is None:
            winners = [self._any_seat() if winner is None else winner]
        else:
            winners = self._claimers(source)
        self._note("win", winners, source, flags)
        return self._is_over()

    def _rob(self, konger: int) -> bool:
        self._note("rob_kong", self._claimers(konger), konger, {})
        return self._is_over()

    def _note(
        self, name: str, winners: list[int], source: int | None, flags: dict[str, bool]
    ) -> None:
        fans = [self._rng.randint(1, self._highest) for _ in winners]
        self.events.append({"ev": name, "winners": winners, "from": source, "fans": fans, **flags})
        self._playing -= set(winners)

    def _is_over(self) -> bool:
        return len(self._playing) < len(SEATS) if self._single else len(self._playing) == 1

    def _end(self) -> None:
        """The wall is empty, or a seat leaves; or nothing more is settled."""
        chance = self._rng.random()
        if chance < 0.5:
            classes = {
                seat: self._rng.choice(["pig", "unready", "ready"]) for seat in self._playing
            }
            named = {
                name: [seat for seat, own in sorted(classes.items()) if own == name]
                for name in ("pig", "unready", "ready")
            }
            ready = self._fans(named["ready"])
            flow = {"pigs": named["pig"], "unready": named["unready"], "ready": ready}
            self.events.append({"ev": "flow", **flow})
        elif chance < 0.9:
            seat = self._any_seat()
            others = sorted(self._playing - {seat})
            ready = self._fans([other for other in others if self._rng.random() < 0.7])
            last_four = self._rng.random() < 0.7
            self.events.append(
                {"ev": "escape", "seat": seat, "last_four": last_four, "ready": ready}
            )

    def _fans(self, seats: list[int]) -> dict[str, int]:
        """Fans of ready seats, often such that a ready check costs just what leaving does."""
        return {str(seat): min(self._rng.choice([1, 4, 5, 6, 7]), self._highest) for seat in seats}

    def _claimers(self, source: int) -> list[int]:
        """Some of the others that play, in play order."""
        others = [seat for seat in self._from(source) if seat != source]
        number = self._rng.randint(1, len(others))
        chosen = self._rng.sample(others, number)
        return [seat for seat in others if seat in chosen]

    def _from(self, seat: int) -> list[int]:
        return [other for other in ((seat + k) % 4 for k in SEATS) if other in self._playing]

    def _any_seat(self, but: int | None = None) -> int:
        return self._rng.choice(sorted(self._playing - {but}))
