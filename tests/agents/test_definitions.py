"""Bots choose what their definitions say: a plain twin of each plays along with the reference."""

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from agents.greedy import Greedy
from agents.greedy_plus import GreedyPlus
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.rules import PRESETS, Rules
from tests.agents.houses import random_house
from tests.agents.twins import play_and_compare
from tests.reference.greedy import choose as greedy_twin
from tests.reference.greedy_plus import choose as greedy_plus_twin

TWINS: dict[str, tuple[Any, Callable[..., Any]]] = {
    "greedy/1": (Greedy(), greedy_twin),
    "greedy_plus/1": (GreedyPlus(), greedy_plus_twin),
}
# Without a void suit nearly every discard is weighed, against a sixth of them with one.
DEALS = {"qq": 12, "sichuan_modern": 12, "standalone": 3, "standalone_single": 4}
HOUSES = 16
if JIT_DISABLED:
    DEALS, HOUSES = dict.fromkeys(PRESETS, 1), 2

each_twin = pytest.mark.parametrize("name", TWINS)


@each_twin
@pytest.mark.parametrize("preset", PRESETS)
def test_chooses_as_defined_in_every_preset(preset: str, name: str) -> None:
    rng, seen = random.Random(preset), Counter[str]()
    deals = DEALS[preset]
    for deal in range(deals):
        play_and_compare(*TWINS[name], Rules.preset(preset), deal, rng, seen)
    assert seen["TURN discard"] > 15 * deals
    assert seen["EXCHANGE give"] == (12 * deals if preset == "sichuan_modern" else 0)
    assert seen["VOID void"] == (0 if preset.startswith("standalone") else 4 * deals)
    if not JIT_DISABLED:
        assert seen["CLAIM pung"] > 0


@each_twin
def test_chooses_as_defined_under_house_rules(name: str) -> None:
    rng, seen = random.Random(5), Counter[str]()
    for deal in range(HOUSES):
        play_and_compare(*TWINS[name], random_house(rng), deal, rng, seen)
    if not JIT_DISABLED:
        assert min(seen["TURN kong"], seen["CLAIM kong"], seen["TURN win"]) > 0


@pytest.mark.slow
@each_twin
def test_chooses_as_defined_in_many_houses(name: str) -> None:
    rng, seen = random.Random(6), Counter[str]()
    for deal in range(200):
        play_and_compare(*TWINS[name], random_house(rng), 1000 + deal, rng, seen)
    assert sum(seen.values()) > 9_000
