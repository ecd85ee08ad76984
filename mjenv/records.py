"""Records of whole deals: written while agents play, read back, verified."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

from mjenv.core.game import NUM_SEATS
from mjenv.core.jsonl import replace_file
from mjenv.core.record import Deal, read_deals
from mjenv.core.setup import check_deal
from mjenv.errors import AgentError, IllegalActionError
from mjenv.games import game_by_name, rules_of
from mjenv.table import UNNAMED, Table

Player = Callable[[Table], str | int]
"""Decides for the acting seat of a table: returns a legal action, as text or id."""


def selfplay(
    agents: Player | Sequence[Player],
    rules: Any,
    deals: int,
    seed: int,
    out: str | Path,
    menus: bool = False,
    names: Sequence[str] | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[int]:
    """Play deals 0 to ``deals - 1`` of a seed and write their record.

    Args:
        agents: One for all seats, or four by seat. They must not change the table.
        rules: Rules, or whatever names them.
        deals: How many. The dice choose every dealer.
        seed: Of the deals.
        out: File to write. It appears when all deals are played, and replaces an older one.
        menus: Write the legal actions of every decision.
        names: Names of the agents in the record, as many as there are agents; by default the
            ``name`` of each.
        progress: Called after every deal with the number of deals played.

    Returns:
        Points of the four seats over all deals.

    Raises:
        AgentError: Not one or four agents, no functions, or one answers with an illegal action.
        OptionError: Another argument is out of range.
        OSError: The file cannot be written. An older one is as it was.
    """
    players = _four(agents, "agents")
    for player in players:
        if not callable(player):
            raise AgentError(
                f"agents: got {player!r}; allowed: functions of a table that return an action. "
                "Agents by name play with agents.play.play_deals or the command mjenv selfplay"
            )
    if names is None:
        names = [str(getattr(player, "name", UNNAMED)) for player in players]
    named = _four(names, "names")
    check_deal(deals, "deals", least=1)
    rules = rules_of(rules)
    totals = [0] * NUM_SEATS
    with replace_file(out) as file:
        for deal in range(deals):
            table = Table(rules, seed, deal)
            play(table, players)
            file.writelines(f"{line}\n".encode() for line in table.record(named, menus))
            totals = [total + won for total, won in zip(totals, table.points, strict=True)]
            if progress is not None:
                progress(deal + 1)
    return totals


def play(table: Table, players: Sequence[Player]) -> None:
    """Let players decide until the deal is over.

    Args:
        table: The table.
        players: Four, by seat.

    Raises:
        AgentError: One answers with an illegal action.
    """
    while not table.over:
        try:
            table.step(players[table.actor](table))
        except IllegalActionError as error:
            raise AgentError(f"{error}; at {table!r}") from error


def replay(path: str | Path, verify: bool = True) -> Iterator[Deal]:
    """The deals of a record, one at a time; reading on checks on.

    Args:
        path: The file.
        verify: Play every deal again and compare every line; else only check each line.

    Raises:
        RecordError: The first fault, with its line number.
        OSError: The file cannot be read.
    """
    with Path(path).open("rb") as file:
        yield from read_deals(file, game_by_name, verify)


def verify(path: str | Path) -> int:
    """Check every line of a record, and return how many deals it holds.

    Raises:
        RecordError: The first fault, with its line number.
        OSError: The file cannot be read.
    """
    return sum(1 for _ in replay(path))


def _four(given: Any, what: str) -> list[Any]:
    """Four items, or one for all seats."""
    items = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    if len(items) == 1:
        items *= NUM_SEATS
    if len(items) != NUM_SEATS:
        raise AgentError(f"{what}: got {len(items)}; allowed: one, or {NUM_SEATS} by seat")
    return items
