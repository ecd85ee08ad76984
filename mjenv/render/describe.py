"""Observations in words, for people who look over the shoulder of a network."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from operator import index
from typing import Any

import numpy as np

from mjenv.core.game import Game
from mjenv.errors import OptionError
from mjenv.games import GAMES, game_by_name
from mjenv.render.cells import Cells
from mjenv.render.planes_in_words import PHASES, oracle_in_words, planes_in_words
from mjenv.render.tokens_in_words import tokens_in_words
from mjenv.render.vector_in_words import vector_in_words
from mjenv.sichuan.observation import LAYOUTS, ORACLE_SHAPE
from mjenv.sichuan.suit_order import CANONICAL

_WORDS: Mapping[str, Callable[[Cells], Iterator[str]]] = {
    "planes/1": planes_in_words,
    "vector/1": vector_in_words,
    "tokens/1": tokens_in_words,
    "oracle/1": oracle_in_words,
}
"""What says an encoding of Sichuan in words; the canonical ones are said as the others."""

_FEW = 8
"""Channels that are named of those with faulty cells."""


@dataclass(frozen=True)
class _Form:
    """What an observation may be."""

    game: Game
    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    range: tuple[float, float]
    channels: tuple[str, ...]

    @property
    def base(self) -> str:
        """The name without the order of suits."""
        return self.name.removesuffix(f"/{CANONICAL}")

    @property
    def size(self) -> int:
        return int(np.prod(self.shape))

    def rows(self, array: np.ndarray) -> int | None:
        """How many observations an array of this form holds: 0 for a single one, None if none."""
        for shape in (self.shape, (self.size,)):
            if array.shape == shape:
                return 0
            if array.ndim == len(shape) + 1 and array.shape[1:] == shape:
                return len(array)
        return None


def describe(
    observation: Any, name: str | None = None, game: str | None = None, *, row: int | None = None
) -> str:
    """An observation in words: hand, melds, rivers, what is asked, what each cell says.

    Every channel that is not zero has its part in the text. Seats are those of the observer:
    self, next, across, previous.

    Args:
        observation: An array of an encoding or of the oracle, flat or in its shape, one or a
            batch of them; or what an environment gives, a mapping with ``"observation"`` and
            perhaps ``"action_mask"``, whose legal actions are listed.
        name: Of the encoding. Without it shape and dtype decide; they cannot tell
            ``"vector/1/canonical"`` from ``"vector/1"``, and the text says so.
        game: Name of the game; any if left out.
        row: Which one of a batch.

    Raises:
        OptionError: No or several encodings are like this, or there is no such row.
        RulesError: There is no such game.
    """
    cells, mask = _parts(observation)
    forms = _named([*_forms(game)], name)
    found = [form for form in forms if form.rows(cells) is not None]
    form = _the_one(found or forms, cells, name, fits=bool(found))
    rows = form.rows(cells) or 0
    chosen = _row(row, rows)
    one = cells.reshape(max(rows, 1), *form.shape)[chosen]
    heading = f"{form.name} of {form.game.name}" + (f", row {chosen} of {rows}" if rows else "")
    lines = [heading, *_order_of_suits(form, name), *_faults(form, one), *_said(form, one)]
    if mask is not None:
        lines.append(_legal(form, mask, chosen, rows, lines))
    return "\n".join(lines)


def _parts(observation: Any) -> tuple[np.ndarray, np.ndarray | None]:
    """Cells and mask of whatever was given."""
    if not isinstance(observation, Mapping):
        return _array(observation), None
    if "observation" not in observation:
        raise OptionError(
            f"observation: got a mapping with {', '.join(map(repr, observation)) or 'nothing'}; "
            "it needs 'observation', and may have 'action_mask'"
        )
    mask = observation.get("action_mask")
    return _array(observation["observation"]), None if mask is None else _array(mask)


def _array(value: Any) -> np.ndarray:
    array = np.asarray(value)
    if array.dtype.kind not in "biuf":
        kind = "records" if array.dtype.names else array.dtype
        raise OptionError(f"observation: got {kind} {array.shape}; allowed: numbers")
    return array


# -------------------------------------------------------------------------------- which encoding


def _forms(game: str | None) -> Iterator[_Form]:
    """What an observation of a game, or of any, may be."""
    for played in GAMES.values() if game is None else [game_by_name(game)]:
        for name, encoding in played.encodings.items():
            limits = (encoding.low, encoding.high)
            told = encoding.shape, encoding.dtype, limits, encoding.channels
            yield _Form(played, name, *told)
        oracle = tuple(name for line in LAYOUTS["oracle/1"] for name in line.channels)
        yield _Form(played, "oracle/1", ORACLE_SHAPE, np.dtype(np.int8), (0, 1), oracle)


def _named(forms: list[_Form], name: str | None) -> list[_Form]:
    named = [form for form in forms if name in (None, form.name)]
    if not named:
        raise OptionError(
            f"name: got {name!r}; allowed: {', '.join(dict.fromkeys(form.name for form in forms))}"
        )
    return named


def _the_one(forms: list[_Form], cells: np.ndarray, name: str | None, fits: bool) -> _Form:
    """The form of these cells; of an encoding and its canonical order the first."""
    if not fits:
        shapes = ", ".join(f"{form.name} {form.shape}" for form in forms)
        raise OptionError(
            f"observation: got shape {cells.shape}; allowed: one, or a batch, of {shapes}, "
            "or the same flat"
        )
    alike = [form for form in forms if form.dtype == cells.dtype] or forms
    if len({(form.game.name, form.base) for form in alike}) > 1:
        names = " or ".join(f"{form.name} of {form.game.name}" for form in alike)
        raise OptionError(
            f"observation: {cells.dtype} {cells.shape} may be {names}; give name= or game="
        )
    return alike[0]


def _row(row: int | None, rows: int) -> int:
    """The row to describe of so many, 0 rows being a single observation."""
    if row is None:
        if rows > 1:
            raise OptionError(f"row: got none for a batch; allowed: 0 to {rows - 1}")
        return 0
    try:
        number = index(row)
    except TypeError:
        raise OptionError(f"row: got {row!r}; allowed: an integer") from None
    if not 0 <= number < rows:
        allowed = f"0 to {rows - 1}" if rows else "none, since this is a single observation"
        raise OptionError(f"row: got {number}; allowed: {allowed}")
    return number


# ------------------------------------------------------------------------------------------ words


def _order_of_suits(form: _Form, name: str | None) -> list[str]:
    if form.name != form.base:
        return ["suits: in the canonical order; the own void suit, once declared, is shown as s"]
    other = f"{form.base}/{CANONICAL}"
    if name is None and other in form.game.encodings:
        return [f"suits: as at the table, unless this is {other}; name= would tell"]
    return []


def _faults(form: _Form, cells: np.ndarray) -> list[str]:
    """Cells that no observation has."""
    by_channel = cells.reshape(len(form.channels), -1)
    low, high = form.range
    lines = []
    for wrong, said in (
        (~np.isfinite(by_channel), "not finite"),
        ((by_channel < low) | (by_channel > high), f"outside {low:g} to {high:g}"),
    ):
        channels = [form.channels[i] for i in np.flatnonzero(wrong.any(axis=1))]
        if channels:
            more = f" and {len(channels) - _FEW} more" if len(channels) > _FEW else ""
            lines.append(f"{said}: {', '.join(channels[:_FEW])}{more}")
    return lines


def _said(form: _Form, observation: np.ndarray) -> Iterator[str]:
    finite = np.nan_to_num(observation, nan=0, posinf=0, neginf=0)
    shape = (-1,) if len(form.shape) == 1 else (len(form.channels), -1)
    cells = Cells(form.channels, finite.reshape(shape))
    if form.base in _WORDS:
        yield from _WORDS[form.base](cells)
    rest = cells.unread()
    if rest:
        yield f"other channels: {', '.join(rest)}"


def _legal(form: _Form, mask: np.ndarray, row: int, rows: int, lines: list[str]) -> str:
    """The legal actions, in the same order of suits as everything else."""
    actions = form.game.num_actions
    if mask.shape != ((rows, actions) if rows else (actions,)):
        expected = f"({rows}, {actions})" if rows else f"({actions},)"
        raise OptionError(f"action_mask: got shape {mask.shape}; allowed: {expected}")
    giving = any(line.startswith("asked:") and PHASES["exchange"] in line for line in lines)
    menu = form.game.menu_of(mask[row] if rows else mask, "EXCHANGE" if giving else "")
    return f"legal: {', '.join(menu) or 'nothing'}"
