"""PPO by self-play: ``mjenv train``.

``Trainer`` is the algorithm, ``run`` the loop around it, ``main`` the command line. Beside them
stand what is played (``rollout``, ``opponents``), what is kept (``checkpoint``), what is written
down (``metrics``) and how good it is (``evaluate``).
"""

import argparse
import json
import logging
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
import yaml
from rich.logging import RichHandler
from torch import Tensor, nn

import mjenv
from agents.ppo.agent import POLICY_FILE, Metadata, PPOAgent, build_network, read_policy
from agents.ppo.network import entropy
from mjenv.envs.batch import Batch
from mjenv.errors import CheckpointError, MjenvError
from mjenv.registry import make_agent
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from train.checkpoint import find_checkpoint, read_trainer, save_checkpoint
from train.config import ConfigError, TrainConfig, fixed_differences, parse
from train.console import Progress, say
from train.evaluate import evaluate, evaluate_all, numbers_of, results_table
from train.metrics import MetricsLog, deal_metrics
from train.opponents import Opponents
from train.progress import EVERY, ProgressBar, console
from train.rollout import Rollout, estimate_advantages
from train.stopping import INTERRUPTED, stop_signals

ADAM_EPSILON = 1e-5
MAX_ADVANTAGE = 5.0
"""Normalised advantages are cut here: a rare deal pays many times the usual."""
RATIO_TOLERANCE = 1e-4
RUNS = "runs"
RESULTS_FILE = "results.json"

log = logging.getLogger(__name__)


class Trainer:
    """A run: its network, its tables, and what one iteration does with them.

    Args:
        config: Of the run.

    Attributes:
        network: What is trained.
        update: Iterations done.
        decisions: Decisions trained on.
        seconds: Time the iterations took.
    """

    def __init__(self, config: TrainConfig) -> None:
        torch.set_num_threads(config.threads)
        self.config = config
        self.rules = Rules.of(config.rules)
        self.batch = Batch(
            config.rollout.num_tables,
            self.rules,
            config.seed,
            config.observation,
            skip_forced=True,
        )
        self.opponents = Opponents(config.opponents, config.rollout.num_tables)
        self.rollout = Rollout(
            self.batch, self.opponents, config.rollout.num_steps, config.ppo.reward_scale
        )
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(config.seed)
            self.network = build_network(SICHUAN, config.observation, config.to_dict()["network"])
        self.generator = torch.Generator().manual_seed(config.seed)
        self.optimiser = torch.optim.Adam(self.network.parameters(), eps=ADAM_EPSILON)
        self.update = 0
        self.decisions = 0
        self.seconds = 0.0

    def iterate(self) -> dict[str, float]:
        """Play, learn, and say how it went."""
        start = time.perf_counter()
        finished, learner = self.rollout.collect(self.network, self.generator)
        playing = time.perf_counter() - start
        rows = self.rollout.complete_rows()
        losses = self._learn(rows)
        self.update += 1
        self.decisions += len(rows)
        seconds = time.perf_counter() - start
        self.seconds += seconds
        return {
            "decisions": self.decisions,
            **deal_metrics(finished, learner),
            **losses,
            "speed/decisions_per_second": len(rows) / seconds,
            "speed/share_playing": playing / seconds,
            "speed/seconds": self.seconds,
        }

    def is_done(self) -> bool:
        """Whether the run has had its decisions or its time."""
        limit = self.config.max_seconds
        return self.decisions >= self.config.total_decisions or (
            limit is not None and self.seconds >= limit
        )

    def _learn(self, rows: np.ndarray) -> dict[str, float]:
        """Update the network on decisions whose outcome is known."""
        ppo, rollout = self.config.ppo, self.rollout
        schedule = self._schedule()
        for group in self.optimiser.param_groups:
            group["lr"] = schedule["learning_rate"]

        estimates = np.zeros_like(rollout.values)
        estimate_advantages(
            rollout.rewards, rollout.values, rollout.next_rows, ppo.gamma, ppo.gae_lambda, estimates
        )
        returns = torch.from_numpy(estimates[rows] + rollout.values[rows])
        raw = torch.from_numpy(estimates[rows])
        advantages = ((raw - raw.mean()) / raw.std()).clamp(-MAX_ADVANTAGE, MAX_ADVANTAGE)
        if self.config.check:
            self._check_ratios(rows)

        minibatches = max(1, round(len(rows) / ppo.minibatch_size))
        steps: list[dict[str, float]] = []
        for _ in range(ppo.num_epochs):
            order = torch.randperm(len(rows), generator=self.generator)
            for part in order.tensor_split(minibatches):
                steps.append(
                    self._step(rows[part.numpy()], advantages[part], returns[part], schedule)
                )
            if np.mean([step["losses/kl"] for step in steps[-minibatches:]]) > ppo.target_kl:
                break
        return {
            **{name: float(np.mean([step[name] for step in steps])) for name in steps[0]},
            "losses/explained_variance": 1 - float(raw.var() / returns.var()),
            "losses/gradient_steps": float(len(steps)),
            **{f"schedule/{name}": value for name, value in schedule.items()},
        }

    def _schedule(self) -> dict[str, float]:
        """What changes in the course of a run, linear in decisions."""
        ppo = self.config.ppo
        done = min(1.0, self.decisions / self.config.total_decisions)
        return {
            "learning_rate": ppo.learning_rate
            + done * (ppo.final_learning_rate - ppo.learning_rate),
            "ent_coef": ppo.ent_coef + done * (ppo.final_ent_coef - ppo.ent_coef),
        }

    def _step(
        self, rows: np.ndarray, advantages: Tensor, returns: Tensor, schedule: dict[str, float]
    ) -> dict[str, float]:
        """One gradient step on a minibatch."""
        ppo = self.config.ppo
        log_probs, values = self._evaluate(rows)
        log_ratio = self._log_ratio(rows, log_probs)
        ratio = log_ratio.exp()
        clipped = ratio.clamp(1 - ppo.clip_coef, 1 + ppo.clip_coef)
        policy_loss = -torch.minimum(advantages * ratio, advantages * clipped).mean()
        value_loss = 0.5 * (values - returns).square().mean()
        mean_entropy = entropy(log_probs).mean()
        loss = policy_loss + ppo.vf_coef * value_loss - schedule["ent_coef"] * mean_entropy
        self.optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it so
        norm = nn.utils.clip_grad_norm_(self.network.parameters(), ppo.max_grad_norm)
        self.optimiser.step()
        with torch.no_grad():
            return {
                "losses/policy": policy_loss.item(),
                "losses/value": value_loss.item(),
                "losses/entropy": mean_entropy.item(),
                "losses/kl": (ratio - 1 - log_ratio).mean().item(),
                "losses/clip_fraction": ((ratio - 1).abs() > ppo.clip_coef).float().mean().item(),
                "losses/grad_norm": norm.item(),
            }

    def _evaluate(self, rows: np.ndarray) -> tuple[Tensor, Tensor]:
        """Log-probabilities and values of decisions by the network as it is now."""
        log_probs, values = self.network(
            torch.from_numpy(self.rollout.observations[rows]).float(),
            torch.from_numpy(self.rollout.masks[rows].astype(bool)),
        )
        return log_probs, values

    def _log_ratio(self, rows: np.ndarray, log_probs: Tensor) -> Tensor:
        actions = torch.from_numpy(self.rollout.actions[rows])
        chosen = log_probs.gather(1, actions[:, None])[:, 0]
        return chosen - torch.from_numpy(self.rollout.log_probs[rows])

    def _check_ratios(self, rows: np.ndarray) -> None:
        """Before the first step, decisions of this iteration are as probable as when drawn."""
        fresh = rows[rows >= self.rollout.first][: self.config.ppo.minibatch_size]
        with torch.inference_mode():
            error = self._log_ratio(fresh, self._evaluate(fresh)[0]).abs().max().item()
        if not error < RATIO_TOLERANCE:
            raise RuntimeError(f"probabilities changed by {error} between playing and learning")

    # --------------------------------------------------------------------- checkpoints

    def metadata(self) -> Metadata:
        """What a checkpoint of now says about itself."""
        return Metadata(
            game=SICHUAN.name,
            observation=self.config.observation,
            rules=self.rules.to_dict(),
            fingerprint=self.rules.fingerprint,
            engine=mjenv.__version__,
            config=self.config.to_dict(),
            update=self.update,
            decisions=self.decisions,
        )

    def agent(self) -> PPOAgent:
        """The network as it is now, as an agent."""
        return PPOAgent(self.network, self.metadata(), self.config.name)

    def save(self, directory: Path) -> Path:
        """Write a checkpoint of the run in ``directory``."""
        trainer = {
            "seconds": self.seconds,
            "optimiser": self.optimiser.state_dict(),
            "generator": self.generator.get_state(),
            **{name: torch.from_numpy(array) for name, array in self.batch.state_dict().items()},
            "rollout": self.rollout.state_dict(),
        }
        return save_checkpoint(directory, self.network, self.metadata(), trainer, self.config.keep)

    def load(self, checkpoint: Path) -> None:
        """Go on where a checkpoint stands.

        Raises:
            CheckpointError: It is damaged, or of other rules or another observation.
        """
        path = checkpoint / POLICY_FILE
        network, metadata = read_policy(path)
        for what, there, here in (
            ("observation", metadata.observation, self.config.observation),
            ("rules", metadata.fingerprint, self.rules.fingerprint),
        ):
            if there != here:
                raise CheckpointError(f"{path}: made for the {what} {there}, not {here}")
        trainer = read_trainer(checkpoint)
        self.network.load_state_dict(network.state_dict())
        self.optimiser.load_state_dict(trainer["optimiser"])
        self.generator.set_state(trainer["generator"])
        self.batch.load_state_dict({name: trainer[name].numpy() for name in ("tables", "fresh")})
        self.rollout.load_state_dict(trainer["rollout"])
        self.update, self.decisions = metadata.update, metadata.decisions
        self.seconds = trainer["seconds"]


def run(config: TrainConfig, directory: Path, checkpoint: Path | None = None) -> int:
    """Train, write checkpoints and metrics, and compare the result with bots.

    Args:
        config: Of the run.
        directory: Where everything is written.
        checkpoint: Where to go on, None for a new run.

    Returns:
        The exit code: 0, or ``INTERRUPTED`` after Ctrl-C.

    Raises:
        MjenvError: What is wrong with the configuration, the checkpoint or the disk.
    """
    for opponent in config.evaluation.opponents:
        make_agent(opponent)  # a wrong name is said now, not after the training
    trainer = Trainer(config)
    if checkpoint is not None:
        trainer.load(checkpoint)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "config.yaml").write_text(
        yaml.safe_dump(config.to_dict(), sort_keys=False), encoding="utf-8"
    )
    say(f"writing to {directory}; watch with: tensorboard --logdir {directory}")
    metrics_log = MetricsLog(directory, trainer.update)
    bar = ProgressBar(config.total_decisions, config.max_seconds)
    with stop_signals() as stopped, bar:
        saved = trainer.update
        while not (trainer.is_done() or stopped):
            metrics = trainer.iterate()
            if config.evaluation.every and trainer.update % config.evaluation.every == 0:
                metrics |= _interim_evaluation(trainer, bar)
            metrics_log.write(trainer.update, metrics)
            bar.show(metrics)
            if trainer.update - saved >= config.checkpoint_every:
                try:
                    trainer.save(directory)
                    saved = trainer.update
                except CheckpointError as error:
                    log.warning("%s; trying again after the next update", error)
    metrics_log.close()
    if trainer.update > saved:
        trainer.save(directory)
    if stopped:
        say(f"stopped; go on with: mjenv train --resume {directory}")
        return INTERRUPTED
    _final_evaluation(trainer, directory)
    return 0


def main(argv: Sequence[str]) -> int:
    """``mjenv train``: read the options and train.

    Args:
        argv: Options after the command's name.

    Returns:
        The exit code: 0 fine, 1 the run failed, 2 an option is wrong, 130 after Ctrl-C.
    """
    handler = RichHandler(console=console, show_path=False, show_time=False)
    logging.basicConfig(level=logging.WARNING, format="%(message)s", handlers=[handler])
    try:
        config, checkpoint = _options(argv)
        return run(config, _directory(config, checkpoint), checkpoint)
    except SystemExit as end:  # after --help and --print_config
        return int(end.code or 0)
    except (MjenvError, OSError) as error:
        say(f"mjenv train: {error}")
        return 1 if isinstance(error, CheckpointError | OSError) else 2


def _options(argv: Sequence[str]) -> tuple[TrainConfig, Path | None]:
    """The configuration, and the checkpoint to go on from."""
    reader = argparse.ArgumentParser(add_help=False, allow_abbrev=False, exit_on_error=False)
    reader.add_argument("--resume")
    try:
        resume, rest = reader.parse_known_args(argv)
    except argparse.ArgumentError as error:
        raise ConfigError(str(error)) from None
    if resume.resume is None:
        return parse(rest), None
    checkpoint = find_checkpoint(resume.resume)
    saved = TrainConfig.from_dict(read_policy(checkpoint / POLICY_FILE)[1].config)
    config = parse(rest, saved)
    changed = fixed_differences(saved, config)
    if changed:
        raise CheckpointError(
            f"{checkpoint} was made with other {', '.join(changed)}; a run goes on as it began"
        )
    return config, checkpoint


def _directory(config: TrainConfig, checkpoint: Path | None) -> Path:
    if config.directory is not None:
        return Path(config.directory)
    if checkpoint is not None:
        return checkpoint.parents[1]
    return Path(RUNS) / f"{config.name}-{time.strftime('%Y%m%d-%H%M%S')}"


def _interim_evaluation(trainer: Trainer, bar: ProgressBar) -> dict[str, float]:
    """How good the network is now, against the last bot of the list."""
    evaluation = trainer.config.evaluation
    opponent = evaluation.opponents[-1]
    outcome = evaluate(
        trainer.agent(), opponent, trainer.rules, evaluation.interim_deals, evaluation.seed
    )
    bar.evaluated(opponent, outcome.units.value, outcome.units.half_width)
    return {f"evaluation/{opponent}/{name}": value for name, value in numbers_of(outcome).items()}


def _final_evaluation(trainer: Trainer, directory: Path) -> None:
    """Print the table of results, and keep it as JSON."""
    with Progress("evaluation", every=EVERY):
        outcomes = evaluate_all(trainer.agent(), trainer.rules, trainer.config.evaluation)
    if not outcomes:
        return
    title = (
        f"{trainer.config.name} after {trainer.decisions:,} decisions in {trainer.seconds:.0f} s, "
        "one seat against three of each bot (± 95 %):"
    )
    console.print(title, highlight=False, markup=False)
    console.print(results_table(outcomes))
    results = {outcome.reference: numbers_of(outcome) for outcome in outcomes}
    (directory / RESULTS_FILE).write_text(json.dumps(results, indent=2), encoding="utf-8")
    say(f"play it as ppo:{directory}")
