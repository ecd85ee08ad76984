"""Self-play: what the learner saw, did and got, one trajectory for each seat.

A decision is a row. A seat's next row is its own next decision at that table, whatever others did
between; its reward is the change of its points until then, or until the end of the deal. So
payments for the wins and kongs of others, and the settlement at the wall's end, reach the decision
they followed.

An iteration cuts deals anywhere. The last decision of each seat before the cut waits for its
outcome in the rows in front of the next iteration; the value the critic gave it closes the
trajectory before it.
"""

from typing import Any

import numpy as np
import torch

from agents.ppo.network import ActorCritic, sample
from mjenv.core.game import NUM_SEATS
from mjenv.core.kernel import kernel
from mjenv.envs.batch import Batch
from mjenv.envs.batch_step import Step
from train.opponents import LEARNER, Opponents

OPEN = -1
"""Next row of a decision whose outcome is not known yet, and of a row without a decision."""
END = -2
"""Next row of a seat's last decision in a deal."""


@kernel
def estimate_advantages(
    rewards: np.ndarray,
    values: np.ndarray,
    next_rows: np.ndarray,
    gamma: float,
    gae_lambda: float,
    advantages: np.ndarray,
) -> None:
    """Generalised advantage estimation along each seat's own decisions.

    Args:
        rewards: ``(R,)`` float32, from each decision to the seat's next.
        values: ``(R,)`` float32, of the critic at each decision.
        next_rows: ``(R,)`` int64, a later row, ``END`` or ``OPEN``.
        gamma: Discount.
        gae_lambda: Weight of longer estimates.
        advantages: ``(R,)`` float32, receives them; 0 where the outcome is open.
    """
    for row in range(rewards.shape[0] - 1, -1, -1):
        following = next_rows[row]
        if following == OPEN:
            advantages[row] = 0.0
        elif following == END:
            advantages[row] = rewards[row] - values[row]
        else:
            surprise = rewards[row] + gamma * values[following] - values[row]
            advantages[row] = surprise + gamma * gae_lambda * advantages[following]


class Rollout:
    """Plays a batch and keeps the learner's decisions.

    The first ``4 * num_tables`` rows are open decisions of the iteration before, one for each
    seat; then come ``num_steps`` blocks of ``num_tables`` rows. A row of a bot stays empty.

    Args:
        batch: The tables.
        opponents: Who sits where.
        num_steps: Decisions at each table in an iteration.
        reward_scale: Rewards in units are multiplied by this.

    Attributes:
        observations: ``(R, size)`` of the encoding's dtype.
        masks: ``(R, A)`` int8.
        actions: ``(R,)`` int64.
        log_probs: ``(R,)`` float32, when the action was drawn.
        values: ``(R,)`` float32, of the critic then.
        rewards: ``(R,)`` float32, scaled.
        next_rows: ``(R,)`` int64.
        last: ``(N, 4)`` int64, row of each seat's last decision in this deal, or ``OPEN``.
    """

    def __init__(
        self, batch: Batch, opponents: Opponents, num_steps: int, reward_scale: float
    ) -> None:
        self.batch = batch
        self.opponents = opponents
        self.num_steps = num_steps
        self.reward_scale = reward_scale
        tables = len(batch.actors)
        self.first = NUM_SEATS * tables
        rows = self.first + num_steps * tables
        self.observations = np.zeros((rows, batch.encoding.size), batch.encoding.dtype)
        self.masks = np.zeros((rows, batch.masks.shape[1]), np.int8)
        self.actions = np.zeros(rows, np.int64)
        self.log_probs = np.zeros(rows, np.float32)
        self.values = np.zeros(rows, np.float32)
        self.rewards = np.zeros(rows, np.float32)
        self.next_rows = np.full(rows, OPEN, np.int64)
        self.last = np.full((tables, NUM_SEATS), OPEN, np.int64)

    @property
    def _columns(self) -> tuple[np.ndarray, ...]:
        return (
            self.observations,
            self.masks,
            self.actions,
            self.log_probs,
            self.values,
            self.rewards,
        )

    def collect(
        self, network: ActorCritic, generator: torch.Generator
    ) -> tuple[np.ndarray, np.ndarray]:
        """Play one iteration.

        Returns:
            The deals that ended, ``(D,)`` states, and the seats the learner had, ``(D, 4)`` bool.
        """
        self._carry_over()
        players = self.opponents.players
        tables = np.arange(len(players))
        finished, learner = [], []
        for step in range(self.num_steps):
            seats = self.batch.actors.copy()
            actions = self.opponents.choose(self.batch)
            asked = np.flatnonzero(players[tables, seats] == LEARNER)
            rows = self.first + step * len(tables) + asked
            self._decide(network, generator, asked, rows)
            actions[asked] = self.actions[rows]
            self._append(rows, asked, seats[asked])
            result = self.batch.step(actions)
            self._credit(result)
            finished.append(result.finished)
            learner.append(players[result.finished_tables] == LEARNER)
        return np.concatenate(finished), np.concatenate(learner)

    def complete_rows(self) -> np.ndarray:
        """Rows of decisions whose outcome is known, in order."""
        return np.flatnonzero(self.next_rows != OPEN)

    def state_dict(self) -> dict[str, Any]:
        """Everything that the next iteration depends on, as tensors."""
        self._carry_over()
        names = ("observations", "masks", "actions", "log_probs", "values", "rewards")
        state = {name: torch.from_numpy(getattr(self, name)[: self.first]) for name in names}
        return {**state, "last": torch.from_numpy(self.last)}

    def load_state_dict(self, state: dict[str, Any]) -> None:
        """The inverse of :meth:`state_dict`."""
        self.last[:] = state["last"].numpy()
        self.next_rows[:] = OPEN
        for name, value in state.items():
            if name != "last":
                getattr(self, name)[: self.first] = value.numpy()

    def _carry_over(self) -> None:
        """Move open decisions to the rows of their seats in front."""
        waiting = self.last != OPEN
        fronts = np.flatnonzero(waiting)
        for column in self._columns:
            column[fronts] = column[self.last[waiting]]
        self.last[waiting] = fronts
        self.next_rows[:] = OPEN

    def _decide(
        self,
        network: ActorCritic,
        generator: torch.Generator,
        tables: np.ndarray,
        rows: np.ndarray,
    ) -> None:
        observations = self.batch.observe()
        self.observations[rows] = observations[tables].reshape(len(tables), -1)
        self.masks[rows] = self.batch.masks[tables]
        with torch.inference_mode():
            log_probs, values = network(
                torch.from_numpy(self.observations[rows]).float(),
                torch.from_numpy(self.masks[rows].astype(bool)),
            )
            actions = sample(log_probs, generator)
            self.log_probs[rows] = log_probs.gather(1, actions[:, None])[:, 0].numpy()
        self.actions[rows] = actions.numpy()
        self.values[rows] = values.numpy()
        self.rewards[rows] = 0

    def _append(self, rows: np.ndarray, tables: np.ndarray, seats: np.ndarray) -> None:
        """Make new rows the next of their seats' last."""
        before = self.last[tables, seats]
        known = before != OPEN
        self.next_rows[before[known]] = rows[known]
        self.last[tables, seats] = rows

    def _credit(self, result: Step) -> None:
        """Add what a step brought to the last decisions of those whom it concerns."""
        waiting = self.last != OPEN
        self.rewards[self.last[waiting]] += self.reward_scale * result.rewards[waiting]
        ended = self.last[result.finished_tables]
        self.next_rows[ended[ended != OPEN]] = END
        self.last[result.finished_tables] = OPEN
