"""What an arena is asked to play: agents, rules, how many deal sets; also from a YAML file."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import yaml

from agents.play import WALLS, Walls
from mjenv.core.yaml_keys import load_yaml
from mjenv.registry import DEFAULT_GAME
from train.evaluation.deal_sets import FORMS, seed_of
from train.evaluation.errors import EvaluationError

DEALS = 2000
"""Deal sets of a match unless something else is asked for."""
MAX_DEALS = 100_000
"""Where a match ends that does not reach its precision."""
MOST = 1_000_000_000
"""More deal sets than will ever be played, more units than any interval is wide."""
VARIATES = ("luck", "value")
"""Names of control variates: that of the draws, and with it what draws are worth (luck.py)."""
_FEWEST_AGENTS = 2

_LISTS = ("agents", "rules")


@dataclass(frozen=True)
class LineUp:
    """An arena that can be played. Fields are the keys of a file, and options of the command.

    Attributes:
        agents: Names, two or more.
        rules: Presets or YAML files; everything is played by each.
        deals: Deal sets of a match, or with ``precision`` the fewest; None for the usual number.
        deals_with: By name of an agent, the most deal sets of a match that it plays in: for slow
            ones.
        form: ``"1v3"`` or ``"2v2"``.
        walls: ``"seat-keyed"`` or ``"ordinary"``.
        seed_block: Name of the block of seeds.
        precision: Half-width of the 95 % interval at which a match ends, in units a deal.
        max_deals: Deal sets at which it ends in any case; None for :data:`MAX_DEALS`.
        reference: Name of the agent that all others challenge, one of the agents; None for
            everybody against everybody.
        variates: Name of the control variates; None without.
        value: By what value draws are measured with the variates ``"value"``, a name for
            :func:`agents.value_model.make_value`; None for the fitted one.

    Raises:
        EvaluationError: Something that cannot be played.
    """

    agents: tuple[str, ...]
    rules: tuple[str, ...] = ("qq",)
    deals: int | None = None
    form: str = "1v3"
    walls: Walls = "seat-keyed"
    seed_block: str = "dev"
    precision: float | None = None
    max_deals: int | None = None
    reference: str | None = None
    variates: str | None = None
    value: str | None = None
    deals_with: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Refuse what cannot be played."""
        _check_agents(self.agents, self.reference)
        if not isinstance(self.deals_with, Mapping):
            raise EvaluationError(
                f"deals_with: got {self.deals_with!r}; allowed: lines of the form 'slow/1: 200'"
            )
        for name, number in self.deals_with.items():
            if name not in self.agents:
                raise EvaluationError(f"deals_with: {name!r} is not one of the agents")
            _check_deals(f"deals_with: {name}", number)
        for name, limit in (("deals", self.deals), ("max_deals", self.max_deals)):
            if limit is not None:
                _check_deals(name, limit)
        precision = self.precision
        if precision is not None and not (_is_number(precision) and 0 < precision < MOST):
            raise EvaluationError(
                f"precision: got {precision!r}; allowed: a half-width above 0, such as 0.05"
            )
        if self.variates is not None and self.variates not in VARIATES:
            raise EvaluationError(
                f"variates: got {self.variates!r}; allowed: {', '.join(VARIATES)}"
            )
        if self.value is not None and not isinstance(self.value, str):
            raise EvaluationError(f"value: got {self.value!r}; allowed: the name of a value")
        if self.value is not None and self.variates != "value":
            raise EvaluationError(
                f"value: got {self.value!r} with the variates {self.variates}; "
                "a value measures the variates 'value'"
            )
        for name, value, allowed in (("form", self.form, FORMS), ("walls", self.walls, WALLS)):
            if value not in list(allowed):  # not hashed, so that it may be a list
                raise EvaluationError(f"{name}: got {value!r}; allowed: {', '.join(allowed)}")
        seed_of(self.seed_block)
        if not self.rules:
            raise EvaluationError("rules: got none; give a preset or a file")
        _check_once("rules", self.rules)
        _check_limits(self.deals, self.max_deals, self.precision)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Challenger and reference of every match, in order."""
        return [
            (challenger, reference)
            for challenger in self.agents
            for reference in ([self.reference] if self.reference else self.agents)
            if challenger != reference
        ]

    def sets(self, *names: str) -> tuple[int, int]:
        """The fewest and the most deal sets of a match between agents of these names."""
        most_with = [self.deals_with[name] for name in names if name in self.deals_with]
        if self.precision is None:
            exactly = min([self.deals or DEALS, *most_with])
            return exactly, exactly
        fewest, most = self.deals or 1, self.max_deals or MAX_DEALS
        return min([fewest, *most_with]), min([most, *most_with])


def read_lineup(path: str | Path, options: Mapping[str, Any]) -> LineUp:
    """A line-up from a YAML file.

    Args:
        path: The file: keys are the fields of :class:`LineUp`; a list of one may be written alone.
        options: Fields that are given otherwise, and hold instead.

    Raises:
        EvaluationError: A file that cannot be read, an unknown key, or what cannot be played.
    """
    try:
        given = load_yaml(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        reason = error.strerror or error
        raise EvaluationError(f"cannot read the line-up in {str(path)!r}: {reason}") from None
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise EvaluationError(f"{path}: not a YAML file: {error}") from None
    if not isinstance(given, dict):
        raise EvaluationError(f"{path}: got {given!r}; allowed: lines of the form 'deals: 2000'")
    try:
        return make_lineup({**given, **options})
    except EvaluationError as error:
        raise EvaluationError(f"{path}: {error}") from None


def make_lineup(values: Mapping[str, Any]) -> LineUp:
    """A line-up from its fields by name.

    Raises:
        EvaluationError: An unknown one, or what cannot be played.
    """
    known = [option.name for option in fields(LineUp)]
    for name in values:
        if name not in known:
            near = get_close_matches(str(name), known, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise EvaluationError(f"unknown key {name!r}{hint}; keys: {', '.join(known)}")
    listed = {name: _names(name, values[name]) for name in _LISTS if name in values}
    reference = values.get("reference")
    if isinstance(reference, str) and reference not in listed.get("agents", ()):
        listed["agents"] = (*listed.get("agents", ()), reference)
    return replace(LineUp(listed.get("agents", ())), **{**values, **listed})


def _names(key: str, value: Any) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        allowed = "presets and YAML files" if key == "rules" else "a list of names"
        raise EvaluationError(f"{key}: got {value!r}; allowed: {allowed}")
    return tuple(names)


def _check_once(key: str, names: tuple[str, ...]) -> None:
    # greedy/1 and sichuan/greedy/1 are one agent; no rules have such a name.
    full = [name.removeprefix(f"{DEFAULT_GAME}/") for name in names]
    twice = [name for name, other in zip(names, full, strict=True) if full.count(other) > 1]
    if twice:
        also = f", also as {twice[1]!r}" if twice[1] != twice[0] else ""
        raise EvaluationError(f"{key}: {twice[0]!r} is named twice{also}; once is enough")


def _check_limits(deals: int | None, max_deals: int | None, precision: float | None) -> None:
    """Refuse limits that would not hold."""
    if precision is None:
        if max_deals is not None:
            raise EvaluationError(
                "max_deals: only with a precision; without one exactly 'deals' sets are played"
            )
    elif deals is not None and deals > (max_deals or MAX_DEALS):
        raise EvaluationError(
            f"deals: got {deals}, the fewest for a precision; allowed: max_deals, which is "
            f"{max_deals or MAX_DEALS}, or less"
        )


def _check_agents(agents: tuple[str, ...], reference: str | None) -> None:
    _check_once("agents", agents)
    if len(agents) < _FEWEST_AGENTS:
        got, hint = "none", ""
        if agents:
            got = f"{agents[0]!r} alone"
            if "," in agents[0] or agents[0].startswith("-"):
                hint = "; in a file they are written [greedy/1, folder/1]"
        raise EvaluationError(f"agents: got {got}; give two or more{hint}")
    if reference is not None and reference not in agents:
        raise EvaluationError(
            f"reference: got {reference!r}; allowed: one of the agents: {', '.join(agents)}"
        )


def _check_deals(name: str, value: object) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
        raise EvaluationError(
            f"{name}: got {value!r}; allowed: a whole number from 1 to {MOST}, without commas"
        )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
