"""Tables brought to a situation worth looking at."""

from typing import Any

from tests.reference.presets import with_options
from tests.reference.state import TILES
from tests.reference.table import ReferenceTable
from tests.reference.tiles import KIND, TEXT
from tests.reference.wall import arrange_wall

# Three hands that wait for 5m alone, and one that holds 5m and nothing to claim with.
WAITS_5M = ("46m123456789p11p", "46m123456789p99p", "46m123456789s11s")
JUNK = "5m1379s"


def table_of(hands: list[str], preset: str = "standalone", **options: Any) -> ReferenceTable:
    """Deal these hands with seat 0 as dealer, `draws` next; void suits are the first offered."""
    draws = str(options.pop("draws", ""))
    rules = with_options(preset, options)
    table = ReferenceTable(rules, arrange_wall(hands, draws=draws), 0)
    while table.phase == "VOID":
        table.step(table.legal()[0])
    return table


def pass_all(table: ReferenceTable) -> None:
    """Everybody asked says pass."""
    while table.phase in ("CLAIM", "ROB"):
        table.step("pass")


def discard_drawn(table: ReferenceTable) -> None:
    """The acting seat drops the tile it drew, and nobody claims it."""
    drawn = table.drawn
    assert drawn is not None
    table.step(f"discard {TEXT[drawn]}")
    pass_all(table)


def set_wall(table: ReferenceTable, left: int, next_tile: str | None = None) -> None:
    """Leave so many tiles in the wall, and choose the one drawn next."""
    table.front = TILES - left
    if next_tile:
        table.wall[table.front] = KIND[next_tile]
