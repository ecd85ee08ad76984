"""Programs that play, ended with the test that started them."""

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from agents.process import Limits, ProcessAgent
from tests.agents.asked import ODD


@pytest.fixture
def made() -> Iterator[list[ProcessAgent]]:
    """Agents to be closed at the end."""
    agents: list[ProcessAgent] = []
    yield agents
    for agent in agents:
        agent.close()


@pytest.fixture
def odd(made: list[ProcessAgent]) -> Any:
    """Makes an agent of the odd program."""

    def make(*words: str, **limits: Any) -> ProcessAgent:
        made.append(ProcessAgent((sys.executable, ODD, *words), Limits(**limits)))
        return made[-1]

    return make
