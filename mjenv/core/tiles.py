"""Suits, kinds and their text.

A kind is an integer: ``suit * 9 + rank - 1`` for the three suits (1m = 0, 1p = 9, 1s = 18), then
the honours 27 to 33, which only Cixi mahjong has. Text is ``5m`` for one tile and ``123m55pEE``
for several. Letters are case-sensitive: ``s`` is bamboo, ``S`` the south wind.
"""

from collections.abc import Iterable

from mjenv.errors import TileError

SUITS = "mps"
"""Characters 万, dots 筒, bamboo 条: always in this order."""

HONOURS = "ESWNCFB"
"""The winds 东南西北 and the dragons: red 中, green 发, white 白."""

NUM_SUITS = 3
NUM_RANKS = 9
NUM_SUITED_KINDS = NUM_SUITS * NUM_RANKS
NUM_KINDS = NUM_SUITED_KINDS + len(HONOURS)
COPIES = 4
"""Tiles of each kind."""

NO_TILE = -1

_KNOWN = f"ranks 1-9 followed by a suit {', '.join(SUITS)}"
_TEXTS = tuple(f"{rank}{suit}" for suit in SUITS for rank in range(1, NUM_RANKS + 1)) + tuple(
    HONOURS
)


def tile_text(kind: int) -> str:
    """Text of a kind, for example ``5m``.

    Raises:
        TileError: ``kind`` is not in 0..33.
    """
    if not 0 <= kind < NUM_KINDS:
        raise TileError(f"no tile has the number {kind}; kinds are 0 to {NUM_KINDS - 1}")
    return _TEXTS[kind]


def parse_tile(text: str, num_kinds: int = NUM_KINDS) -> int:
    """Kind of one tile.

    Args:
        text: For example ``"5p"``, or ``"E"`` in a game with honours.
        num_kinds: How many kinds the game has: 27 without honours, 34 with them.

    Raises:
        TileError: ``text`` is not exactly one tile of the game.
    """
    kinds = parse_tiles(text, num_kinds)
    if len(kinds) != 1:
        raise TileError(f"{text!r} is {len(kinds)} tiles; exactly one is wanted, such as '5p'")
    return kinds[0]


def parse_tiles(text: str, num_kinds: int = NUM_KINDS) -> list[int]:
    """Kinds of several tiles, in the order written.

    Args:
        text: Digits before their suit letter, as in ``"123m 55p"``; honours are single letters.
        num_kinds: How many kinds the game has: 27 without honours, 34 with them.

    Raises:
        TileError: A piece of ``text`` was not understood; the message names it.
    """
    kinds: list[int] = []
    digits = ""
    for letter in text:
        if letter.isspace():
            continue
        if letter in "123456789":
            digits += letter
        elif letter in SUITS and digits:
            suit = SUITS.index(letter)
            kinds += [suit * NUM_RANKS + int(digit) - 1 for digit in digits]
            digits = ""
        elif letter in HONOURS and not digits and num_kinds > NUM_SUITED_KINDS:
            kinds.append(NUM_SUITED_KINDS + HONOURS.index(letter))
        else:
            raise _not_understood(digits + letter, text, num_kinds)
    if digits:
        raise _not_understood(digits, text, num_kinds)
    return kinds


def tiles_text(kinds: Iterable[int]) -> str:
    """Compact, sorted text of several tiles, for example ``123m55pEE``."""
    text = ""
    for kind in sorted(kinds):
        tile = tile_text(kind)
        # Tiles of one suit share its letter: "1m" + "2m" is written "12m".
        if len(tile) > 1 and text.endswith(tile[-1]):
            text = text[:-1]
        text += tile
    return text


def counts_of(kinds: Iterable[int], num_kinds: int) -> list[int]:
    """How many tiles there are of each kind.

    Args:
        kinds: Tiles in any order; a fifth copy is counted, not refused.
        num_kinds: Length of the result: 27, or 34 in a game with honours.

    Raises:
        TileError: A tile is not in ``0..num_kinds - 1``.
    """
    counts = [0] * num_kinds
    for kind in kinds:
        if not 0 <= kind < num_kinds:
            name = tile_text(kind) if 0 <= kind < NUM_KINDS else kind
            raise TileError(f"this game has no tile {name}; its kinds are 0 to {num_kinds - 1}")
        counts[kind] += 1
    return counts


def _not_understood(piece: str, text: str, num_kinds: int) -> TileError:
    honours = f", or an honour {', '.join(HONOURS)}" if num_kinds > NUM_SUITED_KINDS else ""
    return TileError(f"{piece!r} in {text!r} is no tile; tiles are {_KNOWN}{honours}")
