import pytest
from hypothesis import given
from hypothesis import strategies as st

from mjenv.core.tiles import (
    COPIES,
    NUM_KINDS,
    NUM_SUITED_KINDS,
    SUITS,
    counts_of,
    parse_tile,
    parse_tiles,
    tile_text,
    tiles_text,
)
from mjenv.errors import TileError


def test_kinds_are_numbered_by_suit_and_rank():
    assert SUITS == "mps"
    assert COPIES == 4
    assert [parse_tile(text) for text in ("1m", "5m", "9m", "1p", "1s", "9s")] == [
        0,
        4,
        8,
        9,
        18,
        26,
    ]
    assert parse_tiles("ESWNCFB") == [27, 28, 29, 30, 31, 32, 33]


@pytest.mark.parametrize("kind", range(NUM_KINDS))
def test_text_of_a_kind_reads_back(kind):
    assert parse_tile(tile_text(kind)) == kind


def test_tiles_are_read_in_the_order_written():
    assert parse_tiles(" 31m 5p\n5pE ") == [2, 0, 13, 13, 27]
    assert parse_tiles("") == []


def test_text_of_tiles_is_compact_and_sorted():
    assert tiles_text([13, 2, 0, 13, 1]) == "123m55p"
    assert tiles_text([27, 28, 18, 27]) == "1sEES"
    assert tiles_text([]) == ""


@given(st.lists(st.integers(0, NUM_KINDS - 1)))
def test_tiles_survive_a_round_trip(kinds):
    assert parse_tiles(tiles_text(kinds)) == sorted(kinds)


@pytest.mark.parametrize(
    ("text", "piece"),
    [
        ("123", "'123'"),
        ("0m", "'0'"),
        ("12m3x", "'3x'"),
        ("m", "'m'"),
        ("5E", "'5E'"),
        ("5M", "5M"),
    ],
)
def test_the_piece_that_was_not_understood_is_named(text, piece):
    with pytest.raises(TileError, match="is no tile; tiles are ranks 1-9") as caught:
        parse_tiles(text)
    assert piece in str(caught.value)


def test_honours_are_refused_in_a_game_without_them():
    with pytest.raises(TileError, match=r"'E' in '1mE' is no tile; .* m, p, s$"):
        parse_tiles("1mE", NUM_SUITED_KINDS)


@pytest.mark.parametrize("text", ["", "55p", "5p5p"])
def test_one_tile_means_one(text):
    with pytest.raises(TileError, match="exactly one"):
        parse_tile(text)


@pytest.mark.parametrize("kind", [-1, 34])
def test_a_number_that_is_no_kind_has_no_text(kind):
    with pytest.raises(TileError, match="0 to 33"):
        tile_text(kind)


def test_counts():
    counts = counts_of(parse_tiles("11111m9s"), NUM_SUITED_KINDS)
    assert len(counts) == 27
    assert (counts[0], counts[26], sum(counts)) == (5, 1, 6)


@pytest.mark.parametrize(("kind", "name"), [(27, "E"), (-1, "-1"), (40, "40")])
def test_counts_refuse_tiles_of_another_game(kind, name):
    with pytest.raises(TileError, match=f"no tile {name};"):
        counts_of([kind], NUM_SUITED_KINDS)
