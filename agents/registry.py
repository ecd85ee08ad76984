"""Names to agents.

A name is ``[game/]name/version``. It is looked up in the entry-point group ``mjenv.agents``, where
any distribution can add its own::

    [project.entry-points."mjenv.agents"]
    "careful/1" = "my_package.bots:Careful"

The object named is called without arguments and returns the agent. A name with a colon is
answered by a resolver instead: ``module:my_package.bots:Careful`` needs no entry point,
``ppo:PATH`` reads a checkpoint.
"""

import importlib
from collections.abc import Callable
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from agents.base import Agent
from mjenv.errors import AgentError, MissingExtraError, MjenvError

GROUP = "mjenv.agents"
DEFAULT_GAME = "sichuan"
_MEMBERS = ("name", "games", "observation", "act")

_OWN = {
    "greedy/1": "agents.greedy:Greedy",
    "random_legal/1": "agents.random_legal:RandomLegal",
}
"""The agents of this package, so that they are also there where it runs without being installed."""


def list_agents() -> list[str]:
    """Names of all agents that can be made by name alone, sorted."""
    return sorted(_known())


def make_agent(name: str, game: str = DEFAULT_GAME) -> Agent:
    """Make the agent called ``name``.

    Args:
        name: ``"greedy/1"``, ``"module:package.module:Name"`` or ``"ppo:PATH"``.
        game: The game it is to play.

    Raises:
        AgentError: There is no such agent, it cannot be loaded, or it does not play this game.
        MissingExtraError: It needs packages that are not installed.
    """
    resolver, colon, argument = name.partition(":")
    if colon:
        agent = _resolve(name, resolver, argument)
    else:
        agent = _make(name, _find(name))
    if game not in agent.games:
        others = ", ".join(agent.games)
        raise AgentError(f"agent {name!r} plays {others}, not {game}{_namesake(name, game)}")
    return agent


def _known() -> dict[str, EntryPoint]:
    """Entry points by name, those of this package first."""
    known = {name: EntryPoint(name, value, GROUP) for name, value in _OWN.items()}
    for entry in entry_points(group=GROUP):
        other = known.setdefault(entry.name, entry)
        if other.value != entry.value:
            raise AgentError(
                f"two distributions name an agent {entry.name!r}: {_origin(other)} and "
                f"{_origin(entry)}; uninstall one, or use module:{entry.value}"
            )
    return known


def _find(name: str) -> EntryPoint:
    known = _known()
    plain = name.removeprefix(f"{DEFAULT_GAME}/")
    if plain in known:
        return known[plain]
    near = get_close_matches(plain, known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise AgentError(
        f"unknown agent {name!r}{hint}; known: {', '.join(sorted(known))}, "
        f"and {', '.join(f'{prefix}:{form}' for prefix, (form, _) in _RESOLVERS.items())}"
    )


def _make(name: str, entry: EntryPoint) -> Agent:
    """Load an entry point, call it, and check what comes out."""
    try:
        agent = entry.load()()
    except MjenvError:
        raise
    except Exception as error:  # whatever the author of a plug-in did wrong
        raise AgentError(
            f"agent {name!r} cannot be made from {_origin(entry)}: {type(error).__name__}: {error}"
        ) from error
    return _checked(name, entry, agent)


def _checked(name: str, entry: EntryPoint, agent: Any) -> Agent:
    missing = [member for member in _MEMBERS if not hasattr(agent, member)]
    if missing:
        raise AgentError(
            f"agent {name!r}: {_origin(entry)} made a {type(agent).__name__} without "
            f"{', '.join(missing)}; an agent has {', '.join(_MEMBERS)}"
        )
    if isinstance(agent.games, str):
        raise AgentError(f"agent {name!r}: games is {agent.games!r}; it must be a tuple of names")
    made: Agent = agent
    return made


def _origin(entry: EntryPoint) -> str:
    """Where an entry point comes from, in words."""
    where = f" of {entry.dist.name} {entry.dist.version}" if entry.dist else ""
    return f"{entry.value}{where}"


def _namesake(name: str, game: str) -> str:
    """A hint if the same name is there for the other game."""
    other = name.removeprefix(f"{DEFAULT_GAME}/")
    if game != DEFAULT_GAME:
        other = f"{game}/{other}"
    return f"; did you mean {other!r}?" if other != name and other in _known() else ""


# ------------------------------------------------------------------------------------- resolvers


def _resolve(name: str, resolver: str, argument: str) -> Agent:
    if resolver not in _RESOLVERS:
        forms = ", ".join(f"{prefix}:{form}" for prefix, (form, _) in _RESOLVERS.items())
        raise AgentError(f"agent {name!r}: nothing resolves {resolver!r}; known: {forms}")
    return _RESOLVERS[resolver][1](name, argument)


def _from_module(name: str, argument: str) -> Agent:
    module, colon, attribute = argument.partition(":")
    if not (module and colon and attribute):
        raise AgentError(f"agent {name!r}: write module:PACKAGE.MODULE:NAME")
    return _make(name, EntryPoint(name, argument, GROUP))


def _from_checkpoint(name: str, argument: str) -> Agent:
    if not argument:
        raise AgentError(f"agent {name!r}: write ppo:PATH, the folder of a checkpoint")
    try:
        factory = importlib.import_module("agents.ppo.agent")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("agents", "mjenv"):
            raise
        raise MissingExtraError(f"agent {name!r}", "train") from error
    agent: Agent = factory.load_agent(argument)
    return agent


_RESOLVERS: dict[str, tuple[str, Callable[[str, str], Agent]]] = {
    "module": ("PACKAGE.MODULE:NAME", _from_module),
    "ppo": ("PATH", _from_checkpoint),
}
