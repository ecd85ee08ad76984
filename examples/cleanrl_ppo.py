"""PPO in one file: four seats of many tables play themselves, in plain PyTorch.

    python examples/cleanrl_ppo.py --steps 1000000

One network sits in all four seats. ``mjenv.Batch`` asks one seat at every table; the answers of all
tables go back in one call. ``mjenv train`` is the tool for long runs: it resumes, logs and rates
agents. This file is for those who want to change the algorithm.
"""

import argparse
import time

import numpy as np
import torch
from torch import nn

import mjenv
from agents.play import play_deals
from agents.statistics import summary
from mjenv.sichuan.statistics import deal_statistics

RULES = "qq"
OBSERVATION = "vector/1"
NUM_TABLES = 256
NUM_STEPS = 128
"""Decisions at each table between two updates; a deal has about 60 that are not forced."""
NUM_EPOCHS = 2
MINIBATCH_SIZE = 4096
LEARNING_RATE = 1e-3
GAMMA = 1.0
GAE_LAMBDA = 0.95
CLIP_COEF = 0.2
ENT_COEF = 0.01
VF_COEF = 0.5
MAX_GRAD_NORM = 0.5
REWARD_SCALE = 0.125
"""A deal pays a few units, now and then some dozens: this brings returns to about 1."""
ILLEGAL = -1e9
"""Logit of an illegal action. Finite: infinity times a probability of zero would be no number."""


class ActorCritic(nn.Module):
    """A masked policy and a value on two hidden layers."""

    def __init__(self, observation_size: int, num_actions: int, width: int = 256) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(observation_size, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.actor = nn.Linear(width, num_actions)
        self.critic = nn.Linear(width, 1)
        nn.init.zeros_(self.actor.weight)  # at first every legal action is equally likely

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Log-probabilities ``(N, actions)`` and values ``(N,)``."""
        features = self.body(observations)
        logits = torch.where(masks, self.actor(features), ILLEGAL)
        return torch.log_softmax(logits, dim=-1), self.critic(features)[:, 0]


class Rollout:
    """What happened at every table in one iteration: arrays ``(NUM_STEPS, NUM_TABLES, ...)``."""

    def __init__(self, batch: mjenv.Batch) -> None:
        shape = (NUM_STEPS, batch.num_tables)
        self.batch = batch
        self.observations = torch.zeros(*shape, batch.observations.shape[1])
        self.masks = torch.zeros(*shape, batch.masks.shape[1], dtype=torch.bool)
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.log_probs = torch.zeros(shape)
        self.values = torch.zeros(shape)
        self.seats = np.zeros(shape, np.int64)
        self.rewards = np.zeros((*shape, 4), np.float32)
        self.ended = np.zeros(shape, bool)

    @torch.inference_mode()
    def collect(self, network: ActorCritic) -> int:
        """Play; returns how many deals ended."""
        batch, tables = self.batch, np.arange(self.batch.num_tables)
        for step in range(NUM_STEPS):
            self.observations[step] = torch.from_numpy(batch.observe())
            self.masks[step] = torch.from_numpy(batch.masks == 1)
            self.seats[step] = batch.actors
            log_probs, self.values[step] = network(self.observations[step], self.masks[step])
            chosen = torch.multinomial(log_probs.exp(), 1)
            self.actions[step] = chosen[:, 0]
            self.log_probs[step] = log_probs.gather(1, chosen)[:, 0]

            actions = self.actions[step].numpy()
            assert (batch.masks[tables, actions] == 1).all(), "an illegal action was chosen"
            result = batch.step(actions)
            assert (result.rewards.sum(axis=1) == 0).all(), "payments do not sum to zero"
            self.rewards[step] = REWARD_SCALE * result.rewards
            self.ended[step] = False
            self.ended[step, result.finished_tables] = True
        return int(self.ended.sum())

    def advantages(self) -> tuple[np.ndarray, np.ndarray]:
        """Generalised advantage estimation along the decisions of each seat.

        From the last step to the first. ``owed`` is what a seat was paid after this step, by
        anybody's action, until its own next decision or the end of the deal.

        Returns:
            Advantages, and where they are known: the last decision of a seat before the cut has
            no outcome yet and serves only as the value that the decision before leads to.
        """
        tables = np.arange(self.batch.num_tables)
        owed, advantage, next_value = (np.zeros((len(tables), 4), np.float32) for _ in range(3))
        open_ended = np.ones((len(tables), 4), bool)
        advantages = np.zeros(self.ended.shape, np.float32)
        known = np.zeros(self.ended.shape, bool)
        values = self.values.numpy()
        for step in reversed(range(NUM_STEPS)):
            for later in (owed, advantage, next_value, open_ended):
                later[self.ended[step]] = 0
            owed += self.rewards[step]
            asked = (tables, self.seats[step])
            delta = owed[asked] + GAMMA * next_value[asked] - values[step]
            known[step] = ~open_ended[asked]
            advantages[step] = delta + GAMMA * GAE_LAMBDA * advantage[asked]
            # A decision without an outcome hands on its value and nothing else.
            advantage[asked] = np.where(known[step], advantages[step], 0)
            next_value[asked] = values[step]
            owed[asked] = 0
            open_ended[asked] = False
        return advantages, known


def update(network: ActorCritic, optimiser: torch.optim.Optimizer, rollout: Rollout) -> None:
    """Some passes of clipped policy gradient over one iteration."""
    estimates, known = rollout.advantages()
    rows = torch.from_numpy(np.flatnonzero(known))
    observations = rollout.observations.flatten(0, 1)
    masks = rollout.masks.flatten(0, 1)
    actions = rollout.actions.flatten()[:, None]
    old_log_probs = rollout.log_probs.flatten()
    advantages = torch.from_numpy(estimates).flatten()
    returns = advantages + rollout.values.flatten()
    normal = (advantages - advantages[rows].mean()) / (advantages[rows].std() + 1e-8)
    for _ in range(NUM_EPOCHS):
        for part in rows[torch.randperm(len(rows))].split(MINIBATCH_SIZE):
            log_probs, values = network(observations[part], masks[part])
            ratio = (log_probs.gather(1, actions[part])[:, 0] - old_log_probs[part]).exp()
            clipped = ratio.clamp(1 - CLIP_COEF, 1 + CLIP_COEF)
            policy_loss = -torch.minimum(ratio * normal[part], clipped * normal[part]).mean()
            value_loss = 0.5 * (values - returns[part]).square().mean()
            entropy = -(log_probs.exp() * log_probs).sum(-1).mean()
            loss = policy_loss + VF_COEF * value_loss - ENT_COEF * entropy
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), MAX_GRAD_NORM)
            optimiser.step()


class Policy:
    """The network as an agent of mjenv: it takes the most probable action."""

    name = "cleanrl_ppo/1"
    games = ("sichuan",)
    observation = OBSERVATION

    def __init__(self, network: ActorCritic) -> None:
        self.network = network

    @torch.inference_mode()
    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        """One action for each row."""
        log_probs, _ = self.network(torch.from_numpy(observations), torch.from_numpy(masks == 1))
        return log_probs.argmax(-1).numpy()


def train(steps: int, seed: int) -> ActorCritic:
    """Train on at least this many decisions."""
    torch.manual_seed(seed)
    batch = mjenv.Batch(NUM_TABLES, RULES, seed, OBSERVATION, skip_forced=True)
    network = ActorCritic(batch.observations.shape[1], batch.masks.shape[1])
    optimiser = torch.optim.Adam(network.parameters(), LEARNING_RATE, eps=1e-5)
    rollout = Rollout(batch)
    start = time.perf_counter()
    for done in range(
        NUM_STEPS * NUM_TABLES, steps + NUM_STEPS * NUM_TABLES, NUM_STEPS * NUM_TABLES
    ):
        deals = rollout.collect(network)
        update(network, optimiser, rollout)
        seconds = time.perf_counter() - start
        print(f"{done:>9} decisions, {deals} deals ended, {done / seconds:.0f} decisions a second")
    return network


def main() -> None:
    """Train, then play one seat against three that choose at random."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions to train on")
    parser.add_argument("--seed", type=int, default=1, help="of deals, weights and sampling")
    parser.add_argument("--deals", type=int, default=2000, help="deals to evaluate on")
    arguments = parser.parse_args()
    policy = Policy(train(arguments.steps, arguments.seed))
    uniform = mjenv.make_agent("random_legal/1")
    played = play_deals(
        [policy, uniform, uniform, uniform], RULES, arguments.deals, 10**6, rotate=True
    )
    result = summary(deal_statistics(played.finished), played.seats_of(0))
    print(
        f"return against three random_legal/1: {result['units_per_deal']:+.2f} "
        f"± {1.96 * result['units_error']:.2f} units a deal, {result['win_rate']:.0%} won"
    )


if __name__ == "__main__":
    main()
