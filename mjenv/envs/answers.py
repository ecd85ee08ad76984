"""What a batch is given, checked before anything happens."""

from collections.abc import Mapping, Sequence
from operator import index
from typing import Any

import numpy as np

from mjenv.core.game import NOBODY, NUM_SEATS, Encoding, Game
from mjenv.core.setup import check_seed
from mjenv.errors import IllegalActionError, OptionError


def check_actions(
    game: Game,
    tables: np.ndarray,
    masks: np.ndarray,
    actions: Any,
    moving: np.ndarray,
) -> np.ndarray:
    """Return ``actions`` as ``(N,)`` int64.

    Args:
        game: What is played.
        tables: ``(N,)`` states.
        masks: ``(N, A)`` int8, the menus.
        actions: One for each table.
        moving: ``(N,)`` bool; what stands at other tables means nothing.

    Raises:
        IllegalActionError: The array is of another shape or kind, or an action is not in its menu.
    """
    given = np.asarray(actions)
    number = len(tables)
    if given.shape != (number,) or given.dtype.kind not in "iu":
        raise IllegalActionError(
            f"actions: got {given.dtype} {given.shape}; allowed: whole numbers ({number},)"
        )
    chosen = np.ascontiguousarray(given, np.int64)
    known = (chosen >= 0) & (chosen < game.num_actions)
    legal = known & (masks[np.arange(number), np.where(known, chosen, 0)] == 1)
    refused = moving & ~legal
    if refused.any():
        table = int(np.argmax(refused))
        raise IllegalActionError(
            f"table {table}: {refusal(game, tables[table], masks[table], int(chosen[table]))}"
        )
    return chosen


def refusal(game: Game, state: np.void, mask: np.ndarray, action: int) -> str:
    """What to say of an action that is not in the menu."""
    phase = game.phase_name(state)
    if phase == "OVER":
        return f"its deal is over and got action {action}; leave it out with where, or reset it"
    refused = IllegalActionError.at_table(
        seat=int(state["actor"]),
        action=_answer_text(game, action, phase),
        phase=phase,
        legal=game.menu_of(mask, phase),
    )
    return str(refused)


def bot_fault(game: Game, state: np.void, mask: np.ndarray, bot: str, answer: int) -> str:
    """What to say of a bot whose answer is not in its menu."""
    phase = game.phase_name(state)
    return (
        f"bot {bot!r} in seat {int(state['actor'])} answered {_answer_text(game, answer, phase)!r} "
        f"in {phase}; legal: {', '.join(game.menu_of(mask, phase))}"
    )


def _answer_text(game: Game, action: int, phase: str) -> str:
    """Text of an action, or of a number that is none."""
    return game.text_of(action, phase) if 0 <= action < game.num_actions else str(action)


def check_where(number: int, where: Any) -> np.ndarray:
    """Return ``where`` as ``(number,)`` bool; all tables if it is None.

    Raises:
        OptionError: It is of another shape or dtype.
    """
    if where is None:
        return np.ones(number, bool)
    given = np.asarray(where)
    if given.shape != (number,) or given.dtype != np.bool_:
        raise OptionError(f"where: got {given.dtype} {given.shape}; allowed: bool ({number},)")
    return np.ascontiguousarray(given)


def check_seats(number: int, seats: Any) -> np.ndarray:
    """Return ``seats`` as ``(number,)`` int8 from -1 to 3.

    Raises:
        OptionError: It is of another shape or kind, or holds something else.
    """
    given = np.asarray(seats)
    good = given.shape == (number,) and given.dtype.kind in "iu"
    if not good or ((given < NOBODY) | (given >= NUM_SEATS)).any():
        raise OptionError(
            f"seats: got {given.dtype} {given.shape}; allowed: whole numbers ({number},) "
            f"from -1 to {NUM_SEATS - 1}"
        )
    return np.ascontiguousarray(given, np.int8)


def check_players(number: int, players: Any) -> np.ndarray:
    """Return ``players``, who sits where, as they are: ``(number, 4)`` int8.

    Raises:
        OptionError: They are of another shape or dtype.
    """
    given = np.asarray(players)
    if given.shape != (number, NUM_SEATS) or given.dtype != np.int8:
        raise OptionError(
            f"players: got {given.dtype} {given.shape}; allowed: int8 ({number}, {NUM_SEATS})"
        )
    return np.ascontiguousarray(given)


def check_saved(
    saved: Mapping[str, Any], present: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, ...]:
    """The arrays of ``saved`` that are to be written over those that are ``present``.

    Raises:
        OptionError: One is missing, or of another shape or dtype.
    """
    for name, array in present.items():
        given = np.asarray(saved.get(name))
        if given.shape != array.shape or given.dtype != array.dtype:
            got = f"{given.dtype} {given.shape}" if name in saved else "none"
            raise OptionError(f"{name}: got {got}; allowed: {array.dtype} {array.shape}")
    return tuple(np.asarray(saved[name]) for name in present)


def check_seeds(number: int, seed: Any) -> np.ndarray:
    """Seeds of tables: ``seed + i``, or those of a sequence.

    Returns:
        ``(number,)`` int64.

    Raises:
        OptionError: A seed is out of range, or there are too few or too many.
    """
    if np.ndim(seed) == 0:
        check_seed(check_seed(seed) + number - 1)
        return check_seed(seed) + np.arange(number)
    seeds = np.array([check_seed(item) for item in seed], np.int64)
    if seeds.shape != (number,):
        raise OptionError(f"seed: got {len(seeds)} seeds; allowed: one, or {number}")
    return seeds


def check_rules(game: Game, rules: Any) -> tuple[Any, ...]:
    """Rules of a game from one that names them, or from a list of such.

    Raises:
        OptionError: The list is empty.
        RulesError: The rules are none.
    """
    named = rules if isinstance(rules, Sequence) and not isinstance(rules, str) else [rules]
    if not named:
        raise OptionError("rules: got an empty list; allowed: rules, or a list of them")
    return tuple(game.rules.of(item) for item in named)


def check_encoding(game: Game, observation: Any) -> Encoding:
    """The encoding of a game that has this name.

    Raises:
        OptionError: There is none.
    """
    if observation not in tuple(game.encodings):
        known = ", ".join(game.encodings)
        raise OptionError(f"observation: got {observation!r}; allowed: {known}")
    return game.encodings[observation]


def at_least_one(name: str, value: Any) -> int:
    """Return ``value`` as a plain integer.

    Raises:
        OptionError: It is no whole number from 1 on.
    """
    try:
        number = index(value)
    except TypeError:
        number = 0
    if number < 1 or isinstance(value, bool):
        raise OptionError(f"{name}: got {value!r}; allowed: a whole number from 1 on")
    return number
