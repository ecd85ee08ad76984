"""Who sits where while training: the learner, and bots whose moves are not learnt from."""

import numpy as np

from mjenv.core.game import NUM_SEATS
from mjenv.envs.batch import Batch
from mjenv.envs.bots import bot_kernel
from mjenv.sichuan.game import SICHUAN
from train.config import OpponentsConfig

LEARNER = 0
"""The player that learns; bots are numbered from 1."""


class Opponents:
    """Seats of a batch, given to the learner and to bots.

    A share of the tables, the last ones, has one seat of the learner and three of a bot; bots
    and the learner's seat change from table to table. The learner plays all seats of the others.

    Args:
        config: Names and share.
        num_tables: Of the batch.

    Attributes:
        players: ``(num_tables, 4)`` int8, ``LEARNER`` or the number of a bot.

    Raises:
        AgentError: A bot is unknown, or is no compiled one.
    """

    def __init__(self, config: OpponentsConfig, num_tables: int) -> None:
        self._kernels = [bot_kernel(name, SICHUAN) for name in config.names]
        self.players = np.full((num_tables, NUM_SEATS), LEARNER, np.int8)
        with_bots = round(config.share * num_tables)
        for number, table in enumerate(range(num_tables - with_bots, num_tables)):
            self.players[table] = 1 + number % len(self._kernels)
            self.players[table, number // len(self._kernels) % NUM_SEATS] = LEARNER

    def choose(self, batch: Batch) -> np.ndarray:
        """The bots' moves.

        Returns:
            ``(N,)`` int64; what stands where the learner is asked means nothing.
        """
        actions = np.zeros(len(self.players), np.int64)
        for number, kernel in enumerate(self._kernels, start=1):
            batch.choose(kernel, number, self.players, actions)
        return actions
