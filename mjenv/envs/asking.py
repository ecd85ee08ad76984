"""Agents that answer at one table."""

from typing import Any

import numpy as np

from mjenv.agent import VIEW, Agent, ask_agent
from mjenv.core.batch import choose_all
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import Argument, entry_point
from mjenv.core.rng import new_generator, policy_stream
from mjenv.envs.one_table import OneTable
from mjenv.errors import AgentError


class Asked:
    """An agent at a table: asked, it answers for the seat whose turn it is.

    It chooses what it would choose in a batch: what it draws at random depends on seed, deal, seat
    and decision alone.

    Args:
        agent: The agent.
        table: The table.
    """

    def __init__(self, agent: Agent, table: OneTable) -> None:
        self.agent = agent
        self.table = table
        self._bound = False

    def _bind(self) -> None:
        """Look up what does not change; compiles what is needed."""
        table = self.table
        self._rng = new_generator()
        self._kernel: Argument | None = getattr(self.agent, "kernel", None)
        if self._kernel is None:
            self._seed, self._deal = table.states["seed"].item, table.states["deal"].item
            self._decisions = table.states["num_decisions"][0].item
            self._stream = entry_point(policy_stream, self._rng, 0, 0, 0, 0)
        else:
            # A batch of one: to hand a single record to compiled code would take longer.
            self._action = np.zeros(1, np.int64)
            self._question = (
                table.states,
                table.rules,
                table.luts,
                table.menu.reshape(1, -1),
                np.zeros((1, NUM_SEATS), np.int8),
                0,
                self._action,
                np.zeros(1, table.game.view_dtype),
                self._rng,
                table.game.view,
                self._kernel,
            )
            self._choose = entry_point(choose_all, *self._question)
        self._bound = True

    def __getstate__(self) -> dict[str, Any]:
        return {"agent": self.agent, "table": self.table, "_bound": False}

    def __call__(self) -> int:
        """Its answer, which is legal.

        Raises:
            AgentError: The answer is none, or not legal.
            Exception: What the agent raised, with a note about the question.
        """
        if not self._bound:
            self._bind()
        try:
            action = self._answer()
        except Exception as error:
            error.add_note(
                f"raised by agent {self.agent.name!r}, asked for seat {self.table.actor()} in "
                f"{self.table.phase()}; the environment is as it was before the call"
            )
            raise
        if not (0 <= action < len(self.table.menu) and self.table.is_legal(action)):
            refused = self.table.illegal(action)
            raise AgentError(f"agent {self.agent.name!r} answered {action}: {refused}")
        return action

    def _answer(self) -> int:
        if self._kernel is not None:
            self._choose(*self._question)
            return int(self._action[0])
        table = self.table
        seat = table.actor()
        self._stream(self._rng, self._seed(), self._deal(), seat, self._decisions(seat))
        if self.agent.observation == VIEW:
            masks = table.menu.copy()[np.newaxis]
            return int(ask_agent(self.agent, table.views(seat), masks, self._rng.copy())[0])
        shown = table.observe_as(seat, self.agent.observation)
        observations, masks = shown["observation"][np.newaxis], shown["action_mask"][np.newaxis]
        answer = int(ask_agent(self.agent, observations, masks, self._rng.copy())[0])
        return table.real_action(answer, self.agent.observation)
