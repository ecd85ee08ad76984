"""The deals of many tables, at each of which one seat learns from the others."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mjenv.agent import Agent
from mjenv.core.game import NOBODY, NUM_SEATS, Game
from mjenv.envs.asking_many import AskedMany, encoded
from mjenv.envs.batch import Batch
from mjenv.envs.deals import ResetOptions
from mjenv.envs.opponents import ROTATE
from mjenv.envs.settings import Settings


class Learners:
    """Tables with a learner each, stepped from one of its decisions to the next.

    Compiled opponents play inside the loop of a :class:`~mjenv.Batch`; the others are asked in
    rounds, at all tables that wait for them at once.

    Args:
        num_envs: How many tables.
        opponents: Three agents, in order of play after the learner.
        settings: Of the environment.
        learner_seat: A seat, or ``ROTATE``.
        game: What is played.
        num_threads: Of the batch.

    Attributes:
        batch: The tables.
        seats: ``(num_envs,)`` int8, the learners' seats.
        carried: ``(num_envs, 4)`` int64, units of earlier deals of the match.
        decisions: Decisions of all seats, without those of the deals now on the tables.
        has_last: ``(num_envs,)`` bool, whether there was an earlier deal in the match.
        last: What the deal before brought: ``deal`` ``(num_envs,)`` int64, ``points``
            ``(num_envs, 4)`` int64 in units, ``ledger`` ``(num_envs, columns)`` int64 of the
            learner, in units.
    """

    def __init__(
        self,
        num_envs: int,
        opponents: Sequence[Agent],
        settings: Settings,
        learner_seat: int | str,
        game: Game,
        num_threads: int,
    ) -> None:
        self.deals = settings.deals
        self.rotate = learner_seat == ROTATE
        first = 0 if isinstance(learner_seat, str) else learner_seat
        bots: list[Any] = [None] * NUM_SEATS
        for place, agent in enumerate(opponents):
            if getattr(agent, "kernel", None) is not None:
                bots[(first + 1 + place) % NUM_SEATS] = agent
        self.batch = Batch(
            num_envs,
            settings.rules,
            observation=settings.observation,
            bots=bots,
            rotate=self.rotate,
            match_length=self.deals,
            autoreset=False,
            num_threads=num_threads,
            game=game.name,
        )
        self._packed = settings.rules.pack()
        self.seats = np.full(num_envs, first, np.int8)
        self.carried = np.zeros((num_envs, NUM_SEATS), np.int64)
        # A new batch has dealt already; that counts for nothing.
        self.decisions = -int(self.batch.tables["num_decisions"].sum())
        self.has_last = np.zeros(num_envs, bool)
        self.last = {
            "deal": np.zeros(num_envs, np.int64),
            "points": np.zeros((num_envs, NUM_SEATS), np.int64),
            "ledger": np.zeros((num_envs, len(game.ledger)), np.int64),
        }
        asked: dict[int, tuple[AskedMany, list[int]]] = {}  # by id: agents may be unhashable
        for place, agent in enumerate(opponents):
            asked.setdefault(id(agent), (AskedMany(agent, self._packed), []))[1].append(place)
        self._asked = list(asked.values())

    # ------------------------------------------------------------------------------- episodes

    def begin(
        self, rows: np.ndarray, seeds: np.ndarray, options: ResetOptions
    ) -> tuple[np.ndarray, np.ndarray]:
        """Begin episodes in which the learner is asked.

        Args:
            rows: ``(num_envs,)`` bool, where. Whatever lies there is given up.
            seeds: ``(num_envs,)`` int64: begin with deal 0 of this seed, or, where it is negative,
                with the next deal that is the first of a match.
            options: Replace wall and dealer of the first deal.

        Returns:
            Deals that were skipped since the learner was not asked, and its units in them, each
            ``(num_envs,)`` int64.
        """
        tables = self.batch.tables
        anew = rows & (seeds >= 0)
        tables["seed"][anew] = seeds[anew]
        tables["deal"][anew] = -1
        if self.deals > 1:
            tables["deal"][rows] += -(tables["deal"][rows] + 1) % self.deals
        skipped_deals = np.zeros(len(rows), np.int64)
        skipped_units = np.zeros(len(rows), np.int64)
        self._forget(rows)
        while rows.any():
            self._deal(rows, options)
            options = ResetOptions()
            rows = rows & (self.batch.actors == NOBODY)
            unasked = rows & self._match_over()
            if unasked.any():
                skipped_deals[unasked] += self.deals
                skipped_units[unasked] += self.own_units()[unasked]
                self._forget(unasked)
            self._carry(rows & ~unasked)
        return skipped_deals, skipped_units

    def step(self, actions: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Carry out the learners' actions and play to their next decision, or to the end.

        Args:
            actions: ``(num_envs,)`` int64, in the numbers of the tables and legal where ``rows``
                is set.
            rows: ``(num_envs,)`` bool, where.

        Returns:
            ``(num_envs,)`` bool, the episodes that ended.
        """
        ended = np.zeros(len(rows), bool)
        self.batch.step(actions, rows, real=True)
        self._ask_others(rows)
        over = rows & (self.batch.actors == NOBODY)
        while over.any():
            last = self._match_over()
            ended |= over & last
            going = over & ~last
            if not going.any():
                break
            self._carry(going)
            self._deal(going, ResetOptions())
            over = going & (self.batch.actors == NOBODY)
        return ended

    def _match_over(self) -> np.ndarray:
        """``(num_envs,)`` bool: whether this deal is the last of its match."""
        last: np.ndarray = (self.batch.tables["deal"] + 1) % self.deals == 0
        return last

    def _deal(self, rows: np.ndarray, options: ResetOptions) -> None:
        """The next deal, up to the first question to a learner."""
        self.decisions += int(self.batch.tables["num_decisions"][rows].sum())
        if options.wall is None and options.dealer == NOBODY:
            self.batch.deal_once(rows)
        else:
            self._deal_chosen(rows, options)
        if self.rotate:
            turn = self.batch.tables["deal"][rows] // self.deals
            self.seats[rows] = turn % NUM_SEATS
        self.batch.check_bots()
        self._ask_others(rows)

    def _deal_chosen(self, rows: np.ndarray, options: ResetOptions) -> None:
        """The same with a wall or a dealer of the caller's choice; nobody has answered yet."""
        batch = self.batch
        game, tables = batch.game, batch.tables
        for row in np.flatnonzero(rows):
            state = tables[row]
            state["deal"] += 1
            state["dealer"] = options.dealer
            shared = tables, row, self._packed, game.luts(), batch.menus.real[row]
            game.deal_at(*shared)
            if options.wall is not None:
                state["wall"][:] = options.wall
                game.deal_wall_at(*shared)
            batch.actors[row] = state["actor"]
        batch.menus.show(tables, batch.actors)

    def _ask_others(self, rows: np.ndarray) -> None:
        """Ask opponents, in rounds, until the learners are asked or their deals are over."""
        batch = self.batch
        while True:
            waiting = rows & (batch.actors != NOBODY) & (batch.actors != self.seats)
            if not waiting.any():
                return
            tables = np.flatnonzero(waiting)
            places = (batch.actors[tables] - self.seats[tables] - 1) % NUM_SEATS
            actions = np.zeros(len(rows), np.int64)
            for asked, seated in self._asked:
                mine = tables[np.isin(places, seated)]
                if len(mine):
                    states, masks = batch.states_of(mine), batch.menus.real[mine]
                    actions[mine] = asked.answers(batch.game, states, masks, mine)
            batch.step(actions, waiting, real=True)

    def _carry(self, rows: np.ndarray) -> None:
        """Keep what a deal brought, before the next of the match is dealt."""
        if not rows.any():
            return
        points = self.batch.tables["points"][rows]
        self.carried[rows] += points
        self.has_last[rows] = True
        self.last["deal"][rows] = self.batch.tables["deal"][rows]
        self.last["points"][rows] = points
        self.last["ledger"][rows] = self.ledgers(np.flatnonzero(rows))

    def _forget(self, rows: np.ndarray) -> None:
        self.carried[rows] = 0
        self.has_last[rows] = False

    # ------------------------------------------------------------------------------ what is so

    def units(self) -> np.ndarray:
        """``(num_envs, 4)`` int64, units of the episodes so far."""
        units: np.ndarray = self.carried + self.batch.tables["points"]
        return units

    def own_units(self) -> np.ndarray:
        """``(num_envs,)`` int64, the learners' units of the episodes so far."""
        rows = np.arange(len(self.seats))
        units: np.ndarray = self.carried[rows, self.seats]
        units = units + self.batch.tables["points"][rows, self.seats]
        return units

    def ledgers(self, tables: np.ndarray) -> np.ndarray:
        """``(K, columns)``, what the learners' units in this deal at some tables were for."""
        ledgers: np.ndarray = self.batch.tables["ledger"][tables, self.seats[tables]]
        return ledgers

    def observed(self, tables: np.ndarray) -> np.ndarray:
        """``(K, *shape)``, what the learners at some tables see."""
        batch, seats = self.batch, self.seats[tables]
        states = batch.states_of(tables)
        return encoded(batch.game, batch.encoding.name, states, self._packed, seats)

    def save(self) -> Any:
        """What :meth:`restore` needs to bring back everything as it is now."""
        return self.decisions, [array.copy() for array in self._arrays()]

    def restore(self, saved: Any) -> None:
        """Undo what has happened since :meth:`save`."""
        self.decisions, arrays = saved
        for array, before in zip(self._arrays(), arrays, strict=True):
            array[:] = before
        self.batch.menus.show(self.batch.tables, self.batch.actors)

    def _arrays(self) -> list[np.ndarray]:
        batch = self.batch
        arrays = [batch.tables.view(np.uint8), batch.actors, batch.menus.real, self.seats]
        if self.deals > 1:
            arrays += [self.carried, self.has_last, *self.last.values()]
        return arrays
