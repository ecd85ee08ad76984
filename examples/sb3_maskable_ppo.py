"""MaskablePPO of SB3-contrib: one seat learns against three bots.

    python examples/sb3_maskable_ppo.py --steps 100000 --tables 64

With one table it learns from the plain Gymnasium environment, with more from the vector
environment, whose tables are stepped by one compiled call.
"""

import argparse
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import VecEnv, VecMonitor
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

import mjenv  # noqa: F401  # registers the environment

OPTIONS = {
    "opponents": "greedy/1",
    "rules": "qq",
    "observation": "vector/1",
    "illegal_action": "raise",
}
"""MaskablePPO never chooses an illegal action: if it did, this would say so at once."""

STEPS_PER_UPDATE = 4096
MAX_MINIBATCH = 1024


class VectorOfSB3(VecEnv):
    """A vector environment of Gymnasium, as Stable-Baselines3 calls it.

    Args:
        env: Made by ``gymnasium.make_vec``; it must start the next episode in the same step.
    """

    def __init__(self, env: gymnasium.vector.VectorEnv) -> None:
        mode = env.metadata["autoreset_mode"]
        if mode is not gymnasium.vector.AutoresetMode.SAME_STEP:
            raise ValueError(f"autoreset_mode: got {mode}; Stable-Baselines3 needs SAME_STEP")
        self.env = env
        self.actions = np.zeros(env.num_envs, np.int64)
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)

    def reset(self) -> VecEnvObs:
        """Start an episode everywhere, with the seeds of ``seed()`` if it was called."""
        seeded = any(seed is not None for seed in self._seeds)
        observations, infos = self.env.reset(seed=list(self._seeds) if seeded else None)
        self.reset_infos = self._by_table(infos, range(self.num_envs))
        self._reset_seeds()
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Keep the actions for ``step_wait``."""
        self.actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Step all tables; infos are those of deals that ended, and empty elsewhere."""
        observations, rewards, terminated, truncated, infos = self.env.step(self.actions)
        dones = terminated | truncated
        told: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(dones)
        if len(ended):
            final = self._by_table(infos["final_info"], ended)
            for table, info in zip(ended, final, strict=True):
                told[table] = {
                    **info,
                    "terminal_observation": infos["final_obs"][table],
                    "TimeLimit.truncated": bool(truncated[table] and not terminated[table]),
                }
        return observations, rewards.astype(np.float32), dones, told

    def _by_table(self, infos: dict[str, Any], tables: Iterable[int]) -> list[dict[str, Any]]:
        """Take dictionaries of single tables out of Gymnasium's dictionary of arrays."""
        names = [name for name in infos if f"_{name}" in infos]
        return [
            {
                name: self._by_table(infos[name], [table])[0]
                if isinstance(infos[name], dict)
                else infos[name][table]
                for name in names
                if infos[f"_{name}"][table]
            }
            for table in tables
        ]

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """What a method returns, row by row: ``action_masks`` is the one that is asked for."""
        rows = getattr(self.env, method_name)(*args, **kwargs)
        return [rows[table] for table in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The attribute, which all tables share."""
        return [getattr(self.env, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Refused: tables have no attributes of their own."""
        raise NotImplementedError(f"{attr_name}: make the environment anew with other options")

    def env_is_wrapped(
        self, wrapper_class: type[gymnasium.Wrapper], indices: VecEnvIndices = None
    ) -> list[bool]:
        """Whether single tables are wrapped: they never are."""
        return [False for _ in self._get_indices(indices)]

    def close(self) -> None:
        """Close the environment."""
        self.env.close()


class Returns(BaseCallback):
    """Collects the returns of ended deals, and checks that their payments sum to zero."""

    def __init__(self) -> None:
        super().__init__()
        self.returns: list[float] = []

    def _on_step(self) -> bool:
        for info, done in zip(self.locals["infos"], self.locals["dones"], strict=True):
            if done:
                assert sum(info["points"]) == 0, f"points do not sum to zero: {info['points']}"
                self.returns.append(float(info["episode"]["r"]))
        return True


def make_env(tables: int) -> gymnasium.Env | VecEnv:
    """One table, or many in one."""
    if tables == 1:
        return gymnasium.make("mjenv/Sichuan-v0", **OPTIONS)
    return VecMonitor(VectorOfSB3(gymnasium.make_vec("mjenv/Sichuan-v0", tables, **OPTIONS)))


def train(steps: int, seed: int, tables: int) -> tuple[MaskablePPO, list[float]]:
    """Train on at least this many decisions; the model, and the returns of the deals played."""
    num_steps = max(2, min(steps, STEPS_PER_UPDATE) // tables)
    model = MaskablePPO(
        "MultiInputPolicy",
        make_env(tables),
        n_steps=num_steps,
        batch_size=min(num_steps * tables, MAX_MINIBATCH),
        n_epochs=4,
        gamma=1.0,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [128, 128]},
        seed=seed,
        device="cpu",
    )
    returns = Returns()
    model.learn(steps, callback=returns)
    return model, returns.returns


def main() -> None:
    """Train from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20_000, help="decisions to train on")
    parser.add_argument("--seed", type=int, default=1, help="of deals, weights and sampling")
    parser.add_argument("--tables", type=int, default=1, help="played side by side")
    arguments = parser.parse_args()
    model, returns = train(arguments.steps, arguments.seed, arguments.tables)
    recent = returns[-200:]
    print(
        f"{model.num_timesteps} decisions, {len(returns)} deals, mean return of the last "
        f"{len(recent)} against three {OPTIONS['opponents']}: {np.mean(recent):+.2f} units"
    )


if __name__ == "__main__":
    main()
