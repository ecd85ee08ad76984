"""``tokens/1`` in words, from what has been said and done at a table, in plain Python.

Nothing of the state is looked at: only the rules, the wall, the decisions and the events of the
record. The one exception is the fan of the pass lock, which no event tells.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mjenv.sichuan.rules import Rules

SEATS = ("self", "next", "across", "previous")
GOES_TO = {"next": 1, "previous": 3, "opposite": 2}
KINDS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)]
NOT_OF_PLAY = ("base_points", "next_dealer", "dealer_after_self_draw", "room_coefficient")
NOT_OF_PLAY += ("table_fee",)
PATTERNS = (
    *("ping_hu", "dui_dui_hu", "qing_yi_se", "dai_yao_jiu", "qi_dui", "qing_dui", "jiang_dui"),
    *("long_qi_dui", "qing_qi_dui", "qing_yao_jiu", "qing_long_qi_dui", "tian_hu", "di_hu"),
    "jin_gou_diao",
)


def word(value: object) -> str:
    """A value of an option in words."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def worth(rules: Rules) -> dict[str, int]:
    """Fans of patterns and situations and other numbers, as far as they are told apart."""
    table = rules.table["fans"]
    fans = {f"fan {name}": min(table.get(name, 0), 8) for name in PATTERNS}
    extras = {f"extra {name}": min(fan, 4) for name, fan in rules.extra_fans.items()}
    return {
        **fans,
        **extras,
        "min_fan": min(rules.min_fan, 8),
        "fan_cap": min(rules.fan_cap or 0, 8),
        "pig_multiple": min(rules.pig_multiple, 64),
    }


def rule_words(rules: Rules) -> set[str]:
    """What differs from the usual rules."""
    usual = Rules()
    mine, theirs = worth(rules), worth(usual)
    words = {f"rule {name} {mine[name]}" for name in mine if mine[name] != theirs[name]}
    if rules.table["additive"]:
        words.add("rule additive on")
    left_out = {*NOT_OF_PLAY, *mine, "fan_table", "extra_fans", "last_four"}
    for name, value in rules.to_dict().items():
        if name not in left_out and value != usual.to_dict()[name]:
            words.add(f"rule {name} {word(value)}")
    if rules.last_four == "forced" or (
        rules.last_four == "optional_if_void" and not rules.void_suit
    ):
        words.add("rule last_four forced")
    return words


@dataclass
class Course:
    """A deal as it is told; ``lines`` are decisions and events of a record, in order."""

    dealer: int
    wall: Sequence[str]
    lines: list[dict[str, Any]] = field(default_factory=list)

    def words(self, me: int, lock: int, asked: str) -> list[str]:
        """The tokens of a seat without those of the rules.

        Args:
            me: The seat.
            lock: Fan of its pass lock.
            asked: What it is asked: a phase in lower case.
        """
        teller = _Teller(self, me)
        for line in self.lines:
            teller.tell(line)
        return teller.all(lock, asked)


class _Teller:
    def __init__(self, course: Course, me: int) -> None:
        self.me = me
        place = (me - course.dealer) % 4
        self.hand = list(course.wall[13 * place : 13 * place + 13])
        if place == 0:
            self.hand.append(course.wall[52])
        self.opening = [f"dealer {self.name(course.dealer)}"]
        self.given: list[str] = []
        self.exchange: list[str] = []
        self.void: list[str] = []
        self.course: list[str] = []
        self.ended: list[str] = []
        self.wall = 55
        self.drawn: tuple[int, str] | None = None
        self.latest = ""  # the latest discard, or the tile of the latest kong
        self.winning: tuple[object, ...] | None = None

    def name(self, seat: int) -> str:
        return SEATS[(seat - self.me) % 4]

    def all(self, lock: int, asked: str) -> list[str]:
        words = [*self.opening, *(f"give {tile}" for tile in self.given), *self.exchange]
        words += [*self.void, *self.course, *self.ended, f"wall {self.wall}"]
        words += [f"hold {tile}" for tile in sorted(self.hand, key=KINDS.index)]
        if self.drawn is not None and self.drawn[0] == self.me:
            words.append(f"drawn {self.drawn[1]}")
        if lock:
            words.append(f"lock {min(lock, 8)}")
        words.append(f"phase {asked}")
        if asked in ("claim", "rob"):
            words.append(f"claim tile {self.latest}")
        return words

    def tell(self, line: dict[str, Any]) -> None:
        getattr(self, f"tell_{line['type']}")(line)
        if line["type"] != "win":
            self.winning = None

    def take(self, seat: int, tile: str, times: int) -> None:
        if seat == self.me:
            for _ in range(times):
                self.hand.remove(tile)

    def tell_decide(self, line: dict[str, Any]) -> None:
        what, _, tile = line["action"].partition(" ")
        if what == "kong" and tile:
            self.latest = tile
        if what == "quit":
            self.ended.append(f"left {self.name(line['seat'])}")
        if line["seat"] == self.me and what == "give":
            self.given.append(tile)
            self.hand.remove(tile)
        if line["seat"] == self.me and what == "void":
            self.void = [f"void suit self {tile}"]

    def tell_exchange(self, line: dict[str, Any]) -> None:
        step = GOES_TO[line["direction"]]
        received = line["tiles"][(self.me - step) % 4]
        self.exchange = [f"exchange {SEATS[step]}", *(f"receive {tile}" for tile in received)]
        self.hand += received

    def tell_void(self, line: dict[str, Any]) -> None:
        suits = line["suits"]
        self.void = [f"void suit {name} {suits[(self.me + k) % 4]}" for k, name in enumerate(SEATS)]

    def tell_draw(self, line: dict[str, Any]) -> None:
        seat = line["seat"]
        self.course.append(f"{'replacement' if line['replacement'] else 'draw'} {self.name(seat)}")
        self.wall -= 1
        self.drawn = seat, line["tile"]
        if seat == self.me:
            self.hand.append(line["tile"])

    def tell_discard(self, line: dict[str, Any]) -> None:
        self.latest = line["tile"]
        self.take(line["seat"], self.latest, 1)
        self.course.append(f"discard {self.name(line['seat'])} {self.latest}")
        self.drawn = None

    def tell_pung(self, line: dict[str, Any]) -> None:
        self.take(line["seat"], line["tile"], 2)
        self.course.append(f"pung {self.name(line['seat'])} {line['tile']}")

    def tell_kong(self, line: dict[str, Any]) -> None:
        number = {"direct": 3, "added": 1, "concealed": 4}[line["kind"]]
        self.take(line["seat"], line["tile"], number)
        self.course.append(f"{line['kind']} kong {self.name(line['seat'])} {line['tile']}")

    def tell_win(self, line: dict[str, Any]) -> None:
        name, tile = self.name(line["seat"]), line["tile"]
        event = (line["how"], line["from"], tile)
        if line["how"] == "rob_kong" and event != self.winning:
            self.course.append(f"robbed kong {self.name(line['from'])} {tile}")
            self.take(line["from"], tile, 1)
            self.drawn = None
        self.winning = event
        how = {"discard": "discard win", "rob_kong": "kong win", "self_draw": "self-draw"}
        words = f"{how[line['how']]} {name} {tile}" if tile else f"dealt win {name}"
        self.course += [words, f"fan {min(line['fan'], 8)}"]

    def tell_pay(self, line: dict[str, Any]) -> None:
        pass

    def tell_end(self, line: dict[str, Any]) -> None:
        self.ended.insert(0, f"end {line['reason']}")
