"""One deal held in the hand: what a board is to a chess library.

A table asks one seat at a time. Actions are texts or ids::

    table = Table("qq", seed=7)
    while not table.over:
        table.step(table.legal_actions()[0])
    print(table.points)

Nothing here knows a rule. A table keeps its state and the actions taken; its events and its
record are found by playing these again.
"""

from collections.abc import Sequence
from functools import lru_cache
from html import escape
from operator import index
from typing import Any

import numpy as np

from mjenv.core.cells import copy_records
from mjenv.core.game import NOBODY, NUM_SEATS, Game
from mjenv.core.record import Deal, events_of, record_lines
from mjenv.core.rng import Stream, new_generator, start_stream
from mjenv.core.setup import check_deal, check_seat, check_seed, parse_wall
from mjenv.errors import AgentError, IllegalActionError, OptionError, PositionError, RulesError
from mjenv.games import game_by_name, rules_of
from mjenv.version import __version__

UNNAMED = "unnamed"
"""Name in records of agents that have none."""


class Table:
    """One deal, decision by decision.

    Args:
        rules: Rules, the name of a preset, a YAML file or a mapping of options.
        seed: Of the deal; wall, dealer and exchange direction follow from it and ``deal``.
        deal: Number of the deal.
        dealer: Seat of the dealer; None leaves it to the dice.
        wall: All tiles in the order of dealing, as texts or kinds; see docs/records.md.
        direction: Of the exchange: ``next``, ``previous`` or ``opposite``.

    Raises:
        RulesError: The rules are unknown or contradict each other.
        TileError: The wall holds something that is no tile.
        PositionError: The wall is not four tiles of each kind.
        OptionError: Another argument is out of range.
    """

    def __init__(
        self,
        rules: Any = "qq",
        seed: int = 0,
        deal: int = 0,
        dealer: int | None = None,
        wall: Sequence[str | int] | str | None = None,
        direction: str | None = None,
    ) -> None:
        self._set_rules(rules_of(rules))
        states = np.zeros(1, self._game.state)
        state = states[0]
        state["seed"] = check_seed(seed)
        state["deal"] = check_deal(deal)
        state["dealer"] = NOBODY if dealer is None else check_seat(dealer, "dealer")
        self._mask = np.zeros(self._game.num_actions, np.int8)
        self._game.deal_at(states, 0, self._packed, self._luts, self._mask)
        if direction is not None:
            state["direction"] = self._direction(direction)
        if wall is not None:
            state["wall"] = parse_wall(wall, self._game.num_kinds)
            self._game.deal_wall_at(states, 0, self._packed, self._luts, self._mask)
        self._states = states
        self._begin()

    def _set_rules(self, rules: Any) -> None:
        self._game = game_by_name(rules.game)
        self._rules = rules
        self._packed = _packed(rules)
        self._luts = self._game.luts()
        self._log = np.zeros(0, self._game.event)

    def _begin(self) -> None:
        """Let the actions begin from the present state."""
        self._start = copy_records(self._states)
        self._actions: list[int] = []

    @classmethod
    def _at(cls, rules: Any, states: np.ndarray) -> "Table":
        """A table in a state, which becomes its own."""
        table = cls.__new__(cls)
        table._set_rules(rules)
        table._states = states
        table._mask = np.zeros(table._game.num_actions, np.int8)
        if table.actor != NOBODY:
            table._game.legal_at(states, 0, table._packed, table._luts, table._mask)
        table._begin()
        return table

    def _direction(self, name: str) -> int:
        names = self._game.directions
        if name not in names:
            raise OptionError(f"direction: got {name!r}; allowed: {', '.join(names)}")
        return names.index(name)

    # ------------------------------------------------------------------------ what is asked

    @property
    def rules(self) -> Any:
        """The rules."""
        return self._rules

    @property
    def actor(self) -> int:
        """The seat that is asked, -1 when the deal is over."""
        return int(self._states["actor"].item())

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.actor == NOBODY

    @property
    def phase(self) -> str:
        """Name of what is asked, ``"CLAIM"``; ``"OVER"`` at the end."""
        return self._game.phase_name(self._states[0])

    def legal_actions(self) -> list[str]:
        """Texts of the legal actions, in the order of their ids; none when the deal is over."""
        return self._game.menu_of(self._mask, self.phase)

    def legal_mask(self) -> np.ndarray:
        """The menu as a new ``(62,)`` int8 array, 1 for a legal action."""
        return self._mask.copy()

    def step(self, action: str | int) -> None:
        """Carry out one decision of the acting seat, and what follows up to the next question.

        Args:
            action: Text such as ``"discard 5p"``, or an id.

        Raises:
            IllegalActionError: It is not in the menu. The table is as it was.
        """
        number = self._number(action)
        self._game.step_at(self._states, 0, self._packed, self._luts, number, self._log, self._mask)
        self._actions.append(number)

    def _number(self, action: str | int) -> int:
        """Id of a legal action."""
        number = -1
        try:
            number = self._game.parse_action(action) if isinstance(action, str) else index(action)
        except IllegalActionError as error:
            raise IllegalActionError(f"{error}; legal now: {self._menu()}") from None
        except TypeError:
            pass
        known = 0 <= number < self._mask.size
        if known and self._mask[number]:
            return number
        if self.over:
            raise IllegalActionError(f"the deal is over, nobody can {action!r}")
        raise IllegalActionError.at_table(
            seat=self.actor,
            action=self._game.text_of(number, self.phase) if known else str(action),
            phase=self.phase,
            legal=self.legal_actions(),
        )

    def _menu(self) -> str:
        return ", ".join(self.legal_actions()) or "nothing, the deal is over"

    # ------------------------------------------------------------------------- what is known

    @property
    def state(self) -> np.ndarray:
        """A copy of everything, ``(1,)`` of the state record of the game."""
        return copy_records(self._states)

    def view(self, seat: int) -> np.ndarray:
        """What a seat may know, ``(1,)`` of the view record of the game."""
        views = np.zeros(1, self._game.view_dtype)
        self._game.view_at(self._states, 0, self._packed, check_seat(seat), views)
        return views

    def observe(self, seat: int, encoding: str = "planes/1") -> np.ndarray:
        """The view of a seat as numbers for a network.

        An encoding in the canonical order of suits has numbers of its own for actions, too:
        those of ``relabelling`` of the encoding. Menus and steps of a table have real ones.

        Args:
            seat: Whose view.
            encoding: Name of the encoding, with its version.

        Raises:
            OptionError: There is no such encoding.
        """
        game = self._game
        if encoding not in game.encodings:
            names = ", ".join(game.encodings)
            raise OptionError(f"encoding: got {encoding!r}; allowed: {names}")
        form = game.encodings[encoding]
        out = np.zeros(form.shape, form.dtype)
        scratch = np.zeros(1, game.view_dtype), out, np.zeros_like(self._mask)
        table = self._states, 0, self._packed, self._luts
        game.observe_at[encoding](*table, check_seat(seat), self._mask, *scratch)
        return out

    @property
    def units(self) -> list[int]:
        """Units of the base won by each seat so far."""
        units: list[int] = self._states["points"][0].tolist()
        return units

    @property
    def points(self) -> list[int]:
        """Points won by each seat so far: units times the base points."""
        return [amount * self._rules.base_points for amount in self.units]

    @property
    def ledger(self) -> dict[str, list[int]]:
        """What the points of each seat were for, by column; they sum to :attr:`points`."""
        rows = self._states["ledger"][0] * self._rules.base_points
        return {column.name.lower(): rows[:, column].tolist() for column in self._game.ledger}

    # ------------------------------------------------------------------------ what has happened

    @property
    def actions(self) -> list[int]:
        """Ids of the decisions since the deal, or since the position the table was made from."""
        return self._actions.copy()

    @property
    def events(self) -> list[dict[str, Any]]:
        """The public events of those decisions, as in records: no questions, no decisions."""
        return list(events_of(self._game, self._rules, self._start, self._actions))

    def record(
        self,
        agents: Sequence[str] = (UNNAMED,) * NUM_SEATS,
        menus: bool = False,
        one_wall: bool = True,
    ) -> list[str]:
        """The lines of the record of this deal, as far as it has been played.

        Args:
            agents: Four names.
            menus: Write the legal actions of every decision.
            one_wall: Write the wall; else the dealt hands, the draws being told by events alone.

        Raises:
            PositionError: The table does not begin with a deal, but with a position.
        """
        if len(agents) != NUM_SEATS:
            raise AgentError(f"agents: got {len(agents)} names; a table has {NUM_SEATS} seats")
        if not _is_dealt(self._game, self._packed, self._start):
            raise PositionError("no record: how this table came to where it began is not known")
        told = self._game, self._rules, self._start, self._actions
        return record_lines(*told, agents, __version__, menus, one_wall=one_wall)

    # --------------------------------------------------------------------------- other tables

    def clone(self) -> "Table":
        """A copy that plays on by itself; its future tiles are the same."""
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other._states = copy_records(self._states)
        other._mask = self._mask.copy()
        other._actions = self._actions.copy()
        return other

    def redeal_hidden(self, seat: int, seed: int) -> "Table":
        """Another world that ``seat`` cannot tell from this one, for search.

        Args:
            seat: Whose view stays as it is.
            seed: Chooses the world.

        Returns:
            A new table; this one is as it was. Its actions and events begin anew.
        """
        states = copy_records(self._states)
        rng = new_generator()
        start_stream(rng, check_seed(seed), 0, Stream.HIDDEN)
        self._game.redeal_at(states, 0, self._packed, self._luts, check_seat(seat), rng)
        return Table._at(self._rules, states)

    @property
    def next_dealer(self) -> int:
        """Who deals after this deal, -1 if the dice decide.

        Raises:
            IllegalActionError: The deal is not over.
        """
        if not self.over:
            raise IllegalActionError("the next dealer is known when the deal is over")
        return int(self._game.next_dealer_at(self._states, 0, self._packed))

    def next_deal(self) -> "Table":
        """The next deal of the seed, with the dealer that the rules name.

        Raises:
            IllegalActionError: The deal is not over.
        """
        state, dealer = self._states[0], self.next_dealer
        asked = None if dealer == NOBODY else dealer
        return Table(self._rules, int(state["seed"]), int(state["deal"]) + 1, asked)

    @classmethod
    def from_deal(cls, deal: Deal) -> "Table":
        """The table of a deal of a record, as dealt; its decisions are ``deal.actions``."""
        return cls._at(deal.rules, copy_records(deal.start))

    # --------------------------------------------------------------------------------- texts

    def to_position(self) -> str:
        """The state on one line of text."""
        return self._game.position_text(self._states[0], self._rules)

    @classmethod
    def from_position(cls, text: str) -> "Table":
        """The table of a position.

        Raises:
            PositionError: The message names everything that is wrong with the text.
        """
        if not isinstance(text, str):
            raise PositionError(f"a position is a line of text, not {text!r}")
        name = text.split(maxsplit=1)[0] if text.strip() else ""
        try:
            game = game_by_name(name)
        except RulesError:
            raise PositionError(
                f"a position begins with the name of a game, not {name!r}"
            ) from None
        states, rules = game.read_position(text)
        return cls._at(rules, states)

    def __repr__(self) -> str:
        name = self._rules.preset_name or "house rules"
        seat = "over" if self.over else f"seat {self.actor} in {self.phase}"
        state = self._states[0]
        points = " ".join(f"{amount:+d}" for amount in self.points)
        return (
            f"<Table {name}, deal {state['deal']} of seed {state['seed']}: {seat}, points {points}>"
        )

    def __str__(self) -> str:
        from mjenv.render.text import table_text

        return table_text(self._states[0], self._rules.base_points)

    def _repr_html_(self) -> str:
        """The board, for notebooks."""
        return f"<pre>{escape(str(self))}</pre>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Table):
            return NotImplemented
        return self._rules == other._rules and self._states.tobytes() == other._states.tobytes()

    __hash__ = None  # type: ignore[assignment]  # a table changes

    def __copy__(self) -> "Table":
        return self.clone()

    def __deepcopy__(self, memo: dict[int, Any]) -> "Table":
        return self.clone()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._rules, self._start, self._states, self._actions)


def _restored(rules: Any, start: np.ndarray, states: np.ndarray, actions: list[int]) -> Table:
    """A table from its pickled parts."""
    table = Table._at(rules, states)
    table._start, table._actions = start, actions
    return table


@lru_cache(maxsize=64)
def _packed(rules: Any) -> np.ndarray:
    """Packed rules, which tables share and never change."""
    packed: np.ndarray = rules.pack()
    return packed


def _is_dealt(game: Game, packed: np.ndarray, states: np.ndarray) -> bool:
    """Whether a state is as dealt, with nothing decided yet."""
    fresh = copy_records(states)
    game.deal_wall_at(fresh, 0, packed, game.luts(), np.zeros(game.num_actions, np.int8))
    return fresh.tobytes() == states.tobytes()
