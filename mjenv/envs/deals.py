"""Which deals are played: seeds and options, checked.

Deal ``k`` of seed ``s`` is the same in every environment. ``options={"wall": ..., "dealer": ...}``
replace wall and dealer of one deal.
"""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from operator import index
from typing import Any, NamedTuple

import numpy as np

from mjenv.core.game import NOBODY, NUM_SEATS, Game
from mjenv.core.tiles import COPIES, counts_of, parse_tile, parse_tiles, tile_text
from mjenv.errors import OptionError, PositionError

SEED_LIMIT = 2**53
"""Seeds lie below it, so that every JSON reader keeps them exactly."""

RESET_OPTIONS = ("wall", "dealer")


class ResetOptions(NamedTuple):
    """What a reset asks of its first deal."""

    wall: np.ndarray | None = None
    dealer: int = NOBODY


def check_seed(seed: object) -> int:
    """Return ``seed`` as a plain integer.

    Raises:
        OptionError: It is not an integer from 0 to 2**53 - 1.
    """
    try:
        number = index(seed)  # type: ignore[arg-type]  # that is what is being found out
    except TypeError:
        number = -1
    if not 0 <= number < SEED_LIMIT:
        raise OptionError(f"seed: got {seed!r}; allowed: an integer from 0 to 2**53 - 1")
    return number


def draw_seed(rng: np.random.Generator) -> int:
    """A seed for whoever gave none."""
    return int(rng.integers(SEED_LIMIT))


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
    try:
        return index(tile)  # type: ignore[arg-type]  # that is what is being found out
    except TypeError:
        raise OptionError(f"wall: got {tile!r} as a tile; allowed: '5p' or its number") from None


def parse_options(game: Game, options: Mapping[str, Any] | None) -> ResetOptions:
    """Options of a reset for a game; options that are meant for others are ignored.

    Raises:
        OptionError: A value is not allowed, or a name looks like a misspelt option.
        TileError: A wall holds something that is no tile.
        PositionError: A wall is not four tiles of each kind.
    """
    if not options:
        return ResetOptions()
    for name in options:
        near = get_close_matches(str(name), RESET_OPTIONS, n=1)
        if near and name not in RESET_OPTIONS:
            raise OptionError(f"unknown reset option {name!r}; did you mean {near[0]!r}?")
    wall = None
    if options.get("wall") is not None:
        wall = np.array(parse_wall(options["wall"], game.num_kinds), np.int8)
    dealer = NOBODY
    if options.get("dealer") is not None:
        dealer = _dealer(options["dealer"])
    return ResetOptions(wall, dealer)


def _dealer(value: object) -> int:
    try:
        seat = index(value)  # type: ignore[arg-type]  # that is what is being found out
    except TypeError:
        seat = NOBODY
    if not 0 <= seat < NUM_SEATS:
        raise OptionError(f"dealer: got {value!r}; allowed: a seat from 0 to {NUM_SEATS - 1}")
    return seat


def one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> Any:
    """Return ``value`` if it is allowed.

    Raises:
        OptionError: It is not; the message says what is.
    """
    if value not in allowed:
        names = ", ".join(repr(item) for item in allowed)
        raise OptionError(f"{name}: got {value!r}; allowed: {names}")
    return value


def number_of_deals(episode: str, deals: int | None) -> int:
    """Deals of an episode, from the options of an environment.

    Raises:
        OptionError: A match has no number of deals, or a single deal has one.
    """
    if episode == "deal":
        if deals not in (None, 1):
            raise OptionError(f'deals: got {deals!r}; more than one needs episode="match"')
        return 1
    if not isinstance(deals, int) or deals < 1:
        raise OptionError(f"deals: got {deals!r}; a match has a number of deals, 1 or more")
    return deals
