"""How ``ppo:PATH`` becomes an agent; torch is imported only then."""

from importlib import import_module
from typing import Any

from mjenv.agent import Agent
from mjenv.errors import AgentError, MissingExtraError
from mjenv.registry import Resolver

FORM = "PATH"


def _load(argument: str) -> Agent:
    """The agent of a run, one of its checkpoints, or a policy file."""
    if not argument:
        raise AgentError(f"agent 'ppo:': write ppo:{FORM}, the folder of a checkpoint")
    module = import_with_torch("agents.ppo.agent", f"agent 'ppo:{argument}'")
    agent: Agent = module.load_agent(argument)
    return agent


def import_with_torch(name: str, wanted: str) -> Any:
    """The module of a name.

    Args:
        name: Of the module.
        wanted: What it is for, as a message names it.

    Raises:
        MissingExtraError: Packages that it needs are not installed.
    """
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("agents", "mjenv"):
            raise
        raise MissingExtraError(wanted, "train") from error


RESOLVER = Resolver(FORM, _load, "a trained policy: a run, a checkpoint or a policy file")
