"""Rule cases: one JSON object a line, whatever the game.

A case says what is given and what must come out. The games answer cases; this module reads them,
refuses broken ones with their line number, and compares.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mjenv.core.game import NUM_SEATS
from mjenv.errors import CaseError, MjenvError

Outcome = Mapping[str, Any]
"""What came out, under the names that ``expect`` uses."""


@dataclass(frozen=True)
class Mismatch:
    """A field of a case that did not come out as expected."""

    line: int
    case: str
    field: str
    expected: Any
    got: Any

    def __str__(self) -> str:
        return (
            f"line {self.line}: case {printable(self.case)}: {self.field}: "
            f"expected {_shown(self.expected)}, got {_shown(self.got)}"
        )


class Fields:
    """The fields of a JSON object, each checked when it is asked for; others are ignored.

    Args:
        values: The object.
        where: What it is, to begin messages with; empty for the case itself.
    """

    def __init__(self, values: object, where: str = "") -> None:
        self._where = where
        if not isinstance(values, dict):
            raise CaseError(f"{where or 'a case'}: got {_shown(values)}; allowed: a JSON object")
        self._values: dict[str, Any] = values

    def __contains__(self, name: str) -> bool:
        return self._values.get(name) is not None

    def get(self, name: str) -> Any:
        """The value of a field that must be there.

        Raises:
            CaseError: It is not.
        """
        if name not in self._values:
            raise CaseError(f"{self._name(name)} is missing")
        return self._values[name]

    def text(self, name: str, default: str | None = None) -> str:
        """A text; an empty default makes the field optional."""
        if default is not None and name not in self:
            return default
        checked: str = self._checked(
            name, self.get(name), "a text", lambda value: isinstance(value, str)
        )
        return checked

    def choice(self, name: str, allowed: Mapping[str, Any], default: str | None = None) -> str:
        """One of the keys of ``allowed``."""
        value = self.text(name, default)
        if value not in allowed:
            raise CaseError(f"{self._name(name)}: got {value!r}; known: {', '.join(allowed)}")
        return value

    def texts(self, name: str) -> list[str]:
        """A list of texts, empty if the field is missing."""
        checked: list[str] = self._list(
            name, "a list of texts", lambda value: isinstance(value, str)
        )
        return checked

    def whole(self, name: str) -> int:
        """A whole number."""
        checked: int = self._checked(name, self.get(name), "a whole number", _is_whole)
        return checked

    def wholes(self, name: str, length: int | None = None) -> list[int]:
        """A list of whole numbers, empty if the field is missing and no length is asked for."""
        what = "a list of whole numbers" if length is None else f"a list of {length} whole numbers"
        if length is not None:
            self.get(name)
        values: list[int] = self._list(name, what, _is_whole)
        if length is not None and len(values) != length:
            raise CaseError(f"{self._name(name)}: got {_shown(values)}; allowed: {what}")
        return values

    def seat(self, name: str) -> int:
        """A seat, 0 to 3."""
        checked: int = self._checked(name, self.get(name), _SEAT_TEXT, _is_seat)
        return checked

    def seats(self, name: str) -> list[int]:
        """A list of seats, empty if the field is missing."""
        checked: list[int] = self._list(name, f"a list of seats, each {_SEAT_TEXT}", _is_seat)
        return checked

    def flag(self, name: str) -> bool:
        """True or false; false if the field is missing."""
        if name not in self:
            return False
        value = self._values[name]
        checked: bool = self._checked(
            name, value, "true or false", lambda item: isinstance(item, bool)
        )
        return checked

    def fans(self, name: str) -> dict[int, int]:
        """Fan by seat, written ``{"0": 3}``; empty if the field is missing."""
        if name not in self:
            return {}
        values = self._values[name]
        what = 'fan by seat, such as {"0": 3}'
        keys = {str(seat) for seat in range(NUM_SEATS)}
        self._checked(
            name,
            values,
            what,
            lambda item: (
                isinstance(item, dict) and set(item) <= keys and all(map(_is_whole, item.values()))
            ),
        )
        return {int(seat): fan for seat, fan in values.items()}

    def objects(self, name: str, kind: str = "object", *, required: bool = False) -> "list[Fields]":
        """A list of JSON objects, empty if the field is missing and not required."""
        what = f"a list of {kind}s"
        if required and self.get(name) is None:
            raise CaseError(f"{self._name(name)}: got null; allowed: {what}")
        values = self._list(name, what, lambda value: isinstance(value, dict))
        return [Fields(value, f"{kind} {i + 1} of {name}") for i, value in enumerate(values)]

    def object(self, name: str) -> "Fields":
        """A JSON object."""
        return Fields(self.get(name), self._name(name))

    def mapping(self, name: str) -> dict[str, Any]:
        """A JSON object as it is, empty if the field is missing."""
        if name not in self:
            return {}
        value = self._values[name]
        checked: dict[str, Any] = self._checked(
            name, value, "a JSON object", lambda item: isinstance(item, dict)
        )
        return checked

    def _name(self, name: str) -> str:
        return f"{self._where}: {name}" if self._where else name

    def _list(self, name: str, what: str, test: Callable[[Any], bool]) -> Any:
        if name not in self:
            return []
        value = self._values[name]
        return self._checked(
            name, value, what, lambda items: isinstance(items, list) and all(map(test, items))
        )

    def _checked(self, name: str, value: Any, what: str, test: Callable[[Any], bool]) -> Any:
        if not test(value):
            raise CaseError(f"{self._name(name)}: got {_shown(value)}; allowed: {what}")
        return value


@dataclass(frozen=True)
class Case:
    """One line of a file of cases.

    Attributes:
        line: Its number, from 1.
        name: Its ``id``.
        game: Name of the game.
        fields: Everything given.
        expect: What must come out.
    """

    line: int
    name: str
    game: str
    fields: Fields
    expect: dict[str, Any]

    def mismatches(self, answer: Callable[[Fields], Outcome]) -> list[Mismatch]:
        """Answer the case and compare.

        Fields of ``expect`` that the answer has not got are unknown, and ignored. An answer may
        hold a predicate for a field instead of a value: a callable that is given what is expected
        and returns None if that is right, else what came out.

        Raises:
            CaseError: The case is broken, or expects nothing that is known.
        """
        try:
            return self._compare(answer(self.fields))
        except MjenvError as error:
            raise CaseError(f"case {printable(self.name)}: {error}", line=self.line) from None

    def _compare(self, outcome: Outcome) -> list[Mismatch]:
        known = [name for name in self.expect if name in outcome]
        if not known:
            wanted = ", ".join(outcome)
            raise CaseError(f"expect names nothing to compare; known here: {wanted}")
        found = []
        for name in known:
            expected, got = self.expect[name], outcome[name]
            if callable(got):
                got = got(expected)
                right = got is None
            else:
                right = got == expected
            if not right:
                found.append(Mismatch(self.line, self.name, name, expected, got))
        return found


def read_cases(path: str | Path) -> Iterator[Case]:
    """The cases of a file, in order; empty lines are skipped.

    Raises:
        CaseError: A line is no case; the message has its number.
        OSError: The file cannot be read.
    """
    with Path(path).open("rb") as file:
        for line, raw in enumerate(file, 1):
            if raw.strip():
                yield _case(line, raw)


def _case(line: int, raw: bytes) -> Case:
    try:
        values = json.loads(raw.decode("utf-8-sig").strip())
    except UnicodeDecodeError:
        raise CaseError("not UTF-8 text", line=line) from None
    except json.JSONDecodeError as error:
        raise CaseError(f"not JSON: {error.msg} at column {error.colno}", line=line) from None
    except RecursionError:
        raise CaseError("not JSON that can be read: nested too deeply", line=line) from None
    except ValueError as error:  # a number of thousands of digits
        raise CaseError(f"not JSON that can be read: {error}", line=line) from None
    try:
        fields = Fields(values)
        return Case(line, fields.text("id"), fields.text("game"), fields, fields.mapping("expect"))
    except CaseError as error:
        raise CaseError(str(error), line=line) from None


_SEAT_TEXT = f"a seat, 0 to {NUM_SEATS - 1}"


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_seat(value: object) -> bool:
    return _is_whole(value) and value in range(NUM_SEATS)


def printable(text: str) -> str:
    """A text for a message: what would steer a terminal is written as an escape."""
    return "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode()
        for letter in text
    )


def _shown(value: object) -> str:
    return printable(json.dumps(value, ensure_ascii=False))
