"""PettingZoo: its card games through the AEC loop, and the loop around a game that does nothing.

A decision is one ``env.step`` with an action; the steps with None that end an episode are counted
apart. The loop is ``agent_iter``, ``last`` and a random legal action.

Modes: ``null/raw`` is a game of 100 steps without rules, with a constant observation; the other
``null`` modes put PettingZoo's stock wrappers around it, one or all three. The rest are names of
modules in ``pettingzoo.classic``; those that need packages which are not installed are left out.
"""

import importlib
import random
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers
from timing import Play, measure, parse_arguments

STEPS = 100
SHAPE = (473, 27)
ACTIONS = 40


class NullEnv(AECEnv):
    """Four players, a hundred steps, no rules: what the interface costs by itself."""

    metadata: dict[str, Any] = {"name": "null_v0", "render_modes": []}  # noqa: RUF012 - as PettingZoo does

    def __init__(self) -> None:
        self.possible_agents = [f"player_{i}" for i in range(4)]
        self.render_mode = None
        mask = np.ones(ACTIONS, np.int8)
        self._observation = {"observation": np.zeros(SHAPE, np.int8), "action_mask": mask}
        self._space = spaces.Dict(
            {
                "observation": spaces.Box(0, 1, SHAPE, np.int8),
                "action_mask": spaces.Box(0, 1, (ACTIONS,), np.int8),
            }
        )
        self._actions = spaces.Discrete(ACTIONS)

    def observation_space(self, agent: str) -> spaces.Space:
        """The space of observations."""
        return self._space

    def action_space(self, agent: str) -> spaces.Space:
        """The space of actions."""
        return self._actions

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """Always the same arrays."""
        return self._observation

    def reset(self, seed: int | None = None, options: dict | None = None) -> None:
        """Begin an episode."""
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self.steps = 0
        self.agent_selection = self.agents[0]

    def step(self, action: int | None) -> None:
        """Count a step."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self.steps += 1
        if self.steps >= STEPS:
            self.terminations = dict.fromkeys(self.agents, True)
        self.agent_selection = self.possible_agents[self.steps % len(self.possible_agents)]
        self._accumulate_rewards()
        self._deads_step_first()


def ordered(env: AECEnv) -> AECEnv:
    """Around the order of calls."""
    return wrappers.OrderEnforcingWrapper(env)


def bounded(env: AECEnv) -> AECEnv:
    """Around actions out of bounds."""
    return wrappers.AssertOutOfBoundsWrapper(env)


def legal_only(env: AECEnv) -> AECEnv:
    """Around illegal actions."""
    return wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)


NULL: dict[str, Callable[[], AECEnv]] = {
    "null/raw": NullEnv,
    "null/order": lambda: ordered(NullEnv()),
    "null/bounds": lambda: bounded(NullEnv()),
    "null/illegal": lambda: legal_only(NullEnv()),
    "null/all": lambda: ordered(bounded(legal_only(NullEnv()))),
}


def player(make: Callable[[], AECEnv]) -> Play:
    """What plays one environment."""

    def play(rng: random.Random, deadline: float) -> tuple[int, int, dict[str, int]]:
        env = make()
        decisions = games = dead = 0
        while time.perf_counter() < deadline:
            env.reset(seed=rng.randrange(1 << 30))
            for _ in env.agent_iter():
                observation, _, terminated, truncated, info = env.last()
                if terminated or truncated:
                    env.step(None)
                    dead += 1
                    continue
                holder = observation if isinstance(observation, dict) else info
                legal = np.flatnonzero(holder["action_mask"])
                env.step(int(legal[int(rng.random() * len(legal))]))
                decisions += 1
            games += 1
        return decisions, games, {"dead_steps": dead}

    return play


def main() -> None:
    """Print one line per environment."""
    options = parse_arguments(games="leduc_holdem_v4,texas_holdem_v4,tictactoe_v3")
    makers = dict(NULL)
    for name in options.games.split(","):
        try:
            make = importlib.import_module(f"pettingzoo.classic.{name}").env
            make().close()  # some of them import what they need only now
            makers[name] = make
        except ImportError as error:
            print(f"{name} is left out: {error}", file=sys.stderr)
    for mode, make in makers.items():
        counted = "steps with an action"
        measure("pettingzoo", version("pettingzoo"), mode, counted, player(make), options)


if __name__ == "__main__":
    main()
