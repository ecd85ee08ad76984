"""Rollouts: states played on to the end of their deals by compiled bots, for search."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from mjenv.core.cells import copy_records
from mjenv.core.game import NOBODY, NUM_SEATS, Game, Views
from mjenv.core.kernel import Argument
from mjenv.core.questions import imagine_all
from mjenv.core.rng import new_generator
from mjenv.core.rollout import FIRST_ACTION_FAULT, NO_ACTION, NO_FAULT, rollout_all
from mjenv.core.setup import check_deal, check_seat, check_seed
from mjenv.envs.batch import Batch
from mjenv.envs.bots import bots_by_seat
from mjenv.errors import AgentError, IllegalActionError, OptionError
from mjenv.games import GAMES, game_by_name, rules_of
from mjenv.table import Table


def rollout(
    tables: Any,
    bots: Any,
    n: int = 1,
    *,
    actions: Any = None,
    redeal_for: Any = None,
    redeal: Argument | None = None,
    seed: int = 0,
    rules: Any = None,
) -> np.ndarray:
    """Play states on to the end of their deals, ``n`` times each, by compiled bots.

    What is hidden in the ``j``-th rollout of a state, and what its players draw at random, is a
    function of ``seed``, the number of the state and ``j``. All ``actions`` of a state are
    therefore tried in the same ``n`` worlds: their differences are less noisy than their means.

    Args:
        tables: A :class:`~mjenv.table.Table`, a list of them, a :class:`~mjenv.envs.batch.Batch`,
            an array ``(K,)`` of state records, or what an agent is given as
            :class:`~mjenv.core.game.Views`. They are not changed.
        bots: One for all seats, or four by seat: the name of a compiled bot, a
            :class:`~mjenv.agent.CompiledBot`, or ``game.bot(kernel)``.
        n: Rollouts of every state, or of every action.
        actions: What the acting seat does first: ids ``(K,)``, or ``(K, A)`` to try several; -1
            leaves a place out, whose results are 0. Without it the bots decide at once. Those of
            a batch have the numbers of its masks.
        redeal_for: A seat, or ``(K,)`` seats: every rollout deals what it cannot see anew, as
            :meth:`~mjenv.table.Table.redeal_hidden` does; -1 for no seat. By default nothing is
            dealt anew, and all rollouts know every tile. For views it is always their own seat.
        redeal: Deals anew instead of the game's own kernel, which draws worlds uniformly:
            ``game.redeal.like(kernel)`` of a kernel ``(state, rules, luts, seat, rng)``.
        seed: Chooses the worlds.
        rules: Of an array of states: rules, what names them, or a list, of which state ``k``
            follows ``rules[k % len(rules)]``.

    Returns:
        ``(K, n, 4)`` int32, units of all seats at the end; ``(K, A, n, 4)`` if ``actions`` is
        ``(K, A)``. For a single table ``K`` is left out, here and in ``actions``.

    Raises:
        IllegalActionError: An action is not in the menu of its table.
        AgentError: Not one or four bots, one that is not compiled, or an illegal answer.
        OptionError: A table is over, or an argument has a wrong form.
        TypeError: A kernel is none, or returns something else than it should.
    """
    if isinstance(tables, Batch) and rules is None:
        worlds = {"redeal_for": redeal_for, "redeal": redeal, "seed": seed}
        return tables.rollout(None, bots, n, actions=actions, **worlds)
    if isinstance(tables, Views):
        group, redeal_for = _group_of_views(tables, rules, redeal_for)
    else:
        group = _group(tables, rules)
    k = len(group.states)
    over = np.flatnonzero(group.states["actor"] == NOBODY)
    if len(over):
        raise OptionError(f"{group.name(int(over[0]))}the deal is over, there is nothing to play")
    first, shape = _first_actions(actions, group)
    seats = _seats(redeal_for, group)
    _check_one_menu(seats, first, group)
    n = check_deal(n, "n", least=1)
    out = np.zeros((k, max(first.shape[1], 1), n, NUM_SEATS), np.int32)
    kernels = *bots_by_seat(bots, group.game), _redeal(redeal, group.game)
    _play(group, kernels, first, seats, check_seed(seed), out)
    return out.reshape(*shape, n, NUM_SEATS)


@dataclass(frozen=True)
class _Group:
    """States to play on, and what they are played by."""

    game: Game
    states: np.ndarray
    packed: np.ndarray
    single: bool = False

    def name(self, k: int) -> str:
        """What a message about state ``k`` begins with."""
        return "" if self.single else f"table {k}: "


@lru_cache(maxsize=64)
def _packed(rules: Any) -> np.ndarray:
    packed: np.ndarray = rules.pack()
    return packed


def _group(tables: Any, rules: Any) -> _Group:
    if isinstance(tables, np.ndarray):
        if rules is None and tables.dtype.names is not None:
            raise OptionError(
                "rules: states do not say by which rules they are played; give them, or call the "
                "rollout of their Batch"
            )
        return _group_of_states(tables, "qq" if rules is None else rules)
    if rules is not None:
        raise OptionError("rules: only for an array of states; tables have their own")
    single = isinstance(tables, Table)
    listed = [tables] if single else tables
    if not (
        isinstance(listed, Sequence) and listed and all(isinstance(item, Table) for item in listed)
    ):
        raise OptionError(
            f"tables: got {type(tables).__name__}; allowed: a Table, a list of them (not empty), a "
            "Batch, or an array of state records"
        )
    if len({item.rules.game for item in listed}) > 1:
        raise OptionError("tables: of several games; allowed: of one")
    packed = np.concatenate([_packed(item.rules) for item in listed])
    states = np.concatenate([item.state for item in listed])
    return _Group(game_by_name(listed[0].rules.game), states, packed, single)


def _group_of_states(states: np.ndarray, rules: Any) -> _Group:
    named = rules if isinstance(rules, Sequence) and not isinstance(rules, str) else [rules]
    unpacked = [rules_of(item) for item in named]
    if not unpacked:
        raise OptionError("rules: got an empty list; allowed: rules, or a list of them")
    game = game_by_name(unpacked[0].game)
    if states.ndim != 1 or states.dtype != game.state:
        kind = "state records" if states.dtype == game.state else str(states.dtype)
        raise OptionError(
            f"tables: got an array {states.shape} of {kind}; allowed: (K,) state records of "
            f"{game.name}, such as Table.state and Batch.tables"
        )
    actors = states["actor"]
    wrong = np.flatnonzero((actors < NOBODY) | (actors >= NUM_SEATS))
    if len(wrong):
        raise OptionError(
            f"tables: state {wrong[0]} asks seat {actors[wrong[0]]}; allowed: states as tables "
            "left them, which compiled code trusts"
        )
    if not (states.flags.c_contiguous and states.flags.writeable):
        states = copy_records(states)  # another kind of array would be another copy of the loop
    return _Group(game, states, np.concatenate([_packed(item) for item in unpacked]))


def _group_of_views(given: Views, rules: Any, redeal_for: Any) -> tuple[_Group, np.ndarray]:
    """Tables imagined around views, and the seats whose views they are."""
    if rules is not None or redeal_for is not None:
        raise OptionError("rules, redeal_for: views have their own; leave them out")
    views, packed = np.ascontiguousarray(given.views), given.rules
    game = _check_views(views, packed)
    states = np.zeros(len(views), game.state)
    imagine_all(views, packed, game.luts(), states, game.imagine)
    return _Group(game, states, packed), views["seat"]


def _check_views(views: np.ndarray, packed: Any) -> Game:
    """The game of views that can be played on by these rules."""
    game = next((game for game in GAMES.values() if game.view_dtype == views.dtype), None)
    if game is None or views.ndim != 1:
        raise OptionError(
            f"tables: got views {views.shape} of {views.dtype}; allowed: (K,) of a game, such as "
            "Table.view gives"
        )
    form = _packed(game.rules()).dtype
    fits = isinstance(packed, np.ndarray) and packed.dtype == form and packed.ndim == 1
    if not (fits and len(packed)):
        raise OptionError(
            f"tables: the rules of views are {type(packed).__name__}; allowed: packed rules, (1,) "
            "or one for each view, such as Rules.pack gives"
        )
    wrong = np.flatnonzero((views["seat"] < 0) | (views["seat"] >= NUM_SEATS))
    if len(wrong):
        raise OptionError(
            f"tables: view {wrong[0]} is of seat {views['seat'][wrong[0]]}; allowed: views as "
            "tables wrote them, which compiled code trusts"
        )
    unasked = np.flatnonzero(np.isin(views["phase"], [game.phases["WAIT"], game.phases["OVER"]]))
    if len(unasked):
        raise OptionError(f"tables: view {unasked[0]} is of a seat that is not asked")
    return game


def _first_actions(actions: Any, group: _Group) -> tuple[np.ndarray, tuple[int, ...]]:
    """First actions ``(K, A)``, and the shape of the result before ``(n, 4)``."""
    k = len(group.states)
    outer = () if group.single else (k,)
    if actions is None:
        return np.zeros((k, 0), np.int64), outer
    given = np.asarray(actions)
    if given.dtype.kind == "U":
        given = np.vectorize(group.game.parse_action, otypes=[np.int64])(given)
    inner = given.shape[len(outer) :]
    fits = given.shape[: len(outer)] == outer and len(inner) <= 1 and 0 not in inner
    if given.dtype.kind not in "iu" or not fits:
        alone = "an id, or (A,) ids" if group.single else f"({k},) or ({k}, A) ids"
        raise OptionError(f"actions: got {given.dtype} {given.shape}; allowed: {alone}")
    return np.ascontiguousarray(given, np.int64).reshape(k, -1), given.shape


def _seats(redeal_for: Any, group: _Group) -> np.ndarray:
    """The seat of every state that hidden tiles are dealt anew for, ``(K,)`` int8."""
    k = len(group.states)
    if redeal_for is None or np.ndim(redeal_for) == 0:
        seat = NOBODY if redeal_for is None else check_seat(redeal_for, "redeal_for")
        return np.full(k, seat, np.int8)
    given = np.asarray(redeal_for)
    if given.dtype.kind not in "iu" or given.shape != (k,):
        raise OptionError(
            f"redeal_for: got {given.dtype} {given.shape}; allowed: a seat, or ({k},) seats"
        )
    wrong = np.flatnonzero((given < NOBODY) | (given >= NUM_SEATS))
    if len(wrong):
        raise OptionError(
            f"redeal_for: got {given[wrong[0]]} for table {wrong[0]}; allowed: a seat from 0 to "
            f"{NUM_SEATS - 1}, or -1"
        )
    return given.astype(np.int8)


def _redeal(redeal: Any, game: Game) -> Argument:
    """The kernel that deals anew."""
    if redeal is None:
        return game.redeal
    if not isinstance(redeal, Argument):
        raise OptionError(f"redeal: got {redeal!r}; allowed: game.redeal.like(kernel)")
    return redeal


def _check_one_menu(seats: np.ndarray, first: np.ndarray, group: _Group) -> None:
    """See that what is tried first is on the menu in every world."""
    actors = group.states["actor"]
    others = (seats != NOBODY) & (seats != actors) & (first != NO_ACTION).any(axis=1)
    if others.any():
        k = int(np.argmax(others))
        raise OptionError(
            f"{group.name(k)}actions are those of seat {actors[k]}, whose menu is another one in "
            f"the worlds of seat {seats[k]}; allowed: redeal_for={actors[k]}"
        )


def _play(
    group: _Group,
    kernels: tuple[Argument, ...],
    first: np.ndarray,
    seats: np.ndarray,
    seed: int,
    out: np.ndarray,
) -> None:
    """Fill ``out``, ``(K, A, n, 4)``; A is 1 if there are no first actions.

    ``kernels`` are those of the four seats, and the one that deals anew.
    """
    game = group.game
    scratch, fault = np.zeros(2, game.state), np.zeros(2, np.int64)
    mask = np.zeros(game.num_actions, np.int8)
    fell = rollout_all(
        group.states,
        group.packed,
        game.luts(),
        first,
        seats,
        seed,
        scratch,
        mask,
        np.zeros(1, game.view_dtype),
        new_generator(),
        np.zeros(0, game.event),
        fault,
        out,
        *kernels,
        game.legal,
        game.step,
        game.view,
    )
    if fell == NO_FAULT:
        return
    phase, action = game.phase_name(scratch[1]), int(fault[1])
    refused = IllegalActionError.at_table(
        seat=int(scratch[1]["actor"]),
        action=game.text_of(action, phase) if 0 <= action < len(mask) else str(action),
        phase=phase,
        legal=game.menu_of(mask, phase),
    )
    where = group.name(int(fault[0]))
    if fell == FIRST_ACTION_FAULT:
        raise IllegalActionError(f"{where}{refused}")
    raise AgentError(f"{where}a bot in a rollout: {refused}")
