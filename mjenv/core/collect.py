"""Cutting the lines of a record into deals.

A deal is collected before it is played, since its later lines tell what it began with: the
direction of the exchange, or the tiles of the wall.
"""

from typing import IO, Any

from mjenv.core.fields import (
    NUMBER,
    SEAT,
    TEXT,
    Field,
    Fields,
    first_fault,
    list_of,
    mapping_of,
    shown,
)
from mjenv.core.game import Game
from mjenv.core.header import GameByName, check_header, read_rules
from mjenv.core.jsonl import read_lines
from mjenv.errors import RecordError

MAX_LINES_OF_DEAL = 2048
"""More than any deal has."""

Line = dict[str, Any]
Numbered = tuple[int, Line]
Found = tuple[Game, Any, list[Numbered]]
"""Game, unpacked rules and numbered lines of a deal."""

_DECIDE: Fields = {
    "seat": SEAT,
    "action": TEXT,
    "legal": Field(list_of(TEXT).test, list_of(TEXT).allowed, optional=True),
    "policy": mapping_of(NUMBER, optional=True),
    "value": Field(NUMBER.test, NUMBER.allowed, optional=True),
}


class Collector:
    """Cuts a file into deals, up to the first fault that a line shows by itself.

    The fault is kept: an earlier line may turn out to be wrong when the deal is played.
    """

    def __init__(self, file: IO[bytes], game_by_name: GameByName) -> None:
        self._lines = read_lines(file)
        self._game_by_name = game_by_name
        self._next: Numbered | None = None
        self._last_number = 0
        self.fault: RecordError | None = None

    def next_deal(self) -> Found | None:
        """Game, rules and numbered lines of the next deal; None at the end of the file."""
        first = self._take()
        if first is None:
            if self._last_number == 0:
                raise self.fault or RecordError("the file is empty; a record begins with a deal")
            if self.fault is not None:
                raise self.fault
            return None
        number, header = first
        if header.get("type") != "deal":
            before = "begins" if number == 1 else "goes on after the end of a deal"
            raise RecordError(
                f"type is {shown(header.get('type'))}, but a record {before} with a deal line",
                line=number,
            )
        game = check_header(header, number, self._game_by_name)
        rules = read_rules(header, number, game)
        lines = [first]
        while self.fault is None and len(lines) < MAX_LINES_OF_DEAL:
            line = self._take()
            if line is None:
                self._note_missing_end(number)
                break
            if line[1].get("type") == "deal":
                self._next = line
                reason = f"a new deal, but that of line {number} has no end line yet"
                self.fault = RecordError(reason, line=line[0])
                break
            wrong = _line_fault(line[1], game)
            if wrong is not None:
                self.fault = RecordError(wrong, line=line[0])
                break
            lines.append(line)
            if line[1]["type"] == "end":
                break
        else:
            self._note_too_long()
        return game, rules, lines

    def _take(self) -> Numbered | None:
        line, self._next = self._next, None
        if line is not None:
            return line
        try:
            line = next(self._lines, None)
        except RecordError as error:
            self.fault = error
            return None
        if line is not None:
            self._last_number = line[0]
        return line

    def _note_too_long(self) -> None:
        if self.fault is None:
            reason = f"a deal never has {MAX_LINES_OF_DEAL} lines"
            self.fault = RecordError(reason, line=self._last_number)

    def _note_missing_end(self, number: int) -> None:
        if self.fault is None:
            reason = f"the file ends here, before the end line of the deal of line {number}"
            self.fault = RecordError(reason, line=self._last_number)


def _line_fault(line: Line, game: Game) -> str | None:
    """What is wrong with a line after the first, looked at by itself."""
    kind = line.get("type")
    if "type" not in line:
        return "the field 'type' is missing"
    fields = _DECIDE if kind == "decide" else None
    if isinstance(kind, str) and fields is None:
        fields = game.event_fields.get(kind)
    if fields is None:
        known = ", ".join(["deal", "decide", *game.event_fields])
        return f"type is {shown(kind)}, which is not known; types are {known}"
    fault = first_fault(line, fields)
    return None if fault is None else f"{kind}: {fault}"
