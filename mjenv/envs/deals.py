"""Which deals are played: seeds and options, checked.

Deal ``k`` of seed ``s`` is the same in every environment. ``options={"wall": ..., "dealer": ...}``
replace wall and dealer of one deal.
"""

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

import numpy as np

from mjenv.core.game import NOBODY, Game
from mjenv.core.setup import SEED_LIMIT, check_seat, check_seed, parse_wall
from mjenv.errors import OptionError

__all__ = [
    "ResetOptions",
    "check_seed",
    "draw_seed",
    "parse_options",
    "parse_wall",
]

RESET_OPTIONS = ("wall", "dealer")


class ResetOptions(NamedTuple):
    """What a reset asks of its first deal."""

    wall: np.ndarray | None = None
    dealer: int = NOBODY


def draw_seed(rng: np.random.Generator) -> int:
    """A seed for whoever gave none."""
    return int(rng.integers(SEED_LIMIT))


def parse_options(game: Game, options: Mapping[str, Any] | None) -> ResetOptions:
    """Options of a reset for a game; options that are meant for others are ignored.

    Raises:
        OptionError: A value is not allowed, or a name looks like a misspelt option.
        TileError: A wall holds something that is no tile.
        PositionError: A wall is not four tiles of each kind.
    """
    if options is None:
        return ResetOptions()
    if not isinstance(options, Mapping):
        raise OptionError(
            f"options: got {options!r}; allowed: a mapping with {' and '.join(RESET_OPTIONS)}"
        )
    for name in options:
        near = get_close_matches(str(name), RESET_OPTIONS, n=1)
        if near and name not in RESET_OPTIONS:
            raise OptionError(f"unknown reset option {name!r}; did you mean {near[0]!r}?")
    wall = None
    if options.get("wall") is not None:
        wall = np.array(parse_wall(options["wall"], game.num_kinds), np.int8)
    dealer = NOBODY
    if options.get("dealer") is not None:
        dealer = check_seat(options["dealer"], "dealer")
    return ResetOptions(wall, dealer)
