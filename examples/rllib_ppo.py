"""Masked PPO with RLlib: one policy learns in all four seats, played by workers of their own.

    python examples/rllib_ppo.py --steps 8000 --workers 2

On one machine Ray starts by itself. On a cluster the same file runs with ``--address auto``.
RLlib pins Gymnasium 1.2.2, so it needs an environment of its own.
"""

import argparse
from typing import Any

import numpy as np
import ray
from gymnasium import spaces
from pettingzoo.utils import BaseWrapper
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

from mjenv import sichuan_v0

MAX_STEPS_PER_ITERATION = 2000
POLICY = "seat"


class RLlibNames(BaseWrapper):
    """The keys and types that RLlib's masking module wants: ``observations`` and a float mask."""

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same observation under the other name, beside the mask as floats."""
        space = self.env.observation_space(agent)
        mask = spaces.Box(0.0, 1.0, space["action_mask"].shape, np.float32)
        return spaces.Dict({"observations": space["observation"], "action_mask": mask})

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What the agent sees."""
        seen = self.env.observe(agent)
        return {
            "observations": seen["observation"],
            "action_mask": seen["action_mask"].astype(np.float32),
        }


def make_env(config: dict[str, Any]) -> PettingZooEnv:
    """One table; Ray calls this in every worker."""
    return PettingZooEnv(RLlibNames(sichuan_v0.env(observation="vector/1", **config)))


def make_config(workers: int, seed: int, steps_per_iteration: int) -> PPOConfig:
    """PPO whose four seats share one masked policy."""
    register_env("sichuan", make_env)
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [128, 128], "fcnet_activation": "relu"},
    )
    return (
        PPOConfig()
        .environment("sichuan", env_config={"rules": "qq"})
        .multi_agent(policies={POLICY}, policy_mapping_fn=lambda *_, **__: POLICY)
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={POLICY: module}))
        # Whole deals: a fragment would cut the payments that follow its last decisions.
        .env_runners(num_env_runners=workers, batch_mode="complete_episodes")
        .training(
            train_batch_size_per_learner=steps_per_iteration,
            minibatch_size=min(256, steps_per_iteration),
            num_epochs=2,
            lr=1e-3,
            gamma=1.0,
            lambda_=0.95,
            entropy_coeff=0.01,
        )
        .debugging(seed=seed)
    )


def train(steps: int, seed: int, workers: int) -> None:
    """Train until this many decisions were taken."""
    algorithm = make_config(workers, seed, min(steps, MAX_STEPS_PER_ITERATION)).build_algo()
    done = 0
    while done < steps:
        played = algorithm.train()["env_runners"]
        done = int(played["num_env_steps_sampled_lifetime"])
        # An illegal action would end its deal with -1 for one seat and nothing for the others:
        # that the seats sum to zero in every deal shows that there was none.
        sums = [played[f"episode_return_{which}"] for which in ("min", "mean", "max")]
        assert sums == [0, 0, 0], f"returns of a deal do not sum to zero: {sums}"
        means = sorted(played["agent_episode_returns_mean"].items())
        text = ", ".join(f"{agent} {mean:+.2f}" for agent, mean in means)
        print(f"{done} decisions, returns in a deal: {text}")
    algorithm.stop()


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=8000, help="decisions to train on")
    parser.add_argument("--seed", type=int, default=1, help="of deals, weights and sampling")
    parser.add_argument("--workers", type=int, default=0, help="processes that play; 0: this one")
    parser.add_argument("--address", default="local", help="of a cluster; local starts Ray")
    arguments = parser.parse_args()
    ray.init(arguments.address)
    train(arguments.steps, arguments.seed, arguments.workers)
    ray.shutdown()


if __name__ == "__main__":
    main()
