"""Masked DQN with tianshou: one network learns in all four seats of the PettingZoo environment.

    python examples/tianshou_dqn.py --steps 20000

Of tianshou's algorithms the DQN family reads the mask. PPO and the other policy gradients never
look at it: they would choose illegal actions.
"""

import argparse

import numpy as np
import torch
from tianshou.algorithm.modelfree.dqn import DQN, DiscreteQLearningPolicy
from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv, PettingZooEnv
from tianshou.utils.net.common import Net
from tianshou.utils.torch_utils import policy_within_training_step

from mjenv import sichuan_v0

NUM_TABLES = 8
BUFFER_SIZE = 20_000
DEALS_PER_UPDATE = 8
GRADIENT_STEPS = 10
SAMPLE_SIZE = 512
LONGER_THAN_A_DEAL = 300
"""Steps until a return is cut. In tianshou the observation after a step is that of the seat asked
next, mostly another one, and only its own steps bring a seat its rewards. Returns that run to the
end of the deal need no value of that observation, and hold what others' wins cost."""


def make_env() -> PettingZooEnv:
    """One table."""
    return PettingZooEnv(sichuan_v0.env(rules="qq", observation="vector/1"))


def make_algorithm(env: PettingZooEnv) -> MultiAgentOffPolicyAlgorithm:
    """One DQN that sits in all four seats."""
    model = Net(
        state_shape=env.observation_space["observation"].shape,
        action_shape=env.action_space.n,
        hidden_sizes=[128, 128],
    )
    policy = DiscreteQLearningPolicy(model=model, action_space=env.action_space, eps_training=0.1)
    dqn = DQN(
        policy=policy,
        optim=AdamOptimizerFactory(lr=1e-3),
        gamma=1.0,
        n_step_return_horizon=LONGER_THAN_A_DEAL,
    )
    return MultiAgentOffPolicyAlgorithm(algorithms=[dqn] * 4, env=env)


def check(buffer: VectorReplayBuffer) -> None:
    """Every action was legal, and what one seat gains others pay."""
    taken = buffer[:]
    assert taken.obs.mask[np.arange(len(taken)), taken.act].all()
    assert not taken.truncated.any(), "only an illegal action truncates a deal"
    assert (taken.rew.sum(axis=1) == 0).all(), "rewards do not sum to zero"


def train(steps: int, seed: int) -> None:
    """Play whole deals and learn until this many decisions were taken."""
    np.random.seed(seed)  # noqa: NPY002  # tianshou explores with the generator of the module
    torch.manual_seed(seed)
    tables = DummyVectorEnv([make_env] * NUM_TABLES)
    tables.seed(seed)
    algorithm = make_algorithm(make_env())
    buffer = VectorReplayBuffer(BUFFER_SIZE, NUM_TABLES)
    collector = Collector(algorithm, tables, buffer, exploration_noise=True)
    collector.reset()
    done = 0
    while done < steps:
        with policy_within_training_step(algorithm.policy):
            played = collector.collect(n_episode=DEALS_PER_UPDATE)
            check(buffer)
            losses = [algorithm.update(buffer, SAMPLE_SIZE) for _ in range(GRADIENT_STEPS)]
        done += played.n_collected_steps
        loss = np.mean([list(part.get_loss_stats_dict().values()) for part in losses])
        print(
            f"{done} decisions, loss {loss:.2f}, returns of the four seats in "
            f"{played.n_collected_episodes} deals: {played.returns.sum(axis=0).tolist()}"
        )


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20_000, help="decisions to train on")
    parser.add_argument("--seed", type=int, default=1, help="of deals, weights and exploration")
    arguments = parser.parse_args()
    train(arguments.steps, arguments.seed)


if __name__ == "__main__":
    main()
