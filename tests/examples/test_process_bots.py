"""The example programs play everywhere by name: deals, environments, records."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from agents.play import play_deals
from agents.statistics import summary
from mjenv import make_agent, sichuan_v0
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.rules import PRESETS
from mjenv.sichuan.statistics import deal_statistics
from train.cli import main

EXAMPLES = Path(__file__).parents[2] / "examples"
PYTHON = f"process:'{sys.executable}' '{EXAMPLES / 'process_bot.py'}'"
NODE = f"process:node '{EXAMPLES / 'process_bot.js'}'"
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="node is not installed")
PROGRAMS = [
    pytest.param(PYTHON, id="python"),
    pytest.param(NODE, id="node", marks=needs_node),
]
DEALS = 8 if JIT_DISABLED else 40


@pytest.fixture
def agent(request: pytest.FixtureRequest) -> Iterator[object]:
    agent = make_agent(request.param)
    yield agent
    assert not agent.faults
    agent.close()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("agent", PROGRAMS, indirect=True)
def test_it_beats_random_play(agent, preset):
    played = play_deals([agent, *["random_legal/1"] * 3], preset, DEALS, seed=1, rotate=True)
    assert summary(deal_statistics(played.finished), played.seats_of(0))["units_per_deal"] > 0.5


@needs_node
def test_both_languages_play_the_same():
    finished = []
    for name in (PYTHON, NODE):
        agent = make_agent(name)
        finished.append(play_deals([agent] * 4, "sichuan_modern", 3, seed=2).finished.tobytes())
        assert not agent.faults
        agent.close()
    assert finished[0] == finished[1]


@pytest.mark.parametrize("agent", PROGRAMS, indirect=True)
def test_in_the_pettingzoo_loop(agent):
    env = sichuan_v0.env("qq")
    env.reset(seed=7)
    for name in env.agent_iter():
        if env.last()[2]:
            env.step(None)
            continue
        mask = env.last()[0]["action_mask"][np.newaxis]
        env.step(int(agent.act(env.views(name), mask, np.ones(1, np.uint64))[0]))
    assert not any(info.get("illegal") for info in env.infos.values())


@pytest.mark.parametrize("name", PROGRAMS)
def test_as_opponents_by_name(name):
    env = gymnasium.make("mjenv/Sichuan-v0", opponents=name, rules="qq")
    observation, _ = env.reset(seed=3)
    ended = False
    while not ended:
        action = int(np.flatnonzero(observation["action_mask"])[-1])
        observation, _, terminated, truncated, info = env.step(action)
        ended = terminated or truncated
    assert "illegal" not in info
    env.close()


def test_as_opponents_at_many_tables():
    env = gymnasium.make_vec("mjenv/Sichuan-v0", num_envs=8, opponents=PYTHON, rules="qq")
    observation, _ = env.reset(seed=3)
    ended = 0
    for _ in range(10 if JIT_DISABLED else 60):
        actions = observation["action_mask"].argmax(axis=1)
        observation, _, terminated, _, _ = env.step(actions)
        ended += int(terminated.sum())
    assert ended > 0 or JIT_DISABLED
    env.close()


def test_records_of_it_are_right(tmp_path, capsys):
    record = str(tmp_path / "games.jsonl")
    arguments = [PYTHON, *["greedy/1"] * 3, "--deals", "2", "--out", record]
    assert main(["selfplay", *arguments]) == 0
    assert '"agents":["process:neighbours/1","greedy/1"' in Path(record).read_text()
    assert main(["replay", record, "--verify"]) == 0
    capsys.readouterr()
