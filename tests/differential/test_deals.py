"""Engine and reference play the same deals: every menu, event and payment is compared.

`python -m tests.differential.full_run` does the same for many more.
"""

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.rules import FAN_TABLES, Rules
from mjenv.sichuan.state import End
from tests.differential.compare import Comparison, DifferenceError
from tests.differential.deals import DEALS_PER_RULES, HouseRules, house_of, new_deal, new_rules
from tests.differential.full_run import parse, run, summary
from tests.differential.occurrences import EXPECTED
from tests.reference import presets
from tests.reference.presets import PRESETS

NUM_MENUS = 1_000 if JIT_DISABLED else 300_000


def test_presets_and_fan_tables_are_the_same() -> None:
    assert {name: Rules.preset(name).to_dict() for name in PRESETS} == PRESETS
    tables = {name: dict(table) for name, table in FAN_TABLES.items()}
    adding = tables["C"]["fans"]
    # In the reference an adding table need not name what stands alone (point 28).
    assert {adding.pop("tian_hu"), adding.pop("di_hu")} == {6}
    assert tables == presets.FAN_TABLES


def test_random_deals_show_no_difference() -> None:
    rng = random.Random("slice 4")
    comparison = Comparison()
    while comparison.menus < NUM_MENUS:
        house = new_rules(rng)
        for _ in range(DEALS_PER_RULES):
            comparison.compare(new_deal(rng, house))
    if not JIT_DISABLED:
        missing = [name for name in EXPECTED if not comparison.seen[name]]
        assert not missing, f"another seed or more deals must show {missing}"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_shows_no_difference(preset: str) -> None:
    rng = random.Random(preset)
    comparison = Comparison()
    house = house_of(PRESETS[preset])
    num_deals = 1 if JIT_DISABLED else 100
    for _ in range(num_deals):
        comparison.compare(new_deal(rng, house))
    assert sum(comparison.seen[f"end {end.name.lower()}"] for end in End) == num_deals


def test_a_difference_is_found_and_can_be_seen_again() -> None:
    other = house_of({**PRESETS["qq"], "base_points": 7})
    house = HouseRules(PRESETS["qq"], other.rules, other.packed)
    with pytest.raises(DifferenceError) as caught:
        Comparison().compare(new_deal(random.Random(3), house))
    report, engine, reference = str(caught.value).splitlines()
    assert set(json.loads(report)) == {"rules", "wall", "dealer", "direction", "actions"}
    assert engine.startswith("engine:")
    assert reference.startswith("reference:")


@pytest.mark.skipif(JIT_DISABLED, reason="a chunk takes minutes when not compiled")
def test_a_full_run_can_be_stopped_and_shared(tmp_path: Path) -> None:
    def compared(menus: int, hands: int, *more: str) -> dict[str, Any]:
        options = parse(["--menus", str(menus), "--hands", str(hands), *more])
        return summary(run(options), options) | {"seconds": 0}

    saved = ("--state", str(tmp_path / "state.json"))
    whole = compared(1, 600)
    assert whole["menus"] > 0
    assert (whole["hands"], whole["mismatches"]) == (1000, 0)
    assert compared(0, 1, *saved)["hands"] == 500
    assert compared(1, 600, *saved) == whole
    other_part = compared(1, 600, "--parts", "2", "--part", "1")
    assert other_part["hands"] == 500
    assert other_part["seen"] != whole["seen"]


def test_the_log_changes_nothing() -> None:
    rng = random.Random(8)
    comparison = Comparison()
    silent = Comparison()
    silent.log = comparison.log[:0]
    for _ in range(1 if JIT_DISABLED else 20):
        deal = new_deal(rng, new_rules(rng))
        number = comparison.play(deal)
        assert silent.play(deal) == number
        assert np.array_equal(silent.decisions[:number], comparison.decisions[:number])
        assert silent.tables.tobytes() == comparison.tables.tobytes()
