import random

import pytest

from mjenv.render.unpacked import unpack_rules
from mjenv.sichuan.rules import FAN_TABLES, PRESETS, Rules
from tests.agents.houses import random_house


@pytest.mark.parametrize("preset", PRESETS)
def test_presets_come_out_as_they_were(preset: str) -> None:
    rules = Rules.preset(preset)
    assert unpack_rules(rules.pack()[0]) == rules


def test_house_rules_pack_the_same() -> None:
    changed = 0
    for seed in range(300):
        rules = random_house(random.Random(seed))
        out = unpack_rules(rules.pack()[0])
        assert out.pack().tobytes() == rules.pack().tobytes()
        changed += out.preset_name is None
    assert changed > 250


def test_a_table_written_out_comes_out_as_its_letter() -> None:
    written = Rules(fan_table=dict(FAN_TABLES["C"]))
    assert unpack_rules(written.pack()[0]).fan_table == "C"


def test_what_kernels_do_not_read_is_lost() -> None:
    rules = Rules(room_coefficient=5, table_fee=100, last_four="optional")
    assert unpack_rules(rules.pack()[0]) == Rules.preset("qq")
