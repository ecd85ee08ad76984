"""Kinds, suits and their text, as the rules write them (R1)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SUITS = "mps"
KINDS = 27
COPIES = 4
TEXT = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)]
KIND = {text: kind for kind, text in enumerate(TEXT)}


class Meld(NamedTuple):
    """An exposed or declared set; `kind` is pung, kong_direct, kong_added or kong_concealed."""

    kind: str
    tile: int

    @property
    def is_kong(self) -> bool:
        """True for all three kinds of kong (R20)."""
        return self.kind != "pung"

    @property
    def copies(self) -> int:
        """How many physical tiles lie in the meld."""
        return 4 if self.is_kong else 3

    def __str__(self) -> str:
        return f"{self.kind}:{TEXT[self.tile]}"


MELD_KINDS = ("pung", "kong_direct", "kong_added", "kong_concealed")


def suit_of(kind: int) -> int:
    """0, 1, 2 for m, p, s."""
    return kind // 9


def rank_of(kind: int) -> int:
    """1 to 9."""
    return kind % 9 + 1


def parse_tiles(text: str) -> list[int]:
    """Read `123m456p` into the tiles it names, in the order written."""
    tiles: list[int] = []
    digits = ""
    for char in text:
        if char.isdigit():
            digits += char
        elif char in SUITS and digits:
            tiles += [KIND[digit + char] for digit in digits]
            digits = ""
        else:
            raise ValueError(f"cannot read {char!r} in {text!r}")
    if digits:
        raise ValueError(f"digits without a suit at the end of {text!r}")
    return tiles


def parse_meld(text: str) -> Meld:
    """Read `pung:5m`, `kong_direct:8p`, `kong_added:9m` or `kong_concealed:1m`."""
    kind, _, tile = text.partition(":")
    if kind not in MELD_KINDS or tile not in KIND:
        raise ValueError(f"not a meld: {text!r}")
    return Meld(kind, KIND[tile])


def count(tiles: Iterable[int]) -> list[int]:
    """How many of each of the 27 kinds."""
    counts = [0] * KINDS
    for tile in tiles:
        counts[tile] += 1
    return counts


def owned(concealed: Sequence[int], melds: Iterable[Meld]) -> list[int]:
    """Copies of each kind among concealed tiles and melds together."""
    counts = list(concealed)
    for meld in melds:
        counts[meld.tile] += meld.copies
    return counts


def show(counts: Sequence[int]) -> list[str]:
    """The tiles of a count, sorted, one text a tile."""
    return [TEXT[kind] for kind in range(KINDS) for _ in range(counts[kind])]
