"""AgileRL's DQN plays and learns in all four seats of the PettingZoo environment."""

import numpy as np
import pytest

pytest.importorskip("agilerl")
pytest.importorskip("peft")  # AgileRL imports it without asking for it
import torch

from mjenv import sichuan_v0
from tests.interop.examples import load, run

SEED = 5

pytestmark = pytest.mark.filterwarnings(
    # AgileRL gives it about a class of its own that it makes itself.
    "ignore:MakeEvolvable will be deprecated:DeprecationWarning",
)


@pytest.fixture
def agent_and_env():
    torch.manual_seed(SEED)
    env = sichuan_v0.raw_env(rules="qq", observation="vector/1")  # raises at an illegal action
    env.reset(seed=SEED)
    return load("agilerl_dqn").make_agent(env), env


def test_transitions_hold_all_that_a_seat_was_paid(agent_and_env):
    agent, env = agent_and_env
    example = load("agilerl_dqn")
    for _ in range(5):
        transitions, returns = example.play_deal(env, agent)
        assert sum(returns.values()) == 0
        assert list(returns.values()) == env.table.units()
        assert sum(float(part.reward) for part in transitions) == sum(returns.values())
        assert sum(bool(part.done) for part in transitions) == 4


def test_actions_are_legal_whatever_the_network_says(agent_and_env):
    agent, env = agent_and_env
    for epsilon in (0.0, 1.0):
        for _ in range(50):
            mask = env.observe(env.agent_selection)["action_mask"]
            observation = env.observe(env.agent_selection)["observation"]
            (action,) = agent.get_action(observation, epsilon, action_mask=mask[None])
            assert mask[action] == 1
            env.step(int(action))
            if any(env.terminations.values()):
                env.reset()


def test_the_example_learns(monkeypatch, capsys):
    lines = run("agilerl_dqn", ["--steps", "200", "--seed", "3"], monkeypatch, capsys)
    for line in lines:
        returns = [float(text) for text in line.split("[")[1].rstrip("]").split(",")]
        assert len(returns) == 4
        assert sum(returns) == 0


def test_an_update_changes_the_network(agent_and_env):
    agent, env = agent_and_env
    example = load("agilerl_dqn")
    buffer = example.ReplayBuffer(max_size=1000)
    transitions, _ = example.play_deal(env, agent)
    for transition in transitions:
        buffer.add(transition.to_tensordict().unsqueeze(0))
    before = [weights.detach().clone() for weights in agent.actor.parameters()]
    agent.learn(buffer.sample(32))
    after = list(agent.actor.parameters())
    assert any(not old.equal(new) for old, new in zip(before, after, strict=True))
    assert np.all([bool(torch.isfinite(weights).all()) for weights in after])
