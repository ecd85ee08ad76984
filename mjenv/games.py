"""The games there are, by name."""

from typing import Any

from mjenv.core.game import Game
from mjenv.errors import RulesError
from mjenv.sichuan.game import SICHUAN

GAMES: dict[str, Game] = {SICHUAN.name: SICHUAN}


def game_by_name(name: str) -> Game:
    """Return the game called ``name``.

    Raises:
        RulesError: There is no such game.
    """
    if name not in GAMES:
        raise RulesError(f"game: got {name!r}; allowed: {', '.join(GAMES)}")
    return GAMES[name]


def rules_of(value: Any, game: str = "sichuan") -> Any:
    """Rules from whatever names them: see ``Rules.of`` of the game."""
    return game_by_name(game).rules.of(value)
