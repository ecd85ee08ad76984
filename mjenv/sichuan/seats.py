"""What one seat is shown, in a single call from Python.

Environments ask for a view, its numbers and a mask at once, since every crossing from Python
costs half a microsecond. There is one kernel for each encoding: a kernel that took the encoding
as an argument could not be called as cheaply.
"""

from collections.abc import Callable, Mapping

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.actions import PASS
from mjenv.sichuan.observation import ENCODINGS
from mjenv.sichuan.state import Phase
from mjenv.sichuan.suit_order import shown_mask
from mjenv.sichuan.view import view

_planes = ENCODINGS["planes/1"].observe.function
_vector = ENCODINGS["vector/1"].observe.function
_tokens = ENCODINGS["tokens/1"].observe.function
_planes_canonical = ENCODINGS["planes/1/canonical"].observe.function
_vector_canonical = ENCODINGS["vector/1/canonical"].observe.function
_tokens_canonical = ENCODINGS["tokens/1/canonical"].observe.function


@kernel
def seat_mask(state: np.void, seat: int, menu: np.ndarray, mask: np.ndarray) -> None:
    """Write the action mask that ``seat`` is shown.

    The menu if it is asked, nothing if another is, and ``pass`` alone once it has nothing more to
    decide: a softmax over the mask of a finished seat stays finite.

    Args:
        state: The table.
        seat: Who looks.
        menu: ``(62,)`` int8, the menu of the acting seat.
        mask: ``(62,)`` int8, receives the mask.
    """
    if state["phase"] == Phase.OVER or state["win_order"][seat] > 0:
        mask[:] = 0
        mask[PASS] = 1
    elif state["actor"] == seat:
        mask[:] = menu
    else:
        mask[:] = 0


@kernel
def seat_mask_canonical(state: np.void, seat: int, menu: np.ndarray, mask: np.ndarray) -> None:
    """The same in the canonical order of suits."""
    seat_mask(state, seat, menu, mask)
    if state["actor"] == seat:
        shown_mask(menu, int(state["void_suit"][seat]), mask)


@kernel
def observe_planes_at(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    seat: int,
    menu: np.ndarray,
    views: np.ndarray,
    out: np.ndarray,
    mask: np.ndarray,
) -> None:
    """Write ``planes/1`` of ``seat`` to ``out``, any shape, and its mask.

    ``views[0]`` is scratch. The other arguments are those of :func:`seat_mask`.
    """
    view(tables[index], rules[0], seat, views[0])
    _planes(views[0], rules[0], luts, out.reshape(out.size))
    seat_mask(tables[index], seat, menu, mask)


@kernel
def observe_vector_at(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    seat: int,
    menu: np.ndarray,
    views: np.ndarray,
    out: np.ndarray,
    mask: np.ndarray,
) -> None:
    """The same with ``vector/1``."""
    view(tables[index], rules[0], seat, views[0])
    _vector(views[0], rules[0], luts, out.reshape(out.size))
    seat_mask(tables[index], seat, menu, mask)


@kernel
def observe_tokens_at(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    seat: int,
    menu: np.ndarray,
    views: np.ndarray,
    out: np.ndarray,
    mask: np.ndarray,
) -> None:
    """The same with ``tokens/1``."""
    view(tables[index], rules[0], seat, views[0])
    _tokens(views[0], rules[0], luts, out.reshape(out.size))
    seat_mask(tables[index], seat, menu, mask)


@kernel
def observe_planes_canonical_at(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    seat: int,
    menu: np.ndarray,
    views: np.ndarray,
    out: np.ndarray,
    mask: np.ndarray,
) -> None:
    """The same with ``planes/1/canonical``."""
    view(tables[index], rules[0], seat, views[0])
    _planes_canonical(views[0], rules[0], luts, out.reshape(out.size))
    seat_mask_canonical(tables[index], seat, menu, mask)


@kernel
def observe_vector_canonical_at(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    seat: int,
    menu: np.ndarray,
    views: np.ndarray,
    out: np.ndarray,
    mask: np.ndarray,
) -> None:
    """The same with ``vector/1/canonical``."""
    view(tables[index], rules[0], seat, views[0])
    _vector_canonical(views[0], rules[0], luts, out.reshape(out.size))
    seat_mask_canonical(tables[index], seat, menu, mask)


@kernel
def observe_tokens_canonical_at(
    tables: np.ndarray,
    index: int,
    rules: np.ndarray,
    luts: np.ndarray,
    seat: int,
    menu: np.ndarray,
    views: np.ndarray,
    out: np.ndarray,
    mask: np.ndarray,
) -> None:
    """The same with ``tokens/1/canonical``."""
    view(tables[index], rules[0], seat, views[0])
    _tokens_canonical(views[0], rules[0], luts, out.reshape(out.size))
    seat_mask_canonical(tables[index], seat, menu, mask)


OBSERVE_AT: Mapping[str, Callable[..., None]] = {
    "planes/1": observe_planes_at,
    "vector/1": observe_vector_at,
    "tokens/1": observe_tokens_at,
    "planes/1/canonical": observe_planes_canonical_at,
    "vector/1/canonical": observe_vector_canonical_at,
    "tokens/1/canonical": observe_tokens_canonical_at,
}
"""The kernel of every encoding by name."""
