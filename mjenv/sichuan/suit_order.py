"""The canonical order of suits: the own void suit last, the two others as they are.

The rules know no difference between suits, so a network need not learn three times what to do:
encodings whose name ends in ``/canonical`` show every position as if the void suit were bamboo.
Nothing changes while the seat has declared no void suit.

Everything that holds a kind or a suit is shown in the same order: hand, melds, discards, the void
suits of others, and the actions.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.core.relabelling import Relabelling
from mjenv.core.tiles import NUM_RANKS, NUM_SUITS
from mjenv.sichuan.actions import DISCARD_0, NUM_ACTIONS, OWN_KONG_0, VOID_0
from mjenv.sichuan.state import EXCHANGE_SIZE, NO_SUIT, NUM_KINDS, NUM_SEATS

CANONICAL = "canonical"
"""Last part of the names of encodings that show this order."""

_LAST = NUM_SUITS - 1


def _places(void: int) -> tuple[int, ...]:
    """The place of every suit once ``void`` is the last."""
    order = sorted(range(NUM_SUITS), key=lambda suit: (suit == void, suit))
    return tuple(order.index(suit) for suit in range(NUM_SUITS))


SHOWN_SUITS = tuple(_places(void) for void in range(NO_SUIT, NUM_SUITS))
"""As which suit each suit is shown, by own void suit + 1."""


def _shown_actions() -> np.ndarray:
    """The shown number of every action, ``(NUM_SUITS + 1, NUM_ACTIONS)`` int8."""
    shown = np.tile(np.arange(NUM_ACTIONS, dtype=np.int8), (len(SHOWN_SUITS), 1))
    ranks = np.arange(NUM_RANKS)
    for row, suits in zip(shown, SHOWN_SUITS, strict=True):
        for suit, place in enumerate(suits):
            for first in (DISCARD_0, OWN_KONG_0):
                row[first + NUM_RANKS * suit + ranks] = first + NUM_RANKS * place + ranks
            row[VOID_0 + suit] = VOID_0 + place
    shown.flags.writeable = False
    return shown


def _inverse(permutations: np.ndarray) -> np.ndarray:
    result = np.argsort(permutations, axis=1).astype(np.int8)
    result.flags.writeable = False
    return result


SHOWN_ACTIONS = _shown_actions()
"""The shown number of every action, by own void suit + 1."""

SUIT_ORDER = Relabelling("void_suit", SHOWN_ACTIONS, _inverse(SHOWN_ACTIONS))
"""What environments and agents need of it."""


@kernel
def _shown_suit(suit: int, void: int) -> int:
    return suit if suit < 0 else SHOWN_SUITS[void + 1][suit]


@kernel
def _shown_kind(kind: int, void: int) -> int:
    """A kind in its new suit; ``NO_TILE`` stays."""
    if kind < 0:
        return kind
    suit = kind // NUM_RANKS
    return kind + NUM_RANKS * (SHOWN_SUITS[void + 1][suit] - suit)


@kernel
def shown_mask(menu: np.ndarray, void: int, mask: np.ndarray) -> None:
    """Write the mask of shown actions.

    Args:
        menu: ``(62,)`` int8, the mask of real actions.
        void: Own void suit.
        mask: ``(62,)`` int8, receives it; another array.
    """
    for kind in range(NUM_KINDS):
        shown = _shown_kind(kind, void)
        mask[DISCARD_0 + shown] = menu[DISCARD_0 + kind]
        mask[OWN_KONG_0 + shown] = menu[OWN_KONG_0 + kind]
    for suit in range(NUM_SUITS):
        mask[VOID_0 + _shown_suit(suit, void)] = menu[VOID_0 + suit]
    for action in range(VOID_0 + NUM_SUITS, NUM_ACTIONS):
        mask[action] = menu[action]


@kernel
def _relabel_row(kinds: np.ndarray, number: int, void: int) -> None:
    """Relabel the first kinds of an array."""
    for i in range(number):
        kinds[i] = _shown_kind(int(kinds[i]), void)


@kernel
def _relabel(view: np.void, void: int, out: np.void) -> None:
    """Relabel whatever holds kinds or suits in ``out``, a copy of the view."""
    for kind in range(NUM_KINDS):
        out["hand"][_shown_kind(kind, void)] = view["hand"][kind]
    for suit in range(NUM_SUITS):
        out["suit_key"][_shown_suit(suit, void)] = view["suit_key"][suit]
    out["drawn"] = _shown_kind(int(view["drawn"]), void)
    out["claim_tile"] = _shown_kind(int(view["claim_tile"]), void)
    _relabel_row(out["given"], EXCHANGE_SIZE, void)
    _relabel_row(out["received"], EXCHANGE_SIZE, void)
    _relabel_row(out["discard_kind"], int(view["num_discards"]), void)
    _relabel_row(out["win_tile"], NUM_SEATS, void)
    for seat in range(NUM_SEATS):
        _relabel_row(out["meld_kind"][seat], int(view["num_melds"][seat]), void)
        out["void_suit"][seat] = _shown_suit(int(view["void_suit"][seat]), void)


@kernel
def put_void_last(view: np.void, views: np.ndarray) -> None:
    """Write the view as it is shown, in the canonical order of suits, to ``views[0]``."""
    views[0] = view
    void = int(view["void_suit"][int(view["seat"])])
    if void != NO_SUIT and void != _LAST:
        _relabel(view, void, views[0])
