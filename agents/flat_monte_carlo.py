"""``flat_monte_carlo/1``: a search in a few lines, some hundred times slower than the other bots.

It tries every legal action in the same worlds, all of which its seat cannot tell from the real
one; ``greedy/1`` plays each of them to the end of the deal, and the action with the best mean of
own units is chosen. Two things are there because short trials without them won nothing:

- The worlds are likely ones (:mod:`agents.beliefs`). In worlds drawn uniformly the others hold
  worse tiles than they really do, so that a search may let too many wins go by.
- The best of many noisy means is often one that only looks best. The choice of ``greedy/1`` is
  replaced by an action that is better by two standard errors of the difference; a few worlds tell
  which actions are worth trying in many.

Frozen: a change in what it chooses is a new version.
"""

from typing import Any

import numpy as np

from agents.beliefs import LIKELY
from agents.greedy import Greedy
from mjenv.core.game import Views
from mjenv.core.rng import next_bits
from mjenv.envs.rollout import rollout

ERRORS = 2.0
"""Standard errors by which an action must be better than the choice of the bot."""
WORLDS = 400
"""In how many worlds a promising action is tried."""
FEW = 8
"""Actions are first tried in this part of the worlds."""
_TO_SEED = np.uint64(11)  # leaves 53 bits


class FlatMonteCarlo:
    """The agent ``flat_monte_carlo/1``.

    Args:
        worlds: In how many worlds a promising action is tried; others in an eighth of them. With
            another number than that of the frozen agent it has another name.
    """

    games = ("sichuan",)
    observation = "view"

    def __init__(self, worlds: int = WORLDS) -> None:
        more = "" if worlds == WORLDS else f"-{worlds}"
        self.name = f"flat_monte_carlo{more}/1"
        self.worlds = worlds
        self._bot = Greedy()

    def act(self, observations: Views, masks: np.ndarray, rng: np.ndarray) -> np.ndarray:
        """Choose an action for every view; see :class:`mjenv.agent.Agent`."""
        choices = self._bot.act(observations, masks, rng)
        views, rules = observations
        for i in np.flatnonzero(masks.sum(axis=1) > 1):
            one = Views(views[i : i + 1], rules[i % len(rules) :][:1])
            seed = int(next_bits(rng[i : i + 1]) >> _TO_SEED)
            choices[i] = self._search(one, np.flatnonzero(masks[i]), int(choices[i]), seed)
        return choices

    def _search(self, view: Views, actions: np.ndarray, chosen: int, seed: int) -> int:
        """The best action that is clearly better than the one chosen, or that one."""
        best = chosen
        for number, worlds in enumerate((max(2, self.worlds // FEW), self.worlds)):
            if len(actions) > 1:
                gain, error = self._gains(view, actions, chosen, worlds, seed + number)
                best = int(actions[(gain - ERRORS * error).argmax()])
                actions = actions[gain + ERRORS * error >= 0]
        return best

    def _gains(
        self, view: Views, actions: np.ndarray, chosen: int, worlds: int, seed: int
    ) -> tuple[np.ndarray, np.ndarray]:
        """Units that actions gain over the one chosen, and their standard errors."""
        told: dict[str, Any] = {"actions": actions[None], "redeal": LIKELY, "seed": seed}
        units = rollout(view, self._bot, worlds, **told)[0, :, :, int(view.views["seat"][0])]
        gain = units - units[actions == chosen]
        return gain.mean(axis=1), gain.std(axis=1) / worlds**0.5
