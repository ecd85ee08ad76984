"""Masked PPO with TorchRL: one seat learns against three bots, through the Gymnasium environment.

python examples/torchrl_gymnasium.py --steps 4000
"""

import argparse

import gymnasium
import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import ActionMask, Compose, DTypeCastTransform, GymWrapper, TransformedEnv
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

import mjenv  # noqa: F401  # registers the environment

NUM_EPOCHS = 3
MINIBATCH_SIZE = 256


def make_env(seed: int, opponents: str = "greedy/1") -> TransformedEnv:
    """One seat of a table. ``ActionMask`` lets random actions, too, be legal ones."""
    env = gymnasium.make(
        "mjenv/Sichuan-v0",
        opponents=opponents,
        rules="qq",
        observation="vector/1",
        illegal_action="raise",  # there will be none: if there were, we would hear of it
    )
    # A mask is int8 in Gymnasium, and bool in TorchRL.
    to_bool = DTypeCastTransform(torch.int8, torch.bool, in_keys=["action_mask"])
    wrapped = GymWrapper(env, categorical_action_encoding=True)
    transformed = TransformedEnv(wrapped, Compose(to_bool, ActionMask()))
    transformed.set_seed(seed)
    return transformed


def make_networks(env: TransformedEnv) -> tuple[ProbabilisticActor, ValueOperator]:
    """A policy over legal actions, and a value."""
    size = env.observation_spec["observation"].shape[-1]
    num_actions = env.observation_spec["action_mask"].shape[-1]
    policy = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, num_actions))
    value = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 1))
    actor = ProbabilisticActor(
        TensorDictModule(policy, in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        out_keys=["action"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(value, in_keys=["observation"])


def check(data: TensorDict) -> None:
    """Every action was legal."""
    assert data["action_mask"].gather(1, data["action"][:, None]).all()


def train(steps: int, seed: int, steps_per_update: int = 1000) -> None:
    """Play and learn until this many decisions were taken."""
    torch.manual_seed(seed)
    env = make_env(seed)
    check_env_specs(env)
    actor, critic = make_networks(env)
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
    for done in range(0, steps, steps_per_update):
        length = min(steps_per_update, steps - done)
        with torch.no_grad():
            data = env.rollout(length, actor, break_when_any_done=False)
            check(data)
            advantage(data)
        for _ in range(NUM_EPOCHS):
            for part in torch.randperm(length).split(MINIBATCH_SIZE):
                losses = loss(data[part])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimiser.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
        ended = int(data["next", "done"].sum())
        mean = data["next", "reward"].sum().item() / max(ended, 1)
        print(f"{done + length} decisions, {ended} deals ended, mean return {mean:+.2f} units")


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=4000, help="decisions to train on")
    parser.add_argument("--seed", type=int, default=1, help="of deals, weights and sampling")
    arguments = parser.parse_args()
    train(arguments.steps, arguments.seed)


if __name__ == "__main__":
    main()
