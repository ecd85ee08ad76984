"""One deal of the blood battle, decision by decision, in plain Python.

Written from the rules pages alone, to be the witness for a faster engine: the same menus, the
same events, the same payments. Nothing here is clever; every step follows one point of the page.

Where the page is open: the dealt fourteenth tile counts as still held after an exchange (point
36) if the dealer holds a tile of its kind, whichever physical copy that is.
"""

from tests.reference import menus
from tests.reference.fan import Reading
from tests.reference.ledger import SEATS
from tests.reference.presets import RulesMapping
from tests.reference.readiness import classify
from tests.reference.state import DEALT, GIVE_TO, Event, TableState
from tests.reference.tiles import KIND, SUITS, TEXT, Meld


class ReferenceTable(TableState):
    """One deal; `actor` answers `legal()` through `step(action)` until `over`."""

    def __init__(
        self, rules: RulesMapping, wall: list[str] | None, dealer: int, direction: str = "next"
    ) -> None:
        super().__init__(rules, wall, dealer, direction)
        self._begin()

    def step(self, action: str) -> list[Event]:
        """Play one decision and return the events it caused."""
        if action not in self.menu:
            raise ValueError(f"{action!r} is not legal in {self.phase}: {self.menu}")
        start = len(self.events)
        if self.phase == "EXCHANGE":
            self._give(action)
        elif self.phase == "VOID":
            self._choose_void(action)
        elif self.phase == "TURN":
            self._take_turn(action)
        else:
            self._answer(action)
        return self.events[start:]

    # Before the first turn

    def _begin(self) -> None:
        """R5, R6: exchange, void suits, then the dealer's first turn."""
        if self.rules["swap_three"]:
            self._ask("EXCHANGE", self.dealer, menus.exchange_menu(self.held[self.dealer], []))
        else:
            self._begin_void()

    def _begin_void(self) -> None:
        if self.rules["void_suit"]:
            self._ask("VOID", self.dealer, menus.void_menu(self, self.dealer))
        else:
            self._ask_turn(self.dealer)

    def _ask(self, phase: str, seat: int, menu: list[str]) -> None:
        self.phase, self.actor, self.menu = phase, seat, menu

    def _give(self, action: str) -> None:
        """Point 3: three questions a seat; the tiles move when all have answered."""
        seat = self.actor
        tile = KIND[action.removeprefix("give ")]
        self.held[seat][tile] -= 1
        self.given[seat].append(tile)
        if len(self.given[seat]) == 3:
            seat = (seat + 1) % 4
            if seat == self.dealer:
                self._exchange()
                return
        self._ask("EXCHANGE", seat, menus.exchange_menu(self.held[seat], self.given[seat]))

    def _exchange(self) -> None:
        for seat in SEATS:
            receiver = (seat + GIVE_TO[self.direction]) % 4
            for tile in self.given[seat]:
                self.held[receiver][tile] += 1
        tiles = [[TEXT[tile] for tile in given] for given in self.given]
        self.events.append({"type": "exchange", "tiles": tiles, "direction": self.direction})
        self._begin_void()

    def _choose_void(self, action: str) -> None:
        """Point 2: every seat is asked once; the choices count when all have answered."""
        self.chosen[self.actor] = SUITS.index(action.removeprefix("void "))
        seat = (self.actor + 1) % 4
        if seat != self.dealer:
            self._ask("VOID", seat, menus.void_menu(self, seat))
            return
        self.void = list(self.chosen)
        self.events.append({"type": "void", "suits": [SUITS[suit] for suit in self.chosen]})
        self._ask_turn(self.dealer)

    # Turns

    def _ask_turn(self, seat: int) -> None:
        self._ask("TURN", seat, menus.turn_menu(self, seat))

    def _draw(self, seat: int, replacement: bool = False) -> None:
        """R11, R39, point 20: draw and ask, or end the deal if nothing is left."""
        if self.wall_left == 0:
            self._end_at_empty_wall()
            return
        if replacement and self.rules["kong_draw_end"] == "back":
            self.back -= 1
            tile = self.wall[self.back]
        else:
            tile = self.wall[self.front]
            self.front += 1
        if not replacement:
            self.ledger.close_window()
        self.held[seat][tile] += 1
        self.draws[seat] += 1
        self.lock[seat] = 0
        self.drawn = tile
        self.after_kong = replacement
        self.after_pung = False
        self.events.append(
            {"type": "draw", "seat": seat, "tile": TEXT[tile], "replacement": replacement}
        )
        self._ask_turn(seat)

    def _take_turn(self, action: str) -> None:
        seat = self.actor
        verb, _, text = action.partition(" ")
        if verb == "discard":
            self._discard(seat, KIND[text])
        elif verb == "kong":
            self._own_kong(seat, KIND[text])
        elif verb == "win":
            assert self.own_win is not None
            self._win("self_draw", [(seat, self.own_win)], None, self._own_win_tile(seat))
        else:
            self._quit(seat)

    def _own_win_tile(self, seat: int) -> int | None:
        """The tile drawn; on the dealt fourteen the last one dealt, if still held (point 36)."""
        if self.drawn is not None:
            return self.drawn
        last_dealt = self.wall[DEALT - 1]
        return last_dealt if self.held[seat][last_dealt] else None

    def _discard(self, seat: int, tile: int) -> None:
        """Point 4: all who could do something are asked, their menus fixed now."""
        self.held[seat][tile] -= 1
        self.discards[seat].append(tile)
        self.events.append({"type": "discard", "seat": seat, "tile": TEXT[tile]})
        self.asked = []
        for other in self.others(seat):
            win = menus.claimed_win(self, other, "discard", tile)
            menu = menus.claim_menu(self, other, tile, win)
            if menu:
                self.asked.append((other, menu, win))
        self._ask_offer("CLAIM", seat, tile)

    def _own_kong(self, seat: int, tile: int) -> None:
        """R20 to R25: a quad in hand is concealed, else the tile joins its pung."""
        if self.held[seat][tile] == 4:
            self.held[seat][tile] = 0
            self.sets[seat].append(Meld("kong_concealed", tile))
            self._kong_done(seat, tile, "concealed")
            return
        self.asked = []
        for other in self.others(seat):
            win = menus.claimed_win(self, other, "rob_kong", tile)
            menu = menus.rob_menu(self, win)
            if menu:
                self.asked.append((other, menu, win))
        self._ask_offer("ROB", seat, tile)

    def _kong_done(self, seat: int, tile: int, kind: str, feeder: int | None = None) -> None:
        """R21: the kong's event and payment, then the replacement draw."""
        self.melded = True
        event = {"type": "kong", "seat": seat, "tile": TEXT[tile], "kind": kind}
        self.events.append(event if feeder is None else {**event, "from": feeder})
        held_earlier = kind == "added" and tile != self.drawn
        paid = not (held_earlier and self.rules["added_kong_timing"] == "any_turn_unpaid")
        self.events += self.ledger.kong(seat, kind, feeder, paid)
        self._draw(seat, replacement=True)

    # Answers to a discard or an added kong

    def _ask_offer(self, phase: str, seat: int, tile: int) -> None:
        self.offer = (seat, tile)
        self.answers = []
        if not self.asked:
            self.phase = phase
            self._resolve()
            return
        self._ask(phase, self.asked[0][0], self.asked[0][1])

    def _answer(self, action: str) -> None:
        """Point 17: anything but an offered win declines it."""
        seat, _, win = self.asked[len(self.answers)]
        if win and action != "win" and self.rules["pass_win_lock"] != "none":
            self.lock[seat] = max(self.lock[seat], win.fan)
        self.answers.append(action)
        if len(self.answers) < len(self.asked):
            self._ask(self.phase, *self.asked[len(self.answers)][:2])
        else:
            self._resolve()

    def _resolve(self) -> None:
        """R13: wins before kong or pung; a claim beside a win is void (point 7)."""
        source, tile = self.offer
        answered = list(zip(self.asked, self.answers, strict=True))
        wins = [(seat, win) for (seat, _, win), said in answered if said == "win" and win]
        if self.phase == "ROB":
            if wins:
                self.held[source][tile] -= 1
                self._win("rob_kong", wins, source, tile)
            else:
                self._add_to_pung(source, tile)
            return
        claims = [(seat, said) for (seat, _, _), said in answered if said in ("pung", "kong")]
        if wins:
            self.discards[source].pop()
            self._win("discard", wins, source, tile)
        elif claims:
            self.discards[source].pop()
            self.ledger.close_window()
            self._claim(*claims[0], tile, source)
        else:
            self._draw(self.others(source)[0])

    def _add_to_pung(self, seat: int, tile: int) -> None:
        self.held[seat][tile] -= 1
        place = self.sets[seat].index(Meld("pung", tile))
        self.sets[seat][place] = Meld("kong_added", tile)
        self._kong_done(seat, tile, "added")

    def _claim(self, seat: int, claim: str, tile: int, source: int) -> None:
        """R12: after a pung a discard, after a direct kong a replacement draw."""
        self.melded = True
        if claim == "kong":
            self.held[seat][tile] -= 3
            self.sets[seat].append(Meld("kong_direct", tile))
            self._kong_done(seat, tile, "direct", source)
            return
        self.held[seat][tile] -= 2
        self.sets[seat].append(Meld("pung", tile))
        self.events.append({"type": "pung", "seat": seat, "tile": TEXT[tile], "from": source})
        self.drawn = None
        self.after_kong = False
        self.after_pung = True
        self._ask_turn(seat)

    # Wins and ends

    def _win(
        self, how: str, wins: list[tuple[int, Reading]], source: int | None, tile: int | None
    ) -> None:
        """Point 34: win events in play order, then what is paid; then who goes on (R17)."""
        for seat, reading in wins:
            self.events.append(
                {
                    "type": "win",
                    "seat": seat,
                    "how": how,
                    "from": source,
                    "tile": None if tile is None else TEXT[tile],
                    "patterns": list(reading.patterns),
                    "extras": dict(reading.extras),
                    "fan": reading.fan,
                }
            )
        if source is not None and tile is not None:
            self.taken.append(tile)
        winners = [seat for seat, _ in wins]
        fans = [reading.fan for _, reading in wins]
        self.events += self.ledger.win(how, winners, fans, source, self.after_kong)
        self.ledger.close_window()
        if self.rules["mode"] == "single":
            self._end("first_win")
        elif sum(self.ledger.won) >= 3:
            self._end("three_wins")
        else:
            self._draw(self._next_after_win(winners, source))

    def _next_after_win(self, winners: list[int], source: int | None) -> int:
        """Point 21."""
        if source is None or self.rules["next_after_discard_win"] == "last_winner_next":
            return self.others(winners[-1])[0]
        return self.others(source)[0]

    def _quit(self, seat: int) -> None:
        """R53a, point 38."""
        self.ledger.left[seat] = True
        classes = self._classes()
        ready = {other: fan for other, (name, fan) in enumerate(classes) if name == "ready"}
        self.events += self.ledger.escape(seat, self.wall_left <= 4, ready)
        self._end("escape", classes)

    def _end_at_empty_wall(self) -> None:
        """R40 to R45."""
        classes = self._classes()
        pigs = [seat for seat in SEATS if classes[seat][0] == "pig"]
        unready = [seat for seat in SEATS if classes[seat][0] == "unready"]
        ready = {seat: fan for seat, (name, fan) in enumerate(classes) if name == "ready"}
        self.events += self.ledger.flow(pigs, unready, ready)
        self._end("wall_empty", classes)

    def _classes(self) -> list[tuple[str, int]]:
        """Point 35: won, left, else R41 on the tiles held now, with the fan of the ready."""
        classes = []
        for seat in SEATS:
            if self.ledger.won[seat]:
                classes.append(("won", 0))
            elif self.ledger.left[seat]:
                classes.append(("left", 0))
            else:
                hand = (self.held[seat], self.sets[seat], self.void[seat])
                classes.append(classify(self.rules, *hand))
        return classes

    def _end(self, reason: str, classes: list[tuple[str, int]] | None = None) -> None:
        """Point 42: exactly one `end`, nothing after it."""
        names = [name for name, _ in (classes or self._classes())]
        self.events.append(
            {"type": "end", "reason": reason, "points": self.points, "classes": names}
        )
        self._ask("OVER", -1, [])
