"""A distribution of somebody else: its agents are there wherever agents have names."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

BOTS = '''
"""Bots of another distribution."""

import numpy as np

from mjenv import CompiledBot, make_agent
from mjenv.core.batch import random_action
from mjenv.core.kernel import kernel
from mjenv.registry import Resolver
from mjenv.sichuan.actions import WIN
from mjenv.sichuan.game import SICHUAN


class ShortSuit:
    """Breaks up the suit it has fewest of."""

    name, games, observation = "short_suit/1", ("sichuan",), "view"

    def act(self, observations, masks, rng):
        views, rules = observations
        assert views.dtype.names and len(rules) in (1, len(views))
        suits = views["hand"].reshape(-1, 3, 9).sum(axis=2)
        cost = np.zeros(masks.shape)
        cost[:, :27] = 1 + np.repeat(suits, 9, axis=1)
        return np.where(masks, cost, 99).argmin(axis=1)


class Network:
    """Weighs every cell of an encoding."""

    name, games, observation = "network/1", ("sichuan",), "vector/1"

    def __init__(self):
        self.weights = np.random.default_rng(0).normal(size=(669, 62))

    def act(self, observations, masks, rng):
        return np.where(masks, observations @ self.weights, -np.inf).argmax(axis=1)


@kernel
def choose(view, rules, luts, mask, rng):
    """Win if possible, else anything."""
    if mask[WIN] != 0:
        return WIN
    return random_action(mask, rng)


class Winner(CompiledBot):
    """Wins, and else plays at random."""

    def __init__(self):
        super().__init__("winner/1", choose, SICHUAN)


LEVEL = Resolver("easy or hard", lambda level: {"easy": Winner, "hard": ShortSuit}[level]())
'''

POINTS = {
    "mjenv.agents": {
        "short_suit/1": "my_package.bots:ShortSuit",
        "network/1": "my_package.bots:Network",
        "winner/1": "my_package.bots:Winner",
    },
    "mjenv.resolvers": {"level": "my_package.bots:LEVEL"},
}

USE = """
import gymnasium
import numpy as np

import mjenv
from agents.play import play_deals
from train.cli import main

own = {"short_suit/1", "network/1", "winner/1"}
assert own <= set(mjenv.list_agents())
for name in (*own, "level:easy", "level:hard", "module:my_package.bots:Network"):
    agent = mjenv.make_agent(name)
    assert type(agent).__module__ == "my_package.bots"
    play_deals([agent] * 4, "qq", 2, seed=1)

for opponents in ("winner/1", ["short_suit/1", "network/1", "level:easy"]):
    env = gymnasium.make("mjenv/Sichuan-v0", opponents=opponents)
    observation, _ = env.reset(seed=1)
    terminated = False
    while not terminated:
        action = int(observation["action_mask"].argmax())
        observation, _, terminated, _, info = env.step(action)
    assert "illegal" not in info
    envs = gymnasium.make_vec("mjenv/Sichuan-v0", num_envs=3, opponents=opponents)
    observation, _ = envs.reset(seed=1)
    envs.step(observation["action_mask"].argmax(axis=1))

seats = ["winner/1", "short_suit/1", "network/1", "greedy/1"]
assert main(["selfplay", *seats, "--deals", "2", "--out", "games.jsonl"]) == 0
assert main(["replay", "games.jsonl", "--verify"]) == 0
assert main(["agents"]) == 0
"""


def install_by_hand(folder: Path) -> Path:
    """What the installation of a wheel leaves behind."""
    site = folder / "site"
    (site / "my_package").mkdir(parents=True)
    (site / "my_package" / "__init__.py").touch()
    (site / "my_package" / "bots.py").write_text(BOTS)
    told = site / "my_bots-1.2.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: my-bots\nVersion: 1.2\n")
    lines = []
    for group, points in POINTS.items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (told / "entry_points.txt").write_text("\n".join(lines))
    return site


def install_by_pip(folder: Path) -> Path:
    """A project as docs/agents.md shows it, built and installed."""
    pytest.importorskip("hatchling")
    project, site = folder / "project", folder / "site"
    (project / "my_package").mkdir(parents=True)
    (project / "my_package" / "__init__.py").touch()
    (project / "my_package" / "bots.py").write_text(BOTS)
    lines = [
        "[build-system]",
        'requires = ["hatchling"]',
        'build-backend = "hatchling.build"',
        "[project]",
        'name = "my-bots"',
        'version = "1.2"',
        'dependencies = ["mjenv"]',
    ]
    for group, points in POINTS.items():
        lines.append(f'[project.entry-points."{group}"]')
        lines += [f'"{name}" = "{value}"' for name, value in points.items()]
    lines += ["[tool.hatch.build.targets.wheel]", 'packages = ["my_package"]']
    (project / "pyproject.toml").write_text("\n".join(lines))
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    where = ["--no-deps", "--no-index", "--no-build-isolation", "--target", site, project]
    subprocess.run([*pip, *where], check=True)
    return site


@pytest.mark.parametrize(
    "install", [install_by_hand, pytest.param(install_by_pip, marks=pytest.mark.slow)]
)
def test_agents_of_another_distribution(install, tmp_path):
    paths = [str(install(tmp_path)), str(ROOT)]
    done = subprocess.run(
        [sys.executable, "-c", USE],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    lines = [line.split(maxsplit=4) for line in done.stdout.splitlines()]
    assert ["winner/1", "sichuan", "my-bots", "1.2", "Wins, and else plays at random"] in lines
    (level,) = [line for line in done.stdout.splitlines() if line.startswith("level:")]
    assert "my-bots 1.2" in level
