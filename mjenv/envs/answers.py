"""What a batch is given, checked before anything happens."""

from operator import index
from typing import Any

import numpy as np

from mjenv.core.game import NOBODY, NUM_SEATS, Game
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


def check_seeds(number: int, seed: Any) -> np.ndarray:
    """Seeds of tables: ``seed + i``, or those of a sequence.

    Returns:
        ``(number,)`` int64.

    Raises:
        OptionError: A seed is out of range, or there are too few or too many.
    """
    if np.ndim(seed) == 0:
        return check_seed(seed) + np.arange(number)
    seeds = np.array([check_seed(item) for item in seed], np.int64)
    if seeds.shape != (number,):
        raise OptionError(f"seed: got {len(seeds)} seeds; allowed: one, or {number}")
    return seeds


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
