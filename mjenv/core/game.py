"""What a game is: a few compiled functions over one record, and the names around them.

Environments, bots, arena and replays know a game only through :class:`Game`. Every state record
has the fields ``seed``, ``deal``, ``dealer``, ``actor`` (-1 when the deal is over), ``phase``,
``points`` and ``ledger`` (units by seat) and ``num_decisions``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from mjenv.core.kernel import Argument
from mjenv.core.relabelling import Relabelling

if TYPE_CHECKING:
    from mjenv.core.fields import Fields

NUM_SEATS = 4
NOBODY = -1


class Views(NamedTuple):
    """A batch of views: what an agent is given whose observation is ``"view"``.

    Attributes:
        views: ``(N,)`` records of the game's view dtype.
        rules: Packed rules, ``(1,)`` if they are the same for all rows, else ``(N,)``.
    """

    views: np.ndarray
    rules: np.ndarray


@dataclass(frozen=True)
class Encoding:
    """One way to write a view as numbers.

    Attributes:
        name: With its version, ``"planes/1"``.
        shape: Of one observation.
        dtype: Of its cells.
        low: Smallest value of a cell.
        high: Largest value.
        observe: Kernel ``(view, rules, luts, out)``; ``out`` is flat, ``(size,)``.
        channels: Name of every channel: of the first axis, or of every cell if flat.
        relabelling: How the encoding numbers actions, None if as the table does. Whoever gives
            somebody these observations has to give masks, and take actions, in the same numbers.
    """

    name: str
    shape: tuple[int, ...]
    dtype: np.dtype
    low: float
    high: float
    observe: Argument
    channels: tuple[str, ...]
    relabelling: Relabelling | None = None

    @property
    def size(self) -> int:
        """Cells of one observation."""
        return int(np.prod(self.shape))


@dataclass(frozen=True)
class Game:
    """A game behind the contract; ``rules`` below are packed, ``luts`` the lookup tables.

    ``phases`` and ``ledger`` name the values of ``state["phase"]`` and the columns of
    ``state["ledger"]``; every game has the phases ``OVER`` and, in views, ``WAIT``.

    Kernels handed to batch loops:
        new_deal: ``(state, rules, luts)``.
        legal: ``(state, rules, luts, mask)``.
        step: ``(state, rules, luts, action, log)``.
        next_dealer: ``(state, rules)`` returns a seat, or -1 for dice; the deal is over.
        view: ``(state, rules, seat, out)``.
        oracle: ``(state, rules, seat, out)``; everything, flat ``(oracle_size,)`` int8.
        redeal: ``(state, rules, luts, seat, rng)`` deals what a seat cannot see anew.
        imagine: ``(view, rules, luts, state)`` writes a state that fits the view of a seat that is
            asked; ``redeal`` makes a fair draw of it.
        watch: ``(state, rules, luts, tally)`` looks at a question for what statistics leave out.

    Fixed entry kernels, cheap to call from Python since they take arrays and an index:
        deal_at: ``(tables, index, rules, luts, mask)`` deals and writes the first menu.
        deal_wall_at: the same from ``wall``, ``dealer`` and ``direction`` set in the state.
        legal_at: ``(tables, index, rules, luts, mask)``.
        step_at: ``(tables, index, rules, luts, action, log, mask)`` decides and writes the next
            menu (all zero when the deal is over).
        view_at: ``(tables, index, rules, seat, views)`` writes ``views[0]``.
        observe_at: By encoding, ``(tables, index, rules, luts, seat, menu, views, out, mask)``
            writes the observation and the mask of a seat, in the encoding's numbers of actions;
            ``menu`` is that of the acting seat.
        oracle_at: ``(tables, index, rules, seat, out)``.
        redeal_at: ``(tables, index, rules, luts, seat, rng)``.
        next_dealer_at: ``(tables, index, rules)`` returns a seat, or -1 for dice.

    Texts and records, plain Python; ``rules`` here are unpacked:
        statistics: Turns ``(D,)`` finished states into ``(D,)`` records of what happened.
        tally: Dtype of the records that ``watch`` writes, one for each deal, zeros to begin with.
        close_tallies: ``(tallies, finished)`` completes ``(D,)`` of them with the finished states.
        directions: Names of the values of ``direction``, of an exchange before play.
        event_fields: Fields of every type of event in records.
        event_dicts: ``(state, log, rules)`` turns logged events into those of a record; the
            state is that after the last of them.
        prepare_deal: ``(state, header, lines, rules)`` sets in a table about to be dealt what
            only later lines of its record tell; ``lines`` are numbered.
        is_tie: ``(state, rules, win)`` tells whether another reading of a win than the engine's is
            worth the same; the state is that before the decision.
        position_text: ``(state, rules)`` writes any state on one line.
        read_position: The inverse: text to ``(1,)`` states and rules.
    """

    name: str
    rules: Any
    state: np.dtype
    view_dtype: np.dtype
    event: np.dtype
    max_events: int
    num_kinds: int
    num_actions: int
    action_text: Callable[[int, bool], str]
    parse_action: Callable[[str], int]
    phases: type[IntEnum]
    ledger: type[IntEnum]
    luts: Callable[[], np.ndarray]
    new_deal: Argument
    legal: Argument
    step: Argument
    next_dealer: Argument
    view: Argument
    oracle: Argument
    redeal: Argument
    imagine: Argument
    watch: Argument
    oracle_shape: tuple[int, ...]
    encodings: Mapping[str, Encoding]
    deal_at: Callable[..., None]
    deal_wall_at: Callable[..., None]
    legal_at: Callable[..., None]
    step_at: Callable[..., None]
    view_at: Callable[..., None]
    observe_at: Mapping[str, Callable[..., None]]
    oracle_at: Callable[..., None]
    redeal_at: Callable[..., None]
    next_dealer_at: Callable[..., int]
    bot_signature: tuple[tuple[Any, ...], Any]
    hand_size: int
    directions: tuple[str, ...]
    event_fields: Mapping[str, "Fields"]
    statistics: Callable[[np.ndarray], np.ndarray]
    tally: np.dtype
    close_tallies: Callable[[np.ndarray, np.ndarray], None]
    event_dicts: Callable[[np.void, np.ndarray, Any], list[dict[str, Any]]]
    prepare_deal: Callable[
        [np.void, Mapping[str, Any], Sequence[tuple[int, Mapping[str, Any]]], Any], None
    ]
    is_tie: Callable[[np.void, Any, Mapping[str, Any]], bool]
    position_text: Callable[[np.void, Any], str]
    read_position: Callable[[str], tuple[np.ndarray, Any]]

    def bot(self, function: Callable[..., int]) -> Argument:
        """Wrap a bot kernel ``(view, rules, luts, mask, rng) -> action`` for batch loops."""
        takes, returns = self.bot_signature
        return Argument(function, takes, returns)

    def phase_name(self, state: np.void) -> str:
        """Name of the phase a table is in, ``"CLAIM"``."""
        return self.phases(int(state["phase"])).name

    def text_of(self, action: int, phase: str) -> str:
        """Text of an action as it reads in a phase."""
        return self.action_text(action, phase == "EXCHANGE")

    def menu_of(self, mask: np.ndarray, phase: str) -> list[str]:
        """Texts of the legal actions, in the order of their ids."""
        return [self.text_of(int(action), phase) for action in np.flatnonzero(mask)]
