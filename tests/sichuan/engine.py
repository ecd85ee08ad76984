"""One table of the engine in the hand: deal a wall, play by text, look and edit."""

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mjenv.core.suits import load_tables
from mjenv.core.tiles import parse_tiles, tile_text
from mjenv.errors import RulesError
from mjenv.sichuan.actions import action_text, parse_action
from mjenv.sichuan.events import EVENT, MAX_EVENTS, Event
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NO_SEAT, NUM_TILES, STATE, VIEW, Direction, Meld, Phase
from tests.reference.house import house_rules
from tests.reference.wall import arrange_wall

LUTS = load_tables()
MELDS = {
    "pung": Meld.PUNG,
    "kong_direct": Meld.DIRECT_KONG,
    "kong_added": Meld.ADDED_KONG,
    "kong_concealed": Meld.CONCEALED_KONG,
}


def some_house_rules(rng: random.Random) -> Rules:
    """House rules by chance; what could be worth too many fan to be played is drawn again."""
    while True:
        try:
            return Rules.from_dict(house_rules(rng))
        except RulesError:
            continue


class Engine:
    """A table of the compiled engine, dealt from a wall or from seed and deal number."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.packed = rules.pack()
        self.tables = np.zeros(1, STATE)
        self.mask = np.zeros(SICHUAN.num_actions, np.int8)
        self.log = np.zeros(MAX_EVENTS, EVENT)

    @classmethod
    def of_wall(
        cls, rules: Rules, wall: Sequence[str], dealer: int = 0, direction: str = "next"
    ) -> "Engine":
        """Deal a wall in the order of the records."""
        engine = cls(rules)
        engine.state["wall"] = [parse_tiles(text)[0] for text in wall]
        engine.state["dealer"] = dealer
        engine.state["direction"] = Direction[direction.upper()]
        SICHUAN.deal_wall_at(engine.tables, 0, engine.packed, LUTS, engine.mask)
        return engine

    @classmethod
    def of_seed(cls, rules: Rules, seed: int, deal: int = 0) -> "Engine":
        """Deal by seed and deal number."""
        engine = cls(rules)
        engine.state["seed"], engine.state["deal"] = seed, deal
        engine.state["dealer"] = NO_SEAT
        SICHUAN.deal_at(engine.tables, 0, engine.packed, LUTS, engine.mask)
        return engine

    @property
    def state(self) -> np.void:
        """The record; writing to its fields edits the table."""
        return self.tables[0]

    @property
    def phase(self) -> str:
        return Phase(int(self.state["phase"])).name

    @property
    def actor(self) -> int:
        return int(self.state["actor"])

    @property
    def over(self) -> bool:
        return self.actor == NO_SEAT

    @property
    def wall_left(self) -> int:
        return int(self.state["wall_end"]) - int(self.state["wall_next"])

    @property
    def points(self) -> list[int]:
        """In points, as in the records."""
        return [int(units) * self.rules.base_points for units in self.state["points"]]

    @property
    def events(self) -> np.ndarray:
        return self.log[: int(self.state["num_events"])]

    def menu(self) -> list[str]:
        exchange = self.phase == "EXCHANGE"
        return [action_text(int(action), exchange) for action in np.flatnonzero(self.mask)]

    def step(self, action: str) -> list[str]:
        """Play one decision; returns the names of the events it caused."""
        chosen = parse_action(action)
        assert self.mask[chosen], f"{action} is not in {self.menu()}"
        before = len(self.events)
        self.play(chosen)
        return [Event(int(kind)).name for kind in self.events["type"][before:]]

    def play(self, action: int) -> None:
        SICHUAN.step_at(self.tables, 0, self.packed, LUTS, action, self.log, self.mask)

    def ask_again(self) -> None:
        """Write the menu anew, after an edit."""
        SICHUAN.legal_at(self.tables, 0, self.packed, LUTS, self.mask)

    def view(self, seat: int) -> np.void:
        views = np.zeros(1, VIEW)
        SICHUAN.view_at(self.tables, 0, self.packed, seat, views)
        return views[0]

    def redeal(self, seat: int, rng: np.ndarray) -> None:
        """Another world for ``seat``."""
        SICHUAN.redeal_at(self.tables, 0, self.packed, LUTS, seat, rng)
        if not self.over:
            self.ask_again()

    def copy(self) -> "Engine":
        other = Engine(self.rules)
        other.tables[:] = self.tables
        other.mask[:] = self.mask
        other.log[:] = self.log
        return other

    def hand(self, seat: int) -> str:
        """Concealed tiles as ``1m1m5p``."""
        counts = self.state["hand"][seat]
        return "".join(tile_text(kind) * int(counts[kind]) for kind in range(len(counts)))

    def hold(self, seat: int, tiles: str) -> None:
        """Replace a hand; the menu is not written anew."""
        counts = np.bincount(parse_tiles(tiles), minlength=27)
        self.state["hand"][seat] = counts
        powers = 5 ** np.arange(9)
        self.state["suit_key"][seat] = counts.reshape(3, 9) @ powers

    def put_melds(self, seat: int, melds: Sequence[str], source: int) -> None:
        """Replace the melds, written as in the rule cases."""
        self.state["num_melds"][seat] = len(melds)
        for place, text in enumerate(melds):
            kind, _, tile = text.partition(":")
            self.state["meld_type"][seat, place] = MELDS[kind]
            self.state["meld_kind"][seat, place] = parse_tiles(tile)[0]
            self.state["meld_from"][seat, place] = seat if kind == "kong_concealed" else source

    def melds(self, seat: int) -> list[str]:
        """The melds as in the rule cases."""
        names = {int(meld): name for name, meld in MELDS.items()}
        types = self.state["meld_type"][seat][: int(self.state["num_melds"][seat])]
        kinds = self.state["meld_kind"][seat]
        return [f"{names[int(t)]}:{tile_text(int(kinds[i]))}" for i, t in enumerate(types)]

    def leave_in_wall(self, left: int, following: str = "") -> None:
        """Leave so many tiles in the wall, and choose those drawn next."""
        self.state["wall_next"] = NUM_TILES - left
        for place, kind in enumerate(parse_tiles(following)):
            self.state["wall"][NUM_TILES - left + place] = kind

    def play_out(self, choose: Callable[[np.ndarray], int]) -> None:
        """Play to the end of the deal."""
        while not self.over:
            self.play(choose(self.mask))


def table_of(hands: list[str], preset: str = "standalone", **options: Any) -> Engine:
    """Deal these hands with seat 0 as dealer, `draws` next; void suits are the first offered."""
    draws = str(options.pop("draws", ""))
    rules = Rules.preset(preset).replace(**options)
    engine = Engine.of_wall(rules, arrange_wall(hands, draws=draws))
    while engine.phase == "VOID":
        engine.step(engine.menu()[0])
    return engine


def pass_all(engine: Engine) -> None:
    """Everybody asked says pass."""
    while engine.phase in ("CLAIM", "ROB"):
        engine.step("pass")


def discard_drawn(engine: Engine) -> None:
    """The acting seat drops the tile it drew, and nobody claims it."""
    engine.step(f"discard {tile_text(int(engine.state['drawn']))}")
    pass_all(engine)
