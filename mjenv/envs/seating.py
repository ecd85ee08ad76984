"""Who sits where in a batch: the caller, and bots that play inside the compiled loop."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from mjenv.core.batch import CALLER, first_action
from mjenv.core.game import NUM_SEATS, Game
from mjenv.core.kernel import Argument
from mjenv.envs.bots import bot_kernel
from mjenv.errors import OptionError

MAX_BOTS = 3
"""How many different bots a compiled loop takes."""


class Seating:
    """Bots and their seats.

    Args:
        game: What is played.
        bots: None, or four entries by seat, or a list of such: table ``i`` has ``bots[i % P]``.
            An entry is None for the caller, a name, an agent with a ``kernel``, or a kernel as
            ``game.bot`` wraps it.
        rotate: Everybody moves one seat on with every match.
        match_length: Deals of a match.

    Attributes:
        bots: What was given, one tuple of four for every kind of table.
        names: ``names[n - 1]`` is that of player ``n``.
        kernels: Three; player ``n`` is ``kernels[n - 1]``.
        players: ``(P, S, 4)`` int8: who sits where in deal ``d`` of table ``i`` is
            ``players[i % P, d % S]``, 0 for the caller.

    Raises:
        AgentError: An agent is unknown, not made for the game or not compiled.
        OptionError: There are not four entries, no seat is left to the caller, or there are more
            than three different bots.
    """

    def __init__(self, game: Game, bots: Any, rotate: bool = False, match_length: int = 1) -> None:
        self.bots = _rows(bots)
        self.names: list[str] = []
        kernels: list[Argument] = []
        numbers: dict[Any, int] = {None: CALLER}
        for entry in (entry for row in self.bots for entry in row):
            if _key(entry) not in numbers:
                kernels.append(bot_kernel(entry, game))
                self.names.append(_name(entry))
                numbers[_key(entry)] = len(kernels)
        if len(kernels) > MAX_BOTS:
            raise OptionError(
                f"bots: got {', '.join(self.names)}; allowed: {MAX_BOTS} different bots"
            )
        rows = np.array([[numbers[_key(entry)] for entry in row] for row in self.bots], np.int8)
        if (rows != CALLER).all(axis=1).any():
            raise OptionError(
                "bots: got a bot for every seat; leave at least one seat, None, to the caller, or "
                "play deals among bots with agents.play.play_deals or the command mjenv selfplay"
            )
        turns = NUM_SEATS if rotate else 1
        turned = np.stack([np.roll(rows, turn, axis=1) for turn in range(turns)], axis=1)
        self.players = np.repeat(turned, match_length if rotate else 1, axis=1)
        nobody = [game.bot(first_action)] * (MAX_BOTS - len(kernels))
        self.kernels = tuple(kernels + nobody)

    def at(self, tables: np.ndarray, deals: np.ndarray) -> np.ndarray:
        """Who sits where in a deal of a table, ``(N, 4)`` int8: 0 for the caller."""
        kinds, turns = self.players.shape[:2]
        players: np.ndarray = self.players[tables % kinds, deals % turns]
        return players

    def by_name(self) -> list[list[str | None]]:
        """The bots as they can be written to a file.

        Raises:
            OptionError: One was not given by name, and could not be found again.
        """
        for entry in (entry for row in self.bots for entry in row):
            if not isinstance(entry, str | None):
                raise OptionError(
                    f"bots: got {entry!r}; a batch can be saved if its bots are given by name"
                )
        return [list(row) for row in self.bots]


def _key(entry: Any) -> Any:
    """What tells bots apart: a name, or the object itself."""
    return entry if entry is None or isinstance(entry, str) else id(entry)


def _name(entry: Any) -> str:
    if isinstance(entry, Argument):
        return entry.name
    return entry if isinstance(entry, str) else str(entry.name)


def _rows(bots: Any) -> tuple[tuple[Any, ...], ...]:
    """Entries by seat, one row for every kind of table."""
    if bots is None:
        return ((None,) * NUM_SEATS,)
    given = tuple(bots) if isinstance(bots, Sequence) and not isinstance(bots, str) else (bots,)
    nested = all(isinstance(row, Sequence) and not isinstance(row, str) for row in given)
    rows = tuple(tuple(row) for row in given) if given and nested else (given,)
    if any(len(row) != NUM_SEATS for row in rows):
        raise OptionError(
            f"bots: got {bots!r}; allowed: four entries by seat, None for the caller, or a list "
            "of such"
        )
    return rows
