"""Self-play over many tables: everything as arrays, one compiled call a step."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mjenv.core.game import NOBODY, NUM_SEATS
from mjenv.core.kernel import Argument
from mjenv.core.setup import check_seed
from mjenv.envs.answers import (
    at_least_one,
    bot_fault,
    check_actions,
    check_encoding,
    check_players,
    check_rules,
    check_saved,
    check_seats,
    check_seeds,
    check_where,
)
from mjenv.envs.batch_file import changed_options, read_batch, write_batch
from mjenv.envs.batch_step import Step
from mjenv.envs.buffers import Buffers, check_buffer
from mjenv.envs.menus import Menus
from mjenv.envs.parts import Arrays, Parts
from mjenv.envs.seating import Seating
from mjenv.errors import AgentError
from mjenv.games import game_by_name

BUFFERS = ("tables", "masks", "actors", "rewards", "observations")
"""Arrays of a batch that may be the caller's own."""
_PLAIN = ("skip_forced", "rotate", "match_length", "autoreset", "num_threads")
"""Options that are saved as they are."""


class Batch:
    """Many tables of one game, stepped together; finished tables start their next deal.

    Table ``i`` plays the deals of seed ``seed + i``, by ``rules[i % len(rules)]``.

    Args:
        num_tables: How many tables.
        rules: Rules or what names them; a list plays different house rules side by side.
        seed: Seed of table 0.
        observation: Name of an encoding of the game.
        skip_forced: Play decisions with a single legal action by itself; rewards add up over
            what was skipped. About a third of all decisions.
        bots: Who plays which seat inside the compiled loop: four entries by seat, None for the
            caller, or a list of such for different tables. An entry is a name such as
            ``"greedy/1"``, an agent with a ``kernel``, or a kernel wrapped by ``game.bot``; at
            most three different ones.
        rotate: Everybody moves one seat on with every deal, or every match: who sits in seat
            ``s`` in the first sits in seat ``(s + k) % 4`` in number ``k``.
        match_length: Deals of a match; within one, the rules say who deals next.
        autoreset: Start the next deal of a table as soon as one ends. Otherwise its actor is -1
            and its mask zero until :meth:`reset`.
        num_threads: Slices of the tables that are played side by side.
        buffers: Arrays of the caller to use: ``tables``, ``masks``, ``actors``, ``rewards``,
            ``observations``, of the shapes and dtypes below.
        game: Name of the game.

    Attributes:
        tables: ``(num_tables,)`` state records.
        actors: ``(num_tables,)`` int8, the seat asked at each table.
        masks: ``(num_tables, num_actions)`` int8, its menu. An observation in the canonical order
            of suits also numbers actions in that order, here and in :meth:`step`.
        menus: The same in the numbers of the tables; see :class:`~mjenv.envs.menus.Menus`.
        observations: ``(num_tables, *shape)``, filled by :meth:`observe`.

    Raises:
        OptionError: An option is out of range, or a buffer cannot be used.
        RulesError: The rules are none.
        AgentError: A bot is unknown, not made for the game or not compiled.
    """

    def __init__(
        self,
        num_tables: int,
        rules: Any = "qq",
        seed: int = 0,
        observation: str = "planes/1",
        *,
        skip_forced: bool = False,
        bots: Sequence[Any] | None = None,
        rotate: bool = False,
        match_length: int = 1,
        autoreset: bool = True,
        num_threads: int = 1,
        buffers: Mapping[str, np.ndarray] | None = None,
        game: str = "sichuan",
    ) -> None:
        number = at_least_one("num_tables", num_tables)
        self.game = game_by_name(game)
        self.rules = check_rules(self.game, rules)
        self.encoding = check_encoding(self.game, observation)
        self.skip_forced = bool(skip_forced)
        self.rotate = bool(rotate)
        self.match_length = at_least_one("match_length", match_length)
        self.autoreset = bool(autoreset)
        self.num_threads = at_least_one("num_threads", num_threads)
        self.seed = check_seed(seed)
        self.seating = Seating(self.game, bots, self.rotate, self.match_length)
        given = Buffers(buffers, BUFFERS)
        self.tables = given.array("tables", (number,), self.game.state)
        self.actors = given.array("actors", (number,), np.dtype(np.int8))
        self.masks = given.array("masks", (number, self.game.num_actions), np.dtype(np.int8))
        self.menus = Menus(self.encoding, self.masks)
        self._rewards = given.array("rewards", (number, NUM_SEATS), np.dtype(np.int32))
        self._fresh = np.zeros(number, bool)
        self._shape = (number, *self.encoding.shape)
        self._observations: np.ndarray | None = None
        if "observations" in given:
            self._observations = given.array("observations", self._shape, self.encoding.dtype)
        self._prepare()
        self.reset(seed)

    def _prepare(self) -> None:
        """What a copy in another process makes anew."""
        self._rows = np.arange(self.num_tables)
        self._parts = Parts(
            self.game,
            self.num_threads,
            Arrays(self.tables, self.menus.real, self.actors, self._rewards, self._fresh),
            np.concatenate([item.pack() for item in self.rules]),
            self.seating,
            self.skip_forced,
        )

    @property
    def num_tables(self) -> int:
        """How many tables."""
        return len(self.tables)

    @property
    def observations(self) -> np.ndarray:
        """``(num_tables, *shape)``, filled by :meth:`observe`; made at its first use."""
        if self._observations is None:
            self._observations = np.zeros(self._shape, self.encoding.dtype)
        return self._observations

    @property
    def players(self) -> np.ndarray:
        """``(num_tables, 4)`` int8: who sits where now, 0 for the caller, else a bot's number."""
        return self.seating.at(self._rows, self.tables["deal"])

    def reset(self, seed: Any = None, where: np.ndarray | None = None) -> Step:
        """Begin a deal at every table.

        Args:
            seed: Deal 0 of seed ``seed + i`` at table ``i``, or of the seeds of an array
                ``(num_tables,)``. Without it every table goes on to its next deal, the first of
                its next match.
            where: ``(num_tables,)`` bool, the tables to begin at; all if left out.

        Returns:
            A step without rewards, whose ``skipped`` are the deals in which nobody was asked.
        """
        where = check_where(self.num_tables, where)
        if seed is None:
            deals = self.tables["deal"][where]
            self.tables["deal"][where] = deals + -(deals + 1) % self.match_length
        else:
            seeds = check_seeds(self.num_tables, seed)
            self.seed = int(seeds[0])
            self.tables["seed"][where], self.tables["deal"][where] = seeds[where], -1
        self.tables["actor"][where] = NOBODY
        self._rewards[:] = 0
        self._parts.clear_faults()
        skipped = self._deal(where)
        self.check_bots()
        nothing = self.states_of(self._rows[:0]), self._rows[:0]
        return Step(self._rewards, *nothing, *skipped, self.game)

    def step(
        self, actions: np.ndarray, where: np.ndarray | None = None, *, real: bool = False
    ) -> Step:
        """One decision at every table, then on to the next question to the caller.

        Args:
            actions: ``(num_tables,)`` integers, each legal at its table.
            where: ``(num_tables,)`` bool; the other tables stay as they are, whatever their
                action. All tables if left out.
            real: The actions have the numbers of the tables, as those of bots do, even where
                masks have others.

        Raises:
            IllegalActionError: An action is not in its menu, or meant for a deal that is over; no
                table has changed.
            AgentError: A bot answered what is not in its menu; its table waits for a reset.
        """
        moving = check_where(self.num_tables, where)
        if not real:
            actions = self.menus.real_actions(actions, self.tables, self.actors)
        chosen = check_actions(self.game, self.tables, self.menus.real, actions, moving)
        self._parts.clear_faults()
        ended = self._parts.run(lambda part: part.step(chosen, moving))
        self.menus.show(self.tables, self.actors)
        over = np.flatnonzero(moving & (self.actors == NOBODY)) if ended else self._rows[:0]
        finished = self.states_of(over)
        skipped = self.states_of(over[:0]), over[:0]
        if ended and self.autoreset:
            dealing = np.zeros(self.num_tables, bool)
            dealing[over] = True
            skipped = self._deal(dealing)
        self.check_bots()
        return Step(self._rewards, finished, over, *skipped, self.game)

    def _deal(self, dealing: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Deal until the caller is asked; deals in which it never is are returned."""
        states, tables = [self.states_of(self._rows[:0])], [self._rows[:0]]
        while self.deal_once(dealing):
            dealing = dealing & (self.actors == NOBODY)
            tables.append(np.flatnonzero(dealing))
            states.append(self.states_of(tables[-1]))
        return np.concatenate(states), np.concatenate(tables)

    def deal_once(self, dealing: np.ndarray) -> int:
        """Deal at some tables, ``(num_tables,)`` bool, and play to the first question.

        Returns:
            How many of these deals ended without a question to the caller.
        """
        left = self._parts.run(lambda part: part.deal(dealing, self.match_length))
        self.menus.show(self.tables, self.actors)
        return left

    def states_of(self, tables: np.ndarray) -> np.ndarray:
        """Copies of some tables, byte by byte: field by field takes a hundred times as long."""
        raw: np.ndarray = self.tables.view(np.uint8).reshape(self.num_tables, -1)
        copies: np.ndarray = raw[tables].reshape(-1).view(self.game.state)
        return copies

    def observe(self, seats: np.ndarray | None = None, out: np.ndarray | None = None) -> np.ndarray:
        """Write and return observations of the acting seats, or of ``seats``.

        Args:
            seats: ``(num_tables,)`` int8; where it is -1 the row is left as it was.
            out: ``(num_tables, *shape)`` of the encoding's dtype; :attr:`observations` if left
                out.

        Raises:
            OptionError: An array is of another shape or dtype, or ``out`` cannot be written to.
        """
        seats = self.actors if seats is None else check_seats(self.num_tables, seats)
        if out is None:
            out = self.observations
        else:
            check_buffer("out", out, self._shape, self.encoding.dtype)
        flat = out.reshape(self.num_tables, self.encoding.size)
        self._parts.run(lambda part: part.observe(seats, flat, self.encoding))
        return out

    def oracle(self, seats: np.ndarray | None = None) -> np.ndarray:
        """Everything about every table as its acting seat sees it, or ``seats``, for critics.

        Returns:
            A new array ``(num_tables, *oracle_shape)`` int8.
        """
        seats = self.actors if seats is None else check_seats(self.num_tables, seats)
        out = np.zeros((self.num_tables, int(np.prod(self.game.oracle_shape))), np.int8)
        self._parts.run(lambda part: part.oracle(seats, out))
        return out.reshape(self.num_tables, *self.game.oracle_shape)

    def choose(self, bot: Argument, player: int, players: np.ndarray, actions: np.ndarray) -> None:
        """Let a compiled bot write its actions wherever it is asked.

        Args:
            bot: From ``Game.bot``.
            player: The bot's number in ``players``.
            players: ``(num_tables, 4)`` int8, which player sits where.
            actions: ``(num_tables,)`` int64, receives the actions of this player, in the numbers
                of :attr:`masks`.

        Raises:
            OptionError: An array is of another shape or dtype, or cannot be written to.
        """
        players = check_players(self.num_tables, players)
        check_buffer("actions", actions, (self.num_tables,), np.dtype(np.int64))
        self._parts.run(lambda part: part.choose(bot, player, players, actions))
        asked = (self.actors != NOBODY) & (players[self._rows, self.actors] == player)
        self.menus.show_actions(actions, asked, self.tables, self.actors)

    def rollout(
        self,
        tables: Any,
        bots: Any,
        n: int = 1,
        *,
        actions: Any = None,
        redeal_for: Any = None,
        redeal: Argument | None = None,
        seed: int = 0,
    ) -> np.ndarray:
        """Play states on to the end of their deals, ``n`` times each, by compiled bots.

        Args:
            tables: ``(K,)`` states, state ``k`` by the rules of table ``k``; None for the tables
                of this batch.
            bots: This and the others are those of :func:`mjenv.rollout`.
            n: Rollouts of every state, or of every action.
            actions: Ids in the numbers of :attr:`masks`.
            redeal_for: A seat, or ``(K,)`` seats.
            redeal: A kernel.
            seed: Chooses the worlds.

        Returns:
            ``(K, n, 4)`` or ``(K, A, n, 4)`` int32, units of all seats at the end.
        """
        from mjenv.envs.rollout import rollout

        states = self.tables if tables is None else tables
        worlds = {"redeal_for": redeal_for, "redeal": redeal, "seed": seed}
        if not isinstance(states, np.ndarray):
            return rollout(states, bots, n, actions=actions, **worlds)
        actions = self.menus.real_choices(actions, states)
        return rollout(states, bots, n, actions=actions, rules=self.rules, **worlds)

    def check_bots(self) -> None:
        """Raise AgentError, once, if a bot has not answered from its menu."""
        fault = self._parts.fault()
        if fault is None:
            return
        self._parts.clear_faults()
        table, answer = fault
        bot = self.seating.names[int(self.players[table, self.actors[table]]) - 1]
        told = bot_fault(self.game, self.tables[table], self.menus.real[table], bot, answer)
        raise AgentError(f"table {table}: {told}; reset this table")

    def save(self, path: str | Path) -> None:
        """Write tables and options to a file, under a temporary name first.

        Raises:
            OptionError: A bot was not given by name, and cannot be found again.
        """
        options = {
            "rules": [item.to_dict() for item in self.rules],
            "seed": self.seed,
            "observation": self.encoding.name,
            "bots": self.seating.by_name(),
            "game": self.game.name,
            **{name: getattr(self, name) for name in _PLAIN},
        }
        write_batch(path, self.tables, self._fresh, options)

    @classmethod
    def load(cls, path: str | Path, **options: Any) -> "Batch":
        """The inverse of :meth:`save`.

        Args:
            path: The file.
            options: Options of the constructor that shall be others now: ``num_threads``,
                ``observation``, ``buffers``.

        Raises:
            RecordError: The file is damaged, or of an engine with another state record.
            OptionError: An option is not one of these.
        """
        raw, fresh, saved = read_batch(path)
        batch = cls(len(raw), **changed_options(saved, options))
        batch.load_state_dict({"tables": raw, "fresh": fresh})
        return batch

    def state_dict(self) -> dict[str, np.ndarray]:
        """Copies of what the next steps depend on, besides the options.

        Returns:
            ``tables``, ``(num_tables, bytes of a state)`` uint8, and ``fresh``, ``(num_tables,)``
            bool: which deals have not been stepped yet.
        """
        raw = self.states_of(self._rows).view(np.uint8).reshape(self.num_tables, -1)
        return {"tables": raw, "fresh": self._fresh.copy()}

    def load_state_dict(self, state: Mapping[str, np.ndarray]) -> None:
        """The inverse of :meth:`state_dict`, in a batch of the same size and options.

        Raises:
            OptionError: An array is missing, or of another shape or dtype; nothing has changed.
        """
        raw = self.tables.view(np.uint8).reshape(self.num_tables, -1)
        raw[:], self._fresh[:] = check_saved(state, {"tables": raw, "fresh": self._fresh})
        self.actors[:] = self.tables["actor"]
        self.menus.write(self.game, self.tables, self.rules)

    def __getstate__(self) -> dict[str, Any]:
        """Arrays and options: no lookup tables, no threads."""
        made = {"_rows", "_parts", "game", "encoding"}
        state = {name: value for name, value in self.__dict__.items() if name not in made}
        return {**state, "game": self.game.name, "encoding": self.encoding.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.game = game_by_name(state["game"])
        self.encoding = self.game.encodings[state["encoding"]]
        self._prepare()
