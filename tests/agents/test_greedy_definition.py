"""greedy/1 chooses what its definition says: its plain twin plays along with the reference."""

import random
from collections import Counter

import numpy as np
import pytest

from agents.greedy import Greedy
from mjenv.core.game import Views
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.state import Direction
from tests.agents.houses import random_house
from tests.reference import greedy as twin
from tests.reference.table import ReferenceTable
from tests.reference.tiles import TEXT

GREEDY = Greedy()
NO_LOG = np.zeros(0, SICHUAN.event)
# Without a void suit nearly every discard is weighed, against a sixth of them with one.
DEALS = {"qq": 12, "sichuan_modern": 12, "standalone": 3, "standalone_single": 4}
HOUSES = 16
if JIT_DISABLED:
    DEALS, HOUSES = dict.fromkeys(PRESETS, 1), 2
MEDDLING = 0.25  # share of decisions taken at random, so that odd hands come up as well


def play_and_compare(rules: Rules, deal: int, rng: random.Random, seen: Counter[str]) -> None:
    """Play one deal at both tables; at every question both must answer the same."""
    packed, luts = rules.pack(), SICHUAN.luts()
    tables, mask = np.zeros(1, SICHUAN.state), np.zeros(SICHUAN.num_actions, np.int8)
    tables["seed"], tables["deal"], tables["dealer"] = 11, deal, -1
    SICHUAN.deal_at(tables, 0, packed, luts, mask)
    state = tables[0]
    reference = ReferenceTable(
        rules.to_dict(),
        [TEXT[kind] for kind in state["wall"]],
        int(state["dealer"]),
        Direction(state["direction"]).name.lower(),
    )
    views = np.zeros(1, SICHUAN.view_dtype)
    while state["actor"] >= 0:
        SICHUAN.view_at(tables, 0, packed, int(state["actor"]), views)
        chosen = int(GREEDY.act(Views(views, packed), mask[None], np.ones(1, np.uint64))[0])
        text = SICHUAN.action_text(chosen, reference.phase == "EXCHANGE")
        wanted = twin.choose(reference, reference.legal())
        assert text == wanted, (rules.to_dict(), deal, reference.phase, reference.hands)
        seen[f"{reference.phase} {text.split()[0]}"] += 1
        if rng.random() < MEDDLING:
            wanted = rng.choice(reference.legal())
        reference.step(wanted)
        SICHUAN.step_at(tables, 0, packed, luts, SICHUAN.parse_action(wanted), NO_LOG, mask)
    assert reference.over


@pytest.mark.parametrize("preset", PRESETS)
def test_chooses_as_defined_in_every_preset(preset: str) -> None:
    rng, seen = random.Random(preset), Counter[str]()
    deals = DEALS[preset]
    for deal in range(deals):
        play_and_compare(Rules.preset(preset), deal, rng, seen)
    assert seen["TURN discard"] > 15 * deals
    assert seen["EXCHANGE give"] == (12 * deals if preset == "sichuan_modern" else 0)
    assert seen["VOID void"] == (0 if preset.startswith("standalone") else 4 * deals)
    if not JIT_DISABLED:
        assert seen["CLAIM pung"] > 0


def test_chooses_as_defined_under_house_rules() -> None:
    rng, seen = random.Random(5), Counter[str]()
    for deal in range(HOUSES):
        play_and_compare(random_house(rng), deal, rng, seen)
    if not JIT_DISABLED:
        assert min(seen["TURN kong"], seen["CLAIM kong"], seen["TURN win"]) > 0


@pytest.mark.slow
def test_chooses_as_defined_in_many_houses() -> None:
    rng, seen = random.Random(6), Counter[str]()
    for deal in range(200):
        play_and_compare(random_house(rng), 1000 + deal, rng, seen)
    assert sum(seen.values()) > 9_000
