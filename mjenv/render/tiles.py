"""Tiles for people: as text, in Chinese, or as Unicode pictures."""

from collections.abc import Iterable
from enum import Enum

from mjenv.core.tiles import NUM_RANKS, NUM_SUITED_KINDS, tile_text, tiles_text

_NUMERALS = "一二三四五六七八九"
_SUITS = "万筒条"
_HONOURS = "东南西北中发白"
# Unicode orders the suits characters, bamboo, dots; here dots come before bamboo.
_PICTURES = (
    "\U0001f007\U0001f008\U0001f009\U0001f00a\U0001f00b\U0001f00c\U0001f00d\U0001f00e\U0001f00f"
    "\U0001f019\U0001f01a\U0001f01b\U0001f01c\U0001f01d\U0001f01e\U0001f01f\U0001f020\U0001f021"
    "\U0001f010\U0001f011\U0001f012\U0001f013\U0001f014\U0001f015\U0001f016\U0001f017\U0001f018"
    "\U0001f000\U0001f001\U0001f002\U0001f003\U0001f004\U0001f005\U0001f006"
)


class TileStyle(Enum):
    """How tiles are written: ``5m``, 五万 or one picture."""

    TEXT = "text"
    CHINESE = "chinese"
    UNICODE = "unicode"


def show_tile(kind: int, style: TileStyle = TileStyle.TEXT) -> str:
    """One tile."""
    if style is TileStyle.UNICODE:
        return _PICTURES[kind]
    if style is TileStyle.TEXT:
        return tile_text(kind)
    if kind >= NUM_SUITED_KINDS:
        return _HONOURS[kind - NUM_SUITED_KINDS]
    return _NUMERALS[kind % NUM_RANKS] + _SUITS[kind // NUM_RANKS]


def show_suit(suit: int, style: TileStyle = TileStyle.TEXT) -> str:
    """One suit; pictures have none, so they use the letter."""
    return _SUITS[suit] if style is TileStyle.CHINESE else "mps"[suit]


def show_tiles(kinds: Iterable[int], style: TileStyle = TileStyle.TEXT) -> str:
    """Several tiles, sorted, a gap between suits."""
    groups: dict[int, list[int]] = {}
    for kind in sorted(kinds):
        groups.setdefault(min(kind // NUM_RANKS, 3), []).append(kind)
    return " ".join(_group(group, style) for group in groups.values())


def _group(kinds: list[int], style: TileStyle) -> str:
    if style is TileStyle.TEXT:
        return tiles_text(kinds)
    if style is TileStyle.CHINESE and kinds[0] < NUM_SUITED_KINDS:
        return (
            "".join(_NUMERALS[kind % NUM_RANKS] for kind in kinds) + _SUITS[kinds[0] // NUM_RANKS]
        )
    return "".join(show_tile(kind, style) for kind in kinds)
