"""What an agent is, and how a compiled bot becomes one.

An agent answers questions in batches: row ``i`` of every argument belongs to one question, at a
table it is a batch of one. It is given what its ``observation`` asks for:

- ``"view"``: :class:`~mjenv.core.game.Views`, the views themselves and the rules they follow, both
  copied, so that an agent that writes to them changes no game (read-only arrays are of another type
  to compiled code, for which it would be compiled once more);
- the name of an encoding, such as ``"planes/1"``: an array ``(N, *shape)`` of its dtype.

Every row has its own random generator, which stands at the start of a stream that belongs to that
decision alone. An agent that draws from it therefore chooses the same whether a question comes
alone or with a thousand others.
"""

from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import numpy as np

from mjenv.core.game import Game, Views
from mjenv.core.kernel import Argument, loop
from mjenv.errors import AgentError
from mjenv.games import game_by_name

VIEW = "view"
"""The observation of agents that want views, not numbers for a network."""

BotKernel = Callable[..., int]
"""``(view, rules, luts, mask, rng) -> action``, a compiled function."""


@runtime_checkable
class Agent(Protocol):
    """Whatever answers the questions of a table.

    Attributes:
        name: ``[game/]name/version``, ``"greedy/1"``; without a game it is Sichuan.
        games: Names of the games it can play.
        observation: What it is given: ``"view"`` or the name of an encoding. One in the canonical
            order of suits also numbers the actions of masks and answers in that order.
    """

    name: str
    games: tuple[str, ...]
    observation: str

    def act(self, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        """Choose an action for every row.

        Args:
            observations: See the module; they may be overwritten after the call.
            masks: ``(N, A)`` int8, 1 for legal actions, at least one a row.
            rng: ``(N,)`` uint64, a generator of :mod:`mjenv.core.rng` for each row: ``rng[i:i+1]``
                is what its functions take.

        Returns:
            ``(N,)`` int64, legal actions.
        """
        ...


@loop
def _act_on_each(
    views: np.ndarray,
    rules: np.ndarray,
    luts: np.ndarray,
    masks: np.ndarray,
    rng: np.ndarray,
    actions: np.ndarray,
    bot: BotKernel,
) -> None:
    for i in range(views.shape[0]):
        actions[i] = bot(views[i], rules[i % rules.shape[0]], luts, masks[i], rng[i : i + 1])


class CompiledBot:
    """An agent made of one kernel.

    Batch loops take the kernel itself (``bot.kernel``) and never come back to Python; everybody
    else calls :meth:`act`. Both choose the same.

    Args:
        name: See :class:`Agent`.
        kernel: ``(view, rules, luts, mask, rng) -> action``, decorated with
            :func:`mjenv.core.kernel.kernel`. ``rng`` is a generator, an array ``(1,)`` uint64.
        game: The game whose views it reads.
    """

    observation = VIEW

    def __init__(self, name: str, kernel: BotKernel, game: Game) -> None:
        self.name = name
        self.games: tuple[str, ...] = (game.name,)
        self.kernel = game.bot(kernel)
        self._game: Game = game

    def act(self, observations: Views, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        """Choose an action for every view; see :meth:`Agent.act`.

        Raises:
            AgentError: The observations are no views of its game, or not as many of everything.
        """
        if not isinstance(observations, Views):
            raise AgentError(
                f"agent {self.name!r} was given {type(observations).__name__}; it takes Views, "
                "a pair of views and packed rules"
            )
        views = observations.views
        rules: Any = observations.rules
        if views.dtype != self._game.view_dtype:
            raise AgentError(f"agent {self.name!r} was given views of another game")
        if not isinstance(rules, np.ndarray) or rules.ndim != 1 or not len(rules):
            raise AgentError(
                f"agent {self.name!r} was given rules as {type(rules).__name__}; it takes them "
                "packed, (1,) or one for each view"
            )
        shape = len(views), self._game.num_actions
        if np.shape(masks) != shape or np.shape(rng) != shape[:1]:
            raise AgentError(
                f"agent {self.name!r} was given {len(views)} views with masks {np.shape(masks)} "
                f"and generators {np.shape(rng)}; it takes {shape} and {shape[:1]}"
            )
        views, masks = np.ascontiguousarray(views), np.ascontiguousarray(masks, np.int8)
        luts, actions = self._game.luts(), np.empty(len(views), np.int64)
        _act_on_each(views, rules, luts, masks, rng, actions, self.kernel)
        return actions

    def __getstate__(self) -> dict[str, Any]:
        """The game by name."""
        return {**self.__dict__, "_game": self._game.name}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._game = game_by_name(state["_game"])

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def ask_agent(agent: Agent, observations: Any, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
    """The answers of an agent, seen to be one whole number for each question.

    Whether they are legal is for the caller to see, who can tell at which table they are not.

    Raises:
        AgentError: They are not.
    """
    answers = np.asarray(agent.act(observations, masks, rng))
    if answers.shape != (len(masks),) or not np.issubdtype(answers.dtype, np.integer):
        raise AgentError(
            f"agent {agent.name!r} answered {answers.dtype} {answers.shape} to {len(masks)} "
            f"questions; it must answer whole numbers ({len(masks)},)"
        )
    return answers


def ask_at_tables(
    agent: Agent,
    game: Game,
    tables: np.ndarray,
    seats: np.ndarray,
    observations: Any,
    masks: np.ndarray,
    rng: np.ndarray,
) -> np.ndarray:
    """:func:`ask_agent` in the numbers of actions that its observation has.

    Args:
        agent: Who is asked.
        game: What is played.
        tables: ``(N,)`` states.
        seats: ``(N,)`` integers, who is asked there.
        observations: What the agent is given.
        masks: ``(N, A)`` int8, the menus in the numbers of the tables.
        rng: ``(N,)`` uint64.

    Returns:
        ``(N,)`` integers in the numbers of the tables.

    Raises:
        AgentError: The answers are not one whole number for each question.
    """
    relabelling = None
    if agent.observation != VIEW:
        relabelling = game.encodings[agent.observation].relabelling
    if relabelling is None:
        return ask_agent(agent, observations, masks, rng)
    order = relabelling.rows(tables, seats)
    shown = relabelling.show_masks(masks, order)
    return relabelling.act(ask_agent(agent, observations, shown, rng), order)


def check_agent(agent: Agent, game: Game) -> None:
    """See that an agent can play a game.

    Raises:
        AgentError: It plays others, wants an observation that the game does not have, or has a
            kernel that batch loops cannot take.
    """
    if game.name not in agent.games:
        raise AgentError(f"agent {agent.name!r} plays {', '.join(agent.games)}, not {game.name}")
    if agent.observation != VIEW and agent.observation not in game.encodings:
        raise AgentError(
            f"agent {agent.name!r} wants the observation {agent.observation!r}; {game.name} has "
            f"{', '.join([VIEW, *game.encodings])}"
        )
    kernel = getattr(agent, "kernel", None)
    if kernel is not None and not isinstance(kernel, Argument):
        raise AgentError(
            f"agent {agent.name!r} has a kernel that is no Argument; wrap it with game.bot(kernel)"
        )
