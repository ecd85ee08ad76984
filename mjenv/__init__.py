"""Sichuan "blood battle" mahjong for reinforcement learning.

The public names, each one line away from its definition. What needs compiled code is imported
when it is first used, so that importing the package stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mjenv.envs.registration import register_gymnasium, register_pettingzoo
from mjenv.errors import (
    AgentError,
    CaseError,
    CheckpointError,
    DatasetError,
    IllegalActionError,
    MissingExtraError,
    MjenvError,
    OptionError,
    PositionError,
    RecordError,
    RulesError,
    TileError,
)
from mjenv.sichuan.rules import Rules
from mjenv.version import __version__ as __version__

if TYPE_CHECKING:
    from mjenv import sichuan_v0 as sichuan_v0
    from mjenv.agent import Agent, CompiledBot
    from mjenv.dataset import load_dataset, write_dataset
    from mjenv.envs.batch import Batch
    from mjenv.envs.rollout import rollout
    from mjenv.records import replay, selfplay
    from mjenv.registry import list_agents, make_agent
    from mjenv.render.describe import describe
    from mjenv.table import Table
    from mjenv.warm import warm_up

__all__ = [
    "Agent",
    "AgentError",
    "Batch",
    "CaseError",
    "CheckpointError",
    "CompiledBot",
    "DatasetError",
    "IllegalActionError",
    "MissingExtraError",
    "MjenvError",
    "OptionError",
    "PositionError",
    "RecordError",
    "Rules",
    "RulesError",
    "Table",
    "TileError",
    "describe",
    "list_agents",
    "load_dataset",
    "make_agent",
    "replay",
    "rollout",
    "selfplay",
    "sichuan_v0",
    "warm_up",
    "write_dataset",
]

_MODULES = {
    "Agent": "mjenv.agent",
    "Batch": "mjenv.envs.batch",
    "CompiledBot": "mjenv.agent",
    "Table": "mjenv.table",
    "describe": "mjenv.render.describe",
    "list_agents": "mjenv.registry",
    "load_dataset": "mjenv.dataset",
    "make_agent": "mjenv.registry",
    "replay": "mjenv.records",
    "rollout": "mjenv.envs.rollout",
    "selfplay": "mjenv.records",
    "sichuan_v0": "mjenv.sichuan_v0",
    "warm_up": "mjenv.warm",
    "write_dataset": "mjenv.dataset",
}
"""Where the names are defined that are imported at first use."""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module 'mjenv' has no attribute {name!r}")
    module = import_module(_MODULES[name])
    value = module if module.__name__ == f"mjenv.{name}" else getattr(module, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_gymnasium()
register_pettingzoo()
