"""Masked PPO with TorchRL: one network learns in all four seats of the PettingZoo environment.

    python examples/torchrl_pettingzoo.py --steps 4000

TorchRL steps one table at a time: good to try an algorithm, slow to train with.
"""

import argparse
import warnings

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import check_env_specs
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from mjenv import sichuan_v0

SEATS = "seats"
OBSERVATION = (SEATS, "observation", "observation")
NUM_EPOCHS = 3
MINIBATCH_SIZE = 256


def make_env(seed: int) -> PettingZooWrapper:
    """One table; the four seats are rows of one group, so that one network can answer for all."""
    return PettingZooWrapper(
        # TorchRL makes a tensor of every info, and infos of mjenv hold texts.
        sichuan_v0.env(rules="qq", observation="vector/1", info=False),
        use_mask=True,  # adds "mask": which seat is asked
        group_map={SEATS: [f"player_{seat}" for seat in range(4)]},
        seed=seed,
    )


def make_networks(env: PettingZooWrapper) -> tuple[ProbabilisticActor, ValueOperator]:
    """A policy over legal actions, and a value."""
    size = env.observation_spec[OBSERVATION].shape[-1]
    num_actions = env.observation_spec[SEATS, "action_mask"].shape[-1]
    policy = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, num_actions))
    value = nn.Sequential(nn.Linear(size, 128), nn.ReLU(), nn.Linear(128, 1))
    actor = ProbabilisticActor(
        TensorDictModule(policy, in_keys=[OBSERVATION], out_keys=[(SEATS, "logits")]),
        in_keys={"logits": (SEATS, "logits"), "mask": (SEATS, "action_mask")},
        out_keys=[(SEATS, "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(SEATS, "sample_log_prob"),
    )
    return actor, ValueOperator(value, in_keys=[OBSERVATION], out_keys=[(SEATS, "state_value")])


def make_loss(actor: ProbabilisticActor, critic: ValueOperator) -> tuple[ClipPPOLoss, GAE]:
    """The loss, and the advantage that goes before it, told where the group keeps its columns."""
    loss = ClipPPOLoss(actor, critic, entropy_coeff=0.01, normalize_advantage=True)
    loss.set_keys(
        action=(SEATS, "action"),
        sample_log_prob=(SEATS, "sample_log_prob"),
        advantage=(SEATS, "advantage"),
        value=(SEATS, "state_value"),
        value_target=(SEATS, "value_target"),
    )
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    advantage.set_keys(
        reward=(SEATS, "reward"),
        done=(SEATS, "done"),
        terminated=(SEATS, "terminated"),
        advantage=(SEATS, "advantage"),
        value=(SEATS, "state_value"),
        value_target=(SEATS, "value_target"),
    )
    return loss, advantage


def check(data: TensorDict) -> None:
    """Every action was legal, and what one seat gains others pay."""
    asked = data[SEATS, "mask"]
    actions = data[SEATS, "action"][asked]
    assert data[SEATS, "action_mask"][asked].gather(1, actions[:, None]).all()
    assert not data["next", "truncated"].any(), "only an illegal action truncates a deal"
    assert (data["next", SEATS, "reward"].sum(1) == 0).all(), "rewards do not sum to zero"


def decisions(data: TensorDict) -> TensorDict:
    """The rows of the seats that were asked; what others answer is not carried out."""
    rows = data[SEATS][data[SEATS, "mask"]]
    return TensorDict({SEATS: rows}, batch_size=rows.batch_size)


def train(steps: int, seed: int, steps_per_update: int = 1000) -> None:
    """Play and learn until this many decisions were taken."""
    torch.manual_seed(seed)
    env = make_env(seed)
    check_env_specs(env)
    actor, critic = make_networks(env)
    loss, advantage = make_loss(actor, critic)
    optimiser = torch.optim.Adam(loss.parameters(), lr=1e-3)
    for done in range(0, steps, steps_per_update):
        length = min(steps_per_update, steps - done)
        with torch.no_grad():
            data = env.rollout(length, actor, break_when_any_done=False)
            check(data)
            advantage(data)
        samples = decisions(data)
        for _ in range(NUM_EPOCHS):
            for part in torch.randperm(len(samples)).split(MINIBATCH_SIZE):
                losses = loss(samples[part])
                total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimiser.zero_grad()
                total.backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimiser.step()
        returns = data["next", SEATS, "reward"].sum(0).flatten().tolist()
        ended = int(data["next", "done"].sum())
        print(f"{done + length} decisions, {ended} deals ended, returns of the seats: {returns}")


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=4000, help="decisions to train on")
    parser.add_argument("--seed", type=int, default=1, help="of deals, weights and sampling")
    arguments = parser.parse_args()
    # TorchRL says that it was tested with an older PettingZoo.
    warnings.filterwarnings("ignore", message="PettingZoo in TorchRL is tested using version")
    train(arguments.steps, arguments.seed)


if __name__ == "__main__":
    main()
