"""Copies of small arrays inside kernels.

``target[:] = source`` does the same, but numba compiles the text of its shape errors along with
it, which takes two seconds.
"""

import numpy as np

from mjenv.core.kernel import kernel


@kernel
def copy_row(source: np.ndarray, target: np.ndarray) -> None:
    """Copy an array of one dimension into another of the same length."""
    for i in range(source.shape[0]):
        target[i] = source[i]


@kernel
def copy_grid(source: np.ndarray, target: np.ndarray) -> None:
    """Copy an array of two dimensions into another of the same shape."""
    for i in range(source.shape[0]):
        for j in range(source.shape[1]):
            target[i, j] = source[i, j]
