"""Many deals side by side, every question of every deal in sight."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from mjenv.core.batch import CALLER, choose_all, first_action, step_all
from mjenv.core.game import NOBODY, NUM_SEATS
from mjenv.core.kernel import Argument
from mjenv.core.rng import new_generator
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules

_CALLERS = np.full((1, 1, NUM_SEATS), CALLER, np.int8)


@dataclass(frozen=True)
class Asked:
    """Deals between two steps; row ``i`` of every array belongs to deal ``i``.

    Attributes:
        tables: ``(D,)`` states; the actor of a deal that is over is -1.
        rules: ``(R,)`` packed, row ``i % R`` for deal ``i``.
        masks: ``(D, A)`` menus.
        actions: ``(D,)`` what is going to be done.
    """

    tables: np.ndarray
    rules: np.ndarray
    masks: np.ndarray
    actions: np.ndarray

    @property
    def at_play(self) -> np.ndarray:
        """``(D,)`` bool: where somebody is asked."""
        asked: np.ndarray = self.tables["actor"] != NOBODY
        return asked

    def rules_of(self, deal: int) -> np.ndarray:
        """The packed rules of a deal, ``(1,)``."""
        row = deal % len(self.rules)
        return self.rules[row : row + 1]


def answers(asked: Asked, bot: Argument) -> np.ndarray:
    """What a bot would do at every table, ``(D,)`` int64; 0 where the deal is over."""
    number = len(asked.tables)
    actions = np.zeros(number, np.int64)
    views, players = np.zeros(1, SICHUAN.view_dtype), np.zeros((number, NUM_SEATS), np.int8)
    choose_all(
        asked.tables,
        asked.rules,
        SICHUAN.luts(),
        asked.masks,
        players,
        0,
        actions,
        views,
        new_generator(),
        SICHUAN.view,
        bot,
    )
    return actions


def lockstep(bot: Argument, rules: Sequence[Rules], deals: int, seed: int) -> Iterator[Asked]:
    """Play deals 0, 1, 2, ... of a seed with one bot in all seats.

    Yields:
        The tables before every step, with the answers of the bot; the same arrays again and again.
    """
    packed, luts = np.concatenate([one.pack() for one in rules]), SICHUAN.luts()
    tables, masks = np.zeros(deals, SICHUAN.state), np.zeros((deals, SICHUAN.num_actions), np.int8)
    tables["seed"], tables["deal"], tables["dealer"] = seed, np.arange(deals), NOBODY
    for deal in range(deals):
        row = deal % len(packed)
        SICHUAN.deal_at(tables, deal, packed[row : row + 1], luts, masks[deal])
    nobody = (SICHUAN.bot(first_action),) * 3
    while (tables["actor"] != NOBODY).any():
        asked = Asked(tables, packed, masks, np.zeros(deals, np.int64))
        asked.actions[:] = answers(asked, bot)
        yield asked
        step_all(
            tables,
            packed,
            luts,
            _CALLERS,
            asked.actions,
            asked.at_play,
            masks,
            np.zeros(deals, np.int8),
            np.zeros((deals, NUM_SEATS), np.int32),
            np.zeros(deals, bool),
            np.zeros(2, np.int64),
            np.zeros((deals, 0), SICHUAN.event),
            0,
            np.zeros(1, SICHUAN.view_dtype),
            new_generator(),
            SICHUAN.legal,
            SICHUAN.step,
            SICHUAN.view,
            *nobody,
        )
