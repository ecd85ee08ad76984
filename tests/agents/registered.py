"""The bots that can be made by name: whatever is registered next is tested as well."""

from typing import Any

import pytest

from mjenv.core.kernel import JIT_DISABLED, Argument
from mjenv.registry import list_agents, make_agent
from tests.agents import golden


def _bots() -> dict[str, Any]:
    made = {name: make_agent(name) for name in list_agents()}
    return {name: agent for name, agent in made.items() if hasattr(agent, "kernel")}


BOTS = _bots()
"""Compiled bots by name."""


SLOW = {name for name, kept in golden.load()["bots"].items() if kept["deals"] < golden.DEALS}
"""Bots that were frozen with fewer deals than most."""


def deals_for(name: str, deals: int) -> int:
    """How many deals to play where quick bots play ``deals``."""
    return max(1, deals // 4) if name in SLOW else deals


def kernel_of(name: str) -> Argument:
    """The kernel of a bot."""
    kernel: Argument = BOTS[name].kernel
    return kernel


# Uncompiled, a deal between slow bots takes minutes: of them test_bots.py asks single questions.
each_bot = pytest.mark.parametrize("name", [n for n in BOTS if not (JIT_DISABLED and n in SLOW)])
