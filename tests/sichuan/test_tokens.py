import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.tiles import tile_text
from mjenv.errors import RulesError
from mjenv.sichuan.actions import action_text
from mjenv.sichuan.layout import KINDS, SEATS, TOKEN_CELLS
from mjenv.sichuan.log import event_dicts
from mjenv.sichuan.observation import ENCODINGS
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import OPTIONS, Rules
from mjenv.sichuan.state import VIEW
from mjenv.sichuan.tokens import observe_tokens
from mjenv.sichuan.vocabulary import (
    MAX_TOKENS,
    VOCABULARY,
    VOCABULARY_SIZE,
    token_parts,
    token_text,
)
from tests.sichuan.engine import LUTS, Engine, some_house_rules
from tests.sichuan.fingerprints import play
from tests.sichuan.players import PLAYERS
from tests.sichuan.slow_tokens import NOT_OF_PLAY, Course, rule_words

TOKENS = ENCODINGS["tokens/1"]
DEALS = 1 if JIT_DISABLED else 12


def observe(view: np.void, packed: np.ndarray) -> np.ndarray:
    out = np.full(TOKEN_CELLS, -7, np.int16)
    observe_tokens(view, packed[0], LUTS, out)
    return out


def words_of(out: np.ndarray) -> list[str]:
    number = int(out[0])
    assert 0 < number <= MAX_TOKENS
    assert out[1 : 1 + number].all(), "padding within the tokens"
    assert not out[1 + number :].any(), "something behind the tokens"
    return [token_text(int(token)) for token in out[1 : 1 + number]]


@dataclass
class Told:
    """A deal at the table, and as it is told."""

    engine: Engine
    course: Course

    def look(self, seat: int) -> np.ndarray:
        return observe(self.engine.view(seat), self.engine.packed)

    def step(self, player: str) -> None:
        engine = self.engine
        seat, phase, before = engine.actor, engine.phase, len(engine.events)
        action = action_text(play(engine, player), phase == "EXCHANGE")
        self.course.lines.append({"type": "decide", "seat": seat, "action": action})
        self.course.lines += event_dicts(engine.state, engine.events[before:], engine.rules)

    def asked(self, seat: int) -> str:
        if self.engine.over:
            return "over"
        return self.engine.phase.lower() if self.engine.actor == seat else "wait"


def deals(preset: str, player: str, number: int) -> Iterator[Told]:
    rng = random.Random(f"tokens {preset} {player}")
    for _ in range(number):
        rules = some_house_rules(rng) if preset == "house" else Rules.preset(preset)
        engine = Engine.of_seed(rules, rng.randrange(2**31))
        wall = [tile_text(int(kind)) for kind in engine.state["wall"]]
        yield Told(engine, Course(int(engine.state["dealer"]), wall))


def compare(told: Told, seat: int) -> list[str]:
    words = words_of(told.look(seat))
    rules = [text for text in words if text.startswith("rule ")]
    lock = int(told.engine.state["lock_fan"][seat])
    assert words[len(rules) :] == told.course.words(seat, lock, told.asked(seat))
    assert set(rules) == rule_words(told.engine.rules)
    assert len(set(rules)) == len(rules)
    return words


def kind_of_token(text: str) -> str:
    """A token without seat and tile."""
    return " ".join(part for part in text.split() if part not in (*SEATS, *KINDS))


# --------------------------------------------------------------------------------- against the log


@pytest.mark.parametrize("player", PLAYERS)
@pytest.mark.parametrize("preset", [*PRESETS, "house"])
def test_tokens_tell_what_has_happened(preset: str, player: str) -> None:
    rng = random.Random(preset)
    seen: Counter[str] = Counter()
    longest = 0
    for told in deals(preset, player, DEALS):
        while not told.engine.over:
            for seat in {told.engine.actor, rng.randrange(4)}:
                words = compare(told, seat)
                longest = max(longest, len(words))
                seen.update(kind_of_token(text) for text in words)
            told.step(player)
        for seat in range(4):
            seen.update(kind_of_token(text) for text in compare(told, seat))
    wanted = {"dealer", "draw", "discard", "pung", "wall 0", "hold", "drawn"}
    assert JIT_DISABLED or wanted <= set(seen)
    assert longest <= MAX_TOKENS


@pytest.mark.skipif(JIT_DISABLED, reason="thousands of deals")
def test_every_kind_of_token_of_play_comes_up() -> None:
    seen: set[str] = set()
    for preset, player in (("standalone", "patient"), ("house", "tidy"), ("house", "uniform")):
        for told in deals(preset, player, 400):
            while not told.engine.over:
                told.step(player)
            words = words_of(told.look(0))
            seen |= {kind_of_token(text) for text in words}
            if "rob_kong" in str(told.course.lines):
                compare(told, 0)
    wanted = {kind_of_token(text) for row in VOCABULARY for text in row.channels}
    left_out = ("rule", "pad", "phase", "claim tile", "fan", "wall", "lock", "exchange")
    wanted = {text for text in wanted if not text.startswith(left_out)}
    assert wanted - seen <= {"dealt win"}


def test_more_tokens_than_any_deal_has_fit() -> None:
    assert MAX_TOKENS < TOKEN_CELLS
    assert TOKENS.shape == (TOKEN_CELLS,)


@pytest.mark.parametrize("preset", PRESETS)
def test_what_has_been_told_stays(preset: str) -> None:
    """Up to the tiles left, tokens are only added once the void suits are known."""
    for told in deals(preset, "tidy", 1 + DEALS // 4):
        earlier: list[str] = []
        while not told.engine.over:
            if told.engine.phase not in ("EXCHANGE", "VOID"):
                words = words_of(told.look(2))
                course = words[: next(i for i, text in enumerate(words) if text.startswith("wall"))]
                assert course[: len(earlier)] == earlier
                earlier = course
            told.step("tidy")
        assert earlier


def test_the_page_says_how_many_there_are() -> None:
    page = (Path(__file__).parents[2] / "docs" / "observations.md").read_text(encoding="utf-8")
    assert f"No deal has more\nthan {MAX_TOKENS} tokens." in page
    assert f"| `tokens/1` | `({TOKEN_CELLS},)` | int16, 0 to {VOCABULARY_SIZE - 1} |" in page


# ----------------------------------------------------------------------------------------- privacy


@pytest.mark.parametrize("preset", [*PRESETS, "house"])
def test_worlds_that_a_seat_cannot_tell_apart_have_the_same_tokens(preset: str) -> None:
    rng = np.array([77], np.uint64)
    for told in deals(preset, "tidy", 1 + DEALS // 4):
        while not told.engine.over:
            for seat in range(4):
                world = told.engine.copy()
                world.redeal(seat, rng)
                out = observe(world.view(seat), world.packed)
                np.testing.assert_array_equal(out, told.look(seat))
            for _ in range(5):
                if not told.engine.over:
                    told.step("tidy")


@pytest.mark.parametrize("preset", [*PRESETS, "house"])
def test_questions_to_others_leave_no_trace(preset: str) -> None:
    """What is asked and answered in secret changes nothing for those who are not asked."""
    secret = 0
    for told in deals(preset, "patient", DEALS):
        while not told.engine.over:
            before = [told.look(seat) for seat in range(4)]
            events, asked = len(told.engine.events), told.engine.actor
            told.step("patient")
            if len(told.engine.events) > events:
                continue
            for seat in {0, 1, 2, 3} - {asked, told.engine.actor}:
                np.testing.assert_array_equal(told.look(seat), before[seat])
                secret += 1
    assert JIT_DISABLED or secret > 0


# ------------------------------------------------------------------------------------------- rules


def changed_options() -> list[dict[str, object]]:
    """Every option once, with another value than it has in qq."""
    numbers: dict[str, object] = {
        "min_fan": 2,
        "base_points": 3,
        "pig_multiple": 15,
        "fan_cap": 7,
        "room_coefficient": 1,
        "table_fee": 1,
        "fan_table": "C",
        "extra_fans": {"hai_di": 1},
        "last_four": "forced",
        "pig_rule": "either",
    }
    changes = []
    for name, option in OPTIONS.items():
        usual = getattr(Rules(), name)
        values = [numbers[name]] if name in numbers else list(getattr(option, "names", ()))
        if isinstance(usual, bool):
            values = [not usual]
        changes += [{name: value} for value in values if value != usual][:1]
    return changes


@pytest.mark.parametrize("change", changed_options(), ids=str)
def test_options_that_change_play_have_a_token(change: dict[str, object]) -> None:
    rules = Rules()
    try:
        rules = rules.replace(**change)
    except RulesError:  # void_auto needs void_suit
        rules = rules.replace(**change, void_auto=False)
    view = np.zeros(1, VIEW)[0]
    words = words_of(observe(view, rules.pack()))
    found = {text for text in words if text.startswith("rule ")}
    assert found == rule_words(rules)
    assert bool(found) == (not set(change) <= set(NOT_OF_PLAY))


def test_every_option_is_changed_above() -> None:
    assert {name for change in changed_options() for name in change} == set(OPTIONS)


@pytest.mark.parametrize("seed", range(20))
def test_house_rules_are_told(seed: int) -> None:
    rules = some_house_rules(random.Random(seed))
    out = observe(np.zeros(1, VIEW)[0], rules.pack())
    words = words_of(out)
    number = sum(text.startswith("rule ") for text in words)
    assert out[1 : 1 + number].tolist() == sorted(out[1 : 1 + number].tolist())
    assert {text for text in words if text.startswith("rule ")} == rule_words(rules)


# -------------------------------------------------------------------------------------- vocabulary


def test_ids_follow_each_other() -> None:
    first = 0
    for row in VOCABULARY:
        assert row.first == first, row
        first += len(row.channels)
    assert first == VOCABULARY_SIZE
    assert TOKENS.high == VOCABULARY_SIZE - 1 <= np.iinfo(np.int16).max


def test_tokens_have_different_texts() -> None:
    texts = [token_text(token) for token in range(VOCABULARY_SIZE)]
    assert len(set(texts)) == VOCABULARY_SIZE
    assert texts[0] == "pad"
    for token in (-1, VOCABULARY_SIZE):
        with pytest.raises(ValueError, match=f"tokens are 0 to {VOCABULARY_SIZE - 1}"):
            token_text(token)


def test_parts_of_tokens() -> None:
    parts = token_parts()
    texts = [token_text(token) for token in range(VOCABULARY_SIZE)]
    assert len({tuple(row) for row in parts.tolist()}) == VOCABULARY_SIZE
    first, second = texts.index("discard next 5p"), texts.index("discard across 9s")
    assert parts[first].tolist() == [parts[second, 0], 2, 1 + KINDS.index("5p")]
    assert parts[second, 1:].tolist() == [3, 27]
    assert parts[texts.index("wall 12"), 1:].tolist() == [0, 0]
    assert parts[texts.index("draw self"), 1:].tolist() == [1, 0]
    assert sorted(set(parts[:, 0].tolist())) == list(range(int(parts[:, 0].max()) + 1))
    parts[:] = 0
    assert token_parts().any()
