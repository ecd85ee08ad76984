"""Deals played by agents against each other, many tables at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from mjenv.agent import VIEW, Agent, ask_at_tables, check_agent
from mjenv.core.batch import CALLER, choose_all, first_action, observe_all, step_all
from mjenv.core.game import NOBODY, NUM_SEATS, Game, Views
from mjenv.core.questions import policy_streams, view_all
from mjenv.core.rng import new_generator
from mjenv.envs.seating import MAX_BOTS
from mjenv.errors import AgentError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN

_ALL_CALLERS = np.full((1, 1, NUM_SEATS), CALLER, np.int8)
"""Every seat comes back to be asked."""
MAX_TABLES = 1024
"""Tables at play at once: enough to spread the cost of a call, few enough to stay in the cache."""


@dataclass(frozen=True)
class Played:
    """Finished deals.

    Attributes:
        finished: ``(deals,)`` states as the deals ended, in the order of their numbers.
        players: ``(deals, 4)`` int8, which of the agents sat in each seat.
    """

    finished: np.ndarray
    players: np.ndarray

    def seats_of(self, player: int) -> np.ndarray:
        """``(deals, 4)`` bool: the seats of agent number ``player``."""
        seats: np.ndarray = self.players == player
        return seats


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
    """
    if len(agents) != NUM_SEATS:
        raise AgentError(f"got {len(agents)} agents; a table has {NUM_SEATS} seats")
    named = {agent: make_agent(agent) for agent in agents if isinstance(agent, str)}
    seated = [named[agent] if isinstance(agent, str) else agent for agent in agents]
    return _Tables(seated, game.rules.of(rules), deals, seed, game, rotate).play()


class _Tables:
    """Tables at play; row ``i`` of every array belongs to the table in deal ``tables[i]``."""

    def __init__(
        self, agents: Sequence[Agent], rules: Any, deals: int, seed: int, game: Game, rotate: bool
    ) -> None:
        number = min(deals, MAX_TABLES)
        self.game = game
        self.rules = rules.pack()
        self.luts = game.luts()
        self.agents = list(dict.fromkeys(agents))
        self.deals, self.seed = deals, seed
        self.seating = _seating(deals, rotate)
        self.distinct = np.array([self.agents.index(agent) for agent in agents], np.int8)
        for agent in self.agents:
            check_agent(agent, game)
        self.finished = np.zeros(deals, game.state)
        self.tables = np.zeros(number, game.state)
        self.masks = np.zeros((number, game.num_actions), np.int8)
        self.actors = np.zeros(number, np.int8)
        self.players = np.zeros((number, NUM_SEATS), np.int8)
        self.views = np.zeros(1, game.view_dtype)
        self.rng = new_generator()
        self.rewards = np.zeros((number, NUM_SEATS), np.int32)
        self.fault = np.zeros(2, np.int64)
        self.nobody = (game.bot(first_action),) * MAX_BOTS
        self.logs = np.zeros((number, 0), game.event)
        self.next_deal = 0
        for table in range(number):
            self._deal(table)

    def play(self) -> Played:
        """Play everything to the end."""
        while len(self.tables):
            actions = np.zeros(len(self.tables), np.int64)
            for player, agent in enumerate(self.agents):
                self._choose(player, agent, actions)
            self._step(actions)
        return Played(self.finished, self.seating)

    def _deal(self, table: int) -> None:
        state = self.tables[table]
        state["seed"], state["deal"], state["dealer"] = self.seed, self.next_deal, NOBODY
        self.game.deal_at(self.tables, table, self.rules, self.luts, self.masks[table])
        self.actors[table] = state["actor"]
        self.players[table] = self.distinct[self.seating[self.next_deal]]
        self.next_deal += 1

    def _step(self, actions: np.ndarray) -> None:
        """One decision at every table; a finished one begins the next deal, or is cleared away."""
        num_ended = step_all(
            self.tables,
            self.rules,
            self.luts,
            _ALL_CALLERS,
            actions,
            np.ones(len(self.tables), bool),
            self.masks,
            self.actors,
            self.rewards,
            np.zeros(len(self.tables), bool),
            self.fault,
            self.logs,
            0,
            self.views,
            self.rng,
            self.game.legal,
            self.game.step,
            self.game.view,
            *self.nobody,
        )
        if num_ended == 0:
            return
        ended = np.flatnonzero(self.actors == NOBODY)
        self.finished[self.tables["deal"][ended]] = self.tables[ended]
        left_over = np.zeros(len(self.tables), bool)
        for table in ended:
            if self.next_deal < self.deals:
                self._deal(int(table))
            else:
                left_over[table] = True
        if left_over.any():
            self.tables, self.masks = self.tables[~left_over], self.masks[~left_over]
            self.actors, self.players = self.actors[~left_over], self.players[~left_over]

    def _choose(self, player: int, agent: Agent, actions: np.ndarray) -> None:
        """Let one agent answer wherever it is asked."""
        kernel = getattr(agent, "kernel", None)
        if kernel is None:
            self._ask(player, agent, actions)
            return
        choose_all(
            self.tables,
            self.rules,
            self.luts,
            self.masks,
            self.players,
            player,
            actions,
            self.views,
            self.rng,
            self.game.view,
            kernel,
        )

    def _ask(self, player: int, agent: Agent, actions: np.ndarray) -> None:
        """The same for an agent that is no kernel."""
        rows = np.flatnonzero(self.players[np.arange(len(self.tables)), self.actors] == player)
        if not len(rows):
            return
        tables, seats, masks = self.tables[rows], self.actors[rows], self.masks[rows]
        observations, rng = self._observe(agent, tables, seats), np.ones(len(rows), np.uint64)
        policy_streams(tables, seats, rng)
        answers = ask_at_tables(agent, self.game, tables, seats, observations, masks, rng)
        self._check_legal(agent, masks, answers)
        actions[rows] = answers

    def _observe(self, agent: Agent, tables: np.ndarray, seats: np.ndarray) -> Any:
        number = len(tables)
        if agent.observation == VIEW:
            views = np.zeros(number, self.game.view_dtype)
            view_all(tables, self.rules, seats, views, self.game.view)
            return Views(views, self.rules)
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

    def _check_legal(self, agent: Agent, masks: np.ndarray, answers: np.ndarray) -> None:
        for mask, answer in zip(masks, answers, strict=True):
            if not (0 <= answer < len(mask) and mask[answer]):
                legal = ", ".join(self.game.action_text(int(i), False) for i in mask.nonzero()[0])
                raise AgentError(f"agent {agent.name!r} answered {answer}; legal: {legal}")


def _seating(deals: int, rotate: bool) -> np.ndarray:
    """Which agent sits where, ``(deals, 4)`` int8."""
    shift = np.arange(deals)[:, None] if rotate else np.zeros((deals, 1), np.int64)
    return ((np.arange(NUM_SEATS) - shift) % NUM_SEATS).astype(np.int8)
