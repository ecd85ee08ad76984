"""Records of deals: told from decisions, read back, played again and verified.

A record (docs/records.md) is one JSON object a line: the deal line, then decisions and the events
they cause. Nothing in it is trusted. Reading plays the deal and compares line by line; the first
line that differs is the fault. Deals are read one at a time, so a file may be of any length.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import numpy as np

from mjenv.core.cells import copy_records
from mjenv.core.collect import Collector, Found, Line, Numbered
from mjenv.core.fields import shown
from mjenv.core.game import NOBODY, Game
from mjenv.core.header import GameByName, deal_line, set_out
from mjenv.core.jsonl import dump_line
from mjenv.core.tiles import parse_tile
from mjenv.errors import IllegalActionError, RecordError

_READING = {"patterns", "extras"}
"""Fields of a win event that a tie between readings leaves open."""


class Cursor:
    """A deal played once more, giving the events that each decision causes.

    Args:
        game: The game.
        rules: Its rules, unpacked.
        start: ``(1,)`` states to begin from; copied.

    Attributes:
        states: ``(1,)``, the table.
        before: ``(1,)``, the table before the latest decision.
        mask: The menu of the acting seat.
    """

    def __init__(self, game: Game, rules: Any, start: np.ndarray) -> None:
        self.game = game
        self.rules = rules
        self.states = self.before = copy_records(start)
        self.mask = np.zeros(game.num_actions, np.int8)
        self._packed = rules.pack()
        self._log = np.zeros(game.max_events, game.event)
        if self.actor != NOBODY:
            game.legal_at(self.states, 0, self._packed, game.luts(), self.mask)

    @property
    def actor(self) -> int:
        """The seat that is asked, -1 when the deal is over."""
        return int(self.states["actor"][0])

    @property
    def phase(self) -> str:
        """Name of the phase."""
        return self.game.phase_name(self.states[0])

    @property
    def menu(self) -> list[str]:
        """Texts of the legal actions."""
        return self.game.menu_of(self.mask, self.phase)

    def step(self, action: int) -> list[Line]:
        """Carry out a legal action and return its events."""
        self.before = copy_records(self.states)
        first = int(self.states["num_events"][0])
        self.game.step_at(
            self.states, 0, self._packed, self.game.luts(), action, self._log, self.mask
        )
        last = int(self.states["num_events"][0])
        return self.game.event_dicts(self.states[0], self._log[first:last], self.rules)


def events_of(game: Game, rules: Any, start: np.ndarray, actions: Sequence[int]) -> Iterator[Line]:
    """The public events that decisions cause, without the decisions.

    Args:
        game: The game.
        rules: Its rules, unpacked.
        start: ``(1,)`` states before the first of them.
        actions: Ids of the decisions in order.
    """
    cursor = Cursor(game, rules, start)
    for action in actions:
        yield from cursor.step(action)


def tell(
    game: Game,
    rules: Any,
    start: np.ndarray,
    actions: Sequence[int],
    menus: bool = False,
    notes: Sequence[Mapping[str, Any]] | None = None,
) -> Iterator[Line]:
    """Every line of a deal after the first.

    Args:
        game: The game.
        rules: Its rules, unpacked.
        start: ``(1,)`` states, as dealt.
        actions: Ids of the decisions in order.
        menus: Write the legal actions of every decision.
        notes: Further fields of every decision, such as ``policy`` and ``value``.
    """
    cursor = Cursor(game, rules, start)
    for number, action in enumerate(actions):
        line: Line = {"type": "decide", "seat": cursor.actor}
        if menus:
            line["legal"] = cursor.menu
        line["action"] = game.text_of(action, cursor.phase)
        yield line | dict(notes[number] if notes else {})
        yield from cursor.step(action)


def record_lines(
    game: Game,
    rules: Any,
    start: np.ndarray,
    actions: Sequence[int],
    agents: Sequence[str],
    engine: str,
    menus: bool = False,
    notes: Sequence[Mapping[str, Any]] | None = None,
    one_wall: bool = True,
) -> list[str]:
    """The record of a deal: :func:`~mjenv.core.header.deal_line` and :func:`tell` as texts.

    The arguments are theirs.
    """
    header = deal_line(game, rules, start[0], agents, engine, one_wall)
    told = tell(game, rules, start, actions, menus, notes)
    return [dump_line(line) for line in (header, *told)]


@dataclass(frozen=True)
class Deal:
    """One deal of a record.

    Attributes:
        game: Its game.
        rules: Its rules, unpacked.
        lines: Every line as it was read, the deal line first; unknown fields are kept.
        first_line: Number of the deal line in the file, counted from 1.
        start: ``(1,)`` states, as dealt.
        actions: Ids of the decisions in order.
        final: ``(1,)`` states at the end; as dealt if the deal was read without verifying.
    """

    game: Game
    rules: Any
    lines: list[Line]
    first_line: int
    start: np.ndarray
    actions: list[int] = field(default_factory=list)
    final: np.ndarray = field(default_factory=lambda: np.zeros(0))

    @property
    def header(self) -> Line:
        """The deal line."""
        return self.lines[0]


def read_deals(file: IO[bytes], game_by_name: GameByName, verify: bool = True) -> Iterator[Deal]:
    """The deals of a record, one at a time.

    Args:
        file: Open for reading bytes.
        game_by_name: Finds a game, or raises RulesError.
        verify: Play every deal again and compare each line. Without it lines are checked for
            themselves only: fields, rules, tiles of the wall, names of actions.

    Raises:
        RecordError: The first fault, with its line number. The deals before it were yielded.
    """
    collector = Collector(file, game_by_name)
    while (deal := collector.next_deal()) is not None:
        yield _verified(deal, collector) if verify else _unverified(deal, collector)


def _dealt(
    game: Game, rules: Any, lines: list[Numbered]
) -> tuple[np.ndarray, list[Numbered], RecordError | None]:
    """The table as dealt, and the lines up to a draw that no wall can give."""
    fault = None
    packed = rules.pack()
    number, header = lines[0]
    states = set_out(header, game, packed)
    try:
        game.prepare_deal(states[0], header, lines[1:], rules)
    except RecordError as error:
        fault = error
        lines = [line for line in lines if error.line is None or line[0] < error.line]
        game.prepare_deal(states[0], header, lines[1:], rules)
    mask = np.zeros(game.num_actions, np.int8)
    game.deal_wall_at(states, 0, packed, game.luts(), mask)
    if header.get("wall") is not None and header.get("hands") is not None:
        _check_hands(game, header["hands"], states, number)
    return states, lines, fault


def _check_hands(game: Game, hands: Any, states: np.ndarray, number: int) -> None:
    """Hands beside a wall are superfluous, but must be those that it deals."""
    for seat, dealt in enumerate(states["hand"][0]):
        try:
            given = np.bincount(
                [parse_tile(text, game.num_kinds) for text in hands[seat]],
                minlength=game.num_kinds,
            )
        except (TypeError, ValueError, LookupError, AttributeError):
            given = None
        if given is None or not np.array_equal(given, dealt):
            raise RecordError(f"hands: seat {seat} is dealt other tiles by the wall", line=number)


def _unverified(found: Found, collector: Collector) -> Deal:
    game, rules, lines = found
    start, lines, fault = _dealt(game, rules, lines)
    fault = fault or collector.fault
    actions = []
    for number, line in lines:
        if line["type"] == "decide":
            try:
                actions.append(game.parse_action(line["action"]))
            except IllegalActionError as error:
                raise RecordError(f"decide: {error}", line=number) from None
    if fault is not None:
        raise fault
    return Deal(game, rules, [line for _, line in lines], lines[0][0], start, actions, start)


def _verified(found: Found, collector: Collector) -> Deal:
    game, rules, lines = found
    start, lines, fault = _dealt(game, rules, lines)
    cursor = Cursor(game, rules, start)
    actions: list[int] = []
    expected: list[Line] = []
    for number, line in lines[1:]:
        if line["type"] == "decide":
            if expected:
                reason = f"a decision, but first comes {_short(expected[0])}"
                raise RecordError(reason, line=number)
            actions.append(_decision(cursor, line, number))
            expected = cursor.step(actions[-1])
        else:
            _compare(cursor, line, expected, number)
            expected = expected[1:]
    fault = fault or collector.fault
    if fault is not None:
        raise fault
    return Deal(
        game, rules, [line for _, line in lines], lines[0][0], start, actions, cursor.states
    )


def _decision(cursor: Cursor, line: Line, number: int) -> int:
    """Id of the action of a ``decide`` line, which must be legal."""
    if cursor.actor == NOBODY:
        raise RecordError("a decision, but the deal is over", line=number)
    seat, action, menu = line["seat"], line["action"], cursor.menu
    if seat != cursor.actor:
        reason = f"seat {seat} decides, but seat {cursor.actor} is asked ({cursor.phase})"
        raise RecordError(reason, line=number)
    if action not in menu:
        refused = IllegalActionError.at_table(
            seat=seat, action=action, phase=cursor.phase, legal=menu
        )
        raise RecordError(str(refused), line=number)
    legal = line.get("legal")
    if legal is not None and (set(legal) != set(menu) or len(legal) != len(menu)):
        reason = f"legal is {shown(legal)}, but the menu is {shown(menu)}"
        raise RecordError(reason, line=number)
    return int(np.flatnonzero(cursor.mask)[menu.index(action)])


def _compare(cursor: Cursor, line: Line, expected: list[Line], number: int) -> None:
    """Whether an event is the one that the decisions caused."""
    kind = line["type"]
    if not expected:
        asked = f"seat {cursor.actor} is asked first ({cursor.phase})"
        state = "the deal is over" if cursor.actor == NOBODY else asked
        raise RecordError(f"{_short(line)}, but {state}", line=number)
    wanted = expected[0]
    if kind != wanted["type"]:
        raise RecordError(f"{_short(line)}, but {_short(wanted)} comes next", line=number)
    wrong = [
        name
        for name, form in cursor.game.event_fields[kind].items()
        if not form.same(line.get(name), wanted.get(name))
    ]
    if not wrong or (set(wrong) <= _READING and _is_tie(cursor, line)):
        return
    name = wrong[0]
    reason = f"{kind}: {name} is {shown(line.get(name))}, must be {shown(wanted.get(name))}"
    raise RecordError(reason, line=number)


def _is_tie(cursor: Cursor, win: Line) -> bool:
    return cursor.game.is_tie(cursor.before[0], cursor.rules, win)


def _short(line: Mapping[str, Any]) -> str:
    """An event in words: its type and its short fields."""
    words = [
        f"{name} {dump_line({name: value}).partition(':')[2][:-1]}"
        for name, value in line.items()
        if name in ("seat", "tile", "reason", "points") and value is not None
    ]
    return " ".join([str(line["type"]), *words]).replace('"', "")
