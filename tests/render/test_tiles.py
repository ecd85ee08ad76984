import pytest

from mjenv.core.tiles import parse_tiles, tile_text
from mjenv.render.tiles import TileStyle, show_suit, show_tile, show_tiles


@pytest.mark.parametrize(
    ("style", "expected"),
    [
        (TileStyle.TEXT, "19m 5p 23s EC"),
        (TileStyle.CHINESE, "一九万 五筒 二三条 东中"),
        (TileStyle.UNICODE, "🀇🀏 🀝 🀑🀒 🀀🀄"),
    ],
)
def test_tiles_are_sorted_with_a_gap_between_suits(style, expected):
    assert show_tiles(parse_tiles("C9m1m 3s2s 5p E"), style) == expected


def test_one_tile_in_every_style():
    assert [show_tile(kind) for kind in range(34)] == [tile_text(kind) for kind in range(34)]
    assert [show_tile(kind, TileStyle.CHINESE) for kind in (0, 13, 26, 33)] == [
        "一万",
        "五筒",
        "九条",
        "白",
    ]
    assert [show_tile(kind, TileStyle.UNICODE) for kind in (0, 13, 26, 31)] == list("🀇🀝🀘🀄")


def test_pictures_are_all_different():
    assert len({show_tile(kind, TileStyle.UNICODE) for kind in range(34)}) == 34


def test_suits():
    assert [show_suit(suit) for suit in range(3)] == list("mps")
    assert [show_suit(suit, TileStyle.CHINESE) for suit in range(3)] == list("万筒条")
    assert show_tiles([]) == ""
