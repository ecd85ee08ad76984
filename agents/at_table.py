"""Agents at a single table: what :mod:`mjenv.records` asks, one decision at a time."""

from typing import Any

import numpy as np

from mjenv.agent import VIEW, Agent, ask_at_tables, check_agent
from mjenv.core.cells import copy_records
from mjenv.core.game import Views
from mjenv.core.rng import new_generator, policy_stream
from mjenv.games import game_by_name
from mjenv.table import Table


class AtTable:
    """An agent as a player: called with a table, it answers for the seat that is asked.

    It chooses what it would choose in :func:`agents.play.play_deals`: what it draws at random
    depends on the deal, the seat and the number of the decision alone.

    Args:
        agent: The agent.
        rules: Of the tables it will be asked about.

    Raises:
        AgentError: It cannot play the game of these rules.
    """

    def __init__(self, agent: Agent, rules: Any) -> None:
        self._game = game_by_name(rules.game)
        check_agent(agent, self._game)
        self.name = agent.name
        self._agent = agent
        self._packed = rules.pack()
        self._rng = new_generator()

    def __call__(self, table: Table) -> int:
        """The action of the seat that ``table`` asks."""
        seat, states = table.actor, table.state
        state = states[0]
        decision = int(state["num_decisions"][seat])
        policy_stream(self._rng, int(state["seed"]), int(state["deal"]), seat, decision)
        if self._agent.observation == VIEW:
            observations: Any = Views(table.view(seat), copy_records(self._packed))
        else:
            observations = table.observe(seat, self._agent.observation)[np.newaxis]
        masks, seats = table.legal_mask()[np.newaxis], np.array([seat])
        told = observations, masks, self._rng
        return int(ask_at_tables(self._agent, self._game, states, seats, *told)[0])
