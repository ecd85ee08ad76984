"""What a deal is made from, checked: seed, dealer, wall."""

from collections.abc import Iterable
from operator import index
from typing import Any

import numpy as np

from mjenv.core.game import NUM_SEATS
from mjenv.core.tiles import COPIES, counts_of, parse_tile, parse_tiles, tile_text
from mjenv.errors import OptionError, PositionError

SEED_LIMIT = 2**53
"""Seeds lie below it, so that every JSON reader keeps them exactly."""
DEAL_LIMIT = 2**40
"""Deal numbers lie below it: the generator of a deal is started from 64 bits."""


def whole(value: Any) -> int | None:
    """Return ``value`` as a plain integer, None if it is no integer; True and False are none."""
    try:
        return None if isinstance(value, bool | np.bool_) else index(value)
    except TypeError:
        return None


def check_seed(seed: object) -> int:
    """Return ``seed`` as a plain integer.

    Raises:
        OptionError: It is not an integer from 0 to 2**53 - 1.
    """
    number = whole(seed)
    if number is None or not 0 <= number < SEED_LIMIT:
        raise OptionError(f"seed: got {seed!r}; allowed: an integer from 0 to 2**53 - 1")
    return number


def check_deal(deal: object, name: str = "deal", least: int = 0) -> int:
    """Return the number of a deal, or a number of deals, as a plain integer.

    Args:
        deal: What was given.
        name: Of the argument, for the message.
        least: The least that is allowed.

    Raises:
        OptionError: It is not an integer from ``least`` to 2**40 - 1.
    """
    number = whole(deal)
    if number is None or not least <= number < DEAL_LIMIT:
        raise OptionError(f"{name}: got {deal!r}; allowed: an integer from {least} to 2**40 - 1")
    return number


def check_seat(value: object, name: str = "seat") -> int:
    """Return ``value`` as a plain integer.

    Args:
        value: What was given.
        name: Of the argument, for the message.

    Raises:
        OptionError: It is none of the four seats.
    """
    seat = whole(value)
    if seat is None or not 0 <= seat < NUM_SEATS:
        raise OptionError(f"{name}: got {value!r}; allowed: a seat from 0 to {NUM_SEATS - 1}")
    return seat


def parse_wall(wall: Any, num_kinds: int) -> list[int]:
    """Kinds of a whole wall in the order of dealing.

    Args:
        wall: Text such as ``"123m..."``, or the tiles one by one as texts or numbers of kinds.
        num_kinds: 27 without honours, 34 with them.

    Raises:
        TileError: Something in it is no tile of the game.
        PositionError: It is not four tiles of each kind.
    """
    if isinstance(wall, str):
        kinds = parse_tiles(wall, num_kinds)
    elif isinstance(wall, Iterable):
        kinds = [
            parse_tile(tile, num_kinds) if isinstance(tile, str) else _kind(tile) for tile in wall
        ]
    else:
        raise OptionError(f"wall: got {wall!r}; allowed: tiles, as one text or as a list")
    counts = counts_of(kinds, num_kinds)
    wrong = [
        f"{count} of {tile_text(kind)}" for kind, count in enumerate(counts) if count != COPIES
    ]
    if wrong:
        raise PositionError(
            f"a wall has {COPIES} of each of {num_kinds} kinds, {COPIES * num_kinds} tiles; "
            f"this one has {len(kinds)}: {', '.join(wrong)}"
        )
    return kinds


def _kind(tile: object) -> int:
    kind = whole(tile)
    if kind is None:
        raise OptionError(f"wall: got {tile!r} as a tile; allowed: '5p' or its number")
    return kind
