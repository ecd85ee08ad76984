"""What can be set about a training run: frozen dataclasses, YAML files and the command line.

Every field is an option ``--name`` (``--ppo.learning_rate`` for one of a group) and a line of a
YAML file given with ``--config``.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

import yaml
from jsonargparse import ArgumentError, ArgumentParser, Namespace

from mjenv.core.yaml_keys import load_yaml
from mjenv.errors import MjenvError

T = TypeVar("T")

CHANGEABLE = ("total_decisions", "max_seconds", "threads", "directory", "evaluation")
"""Options that may be given anew when a run is resumed."""

_DESCRIPTION = (
    "Train a PPO agent by self-play. With --resume DIR, go on with the run in that directory."
)


class ConfigError(MjenvError, ValueError):
    """An option of a training run that is unknown or out of range."""


def option(default: T, text: str) -> T:
    """A field with its default and the text of ``--help``."""
    return field(default=default, metadata={"help": text})


@dataclass(frozen=True)
class NetworkConfig:
    """The network."""

    hidden: tuple[int, ...] = option((256, 256), "width of each hidden layer")
    kind_hidden: int = option(32, "width of the layer that looks at each kind of tile")
    separate_critic: bool = option(False, "layers of its own for the critic")


@dataclass(frozen=True)
class RolloutConfig:
    """What is played between two updates."""

    num_tables: int = option(512, "tables played side by side")
    num_steps: int = option(64, "decisions at each table")


@dataclass(frozen=True)
class PPOConfig:
    """The update, in the words of the papers."""

    learning_rate: float = option(1e-3, "of Adam at the start")
    final_learning_rate: float = option(5e-5, "at the end, linear in decisions between")
    num_epochs: int = option(2, "passes over the decisions of an iteration")
    minibatch_size: int = option(4096, "decisions in a gradient step, about")
    gamma: float = option(1.0, "discount from one own decision to the next")
    gae_lambda: float = option(0.95, "of generalised advantage estimation")
    clip_coef: float = option(0.2, "probability ratios are clipped to 1 -+ this")
    ent_coef: float = option(0.01, "weight of the entropy over legal actions at the start")
    final_ent_coef: float = option(0.001, "at the end, linear in decisions between")
    vf_coef: float = option(0.5, "weight of the value loss")
    max_grad_norm: float = option(0.5, "longer gradients are scaled down to this norm")
    target_kl: float = option(0.02, "no further pass once the divergence exceeds this")
    reward_scale: float = option(0.125, "rewards in units are multiplied by this")


@dataclass(frozen=True)
class OpponentsConfig:
    """Who else sits at the tables; the learner has all four seats where no bot sits."""

    names: tuple[str, ...] = option((), "bots to train against, each at as many tables")
    share: float = option(0.0, "share of tables with one learner and three bots")


@dataclass(frozen=True)
class EvaluationConfig:
    """One seat of the learner against three copies of a bot."""

    opponents: tuple[str, ...] = option(
        ("random_legal/1", "greedy_plus/1", "greedy/1"), "the bots; the last one while training"
    )
    deals: int = option(8192, "deals against each bot at the end, four to a deal set")
    interim_deals: int = option(1024, "deals against the last bot while training")
    every: int = option(20, "updates between evaluations, 0 for none")
    seed: int = option(1_000_000, "of the first deal; training uses seeds of its own")


@dataclass(frozen=True)
class TrainConfig:
    """A training run."""

    name: str = option("ppo", "of the run and its directory")
    directory: str | None = option(None, "where to write; default runs/NAME-TIME")
    seed: int = option(1, "of deals, weights and sampling")
    rules: str = option("qq", "preset, or YAML file of house rules")
    observation: str = option("vector/1", "encoding the network is given")
    total_decisions: int = option(3_000_000, "decisions of the learner to train on")
    max_seconds: float | None = option(None, "stop after this time all the same")
    threads: int = option(2, "of the network; results are the same for the same number")
    checkpoint_every: int = option(20, "updates between checkpoints")
    keep: int = option(2, "latest checkpoints that are kept, 2 or more")
    check: bool = option(False, "check each iteration that the first ratios are 1")
    network: NetworkConfig = NetworkConfig()
    rollout: RolloutConfig = RolloutConfig()
    ppo: PPOConfig = PPOConfig()
    opponents: OpponentsConfig = OpponentsConfig()
    evaluation: EvaluationConfig = EvaluationConfig()

    def __post_init__(self) -> None:
        """Refuse what cannot be trained."""
        at_least = {
            "total_decisions": (self.total_decisions, 1),
            "threads": (self.threads, 1),
            "checkpoint_every": (self.checkpoint_every, 1),
            "keep": (self.keep, 2),
            "rollout.num_tables": (self.rollout.num_tables, 1),
            "rollout.num_steps": (self.rollout.num_steps, 1),
            "ppo.num_epochs": (self.ppo.num_epochs, 1),
            "ppo.minibatch_size": (self.ppo.minibatch_size, 1),
            "evaluation.deals": (self.evaluation.deals, 0),
        }
        for name, (value, least) in at_least.items():
            if value < least:
                raise ConfigError(f"{name}: got {value}; allowed: {least} or more")
        if not 0 <= self.opponents.share <= 1:
            raise ConfigError(f"opponents.share: got {self.opponents.share}; allowed: 0 to 1")
        if self.opponents.share > 0 and not self.opponents.names:
            raise ConfigError("opponents.share: there are no opponents.names to give seats to")

    def to_dict(self) -> dict[str, Any]:
        """Every option, groups as mappings, as JSON types."""
        return cast("dict[str, Any]", _plain(asdict(self)))

    @staticmethod
    def from_dict(mapping: Mapping[str, Any]) -> "TrainConfig":
        """The inverse of :meth:`to_dict`.

        Raises:
            ConfigError: Anything unknown or out of range.
        """
        try:
            return _built(_parser().parse_object(dict(mapping)))
        except ArgumentError as error:
            raise ConfigError(_one_line(error)) from None


def parse(argv: Sequence[str], defaults: TrainConfig | None = None) -> TrainConfig:
    """Read the command line of a training run.

    Args:
        argv: Options, without ``--resume``.
        defaults: What options that are not given are; ``TrainConfig()`` if left out.

    Raises:
        ConfigError: Anything unknown, unreadable or out of range, in one line.
        SystemExit: After ``--help`` and ``--print_config``.
    """
    _refuse_bad_files(argv)
    reader = _parser()
    if defaults is not None:
        reader.set_defaults(_flat(defaults.to_dict()))
    try:
        return _built(reader.parse_args(list(argv)))
    except ArgumentError as error:
        raise ConfigError(_one_line(error)) from None


def fixed_differences(old: TrainConfig, new: TrainConfig) -> list[str]:
    """The options in which two configurations differ though a resumed run cannot change them."""
    before, after = _flat(old.to_dict()), _flat(new.to_dict())
    return [
        name
        for name in before
        if before[name] != after[name] and name.partition(".")[0] not in CHANGEABLE
    ]


def _refuse_bad_files(argv: Sequence[str]) -> None:
    """Of two lines with one key jsonargparse would take the last, and bad numbers it passes on."""
    reader = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    reader.add_argument("--config", action="append", default=[])
    # What else may be wrong is for jsonargparse to say.
    with suppress(argparse.ArgumentError):
        for path in reader.parse_known_args(list(argv))[0].config:
            try:
                load_yaml(Path(path).read_text(encoding="utf-8"))
            except yaml.YAMLError as error:
                raise ConfigError(f"{path}: {error}") from None
            except (OSError, UnicodeDecodeError):
                continue


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="mjenv train", exit_on_error=False, allow_abbrev=False, description=_DESCRIPTION
    )
    parser.add_argument("--config", action="config", help="YAML file of options")
    parser.add_class_arguments(TrainConfig)
    texts = dict(_texts(TrainConfig()))
    for action in parser._actions:
        action.help = texts.get(action.dest, action.help)
    return parser


def _built(namespace: Namespace) -> TrainConfig:
    namespace.pop("config", None)
    values = _parser().instantiate(namespace)
    return TrainConfig(**vars(values))


def _texts(config: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    for item in fields(config):
        value = getattr(config, item.name)
        if is_dataclass(value):
            yield from _texts(value, f"{prefix}{item.name}.")
        else:
            yield f"{prefix}{item.name}", item.metadata["help"]


def _flat(mapping: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in mapping.items():
        if isinstance(value, Mapping):
            flat.update(_flat(value, f"{prefix}{name}."))
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return list(value) if isinstance(value, tuple) else value


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())
