"""Bots at a Table, and deals they have played."""

import random
from functools import lru_cache
from typing import Any

import numpy as np

from mjenv.core.rng import new_generator
from mjenv.sichuan.rules import Rules
from mjenv.table import Table
from tests.sichuan.engine import LUTS, some_house_rules
from tests.sichuan.players import PLAYERS

PRESETS = ("standalone", "standalone_single", "qq", "sichuan_modern")


@lru_cache(maxsize=64)
def packed(rules: Rules) -> np.ndarray:
    return rules.pack()


class Bot:
    """One of the players of the tests, for every seat of a table."""

    def __init__(self, name: str, seed: int = 1) -> None:
        self.name = name
        self.kernel = PLAYERS[name]
        self.rng = new_generator()
        self.rng[0] = seed + 1

    def __call__(self, table: Table) -> int:
        view = table.view(table.actor)[0]
        rules = packed(table.rules)[0]
        return int(self.kernel(view, rules, LUTS, table.legal_mask(), self.rng))


def played(rules: Any, seed: int, bot: str = "tidy", deal: int = 0) -> Table:
    """A finished deal."""
    table = Table(rules, seed, deal)
    choose = Bot(bot, seed)
    while not table.over:
        table.step(choose(table))
    return table


def house_rules(seed: int) -> Rules:
    return some_house_rules(random.Random(seed))
