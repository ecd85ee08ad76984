"""The first line of a deal: everything that was fixed before its first decision."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from mjenv.core.fields import (
    COUNT,
    SEAT,
    TEXT,
    TEXT_OR_NULL,
    Field,
    Fields,
    first_fault,
    list_of,
    shown,
    tile,
)
from mjenv.core.game import NOBODY, NUM_SEATS, Game
from mjenv.core.setup import DEAL_LIMIT, parse_wall
from mjenv.core.tiles import COPIES, tile_text
from mjenv.errors import PositionError, RecordError, RulesError

VERSION = 1
"""Of the record format."""

GameByName = Callable[[str], Game]
"""Finds a game; raises RulesError if it is unknown."""

_START: Fields = {
    "version": Field(lambda value: value == VERSION and value is not True, f"{VERSION}"),
    "game": TEXT,
    "preset": TEXT_OR_NULL,
    "rules": Field(lambda value: isinstance(value, dict), "an object of options"),
    "fingerprint": TEXT,
    "engine": TEXT,
    "agents": list_of(TEXT, NUM_SEATS),
    "dealer": SEAT,
    "seed": Field(COUNT.test, COUNT.allowed, optional=True),
    "deal": Field(
        lambda value: COUNT.test(value) and value < DEAL_LIMIT,
        "a whole number from 0 to 2^40 - 1",
        optional=True,
    ),
}


def deal_line(
    game: Game,
    rules: Any,
    state: np.void,
    agents: Sequence[str],
    engine: str,
    one_wall: bool = True,
) -> dict[str, Any]:
    """The first line of the deal that ``state`` plays.

    Args:
        game: The game.
        rules: Its rules, unpacked.
        state: The table at any moment of the deal.
        agents: Names of the four agents.
        engine: Version of the program that plays.
        one_wall: The draws came from one wall, which is written; else the dealt hands are.
    """
    wall = [tile_text(kind) for kind in state["wall"].tolist()]
    tiles = {"wall": wall} if one_wall else {"hands": _dealt_hands(game, wall, state["dealer"])}
    return {
        "type": "deal",
        "version": VERSION,
        "game": game.name,
        "preset": rules.preset_name,
        "rules": rules.to_dict(),
        "fingerprint": rules.fingerprint,
        "engine": engine,
        "agents": list(agents),
        "dealer": int(state["dealer"]),
        **tiles,
        "seed": int(state["seed"]),
        "deal": int(state["deal"]),
    }


def _dealt_hands(game: Game, wall: list[str], dealer: int) -> list[list[str]]:
    """The hands that a wall deals, by seat."""
    hands: list[list[str]] = [[] for _ in range(NUM_SEATS)]
    for k in range(NUM_SEATS):
        first = k * game.hand_size
        hands[(dealer + k) % NUM_SEATS] = wall[first : first + game.hand_size]
    hands[dealer].append(wall[NUM_SEATS * game.hand_size])
    return hands


def check_header(line: Mapping[str, Any], number: int, game_by_name: GameByName) -> Game:
    """Check the fields of a deal line, its rules excepted, and return its game.

    Raises:
        RecordError: The first fault, with the line number.
    """
    fault = first_fault(line, _START)
    if fault is not None:
        raise RecordError(fault, line=number)
    try:
        game = game_by_name(line["game"])
    except RulesError as error:
        raise RecordError(str(error), line=number) from None
    fault = _tiles_fault(line, game)
    if fault is not None:
        raise RecordError(fault, line=number)
    return game


def read_rules(line: Mapping[str, Any], number: int, game: Game) -> Any:
    """The rules of a deal line: every option given, fingerprint and preset theirs.

    Raises:
        RecordError: They are not, with the line number.
    """
    given = line["rules"]
    try:
        rules = game.rules.from_dict(given)
    except RulesError as error:
        raise RecordError(f"rules: {error}", line=number) from None
    missing = [name for name in rules.to_dict() if name not in given]
    if missing:
        raise RecordError(f"rules: the option {missing[0]!r} is missing", line=number)
    if line["fingerprint"] != rules.fingerprint:
        raise RecordError(
            f"fingerprint is {shown(line['fingerprint'])}, "
            f"but that of these rules is {rules.fingerprint!r}",
            line=number,
        )
    preset = line["preset"]
    if preset is not None and preset != rules.preset_name:
        named = "are no preset" if rules.preset_name is None else f"are {rules.preset_name!r}"
        raise RecordError(f"preset is {preset!r}, but these rules {named}", line=number)
    return rules


def set_out(line: Mapping[str, Any], game: Game, rules: np.ndarray) -> np.ndarray:
    """A table with what the deal line says, not yet dealt.

    Args:
        line: A checked deal line.
        game: Its game.
        rules: Packed rules, ``(1,)``.

    Returns:
        ``(1,)`` states. What the line leaves open (the wall, where it has ``hands``; an exchange
        direction) is that of its seed and deal number.
    """
    states = np.zeros(1, game.state)
    state = states[0]
    state["seed"] = line.get("seed") or 0
    state["deal"] = line.get("deal") or 0
    state["dealer"] = NOBODY
    game.deal_at(states, 0, rules, game.luts(), np.zeros(game.num_actions, np.int8))
    state["dealer"] = line["dealer"]
    if line.get("wall") is not None:
        state["wall"] = parse_wall(line["wall"], game.num_kinds)
    return states


def _tiles_fault(line: Mapping[str, Any], game: Game) -> str | None:
    """What is wrong with ``wall`` or, without one, with ``hands``."""
    if line.get("wall") is not None:
        fault = first_fault(line, {"wall": list_of(tile(game.num_kinds))})
        if fault is None:
            try:
                parse_wall(line["wall"], game.num_kinds)
            except PositionError as error:
                fault = f"wall: {error}"
        return fault
    if line.get("hands") is None:
        return "the field 'wall' is missing, and there are no 'hands' in its place"
    hands = line["hands"]
    fault = first_fault(line, {"hands": list_of(list_of(tile(game.num_kinds)), NUM_SEATS)})
    if fault is not None:
        return fault
    for seat, hand in enumerate(hands):
        size = game.hand_size + (seat == line["dealer"])
        if len(hand) != size:
            return f"hands: seat {seat} is dealt {size} tiles, not {len(hand)}"
    dealt = [text for hand in hands for text in hand]
    for text in dealt:
        if dealt.count(text) > COPIES:
            return f"hands: {text} is dealt {dealt.count(text)} times; there are {COPIES} of it"
    return None
