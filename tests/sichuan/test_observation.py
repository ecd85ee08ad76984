import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.history import deeds, fate_of, fates, packed_deed
from mjenv.sichuan.observation import ENCODINGS, LAYOUTS, ORACLE_SHAPE, with_tables
from tests.sichuan.positions import PRESETS, Play

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "observations.md"
SHAPES = {
    **{name: encoding.shape for name, encoding in ENCODINGS.items()},
    "oracle/1": ORACLE_SHAPE,
}

# Fields whose values are seats; fields with a first axis of seats turn with them.
SEAT_VALUES = (
    "seat", "dealer", "turn", "actor", "left_seat", "win_from", "meld_from", "claim_from",
    "first_winner", "first_payer",
)  # fmt: skip


def observe(name: str, view: np.void, play: Play) -> np.ndarray:
    encoding = ENCODINGS[name]
    # What stood in the buffer before must not matter.
    out = np.full(encoding.size, -7, encoding.dtype)
    encoding.observe(view, play.rules[0], play.luts, out)
    return out


def observe_oracle(tables: np.ndarray, i: int, seat: int, play: Play) -> np.ndarray:
    out = np.full(int(np.prod(ORACLE_SHAPE)), -7, np.int8)
    SICHUAN.oracle(tables[i], play.rules[0], seat, out)
    return out.reshape(ORACLE_SHAPE)


def turned(record: np.void, by: int) -> np.ndarray:
    """The same record with every seat moved ``by`` places on, as an array of one."""
    result = np.array([record])
    for name in record.dtype.names:
        value = np.array(record[name])
        if name in SEAT_VALUES:
            value = np.where(value >= 0, (value + by) % 4, value)
        if name == "kong_paid":
            value = np.roll(value, by, axis=2)
        if value.ndim and value.shape[0] == 4:
            value = np.roll(value, by, axis=0)
        result[0][name] = value
    for i, (seat, claim, claimer) in enumerate(fates(record)):
        result[0]["discard_fate"][i] = fate_of((seat + by) % 4, claim, (claimer + by) % 4)
    for i, (_, deed, seat, meld) in enumerate(deeds(record)):
        result[0]["deed"][i] = packed_deed(deed, (seat + by) % 4, meld)
    return result


# --------------------------------------------------------------------------------- channel tables


def test_every_encoding_can_be_asked_for_in_one_call() -> None:
    assert set(SICHUAN.observe_at) == set(ENCODINGS)


@pytest.mark.parametrize("name", list(LAYOUTS))
def test_rows_follow_each_other_and_fill_the_shape(name: str) -> None:
    first = 0
    for row in LAYOUTS[name]:
        assert row.first == first
        first += len(row.channels)
    assert first == SHAPES[name][0]


@pytest.mark.parametrize("name", list(LAYOUTS))
def test_channels_have_different_names(name: str) -> None:
    names = [channel for row in LAYOUTS[name] for channel in row.channels]
    assert len(set(names)) == len(names)
    if name in ENCODINGS:
        assert tuple(names) == ENCODINGS[name].channels


def test_the_page_has_the_tables_of_the_code() -> None:
    page = PAGE.read_text(encoding="utf-8")
    # To bring the page up to date, write with_tables(page) to it.
    assert with_tables(page) == page
    assert page.count("<!-- table ") == len(LAYOUTS)
    assert page.count("<!-- vocabulary ") == 1


def test_the_page_has_the_shapes_of_the_code() -> None:
    stated = dict(re.findall(r"^\| `([\w/]+)` \| `\(([\d, ]+)\)` \|", PAGE.read_text(), re.M))
    assert {
        name: tuple(map(int, re.findall(r"\d+", text))) for name, text in stated.items()
    } == SHAPES


# ------------------------------------------------------------------------------------------ values


@pytest.mark.parametrize("preset", PRESETS)
def test_values_are_in_their_range(preset: str) -> None:
    play = Play(preset, 4, every=4)
    lowest, highest = {}, {}
    for tables in play:
        for i in range(len(tables)):
            for seat in range(4):
                view = play.view(i, seat)
                cells = {name: observe(name, view, play) for name in ENCODINGS}
                cells["oracle/1"] = observe_oracle(tables, i, seat, play)
                for name, out in cells.items():
                    assert np.isfinite(out).all()
                    lowest[name] = min(out.min(), lowest.get(name, 9))
                    highest[name] = max(out.max(), highest.get(name, -9))
    for name in ("tokens/1", "tokens/1/canonical"):
        assert ENCODINGS[name].high / 3 < highest.pop(name) <= ENCODINGS[name].high
    assert lowest == {name: -1 if name.startswith("vector") else 0 for name in SHAPES}
    assert set(highest.values()) == {1}


@pytest.mark.parametrize("preset", PRESETS)
def test_turning_the_seats_changes_nothing(preset: str) -> None:
    play = Play(preset, 2, every=6)
    for tables in play:
        for i in range(len(tables)):
            for seat in range(4):
                view = np.array([play.view(i, seat)])
                whole = observe_oracle(tables, i, seat, play)
                for by in (1, 2, 3):
                    elsewhere = turned(view[0], by)[0]
                    for name in ENCODINGS:
                        expected = observe(name, view[0], play)
                        np.testing.assert_array_equal(observe(name, elsewhere, play), expected)
                    others = turned(tables[i], by)
                    moved = observe_oracle(others, 0, (seat + by) % 4, play)
                    np.testing.assert_array_equal(moved, whole)


# ------------------------------------------------------------------------------------------ oracle


@pytest.mark.parametrize("preset", PRESETS)
def test_the_oracle_begins_with_the_planes_of_the_seat(preset: str) -> None:
    play = Play(preset, 2, every=7)
    for tables in play:
        for i in range(len(tables)):
            for seat in range(4):
                planes = observe("planes/1", play.view(i, seat), play)
                whole = observe_oracle(tables, i, seat, play)
                np.testing.assert_array_equal(whole[: SHAPES["planes/1"][0]].ravel(), planes)


@pytest.mark.parametrize("preset", PRESETS)
def test_live_copies_are_in_the_wall_or_in_other_hands(preset: str) -> None:
    names = [channel for row in LAYOUTS["oracle/1"] for channel in row.channels]
    play = Play(preset, 4, every=3)
    for tables in play:
        for i, table in enumerate(tables):
            for seat in range(4):
                whole = dict(zip(names, observe_oracle(tables, i, seat, play), strict=True))
                hidden = sum(whole[f"in wall >= {n}"].astype(int) for n in range(1, 5))
                for other in ("next", "across", "previous"):
                    hidden = hidden + sum(whole[f"hand {other} >= {n}"] for n in range(1, 5))
                    if table["phase"] == 0:  # given, and not yet moved
                        hidden = hidden + sum(whole[f"given {other} >= {n}"] for n in range(1, 4))
                shown = [
                    int(table["win_tile"][other])
                    for other in range(4)
                    if other != seat and table["win_how"][other] == 2
                ]
                if table["phase"] == 4 and table["actor"] == seat:
                    shown.append(int(table["claim_tile"]))
                for kind in shown:
                    if kind >= 0:
                        hidden[kind // 9, kind % 9] -= 1
                live = sum(whole[f"live >= {n}"].astype(int) for n in range(1, 5))
                np.testing.assert_array_equal(live, hidden)


# ---------------------------------------------------------------------------------- compiled or not


def digest() -> str:
    """Of every observation in some deals."""
    total = hashlib.sha256()
    for preset in ("qq", "sichuan_modern", "standalone"):
        play = Play(preset, 2, every=9)
        for tables in play:
            for i in range(len(tables)):
                for seat in range(4):
                    view = play.view(i, seat)
                    for name in ENCODINGS:
                        total.update(observe(name, view, play).tobytes())
                    total.update(observe_oracle(tables, i, seat, play).tobytes())
    return total.hexdigest()


@pytest.mark.skipif(JIT_DISABLED, reason="the compiled run compares")
def test_the_same_bytes_without_compilation() -> None:
    code = "from tests.sichuan.test_observation import digest; print(digest())"
    plain = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert plain.stdout.strip() == digest()
