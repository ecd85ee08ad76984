"""Bots are frozen: they choose as they did when their entry in golden.json was written."""

import json
import shutil
from pathlib import Path

import pytest

from agents import greedy
from mjenv.core.kernel import JIT_DISABLED, kernel
from mjenv.core.tiles import parse_tile
from mjenv.sichuan.actions import PASS, PUNG, WIN
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from tests.agents import golden
from tests.agents.registered import BOTS, each_bot, kernel_of

GOLDEN = golden.load()
RULES = golden.rules_of(GOLDEN)
NINE = parse_tile("9s")


def test_every_registered_bot_is_frozen():
    assert sorted(GOLDEN["bots"]) == sorted(BOTS), (
        "freeze a new bot with: python -m tests.agents.golden NAME"
    )


@pytest.mark.parametrize("rules", RULES)
@each_bot
def test_it_chooses_as_it_did(name, rules):
    kept = GOLDEN["bots"][name]
    deals = 1 if JIT_DISABLED else kept["deals"]
    told = golden.choices(kernel_of(name), RULES[rules], deals, GOLDEN["seed"])
    assert golden.digest(told[:1]) == kept[rules]["first"]
    if not JIT_DISABLED:
        assert golden.digest(told) == kept[rules]["all"]


@kernel
def _misses_a_pung_of_9s(view, rules, luts, mask, rng):
    """greedy/1, but for one tile in one kind of question."""
    if mask[PUNG] != 0 and mask[WIN] == 0 and view["claim_tile"] == NINE:
        return int(PASS)
    return greedy.choose(view, rules, luts, mask, rng)


@pytest.mark.skipif(JIT_DISABLED, reason="too slow uncompiled")
def test_a_small_change_is_noticed():
    told = golden.choices(SICHUAN.bot(_misses_a_pung_of_9s), RULES["qq"], 1000, GOLDEN["seed"])
    kept = GOLDEN["bots"]["greedy/1"]["qq"]
    assert golden.digest(told) != kept["all"]
    before = golden.choices(kernel_of("greedy/1"), RULES["qq"], 1000, GOLDEN["seed"])
    changed = sum(old != new for old, new in zip(before, told, strict=True))
    assert 0 < changed < 250


def test_the_deals_do_not_depend_on_how_many_are_played():
    few, more = (golden.choices(kernel_of("greedy/1"), RULES["qq"], deals, 5) for deals in (1, 2))
    assert few == more[:1]
    assert few != more[1:]


def test_a_frozen_bot_is_not_frozen_again(tmp_path: Path):
    path = tmp_path / "golden.json"
    shutil.copy(golden.PATH, path)
    with pytest.raises(ValueError, match=r"greedy/1 is frozen: golden.json has an entry for it"):
        golden.freeze("greedy/1", 1, path)
    assert path.read_bytes() == golden.PATH.read_bytes()


def test_a_new_bot_is_added(tmp_path: Path):
    path = tmp_path / "golden.json"
    changed = {**GOLDEN, "bots": {name: GOLDEN["bots"][name] for name in ("greedy/1",)}}
    path.write_text(json.dumps(changed), encoding="utf-8")
    golden.freeze("random_legal/1", 1, path)
    written = golden.load(path)
    assert list(written["bots"]) == ["greedy/1", "random_legal/1"]
    assert written["bots"]["greedy/1"] == GOLDEN["bots"]["greedy/1"]
    added, kept = written["bots"]["random_legal/1"], GOLDEN["bots"]["random_legal/1"]
    assert added.pop("deals") == 1
    for rules, hashes in added.items():
        assert hashes == {"first": kept[rules]["first"], "all": kept[rules]["first"]}


def test_the_command_says_that_a_bot_is_frozen(capsys: pytest.CaptureFixture[str]):
    assert golden.main(["greedy/1"]) == 1
    assert "next version" in capsys.readouterr().err


@pytest.mark.parametrize("name", GOLDEN["houses"])
def test_houses_are_houses(name):
    assert RULES[name].preset_name is None
    assert Rules.from_dict(RULES[name].to_dict()) == RULES[name]
