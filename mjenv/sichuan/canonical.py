"""The encodings in the canonical order of suits, one kernel for each of the others."""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.sichuan.planes import observe_planes
from mjenv.sichuan.state import VIEW
from mjenv.sichuan.suit_order import put_void_last
from mjenv.sichuan.tokens import observe_tokens
from mjenv.sichuan.vector import observe_vector


@kernel
def observe_planes_canonical(
    view: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray
) -> None:
    """Write ``planes/1/canonical``. Contract function."""
    views = np.empty(1, VIEW)
    put_void_last(view, views)
    observe_planes(views[0], rules, luts, out)


@kernel
def observe_vector_canonical(
    view: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray
) -> None:
    """Write ``vector/1/canonical``. Contract function."""
    views = np.empty(1, VIEW)
    put_void_last(view, views)
    observe_vector(views[0], rules, luts, out)


@kernel
def observe_tokens_canonical(
    view: np.void, rules: np.void, luts: np.ndarray, out: np.ndarray
) -> None:
    """Write ``tokens/1/canonical``. Contract function."""
    views = np.empty(1, VIEW)
    put_void_last(view, views)
    observe_tokens(views[0], rules, luts, out)
