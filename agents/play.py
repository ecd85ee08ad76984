"""Deals played by agents against each other, many tables at a time."""

from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

import numpy as np

from agents.chance import LuckMeter
from agents.failure import AgentFailedError
from agents.fallback import fallback_action, tell_first
from mjenv.agent import VIEW, Agent, ask_at_tables, check_agent
from mjenv.core.batch import CALLER, choose_all, first_action, observe_all, step_all
from mjenv.core.cells import copy_records
from mjenv.core.game import NOBODY, NUM_SEATS, Game, Views
from mjenv.core.questions import policy_streams, view_all, watch_all
from mjenv.core.rng import new_generator
from mjenv.core.setup import check_deal, check_seed
from mjenv.envs.seating import MAX_BOTS
from mjenv.errors import AgentError, OptionError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN

_ALL_CALLERS = np.full((1, 1, NUM_SEATS), CALLER, np.int8)
"""Every seat comes back to be asked."""
MAX_TABLES = 1024
"""Tables at play at once: enough to spread the cost of a call, few enough to stay in the cache."""

Walls = Literal["ordinary", "seat-keyed"]
WALLS: tuple[Walls, ...] = get_args(Walls)


@dataclass(frozen=True, repr=False)
class Played:
    """Finished deals.

    Attributes:
        finished: ``(deals,)`` states as the deals ended, in the order given.
        players: ``(deals, 4)`` int8, which of the agents sat in each seat: its number in the
            line-up that was given.
        tallies: ``(deals,)`` records of the game's tally, complete.
        illegal: ``(agents,)`` int64, answers of each distinct agent that were replaced, being
            illegal.
        actions: The decisions of each deal in order, if they were to be kept.
        luck: ``(deals, 4)`` float64, what draws brought each seat beyond their chances, in units
            by the value that was given; zeros without one.
    """

    finished: np.ndarray
    players: np.ndarray
    tallies: np.ndarray
    illegal: np.ndarray
    actions: tuple[list[int], ...] = ()
    luck: np.ndarray = field(default_factory=lambda: np.zeros((0, NUM_SEATS)))

    def seats_of(self, player: int) -> np.ndarray:
        """``(deals, 4)`` bool: the seats of agent number ``player``."""
        seats: np.ndarray = self.players == player
        return seats

    def __repr__(self) -> str:
        return f"<{len(self.finished)} deals played, {int(self.illegal.sum())} answers replaced>"


def play_deals(
    agents: Sequence[Agent | str],
    rules: Any,
    deals: int,
    seed: int,
    game: Game = SICHUAN,
    rotate: bool = False,
) -> Played:
    """Play deals 0 to ``deals - 1`` of a seed, dealer by dice.

    What happens in a deal depends on seed, deal number, rules and agents alone, not on how many
    are played.

    Args:
        agents: Four agents or names of such; the same may sit in several seats.
        rules: Rules, or whatever names them.
        deals: How many.
        seed: Of the deals, and of what agents draw at random.
        game: What is played.
        rotate: Agent ``j`` sits in seat ``(j + k) % 4`` in deal ``k``; else always in seat ``j``.

    Raises:
        AgentError: Not four agents, an unknown one, one that cannot play the game, or an illegal
            answer.
        AgentFailedError: An agent raised an error.
        OptionError: No number of deals, or no seed.
    """
    deals, seed = check_deal(deals, "deals"), check_seed(seed)
    if len(agents) != NUM_SEATS:
        raise AgentError(f"got {len(agents)} agents; a table has {NUM_SEATS} seats")
    distinct = list(dict.fromkeys(agents))
    shift = np.arange(deals)[:, None] if rotate else np.zeros((deals, 1), np.int64)
    places = ((np.arange(NUM_SEATS) - shift) % NUM_SEATS).astype(np.int8)
    seating = np.array([distinct.index(agent) for agent in agents], np.int8)[places]
    played = play_seated(distinct, rules, seed, np.arange(deals), seating, game=game)
    return replace(played, players=places)


def play_seated(
    agents: Sequence[Agent | str],
    rules: Any,
    seed: int,
    numbers: np.ndarray,
    seating: np.ndarray,
    walls: Walls = "ordinary",
    replace_illegal: bool = False,
    game: Game = SICHUAN,
    keep_actions: bool = False,
    value: LuckMeter | None = None,
    is_over: Callable[[], bool] = lambda: False,
) -> Played:
    """Play given deals with given seatings, dealer by dice.

    Args:
        agents: Any number of them, or names.
        rules: Rules, or whatever names them.
        seed: Of the deals, and of what agents draw at random.
        numbers: ``(D,)`` integers, the number of each deal; the same may come several times.
        seating: ``(D, 4)`` integers, which agent sits in each seat of each deal.
        walls: ``"seat-keyed"``: see :mod:`mjenv.sichuan.draws`.
        replace_illegal: Count illegal answers and play :func:`agents.fallback.fallback_action`
            instead of raising.
        game: What is played.
        keep_actions: Return all decisions too, for records.
        value: Measure the luck of draws by it.
        is_over: Asked before every decision whether the deals are still wanted.

    Raises:
        AgentError: An unknown agent, one that cannot play the game, or an illegal answer.
        AgentFailedError: An agent raised an error.
        CancelledError: They are not.
        OptionError: Unknown walls.
    """
    if walls not in WALLS:
        raise OptionError(f"walls: got {walls!r}; allowed: {', '.join(WALLS)}")
    line_up = [make_agent(agent) if isinstance(agent, str) else agent for agent in agents]
    for agent in line_up:
        check_agent(agent, game)
    packed = game.rules.of(rules).pack(seat_keyed=walls == "seat-keyed")
    seating = np.asarray(seating, np.int8)
    parts = [
        _Tables(line_up, packed, seed, numbers[first:last], seating[first:last], game).play(
            replace_illegal, keep_actions, value, is_over
        )
        for first, last in _pieces(len(numbers))
    ]
    return Played(
        np.concatenate([part.finished for part in parts]),
        seating,
        np.concatenate([part.tallies for part in parts]),
        np.sum([part.illegal for part in parts], axis=0),
        tuple(actions for part in parts for actions in part.kept),
        np.concatenate([part.luck for part in parts]),
    )


def _pieces(deals: int) -> list[tuple[int, int]]:
    """First and last of the deals that are played together; one empty piece if there are none."""
    starts = range(0, max(deals, 1), MAX_TABLES)
    return [(first, min(first + MAX_TABLES, deals)) for first in starts]


class _Tables:
    """Tables at play; row ``i`` of every array but the results is a table still at play.

    Args:
        agents: Who plays.
        rules: Packed.
        seed: Of the deals.
        numbers: ``(N,)`` of the deals.
        players: ``(N, 4)`` int8, which agent sits where.
        game: What is played.
    """

    def __init__(
        self,
        agents: Sequence[Agent],
        rules: np.ndarray,
        seed: int,
        numbers: np.ndarray,
        players: np.ndarray,
        game: Game,
    ) -> None:
        number = len(numbers)
        self.game, self.rules, self.luts = game, rules, game.luts()
        self.agents = agents
        self.illegal = np.zeros(len(agents), np.int64)
        self.finished = np.zeros(number, game.state)
        self.tallies = np.zeros(number, game.tally)
        self.kept: list[list[int]] = []
        self.luck = np.zeros((number, NUM_SEATS))
        self.rows = np.arange(number)  # of the results
        self.tables = np.zeros(number, game.state)
        self.watched = np.zeros(number, game.tally)
        self.seen = np.zeros((number, NUM_SEATS), np.int8)
        self.luck_so_far = np.zeros((number, NUM_SEATS))
        self.masks = np.zeros((number, game.num_actions), np.int8)
        self.players = np.ascontiguousarray(players)
        self.views = np.zeros(1, game.view_dtype)
        self.rng = new_generator()
        self.nobody = (game.bot(first_action),) * MAX_BOTS
        for table in range(number):
            state = self.tables[table]
            state["seed"], state["deal"], state["dealer"] = seed, numbers[table], NOBODY
            game.deal_at(self.tables, table, rules, self.luts, self.masks[table])
        self.actors: np.ndarray = self.tables["actor"].copy()

    def play(
        self,
        replace_illegal: bool,
        keep_actions: bool,
        value: LuckMeter | None,
        is_over: Callable[[], bool],
    ) -> "_Tables":
        """Play everything to the end, or until it is over."""
        self.kept = [[] for _ in self.tables] if keep_actions else []
        while len(self.tables):
            if is_over():
                raise CancelledError
            watch_all(self.tables, self.rules, self.luts, self.watched, self.game.watch)
            if value is not None:
                value.watch(self.tables, self.rules, self.luts, self.seen, self.luck_so_far)
            actions = np.zeros(len(self.tables), np.int64)
            for player, agent in enumerate(self.agents):
                self._choose(player, agent, actions)
            self._check(actions, replace_illegal)
            if keep_actions:
                for table in np.flatnonzero(self.actors != NOBODY):
                    self.kept[self.rows[table]].append(int(actions[table]))
            self._step(actions)
            self._put_away()
        self.game.close_tallies(self.tallies, self.finished)
        return self

    def _step(self, actions: np.ndarray) -> None:
        """One decision at every table that is not over."""
        number = len(self.tables)
        step_all(
            self.tables,
            self.rules,
            self.luts,
            _ALL_CALLERS,
            actions,
            self.actors != NOBODY,
            self.masks,
            self.actors,
            np.zeros((number, NUM_SEATS), np.int32),
            np.zeros(number, bool),
            np.zeros(2, np.int64),
            np.zeros((number, 0), self.game.event),
            0,
            self.views,
            self.rng,
            self.game.legal,
            self.game.step,
            self.game.view,
            *self.nobody,
        )

    def _put_away(self) -> None:
        """Move finished tables to the results, once half of all are: moving costs a copy of all."""
        over = self.actors == NOBODY
        if 2 * over.sum() < len(over):
            return
        self.finished[self.rows[over]] = self.tables[over]
        self.tallies[self.rows[over]] = self.watched[over]
        self.luck[self.rows[over]] = self.luck_so_far[over]
        on = ~over
        self.rows, self.tables, self.watched = self.rows[on], self.tables[on], self.watched[on]
        self.seen, self.luck_so_far = self.seen[on], self.luck_so_far[on]
        self.masks, self.actors, self.players = self.masks[on], self.actors[on], self.players[on]

    def _choose(self, player: int, agent: Agent, actions: np.ndarray) -> None:
        """Let one agent answer wherever it is asked.

        Raises:
            AgentFailedError: It raised an error.
        """
        try:
            self._answer(player, agent, slice(None), actions)
            return
        except (Exception, SystemExit) as error:
            raised = error
        # Out here what it raises when it is asked again does not hang on what it raised before.
        raise self._failure(player, agent, raised) from raised

    def _answer(self, player: int, agent: Agent, among: slice, actions: np.ndarray) -> None:
        """Let one agent answer wherever it is asked at some of the tables."""
        kernel = getattr(agent, "kernel", None)
        if kernel is None:
            self._ask(agent, self._rows(player, among), actions)
            return
        choose_all(
            self.tables[among],
            self.rules,
            self.luts,
            self.masks[among],
            self.players[among],
            player,
            actions[among],
            self.views,
            self.rng,
            self.game.view,
            kernel,
        )

    def _rows(self, player: int, among: slice = slice(None)) -> np.ndarray:
        """Where an agent is asked, of some of the tables."""
        rows = np.arange(len(self.tables))[among]
        actors = self.actors[rows]
        asked: np.ndarray = rows[(self.players[rows, actors] == player) & (actors != NOBODY)]
        return asked

    def _ask(self, agent: Agent, rows: np.ndarray, actions: np.ndarray) -> None:
        """Put questions to an agent that is no kernel."""
        if not len(rows):
            return
        tables, seats, masks = self.tables[rows], self.actors[rows], self.masks[rows]
        observations, rng = self._observe(agent, tables, seats), np.ones(len(rows), np.uint64)
        policy_streams(tables, seats, rng)
        actions[rows] = ask_at_tables(agent, self.game, tables, seats, observations, masks, rng)

    def _failure(self, player: int, agent: Agent, error: BaseException) -> AgentFailedError:
        """What an agent raised: if it can, at the first table at which it also raises alone."""
        rows, ignored = self._rows(player), np.zeros(len(self.tables), np.int64)
        for row in rows.tolist():
            try:
                self._answer(player, agent, slice(row, row + 1), ignored)
            except (Exception, SystemExit) as alone:
                return AgentFailedError.of(agent.name, alone, self._place(row))
        where = f"asked {len(rows)} questions at once, the first {self._place(rows[0])}"
        return AgentFailedError.of(agent.name, error, where)

    def _place(self, row: int) -> str:
        table = self.tables[row]
        return f"in seat {self.actors[row]} of deal {table['deal']} of seed {table['seed']}"

    def _observe(self, agent: Agent, tables: np.ndarray, seats: np.ndarray) -> Any:
        number = len(tables)
        if agent.observation == VIEW:
            views = np.zeros(number, self.game.view_dtype)
            view_all(tables, self.rules, seats, views, self.game.view)
            return Views(views, copy_records(self.rules))
        encoding = self.game.encodings[agent.observation]
        out = np.zeros((number, encoding.size), encoding.dtype)
        observe_all(
            tables,
            self.rules,
            self.luts,
            seats,
            self.views,
            out,
            self.game.view,
            encoding.observe,
        )
        return out.reshape(number, *encoding.shape)

    def _check(self, actions: np.ndarray, replace: bool) -> None:
        """See that every answer is legal, or put another in its place and count it."""
        within = (actions >= 0) & (actions < self.game.num_actions)
        legal = within & (self.masks[np.arange(len(actions)), np.where(within, actions, 0)] != 0)
        for table in np.flatnonzero(~legal & (self.actors != NOBODY)):
            player = int(self.players[table, self.actors[table]])
            menu = ", ".join(self.game.menu_of(self.masks[table], ""))
            name, what = self.agents[player].name, f"answered {actions[table]}; legal: {menu}"
            if not replace:
                raise AgentError(f"agent {name!r} {what}")
            tell_first(name, what)
            one = slice(table, table + 1)
            policy_streams(self.tables[one], self.actors[one], self.rng)
            actions[table] = fallback_action(self.game, self.masks[table], self.rng)
            self.illegal[player] += 1
