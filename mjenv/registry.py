"""Names to agents.

A name is ``[game/]name/version``. It is looked up in the entry-point group ``mjenv.agents``, where
any distribution can add its own::

    [project.entry-points."mjenv.agents"]
    "careful/1" = "my_package.bots:Careful"

The object named is called without arguments and returns the agent. A name with a colon is
answered by a resolver instead: ``module:my_package.bots:Careful`` needs no entry point,
``ppo:PATH`` reads a checkpoint, ``process:COMMAND`` starts a program. Resolvers are found in the
group ``mjenv.resolvers``, by what stands before the colon; the object named is a
:class:`Resolver`.
"""

import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points
from inspect import getdoc
from typing import Any

from mjenv.agent import Agent
from mjenv.errors import AgentError, MjenvError
from mjenv.version import __version__

AGENTS = "mjenv.agents"
RESOLVERS = "mjenv.resolvers"
DEFAULT_GAME = "sichuan"

_OWN = {
    AGENTS: {
        "always_call/1": "agents.always_call:AlwaysCall",
        "expected_value/1": "agents.expected_value:ExpectedValue",
        "flat_monte_carlo/1": "agents.flat_monte_carlo:FlatMonteCarlo",
        "folder/1": "agents.folder:Folder",
        "greedy/1": "agents.greedy:Greedy",
        "greedy_plus/1": "agents.greedy_plus:GreedyPlus",
        "kong_hunter/1": "agents.kong_hunter:KongHunter",
        "never_call/1": "agents.never_call:NeverCall",
        "one_suit/1": "agents.one_suit:OneSuit",
        "random_legal/1": "agents.random_legal:RandomLegal",
    },
    RESOLVERS: {
        "module": "mjenv.registry:MODULE",
        "ppo": "agents.ppo.resolver:RESOLVER",
        "process": "agents.process:RESOLVER",
    },
}
"""What this distribution registers, so that it is also there where nothing is installed."""

_NAME = re.compile(r"([\w.-]+/)?[\w.-]+/\d+")
_HERE = ""
"""The current folder, as Python writes it in its path."""
_MEMBERS = ("name", "games", "observation", "act")


@dataclass(frozen=True)
class Resolver:
    """What makes agents from names with a colon.

    Attributes:
        form: What to write after the colon, for messages: ``"PATH"``.
        make: Called with what was written there, returns the agent.
        summary: What agents these are, in a line.
    """

    form: str
    make: Callable[[str], Any]
    summary: str = ""


@dataclass(frozen=True)
class Registered:
    """What is registered under a name.

    Attributes:
        name: Of the agent, or what to write for one of a family: ``"ppo:PATH"``.
        games: That it plays; empty for a family.
        distribution: Name and version of the distribution it is from.
        summary: What it does, in a line.
        fault: Why it cannot be used; empty if it can.
    """

    name: str
    games: tuple[str, ...]
    distribution: str
    summary: str
    fault: str = ""


def list_agents() -> list[str]:
    """Names of all agents that can be made by name alone, sorted."""
    return sorted(_known(AGENTS))


def registered() -> list[Registered]:
    """All agents that can be made by name alone, sorted, then the families with a colon.

    Every agent is made to see what it plays; one that cannot be made is listed with its fault.
    """
    agents = [_agent_entry(name, entries) for name, entries in sorted(_known(AGENTS).items())]
    return agents + [_family_entry(name, entries) for name, entries in _known(RESOLVERS).items()]


def make_agent(name: str, game: str = DEFAULT_GAME) -> Agent:
    """Make the agent called ``name``.

    Args:
        name: ``"greedy/1"``, ``"module:package.module:Name"``, ``"ppo:PATH"`` or
            ``"process:COMMAND"``.
        game: The game it is to play.

    Raises:
        AgentError: There is no such agent, it cannot be loaded, or it does not play this game.
        MissingExtraError: It needs packages that are not installed.
    """
    if not isinstance(name, str):
        raise AgentError(f"an agent is named by a text, not by {name!r}")
    resolver, colon, argument = name.partition(":")
    agent = _resolve(name, resolver, argument) if colon else _make_registered(name, _find(name))
    if game not in agent.games:
        others = ", ".join(agent.games)
        raise AgentError(f"agent {name!r} plays {others}, not {game}{_namesake(name, game)}")
    return agent


def _agent_entry(name: str, entries: list[EntryPoint]) -> Registered:
    origin = ", ".join(map(_distribution, entries))
    try:
        games = tuple(_make_registered(name, entries).games)
        summary = _summary(name, entries[0].load())
    except MjenvError as error:
        return Registered(name, (), origin, "", str(error))
    return Registered(name, games, origin, summary)


def _family_entry(prefix: str, entries: list[EntryPoint]) -> Registered:
    name, summary, fault = f"{prefix}:{_form(entries)}", "", ""
    origin = ", ".join(map(_distribution, entries))
    try:
        summary = str(getattr(_only(entries).load(), "summary", ""))
    except MjenvError as error:
        fault = str(error)
    except (Exception, SystemExit) as error:  # a fault of a plug-in, which its user wants to see
        fault = f"{_origin(entries[0])} cannot be loaded: {type(error).__name__}: {error}"
    return Registered(name, (), origin, summary, fault)


def _summary(name: str, made_by: Any) -> str:
    """The first line of the module if that is about the agent, else of the object."""
    module = getdoc(sys.modules.get(getattr(made_by, "__module__", ""))) or ""
    mark = f"``{name}``: "
    text = module.removeprefix(mark) if module.startswith(mark) else getdoc(made_by) or ""
    return text.split("\n", 1)[0].replace("``", "").rstrip(".")


def _distribution(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else f"mjenv {__version__}"


# ------------------------------------------------------------------------------- entry points


def _known(group: str) -> dict[str, list[EntryPoint]]:
    """Entry points of a group by name: one for each, unless distributions are in conflict."""
    known = {name: [EntryPoint(name, value, group)] for name, value in _OWN[group].items()}
    for entry in entry_points(group=group):
        # Both ways to name an agent of the default game name the same.
        others = known.setdefault(entry.name.removeprefix(f"{DEFAULT_GAME}/"), [])
        if entry.value not in [other.value for other in others]:
            others.append(entry)
    return known


def _only(entries: list[EntryPoint]) -> EntryPoint:
    """The one that there is.

    Raises:
        AgentError: There are more.
    """
    if len(entries) == 1:
        return entries[0]
    one, other = entries[:2]
    what, hint = "a resolver", "uninstall one"
    if one.group == AGENTS:
        what, hint = "an agent", f"uninstall one, or use module:{other.value}"
    raise AgentError(
        f"two distributions name {what} {other.name!r}: {_origin(one)} and {_origin(other)}; {hint}"
    )


def _make_registered(name: str, entries: list[EntryPoint]) -> Agent:
    entry = _only(entries)
    if not _NAME.fullmatch(entry.name):
        raise AgentError(
            f"agent {name!r} of {_origin(entry)}: register it as [game/]name/version, "
            f"such as {entry.name.strip('/')}/1"
        )
    return _make(name, entry)


def _find(name: str) -> list[EntryPoint]:
    known = _known(AGENTS)
    plain = name.removeprefix(f"{DEFAULT_GAME}/")
    if plain in known:
        return known[plain]
    near = get_close_matches(plain, known, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    raise AgentError(
        f"unknown agent {name!r}{hint}; known: {', '.join(sorted(known))}, and {_forms()}"
    )


def _make(name: str, entry: EntryPoint) -> Agent:
    """Load an entry point, call it, and check what comes out."""
    return _checked(name, _origin(entry), _guarded(name, entry, _load_and_call))


def _load_and_call(entry: EntryPoint) -> Any:
    return entry.load()()


def _guarded(name: str, entry: EntryPoint, make: Callable[[EntryPoint], Any]) -> Any:
    """What an entry point makes; what goes wrong in it is told with its origin."""
    try:
        return make(entry)
    except MjenvError:
        raise
    except (Exception, SystemExit) as error:  # whatever the author of a plug-in did wrong
        raise AgentError(
            f"agent {name!r} cannot be made from {_origin(entry)}: {type(error).__name__}: {error}"
        ) from error


def _checked(name: str, origin: str, agent: Any) -> Agent:
    missing = [member for member in _MEMBERS if not hasattr(agent, member)]
    if missing:
        raise AgentError(
            f"agent {name!r}: {origin} made a {type(agent).__name__} without "
            f"{', '.join(missing)}; an agent has {', '.join(_MEMBERS)}"
        )
    if not isinstance(agent.games, tuple | list):
        raise AgentError(f"agent {name!r}: games is {agent.games!r}; it must be a tuple of names")
    if not isinstance(agent.name, str):
        raise AgentError(f"agent {name!r}: name is {agent.name!r}; it must be a text")
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
    return f"; did you mean {other!r}?" if other != name and other in _known(AGENTS) else ""


# ------------------------------------------------------------------------------------- resolvers


def _resolve(name: str, prefix: str, argument: str) -> Agent:
    known = _known(RESOLVERS)
    if prefix not in known:
        raise AgentError(f"agent {name!r}: nothing resolves {prefix!r}; known: {_forms()}")
    entry = _only(known[prefix])
    resolver = _guarded(name, entry, EntryPoint.load)
    if not isinstance(resolver, Resolver):
        raise AgentError(
            f"agent {name!r}: {_origin(entry)} is a {type(resolver).__name__}; "
            f"the group {RESOLVERS} names objects of mjenv.registry.Resolver"
        )
    agent = _guarded(name, entry, lambda _: resolver.make(argument))
    return _checked(name, _origin(entry), agent)


def _forms() -> str:
    """All resolvers and what to write after their colons."""
    known = _known(RESOLVERS).items()
    return ", ".join(f"{prefix}:{_form(entries)}" for prefix, entries in known)


def _form(entries: list[EntryPoint]) -> str:
    """What to write after the colon; a resolver that cannot be loaded does not say."""
    try:
        resolver = entries[0].load()
    except (Exception, SystemExit):  # a fault of a plug-in that nobody asked for
        return "..."
    return str(getattr(resolver, "form", "..."))


def _from_module(argument: str) -> Agent:
    module, colon, attribute = argument.partition(":")
    name = f"module:{argument}"
    if not (module and colon and attribute):
        raise AgentError(f"agent {name!r}: write module:{MODULE.form}")
    search_current_folder()
    return _make(name, EntryPoint(name, argument, AGENTS))


def search_current_folder() -> None:
    """Let modules that people name be found in the current folder too."""
    if _HERE not in sys.path:
        # Last, so that a train.py there does not hide the package of that name.
        sys.path.append(_HERE)


MODULE = Resolver("PACKAGE.MODULE:NAME", _from_module, "whatever calling NAME of a module returns")
"""``module:my_package.bots:Careful``: whatever calling that object returns."""
