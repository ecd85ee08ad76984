"""Sichuan "blood battle" mahjong for reinforcement learning.

The public names, each one line away from its definition.
"""

from mjenv.errors import (
    AgentError,
    CaseError,
    CheckpointError,
    IllegalActionError,
    MissingExtraError,
    MjenvError,
    PositionError,
    RecordError,
    RulesError,
    TileError,
)
from mjenv.sichuan.rules import Rules

__version__ = "0.1.0"

__all__ = [
    "AgentError",
    "CaseError",
    "CheckpointError",
    "IllegalActionError",
    "MissingExtraError",
    "MjenvError",
    "PositionError",
    "RecordError",
    "Rules",
    "RulesError",
    "TileError",
]
