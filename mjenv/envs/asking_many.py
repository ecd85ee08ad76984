"""Agents that answer at many tables at once."""

from typing import Any

import numpy as np

from mjenv.agent import VIEW, Agent, ask_at_tables
from mjenv.core.batch import observe_all
from mjenv.core.cells import copy_records
from mjenv.core.game import Game, Views
from mjenv.core.questions import policy_streams, view_all
from mjenv.envs.answers import bot_fault
from mjenv.errors import AgentError


class AskedMany:
    """An agent at the tables of a batch.

    It chooses what it would choose at each of them alone: see :class:`mjenv.envs.asking.Asked`.

    Args:
        agent: The agent.
        rules: ``(1,)`` packed rules of all tables.
    """

    def __init__(self, agent: Agent, rules: np.ndarray) -> None:
        self.agent = agent
        self.rules = rules

    def answers(
        self, game: Game, states: np.ndarray, masks: np.ndarray, tables: np.ndarray
    ) -> np.ndarray:
        """Its answers, which are legal.

        Args:
            game: What is played.
            states: ``(K,)`` states, in each of which the agent's seat is asked.
            masks: ``(K, A)`` int8, the menus.
            tables: ``(K,)`` numbers of these tables, for messages.

        Returns:
            ``(K,)`` int64.

        Raises:
            AgentError: An answer is none, or not legal.
            Exception: What the agent raised, with a note about the questions.
        """
        seats = np.ascontiguousarray(states["actor"])
        rng = np.ones(len(states), np.uint64)
        policy_streams(states, seats, rng)
        if self.agent.observation == VIEW:
            views = np.zeros(len(states), game.view_dtype)
            view_all(states, self.rules, seats, views, game.view)
            observations: Any = Views(views, copy_records(self.rules))
        else:
            observations = encoded(game, self.agent.observation, states, self.rules, seats)
        try:
            # The answers are checked against masks that the agent has not had in its hands.
            shown = masks.copy()
            answers = ask_at_tables(self.agent, game, states, seats, observations, shown, rng)
        except Exception as error:
            error.add_note(
                f"raised by agent {self.agent.name!r}, asked at {len(tables)} tables, the first of "
                f"them table {tables[0]}; the environment is as it was before the call"
            )
            raise
        self._check(game, states, masks, tables, answers)
        return answers.astype(np.int64)

    def _check(
        self,
        game: Game,
        states: np.ndarray,
        masks: np.ndarray,
        tables: np.ndarray,
        answers: np.ndarray,
    ) -> None:
        known = (answers >= 0) & (answers < game.num_actions)
        legal = known & (masks[np.arange(len(masks)), np.where(known, answers, 0)] == 1)
        if legal.all():
            return
        first = int(np.argmin(legal))
        told = bot_fault(game, states[first], masks[first], self.agent.name, int(answers[first]))
        raise AgentError(f"table {tables[first]}: {told}")


def encoded(
    game: Game, encoding: str, states: np.ndarray, rules: np.ndarray, seats: np.ndarray
) -> np.ndarray:
    """What seats see of tables as numbers.

    Args:
        game: What is played.
        encoding: Name of an encoding.
        states: ``(K,)`` states.
        rules: ``(1,)`` packed rules.
        seats: ``(K,)`` int8.

    Returns:
        A new array ``(K, *shape)``.
    """
    form = game.encodings[encoding]
    out = np.zeros((len(states), form.size), form.dtype)
    scratch = np.zeros(1, game.view_dtype)
    observe_all(states, rules, game.luts(), seats, scratch, out, game.view, form.observe)
    return out.reshape(len(states), *form.shape)
