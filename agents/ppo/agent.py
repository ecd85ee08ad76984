"""A trained policy as an agent, and the file it comes from.

``policy.safetensors`` holds the weights, and as metadata everything needed to use them: game,
rules, observation, the configuration of the run. It is read without running any code in it.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save as to_bytes

from agents.ppo.network import ActorCritic, Layout
from mjenv.core.game import Game
from mjenv.core.kernel import kernel
from mjenv.core.rng import next_bits
from mjenv.errors import CheckpointError, OptionError
from mjenv.sichuan.game import SICHUAN

FORMAT = "mjenv-ppo/1"
POLICY_FILE = "policy.safetensors"
CHECKPOINTS = "checkpoints"

_GAMES: dict[str, Game] = {SICHUAN.name: SICHUAN}
_KEY = "mjenv"
_53_BITS = np.uint64(11)
_TO_UNIT = 2.0**-53


@dataclass(frozen=True)
class Metadata:
    """What a checkpoint says about itself.

    Attributes:
        game: Name of the game.
        observation: Encoding the network reads, with its version.
        rules: Every option of the rules it was trained for.
        fingerprint: Of these rules.
        engine: Version of ``mjenv`` that wrote it.
        config: The configuration of the run; ``network`` describes the network.
        update: Number of the update after which it was written.
        decisions: Decisions trained on until then.
    """

    game: str
    observation: str
    rules: dict[str, Any]
    fingerprint: str
    engine: str
    config: dict[str, Any]
    update: int
    decisions: int


def build_network(game: Game, observation: str, network: dict[str, Any]) -> ActorCritic:
    """A new network for an encoding; ``network`` is that part of a configuration.

    Raises:
        OptionError: The encoding has ids in its cells; this network takes every cell as an amount.
    """
    encoding = game.encodings[observation]
    if encoding.high > 1:
        fitting = ", ".join(name for name, other in game.encodings.items() if other.high <= 1)
        raise OptionError(
            f"observation: {observation} holds ids, which this network would take for amounts; "
            f"allowed: {fitting}"
        )
    return ActorCritic(
        Layout.of(game, encoding),
        network["hidden"],
        network["kind_hidden"],
        network["separate_critic"],
    )


def pack_policy(network: ActorCritic, metadata: Metadata) -> bytes:
    """The content of a policy file."""
    # One entry: the order of several is not defined, and equal policies are to be equal files.
    text = json.dumps({"format": FORMAT, **asdict(metadata)})
    return to_bytes(network.state_dict(), metadata={_KEY: text})


def find_policy(path: str | Path) -> Path:
    """The policy file meant by a path: a run, one of its checkpoints, or the file itself.

    Raises:
        CheckpointError: There is none.
    """
    path = Path(path)
    if path.is_file():
        return path
    candidates = [path / POLICY_FILE, *sorted(path.glob(f"{CHECKPOINTS}/*/{POLICY_FILE}"))[::-1]]
    for candidate in candidates:
        if candidate.is_file():
            return candidate
    raise CheckpointError(
        f"no checkpoint at {str(path)!r}: give the directory of a run, one of its "
        f"{CHECKPOINTS}, or a {POLICY_FILE}"
    )


def read_policy(path: Path) -> tuple[ActorCritic, Metadata]:
    """Read a policy file.

    Raises:
        CheckpointError: It is damaged, of another format, or made for a game, rules or an
            observation that this version of ``mjenv`` does not have.
    """
    try:
        with safe_open(path, framework="pt") as file:
            text = (file.metadata() or {}).get(_KEY, "{}")
            # An open safetensors file has keys() but cannot be iterated.
            weights = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{path}: damaged or no checkpoint ({error})") from None
    metadata = _read_metadata(path, text)
    network = build_network(_GAMES[metadata.game], metadata.observation, metadata.config["network"])
    try:
        network.load_state_dict(weights)
    except RuntimeError as error:
        problem = " ".join(str(error).split())
        raise CheckpointError(
            f"{path}: its weights do not fit {metadata.observation!r} and the network it "
            f"describes; it was written by mjenv {metadata.engine} ({problem})"
        ) from None
    return network, metadata


def _read_metadata(path: Path, text: str) -> Metadata:
    try:
        fields = json.loads(text)
        written_as = fields.pop("format", None)
        if written_as != FORMAT:
            raise CheckpointError(f"{path}: format {written_as!r}; this version reads {FORMAT!r}")
        metadata = Metadata(**fields)
        missing = {"hidden", "kind_hidden", "separate_critic"} - set(metadata.config["network"])
        if missing:
            raise ValueError(f"no {', '.join(sorted(missing))}")
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, CheckpointError):
            raise
        raise CheckpointError(f"{path}: damaged metadata ({error!r})") from None
    if metadata.game not in _GAMES:
        raise CheckpointError(
            f"{path}: made for the game {metadata.game!r}; known: {', '.join(_GAMES)}"
        )
    game = _GAMES[metadata.game]
    if metadata.observation not in game.encodings:
        raise CheckpointError(
            f"{path}: made for the observation {metadata.observation!r}; "
            f"{game.name} has {', '.join(game.encodings)}"
        )
    return metadata


@kernel
def _draw_all(log_probs: np.ndarray, rng: np.ndarray, actions: np.ndarray) -> None:
    """Draw an action for every row by its probability, each with the generator of its row."""
    for i in range(log_probs.shape[0]):
        uniform = float(next_bits(rng[i : i + 1]) >> _53_BITS) * _TO_UNIT
        for action in range(log_probs.shape[1]):
            probability = np.exp(float(log_probs[i, action]))
            if probability > 0:
                actions[i] = action
                uniform -= probability
                if uniform < 0:
                    break


class PPOAgent:
    """A trained policy behind the :class:`~mjenv.agent.Agent` protocol.

    Args:
        network: The policy.
        metadata: Of its checkpoint.
        name: What it is called in results.
        sampled: Draw actions by their probability instead of taking the most probable.
    """

    def __init__(
        self, network: ActorCritic, metadata: Metadata, name: str, sampled: bool = False
    ) -> None:
        self.name = name
        self.games: tuple[str, ...] = (metadata.game,)
        self.observation = metadata.observation
        self.metadata = metadata
        self._network = network.eval()
        self._sampled = sampled

    def act(self, observations: np.ndarray, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        """Choose an action for every row.

        Args:
            observations: ``(N, *shape)`` of the agent's encoding.
            masks: ``(N, A)`` int8, 1 for legal actions.
            rng: ``(N,)`` uint64, a generator for each row; used if ``sampled``.

        Returns:
            ``(N,)`` int64, legal actions.
        """
        flat = observations.reshape(len(observations), -1).astype(np.float32, copy=False)
        with torch.inference_mode():
            log_probs, _ = self._network(
                torch.from_numpy(flat), torch.from_numpy(masks.astype(bool))
            )
        if not self._sampled:
            best: np.ndarray = log_probs.argmax(-1).numpy()
            return best
        actions = np.empty(len(flat), np.int64)
        _draw_all(log_probs.numpy(), rng, actions)
        return actions

    def __repr__(self) -> str:
        return f"<agent {self.name}>"


def load_agent(path: str | Path, sampled: bool = False) -> PPOAgent:
    """The agent ``ppo:PATH``.

    Args:
        path: A run, one of its checkpoints, or a policy file.
        sampled: See :class:`PPOAgent`.

    Raises:
        CheckpointError: There is no checkpoint, or it cannot be used.
    """
    network, metadata = read_policy(find_policy(path))
    return PPOAgent(network, metadata, f"ppo:{path}", sampled)
