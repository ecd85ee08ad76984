"""The network of the PPO agent: a masked policy and a value from one flat observation.

Most choices name a kind of tile, and what makes 3p a good discard makes 7s one. So beside the
usual fully connected layers there is a small one that looks at every kind alike: it sees the cells
of that kind and a summary of the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from mjenv.core.game import Encoding, Game
from mjenv.core.tiles import tile_text

ILLEGAL = -1e9
"""Logit of an illegal action: its probability is exactly zero, and zero times it is no NaN."""


@dataclass(frozen=True)
class Layout:
    """What the network must know of its input and output.

    Attributes:
        observation_size: Cells of an observation.
        num_actions: Actions of the game.
        num_kinds: Kinds of tiles.
        num_channels: The observation begins with this many channels of a cell for every kind.
        channel_size: Cells of such a channel; those beyond ``num_kinds`` mean nothing.
        kind_actions: First actions of the blocks that have an action for every kind.
    """

    observation_size: int
    num_actions: int
    num_kinds: int
    num_channels: int
    channel_size: int
    kind_actions: tuple[int, ...]

    @staticmethod
    def of(game: Game, encoding: Encoding) -> "Layout":
        """The layout of an encoding, found by the names of its channels."""
        actions = [game.action_text(action, False) for action in range(game.num_actions)]
        flat = len(encoding.shape) == 1
        if flat:
            blocks = _kind_blocks(encoding.channels, game.num_kinds)
            ahead = [first == i * game.num_kinds for i, first in enumerate(blocks)]
            num_channels = sum(ahead)
        return Layout(
            encoding.size,
            game.num_actions,
            game.num_kinds,
            num_channels if flat else encoding.shape[0],
            game.num_kinds if flat else encoding.size // encoding.shape[0],
            tuple(_kind_blocks(actions, game.num_kinds)),
        )


def _kind_blocks(names: Sequence[str], num_kinds: int) -> list[int]:
    """Where names begin that end with all kinds of tiles in their order."""
    tiles = [tile_text(kind) for kind in range(num_kinds)]
    return [
        first
        for first in range(len(names) - num_kinds + 1)
        if all(names[first + kind].endswith(f" {tile}") for kind, tile in enumerate(tiles))
    ]


class ActorCritic(nn.Module):
    """Policy and value.

    Args:
        layout: Of observations and actions.
        hidden: Width of each fully connected layer.
        kind_hidden: Width of the layer that looks at every kind.
        separate_critic: Give the value layers of its own instead of those of the policy.
    """

    def __init__(
        self, layout: Layout, hidden: Sequence[int], kind_hidden: int, separate_critic: bool
    ) -> None:
        super().__init__()
        self.layout = layout
        self.body = _layers(layout.observation_size, hidden)
        self.critic_body = _layers(layout.observation_size, hidden) if separate_critic else None
        width = [layout.observation_size, *hidden][-1]
        # Before any training all legal actions are nearly as probable, and all values nearly 0.
        self.policy = _orthogonal(nn.Linear(width, layout.num_actions), gain=0.01)
        self.value = _orthogonal(nn.Linear(width, 1), gain=0.01)
        self.summary = _orthogonal(nn.Linear(width, kind_hidden), gain=1.0)
        self.kinds = _orthogonal(nn.Linear(layout.num_channels, kind_hidden), gain=2**0.5)
        self.kind_policy = _orthogonal(nn.Linear(kind_hidden, len(layout.kind_actions)), gain=0.01)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Tensor, Tensor]:
        """Evaluate decisions.

        Args:
            observations: ``(N, observation_size)`` float32.
            masks: ``(N, num_actions)`` bool, True for a legal action.

        Returns:
            Log-probabilities ``(N, num_actions)`` and values ``(N,)`` in scaled rewards.
        """
        features = self.body(observations)
        logits = self.policy(features)
        by_kind = self._by_kind(observations, features)
        for block, first in enumerate(self.layout.kind_actions):
            logits[:, first : first + self.layout.num_kinds] += by_kind[:, :, block]
        log_probs = torch.log_softmax(torch.where(masks, logits, ILLEGAL), dim=-1)
        if self.critic_body is not None:
            features = self.critic_body(observations)
        return log_probs, self._value_of(features)

    def values(self, observations: Tensor) -> Tensor:
        """The values ``(N,)`` alone, for ``(N, observation_size)`` float32."""
        return self._value_of((self.critic_body or self.body)(observations))

    def _value_of(self, features: Tensor) -> Tensor:
        values: Tensor = self.value(features).squeeze(-1)
        return values

    def _by_kind(self, observations: Tensor, features: Tensor) -> Tensor:
        """What each kind alone says for its actions, ``(N, num_kinds, blocks)``."""
        layout = self.layout
        cells = observations[:, : layout.num_channels * layout.channel_size]
        channels = cells.reshape(-1, layout.num_channels, layout.channel_size)
        kinds = channels[:, :, : layout.num_kinds].transpose(1, 2)
        seen = torch.relu(self.kinds(kinds) + self.summary(features).unsqueeze(1))
        by_kind: Tensor = self.kind_policy(seen)
        return by_kind


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
