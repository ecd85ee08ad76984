"""Everything a table knows: tiles, melds, what was declared and what is being asked."""

import random
from typing import Any

from tests.reference.fan import Reading
from tests.reference.ledger import SEATS, Ledger
from tests.reference.presets import RulesMapping
from tests.reference.tiles import KIND, KINDS, TEXT, Meld, count, show

Event = dict[str, Any]
GIVE_TO = {"next": 1, "previous": 3, "opposite": 2}
DEALT = 53
TILES = 108


class TableState:
    """A dealt table before its first question; `ReferenceTable` moves it.

    `wall` is in the order of the records (13 tiles a seat from the dealer on, the dealer's 14th,
    then the draws); None shuffles one. `direction` matters only with `swap_three`.
    """

    def __init__(
        self,
        rules: RulesMapping,
        wall: list[str] | None,
        dealer: int,
        direction: str = "next",
    ) -> None:
        self.rules = rules
        self.wall = _shuffled() if wall is None else [KIND[text] for text in wall]
        if len(self.wall) != TILES:
            raise ValueError(f"a wall has {TILES} tiles, got {len(self.wall)}")
        if direction not in GIVE_TO:
            raise ValueError(f"direction is one of {sorted(GIVE_TO)}, got {direction!r}")
        self.front = DEALT
        self.back = TILES
        self.dealer = dealer
        self.direction = direction
        self.ledger = Ledger(rules)
        self.events: list[Event] = []
        self.held: list[list[int]] = [[] for _ in SEATS]
        for turn in SEATS:
            self.held[(dealer + turn) % 4] = count(self.wall[13 * turn : 13 * turn + 13])
        self.held[dealer][self.wall[DEALT - 1]] += 1
        self.sets: list[list[Meld]] = [[] for _ in SEATS]
        self.discards: list[list[int]] = [[] for _ in SEATS]
        self.taken: list[int] = []  # tiles that left play with winners, once a tile
        self.void: list[int | None] = [None] * 4
        self.chosen: list[int] = [0] * 4
        self.given: list[list[int]] = [[] for _ in SEATS]
        self.draws = [0] * 4
        self.lock = [0] * 4  # fan of the best win declined, until the next own draw
        self.drawn: int | None = None  # latest draw of this turn, None after a pung
        self.after_kong = False  # the latest draw was a replacement, no pung since
        self.after_pung = False
        self.melded = False  # any pung or kong so far
        self.own_win: Reading | None = None
        self.offer = (0, 0)  # seat and tile asked about in CLAIM and ROB
        self.asked: list[tuple[int, list[str], Reading | None]] = []
        self.answers: list[str] = []
        self.locked_out = 0  # wins not offered because of the pass lock, as often as it happened
        self.too_small = 0  # wins not offered because of `min_fan`
        self.phase = "TURN"
        self.actor = dealer
        self.menu: list[str] = []

    # What others read

    @property
    def over(self) -> bool:
        """True once the `end` event is written."""
        return self.phase == "OVER"

    @property
    def points(self) -> list[int]:
        """Points by seat, the sum of all `pay` lines."""
        return list(self.ledger.points)

    @property
    def wall_left(self) -> int:
        """Tiles that can still be drawn (point 19)."""
        return self.back - self.front

    @property
    def hands(self) -> list[list[str]]:
        """Concealed tiles by seat."""
        return [show(held) for held in self.held]

    @property
    def melds(self) -> list[list[str]]:
        """Melds by seat."""
        return [[str(meld) for meld in melds] for melds in self.sets]

    @property
    def rivers(self) -> list[list[str]]:
        """Unclaimed discards by seat."""
        return [[TEXT[tile] for tile in river] for river in self.discards]

    def legal(self) -> list[str]:
        """The acting seat's menu in action-id order."""
        return list(self.menu)

    def others(self, seat: int) -> list[int]:
        """Seats that have not won, in play order after this one."""
        return [
            other for other in ((seat + k) % 4 for k in (1, 2, 3)) if not self.ledger.won[other]
        ]


def _shuffled() -> list[int]:
    """All 108 tiles in random order."""
    wall = [kind for kind in range(KINDS) for _ in range(4)]
    random.shuffle(wall)
    return wall
