"""A board as text.

A river shows discards in order; ``5p>2`` was taken by seat 2. ``*`` marks the seat that decides.
Hidden tiles are ``?``.
"""

import numpy as np

from mjenv.core.game import NUM_SEATS
from mjenv.render.board import Board, SeatFacts, WinFacts, board_of_table, board_of_view
from mjenv.render.tiles import TileStyle, show_suit, show_tile, show_tiles

SEAT_NAMES = tuple(f"player_{seat}" for seat in range(NUM_SEATS))


def table_text(state: np.void, base_points: int, style: TileStyle = TileStyle.TEXT) -> str:
    """A table with all hands open.

    Args:
        state: A ``STATE``.
        base_points: Points of one unit.
        style: How tiles are written.
    """
    return board_text(board_of_table(state, base_points), style)


def view_text(view: np.void, base_points: int, style: TileStyle = TileStyle.TEXT) -> str:
    """A table as one seat sees it.

    Args:
        view: A ``VIEW``.
        base_points: Points of one unit.
        style: How tiles are written.
    """
    return board_text(board_of_view(view, base_points), style)


def board_text(board: Board, style: TileStyle = TileStyle.TEXT) -> str:
    """A board, one block a seat below a line about the table."""
    lines = [_headline(board, style)]
    for seat in range(NUM_SEATS):
        lines += _seat_lines(board, seat, style)
    return "\n".join(lines)


def _headline(board: Board, style: TileStyle) -> str:
    parts = [f"wall {board.wall_count}", f"dealer {SEAT_NAMES[board.dealer]}"]
    if board.end:
        parts.append(f"over: {board.end}")
    elif board.asked is None:
        parts.append("waiting for others")
    else:
        parts.append(f"{SEAT_NAMES[board.asked]} to decide ({board.phase})")
    if board.question is not None:
        tile, source = board.question
        parts.append(f"on {show_tile(tile, style)} of {SEAT_NAMES[source]}")
    return "  ".join(parts)


def _seat_lines(board: Board, seat: int, style: TileStyle) -> list[str]:
    facts = board.seats[seat]
    mark = "*" if board.asked == seat else " "
    title = f"{mark} {SEAT_NAMES[seat]}  {facts.points:+d} points"
    if facts.void_suit is not None:
        title += f"  void {show_suit(facts.void_suit, style)}"
    if board.viewer == seat:
        title += "  (you)"
    if facts.result and facts.won is None:
        title += f"  {facts.result}"
    lines = [title]
    if facts.won is not None:
        lines.append(f"    won    {win_text(facts.won, style)}")
    lines.append(f"    hand   {_hand(facts, style)}")
    if facts.melds:
        melds = (
            f"{meld.what} {show_tile(meld.tile, style)}"
            + ("" if meld.source == seat else f" from {SEAT_NAMES[meld.source]}")
            for meld in facts.melds
        )
        lines.append(f"    melds  {', '.join(melds)}")
    if facts.river:
        river = (
            show_tile(discard.tile, style) + (f">{discard.claimer}" if discard.claimer >= 0 else "")
            for discard in facts.river
        )
        lines.append(f"    river  {' '.join(river)}")
    return lines


def _hand(facts: SeatFacts, style: TileStyle) -> str:
    if facts.hand is None:
        return "?" * facts.hand_size
    text = show_tiles(facts.hand, style)
    if facts.drawn is not None:
        text += f"  drew {show_tile(facts.drawn, style)}"
    if facts.given:
        text += f"  gives {show_tiles(facts.given, style)}"
    return text


def win_text(win: WinFacts, style: TileStyle = TileStyle.TEXT) -> str:
    """A win in words: ``discard 5p of player_1, 3 fan: dui_dui_hu, gen +1``."""
    text = win.how
    if win.tile is not None:
        text += f" {show_tile(win.tile, style)}"
    if win.how != "self draw":
        text += f" of {SEAT_NAMES[win.source]}"
    names = [*win.patterns, *(f"{name} +{fan}" for name, fan in win.extras)]
    return f"{text}, {win.fan} fan: {', '.join(names)}"
