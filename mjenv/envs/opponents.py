"""Where the learner sits, and who in the other seats."""

from collections.abc import Callable
from typing import Any

import numpy as np

from mjenv.agent import Agent, check_agent
from mjenv.core.game import NUM_SEATS, Game
from mjenv.core.setup import check_seat
from mjenv.errors import OptionError
from mjenv.registry import make_agent

ROTATE = "rotate"
NUM_OPPONENTS = NUM_SEATS - 1
Policy = Callable[[np.ndarray, np.ndarray], Any]


class PolicyAgent:
    """A Python function as an agent.

    Args:
        policy: ``(observations, masks) -> actions``: ``(N, *shape)`` of the encoding and
            ``(N, num_actions)`` int8, 1 for legal actions; returns ``(N,)`` integers.
        game: The game it plays.
        observation: Name of the encoding it is given.
    """

    def __init__(self, policy: Policy, game: Game, observation: str) -> None:
        self.name = str(getattr(policy, "__qualname__", type(policy).__qualname__))
        self.games: tuple[str, ...] = (game.name,)
        self.observation = observation
        self.policy = policy

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.ndarray) -> Any:
        """Ask the function; it draws from a generator of its own if it wants to."""
        return self.policy(observations, masks)


def opponents_of(value: Any, game: Game, observation: str) -> tuple[Agent, ...]:
    """The three opponents, in order of play after the learner.

    Args:
        value: A name, an agent, a function ``(observations, masks) -> actions``, or three of
            these. What is given once, or named more than once, is one agent in several seats.
        game: What is played.
        observation: Name of the encoding that functions are given.

    Raises:
        OptionError: It is nothing of this kind.
        AgentError: An agent is unknown, or cannot play the game.
        MissingExtraError: An agent needs packages that are not installed.
    """
    values = list(value) if isinstance(value, list | tuple) else [value] * NUM_OPPONENTS
    if len(values) != NUM_OPPONENTS:
        raise _refused(value, f"{len(values)} of them")
    named = {name: make_agent(name, game.name) for name in values if isinstance(name, str)}
    agents = [named[item] if isinstance(item, str) else item for item in values]
    policies: dict[int, Agent] = {}
    for place, agent in enumerate(agents):
        if isinstance(agent, type):
            raise _refused(value, f"the class {agent.__qualname__}, not an object of it")
        if not hasattr(agent, "act"):
            if not callable(agent):
                raise _refused(value, repr(agent))
            agents[place] = policies.setdefault(id(agent), PolicyAgent(agent, game, observation))
        elif not isinstance(agent, Agent):
            raise _refused(value, f"{agent!r}, which has act but not name, games and observation")
        check_agent(agents[place], game)
    return tuple(agents)


def _refused(value: Any, what: str) -> OptionError:
    place = f" in {value!r}" if isinstance(value, list | tuple) else ""
    return OptionError(
        f"opponents: got {what}{place}; allowed: the name of an agent, an agent, a function of "
        f"observations and masks, or a list of {NUM_OPPONENTS} of these, one for each seat after "
        "the learner's"
    )


def seat_or_rotate(value: Any) -> int | str:
    """The argument ``learner_seat``, checked.

    Raises:
        OptionError: It is neither a seat nor ``"rotate"``.
    """
    if isinstance(value, str) and value == ROTATE:
        return ROTATE
    try:
        return check_seat(value, "learner_seat")
    except OptionError as error:
        raise OptionError(f"{error}, or {ROTATE!r}") from None
