"""Masked DQN with AgileRL: one agent learns in all four seats of the PettingZoo environment.

    python examples/agilerl_dqn.py --steps 5000

AgileRL masks what the agent chooses. The target of its update does not: it takes the largest value
of the next decision over all actions, the illegal ones too.
"""

import argparse

import numpy as np
import torch
from agilerl.algorithms import DQN
from agilerl.components.data import Transition
from agilerl.components.replay_buffer import ReplayBuffer

from mjenv import sichuan_v0

BATCH_SIZE = 128
EPSILON = 0.1
LEARN_EVERY = 5


def make_agent(env: sichuan_v0.raw_env) -> DQN:
    """One DQN for all seats."""
    return DQN(
        env.observation_space("player_0")["observation"],
        env.action_space("player_0"),
        batch_size=BATCH_SIZE,
        lr=1e-3,
        gamma=1.0,
    )


def play_deal(env: sichuan_v0.raw_env, agent: DQN) -> tuple[list[Transition], dict[str, float]]:
    """One deal: what each seat saw at its own decisions, and the returns of the seats.

    The reward of a decision is all that its seat was paid until it was asked again.
    """
    transitions = []
    before: dict[str, tuple[np.ndarray, int]] = {}
    returns = dict.fromkeys(env.possible_agents, 0.0)
    env.reset()
    for seat in env.agent_iter():
        seen, reward, terminated, truncated, _ = env.last()
        returns[seat] += reward
        if seat in before:
            observation, action = before[seat]
            transitions.append(
                Transition(
                    obs=observation,
                    action=action,
                    reward=reward,
                    next_obs=seen["observation"],
                    done=terminated,
                )
            )
        if terminated:
            env.step(None)
            continue
        assert not truncated, "only an illegal action truncates a deal"
        mask = seen["action_mask"]
        action = int(agent.get_action(seen["observation"], EPSILON, action_mask=mask[None])[0])
        assert mask[action] == 1, "an illegal action was chosen"
        before[seat] = seen["observation"], action
        env.step(action)
    assert sum(returns.values()) == 0, "returns do not sum to zero"
    return transitions, returns


def train(steps: int, seed: int) -> None:
    """Play and learn until this many decisions were taken."""
    torch.manual_seed(seed)
    env = sichuan_v0.env(rules="qq", observation="vector/1")
    env.reset(seed=seed)
    agent = make_agent(env)
    buffer = ReplayBuffer(max_size=20_000)
    done = 0
    while done < steps:
        transitions, returns = play_deal(env, agent)
        for transition in transitions:
            buffer.add(transition.to_tensordict().unsqueeze(0))
        if len(buffer) >= BATCH_SIZE:
            for _ in range(len(transitions) // LEARN_EVERY):
                agent.learn(buffer.sample(BATCH_SIZE))
        done += len(transitions)
        print(f"{done} decisions, returns of the four seats: {list(returns.values())}")


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=5000, help="decisions to train on")
    parser.add_argument("--seed", type=int, default=1, help="of deals, weights and exploration")
    arguments = parser.parse_args()
    train(arguments.steps, arguments.seed)


if __name__ == "__main__":
    main()
