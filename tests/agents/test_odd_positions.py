"""Bots answer legally where their own play would never bring them."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.rules import PRESETS, Rules
from tests.agents.houses import random_house
from tests.agents.lockstep import Asked, answers, lockstep
from tests.agents.registered import BOTS, deals_for, each_bot, kernel_of
from tests.agents.situations import DRIVERS, situations

DEALS = 4 if JIT_DISABLED else 100
FREQUENT = 3  # times that an odd situation has to come up at least


def odd_deals(driver: str, deals: int, seed: int) -> Iterator[Asked]:
    """Half the deals under the presets, the others each in a house of its own."""
    rng = random.Random(seed)
    presets = [Rules.preset(preset) for preset in PRESETS]
    rules = [
        presets[deal // 2 % len(presets)] if deal % 2 == 0 else random_house(rng)
        for deal in range(deals)
    ]
    return lockstep(DRIVERS[driver], rules, deals, seed)


def assert_legal_answers(name: str, driver: str, quick: int, seed: int) -> None:
    deals = deals_for(name, quick)
    for asked in odd_deals(driver, deals, seed):
        answered = replace(asked, actions=answers(asked, kernel_of(name)))
        chosen = answered.masks[np.arange(deals), answered.actions]
        assert (chosen[answered.at_play] == 1).all()


@pytest.mark.skipif(JIT_DISABLED, reason="too few deals for everything")
def test_the_deals_are_odd() -> None:
    seen = Counter[str]()
    for driver in DRIVERS:
        for asked in odd_deals(driver, DEALS, seed=31):
            seen.update(situations(asked))
    assert min(seen.values()) >= FREQUENT, seen


@pytest.mark.parametrize("driver", DRIVERS)
@each_bot
def test_answers_are_legal_in_odd_deals(name: str, driver: str) -> None:
    assert_legal_answers(name, driver, DEALS, seed=31)


@pytest.mark.slow
@pytest.mark.parametrize("driver", DRIVERS)
@each_bot
def test_answers_are_legal_in_many_odd_deals(name: str, driver: str) -> None:
    for seed in range(32, 36):
        assert_legal_answers(name, driver, 200, seed)


BOUNDS = """
from tests.agents.test_odd_positions import BOTS, DRIVERS, assert_legal_answers

for name in BOTS:
    for driver in DRIVERS:
        assert_legal_answers(name, driver, 60, seed=37)
    print(name)
"""


@pytest.mark.slow
@pytest.mark.skipif(JIT_DISABLED, reason="plain NumPy checks bounds anyway")
def test_no_bot_reads_or_writes_beyond_its_arrays() -> None:
    root = Path(__file__).parents[2]
    checked = subprocess.run(
        [sys.executable, "-c", BOUNDS],
        env={**os.environ, "NUMBA_BOUNDSCHECK": "1", "PYTHONPATH": str(root)},
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.split() == list(BOTS)
