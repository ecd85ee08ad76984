"""What the fields of a line of a record may be: a test, and the same in words.

Tests are strict about JSON types: ``true`` is no seat, ``24.0`` no number of points.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from mjenv.core.game import NUM_SEATS
from mjenv.core.tiles import tile_text

_LONGEST_SHOWN = 80
MAX_WHOLE = 2**53
"""JSON readers that know only floating point keep whole numbers below this apart."""


def _unchanged(value: Any) -> Any:
    return value


@dataclass(frozen=True)
class Field:
    """One field of a line.

    Attributes:
        test: Whether a JSON value is allowed.
        allowed: What is allowed, in words.
        optional: May be left out, which is the same as null.
        canonical: Form in which two allowed values are compared; sorts what has no order.
    """

    test: Callable[[Any], bool]
    allowed: str
    optional: bool = False
    canonical: Callable[[Any], Any] = _unchanged

    def fault(self, line: Mapping[str, Any], name: str) -> str | None:
        """What is wrong with this field of ``line``, None if nothing is."""
        value = line.get(name)
        if value is None and self.optional:
            return None
        if name not in line:
            return f"the field {name!r} is missing; it is {self.allowed}"
        return None if self.test(value) else self.refusal(name, value)

    def refusal(self, name: str, value: Any) -> str:
        """What is wrong with a value that failed the test."""
        return f"{name} is {shown(value)}; allowed: {self.allowed}"

    def same(self, first: Any, second: Any) -> bool:
        """Whether two allowed values mean the same."""
        if first is None or second is None:
            return first is second
        return bool(self.canonical(first) == self.canonical(second))


@dataclass(frozen=True, kw_only=True)
class ListField(Field):
    """A list of equal items, ``length`` of them if it is fixed."""

    item: Field
    length: int | None = None

    def refusal(self, name: str, value: Any) -> str:
        """Name the first wrong item, or the length."""
        if not isinstance(value, list):
            return super().refusal(name, value)
        if self.length is not None and len(value) != self.length:
            return f"{name} has {len(value)} items, it must have {self.length}"
        wrong = next(i for i, part in enumerate(value) if not self.item.test(part))
        return self.item.refusal(f"{name}[{wrong}]", value[wrong])


Fields = Mapping[str, Field]


def shown(value: Any) -> str:
    """A value for a message, cut short."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


def first_fault(line: Mapping[str, Any], fields: Fields) -> str | None:
    """The first field of ``line`` that is wrong, None if all are right."""
    for name, field in fields.items():
        fault = field.fault(line, name)
        if fault is not None:
            return fault
    return None


def is_whole(value: Any) -> bool:
    """Whether a JSON value is a whole number; ``true`` is none."""
    return type(value) is int and -MAX_WHOLE < value < MAX_WHOLE


def is_number(value: Any) -> bool:
    """Whether a JSON value is a finite number; ``true`` is none."""
    return is_whole(value) or (type(value) is float and math.isfinite(value))


def one_of(*names: str, optional: bool = False) -> Field:
    """One of some names."""
    return Field(lambda value: value in names, f"one of {', '.join(names)}", optional)


def tile(num_kinds: int, optional: bool = False) -> Field:
    """A tile of a game with ``num_kinds`` kinds."""
    texts = frozenset(tile_text(kind) for kind in range(num_kinds))
    return Field(
        lambda value: isinstance(value, str) and value in texts, "a tile such as '5p'", optional
    )


def list_of(
    item: Field, length: int | None = None, canonical: Callable[[Any], Any] = _unchanged
) -> Field:
    """A list of equal items, ``length`` of them if it is fixed."""

    def test(value: Any) -> bool:
        return (
            isinstance(value, list)
            and (length is None or len(value) == length)
            and all(item.test(part) for part in value)
        )

    number = "a list" if length is None else f"a list of {length}"
    allowed = f"{number}, each {item.allowed}"
    return ListField(test, allowed, canonical=canonical, item=item, length=length)


def mapping_of(item: Field, optional: bool = False) -> Field:
    """An object whose values are equal items."""

    def test(value: Any) -> bool:
        return isinstance(value, dict) and all(item.test(part) for part in value.values())

    return Field(test, f"an object whose values are {item.allowed}", optional)


TEXT = Field(lambda value: isinstance(value, str), "a text")
TEXT_OR_NULL = Field(lambda value: value is None or isinstance(value, str), "a text or null")
FLAG = Field(lambda value: type(value) is bool, "true or false")
SEAT = Field(lambda value: type(value) is int and 0 <= value < NUM_SEATS, "a seat, 0 to 3")
NO_SEAT_OR_SEAT = Field(SEAT.test, "a seat, 0 to 3, or null", optional=True)
WHOLE = Field(is_whole, "a whole number")
COUNT = Field(lambda value: is_whole(value) and value >= 0, "a whole number from 0 to 2^53 - 1")
NUMBER = Field(is_number, "a number")
POINTS = list_of(WHOLE, NUM_SEATS)
