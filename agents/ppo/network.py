"""The network of the PPO agent: a masked policy and a value from one flat observation."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn

ILLEGAL = -1e9
"""Logit of an illegal action: its probability is exactly zero, and zero times it is no NaN."""


class ActorCritic(nn.Module):
    """Two heads on fully connected layers.

    Args:
        observation_size: Cells of an observation.
        num_actions: Of the game.
        hidden: Width of each hidden layer.
        separate_critic: Give the value layers of its own instead of those of the policy.
    """

    def __init__(
        self,
        observation_size: int,
        num_actions: int,
        hidden: Sequence[int],
        separate_critic: bool = False,
    ) -> None:
        super().__init__()
        self.body = _layers(observation_size, hidden)
        self.critic_body = _layers(observation_size, hidden) if separate_critic else None
        width = [observation_size, *hidden][-1]
        # Before any training all legal actions are nearly as probable, and all values nearly 0.
        self.policy = _orthogonal(nn.Linear(width, num_actions), gain=0.01)
        self.value = _orthogonal(nn.Linear(width, 1), gain=0.01)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Evaluate decisions.

        Args:
            observations: ``(N, observation_size)`` float32.
            masks: ``(N, num_actions)`` bool, True for a legal action.

        Returns:
            Log-probabilities ``(N, num_actions)`` and values ``(N,)`` in scaled rewards.
        """
        features = self.body(observations)
        logits = torch.where(masks, self.policy(features), ILLEGAL)
        if self.critic_body is not None:
            features = self.critic_body(observations)
        return torch.log_softmax(logits, dim=-1), self.value(features).squeeze(-1)


def entropy(log_probs: Tensor) -> Tensor:
    """Entropy ``(N,)`` over the legal actions."""
    return -(log_probs.exp() * log_probs).sum(-1)


def sample(log_probs: Tensor, generator: torch.Generator) -> Tensor:
    """Draw an action ``(N,)`` int64 by its probability.

    The largest of the log-probabilities with Gumbel noise added is such a draw.
    """
    noise = torch.empty_like(log_probs).exponential_(generator=generator)
    return (log_probs - noise.log()).argmax(-1)


def _layers(inputs: int, hidden: Sequence[int]) -> nn.Sequential:
    layers: list[nn.Module] = []
    for outputs in hidden:
        layers += [_orthogonal(nn.Linear(inputs, outputs), gain=2**0.5), nn.ReLU()]
        inputs = outputs
    return nn.Sequential(*layers)


def _orthogonal(layer: nn.Linear, gain: float) -> nn.Linear:
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer
