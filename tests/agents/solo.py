"""One deal at one table, every question answered through `act`."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from mjenv.agent import Agent
from mjenv.core.game import Views
from mjenv.core.rng import policy_stream
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules

NO_LOG = np.zeros(0, SICHUAN.event)
SEED = 77


@dataclass
class Question:
    """A table before an answer, and the answer."""

    tables: np.ndarray
    rules: np.ndarray
    mask: np.ndarray
    views: np.ndarray
    rng: int
    action: int


def questions(agent: Agent, rules: Rules, deal: int, seed: int = SEED) -> Iterator[Question]:
    """Play a deal with one agent in all seats; afterwards `tables` holds the end of it."""
    packed, luts = rules.pack(), SICHUAN.luts()
    tables, mask = np.zeros(1, SICHUAN.state), np.zeros(SICHUAN.num_actions, np.int8)
    tables["seed"], tables["deal"], tables["dealer"] = seed, deal, -1
    SICHUAN.deal_at(tables, 0, packed, luts, mask)
    state, views, rng = tables[0], np.zeros(1, SICHUAN.view_dtype), np.ones(1, np.uint64)
    while state["actor"] >= 0:
        seat = int(state["actor"])
        SICHUAN.view_at(tables, 0, packed, seat, views)
        policy_stream(rng, seed, deal, seat, int(state["num_decisions"][seat]))
        drawn = int(rng[0])
        action = int(agent.act(Views(views, packed), mask[None], rng)[0])
        yield Question(tables, packed, mask, views, drawn, action)
        SICHUAN.step_at(tables, 0, packed, luts, action, NO_LOG, mask)
