"""How ``ppo:PATH`` becomes an agent; torch is imported only then."""

from importlib import import_module

from mjenv.agent import Agent
from mjenv.errors import AgentError, MissingExtraError
from mjenv.registry import Resolver

FORM = "PATH"


def _load(argument: str) -> Agent:
    """The agent of a run, one of its checkpoints, or a policy file."""
    if not argument:
        raise AgentError(f"agent 'ppo:': write ppo:{FORM}, the folder of a checkpoint")
    try:
        module = import_module("agents.ppo.agent")
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] in ("agents", "mjenv"):
            raise
        raise MissingExtraError(f"agent 'ppo:{argument}'", "train") from error
    agent: Agent = module.load_agent(argument)
    return agent


RESOLVER = Resolver(FORM, _load, "a trained policy: a run, a checkpoint or a policy file")
