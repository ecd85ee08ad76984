"""The critic of a trained policy, as a value model."""

from pathlib import Path

import numpy as np
import torch

from agents.ppo.agent import find_policy, read_policy
from agents.ppo.network import ActorCritic
from mjenv.core.game import NUM_SEATS
from mjenv.errors import CheckpointError


class Critic:
    """What a policy expects to win: a :class:`agents.value_model.ValueModel`.

    The critic speaks for its own seat alone; what that will win, the three others pay alike.

    Args:
        network: Policy and value.
        observation: The encoding it reads.
        units: What a value of 1 is worth.
        name: What it is called in results.
    """

    def __init__(self, network: ActorCritic, observation: str, units: float, name: str) -> None:
        self.name = name
        self.observation = observation
        self._network = network.eval()
        self._units = units

    def values(self, observations: np.ndarray) -> np.ndarray:
        """See :meth:`agents.value_model.ValueModel.values`."""
        flat = observations.reshape(len(observations), -1).astype(np.float32, copy=False)
        with torch.inference_mode():
            own = self._network.values(torch.from_numpy(flat)).numpy() * self._units
        shares = np.full(NUM_SEATS, -1 / (NUM_SEATS - 1))
        shares[0] = 1
        found: np.ndarray = own[:, None].astype(np.float64) * shares
        return found


def load_critic(path: str | Path) -> Critic:
    """The value ``ppo:PATH``.

    Args:
        path: A run, one of its checkpoints, or a policy file.

    Raises:
        CheckpointError: There is no checkpoint, or it cannot be used.
    """
    file = find_policy(path)
    network, metadata = read_policy(file)
    try:
        units = 1 / metadata.config["ppo"]["reward_scale"]
    except (KeyError, TypeError, ZeroDivisionError):
        raise CheckpointError(f"{file}: it does not say by what rewards were multiplied") from None
    return Critic(network, metadata.observation, units, f"ppo:{path}")
