"""What an option of the rules may be: one class for each kind of value.

An option checks a value, says what is allowed, and says how the value is packed for kernels.
Choices are written in lower case in rules and records; kernels compare the members of the
``IntEnum`` classes, which bear the same names in upper case.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import IntEnum
from typing import Any, Generic, TypeVar

import numpy as np

from mjenv.errors import RulesError
from mjenv.sichuan.patterns import ALONE, EXTRA_FAN_NAMES, FAN_TABLES, PATTERN_NAMES

V = TypeVar("V")

MAX_FAN = 24
"""A win pays 2^(fan - 1) units, which must fit in 32 bits together with all else of a deal."""
MAX_EXTRA_FAN = 12


class FrozenMapping(Mapping[str, V], Generic[V]):
    """A dictionary that cannot change, so that rules can be compared, hashed and shared."""

    __slots__ = ("_items",)

    def __init__(self, items: Mapping[str, V]) -> None:
        self._items = dict(items)

    def __getitem__(self, key: str) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)


def nearest(name: object, known: tuple[str, ...]) -> str:
    """A hint such as `` (did you mean 'fan_cap'?)``, or nothing."""
    near = get_close_matches(str(name), known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def refuse(name: str, got: object, allowed: str) -> RulesError:
    """The error for a value that an option does not take."""
    return RulesError(f"{name}: got {got!r}; allowed: {allowed}")


@dataclass(frozen=True)
class Option:
    """One option of the rules.

    Attributes:
        meaning: One sentence with the number of the rule.
        cell: NumPy type of the packed value; None if kernels do not need it.
    """

    meaning: str
    cell: str | None = None

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        raise NotImplementedError

    def check(self, name: str, value: Any) -> Any:
        """Return ``value`` in its one stored form, or raise RulesError."""
        raise NotImplementedError

    def encode(self, value: Any) -> int:
        """The number that kernels see."""
        raise NotImplementedError


@dataclass(frozen=True)
class Flag(Option):
    """On or off."""

    cell: str | None = "int8"

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return "true or false"

    def check(self, name: str, value: Any) -> bool:
        """Return a plain bool, or raise RulesError."""
        if not isinstance(value, bool | np.bool):
            raise refuse(name, value, self.allowed)
        return bool(value)

    def encode(self, value: Any) -> int:
        """1 for on, 0 for off."""
        return int(value)


@dataclass(frozen=True, kw_only=True)
class Choice(Option):
    """One of several names."""

    members: type[IntEnum]
    cell: str | None = "int8"

    @property
    def names(self) -> tuple[str, ...]:
        """The names in the order of their numbers."""
        return tuple(member.name.lower() for member in self.members)

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return ", ".join(self.names)

    def check(self, name: str, value: Any) -> str:
        """Return the name, or raise RulesError."""
        if not isinstance(value, str) or value not in self.names:
            raise refuse(name, value, self.allowed)
        return value

    def encode(self, value: Any) -> int:
        """The number of the member."""
        return int(self.members[value.upper()])


@dataclass(frozen=True, kw_only=True)
class Number(Option):
    """A whole number in a range; with ``optional`` also null, packed as 0."""

    low: int
    high: int | None = None
    optional: bool = False

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        upper = " up" if self.high is None else f" to {self.high}"
        return f"{'null or ' if self.optional else ''}a whole number from {self.low}{upper}"

    def check(self, name: str, value: Any) -> int | None:
        """Return a plain int or None, or raise RulesError."""
        if value is None and self.optional:
            return None
        if isinstance(value, bool) or not isinstance(value, int | np.integer):
            raise refuse(name, value, self.allowed)
        whole = int(value)
        if whole < self.low or (self.high is not None and whole > self.high):
            raise refuse(name, whole, self.allowed)
        return whole

    def encode(self, value: Any) -> int:
        """The number itself, 0 for none."""
        return value or 0


@dataclass(frozen=True)
class FanTableOption(Option):
    """A fan table by its letter, or written out."""

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return f'{", ".join(FAN_TABLES)}, or {{"additive": bool, "fans": {{pattern: fan}}}}'

    def check(self, name: str, value: Any) -> "str | FrozenMapping[Any]":
        """Return a letter or a frozen table in the order of the patterns, or raise RulesError."""
        if isinstance(value, str) and value in FAN_TABLES:
            return value
        if not isinstance(value, Mapping) or set(value) != {"additive", "fans"}:
            raise refuse(name, _plain(value), self.allowed)
        additive = Flag("").check(f"{name}.additive", value["additive"])
        fans = value["fans"]
        if not isinstance(fans, Mapping):
            raise refuse(f"{name}.fans", fans, "a mapping from patterns to fan")
        return FrozenMapping({"additive": additive, "fans": _check_fans(name, fans, additive)})


@dataclass(frozen=True)
class ExtraFansOption(Option):
    """Fan of each situation; items left out come from ``rest``."""

    rest: Mapping[str, int] = FrozenMapping({})

    @property
    def allowed(self) -> str:
        """The allowed values in words."""
        return f"a mapping from {', '.join(EXTRA_FAN_NAMES)} to 0 to {MAX_EXTRA_FAN}"

    def check(self, name: str, value: Any) -> FrozenMapping[int]:
        """Return a frozen mapping of all items in their order, or raise RulesError."""
        if not isinstance(value, Mapping):
            raise refuse(name, value, self.allowed)
        _refuse_unknown(name, value, EXTRA_FAN_NAMES, "item")
        given = {**self.rest, **value}
        item = Number("", low=0, high=MAX_EXTRA_FAN)
        return FrozenMapping(
            {key: item.check(f"{name}.{key}", given[key]) or 0 for key in EXTRA_FAN_NAMES}
        )


def _check_fans(name: str, fans: Mapping[str, Any], additive: bool) -> FrozenMapping[int]:
    _refuse_unknown(f"{name}.fans", fans, PATTERN_NAMES, "pattern")
    for pattern in ("ping_hu", "qi_dui"):
        if pattern not in fans:
            raise RulesError(
                f"{name}.fans: {pattern} is missing; every winning hand needs a pattern, "
                "so that ping_hu and qi_dui must be given"
            )
    checked = {}
    for pattern in PATTERN_NAMES:
        if pattern in fans:
            # A win of 0 fan would pay half a unit. In an additive table ping_hu is always there, or
            # else tian_hu or di_hu alone.
            low = 0 if additive and pattern not in ("ping_hu", *ALONE) else 1
            item = Number("", low=low, high=MAX_FAN)
            checked[pattern] = item.check(f"{name}.fans.{pattern}", fans[pattern]) or 0
    return FrozenMapping(checked)


def _refuse_unknown(name: str, given: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in given:
        if key not in known:
            raise RulesError(
                f"{name}: unknown {what} {key!r}{nearest(key, known)}; known: {', '.join(known)}"
            )


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else value


def option_field(default: Any, option: Option) -> Any:
    """A dataclass field for an option."""
    return field(default=default, metadata={"option": option})


def flag(default: bool, meaning: str) -> Any:
    """A field that is on or off."""
    return option_field(default, Flag(meaning))


def choice(default: IntEnum, meaning: str) -> Any:
    """A field that takes the names of an ``IntEnum``."""
    return option_field(default.name.lower(), Choice(meaning, members=type(default)))


def number(
    default: int | None,
    meaning: str,
    *,
    low: int,
    high: int | None = None,
    cell: str | None = None,
    optional: bool = False,
) -> Any:
    """A field that takes a whole number."""
    return option_field(default, Number(meaning, cell, low=low, high=high, optional=optional))
