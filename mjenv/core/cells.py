"""Copies that are quick: of small arrays inside kernels, of whole records in Python.

``target[:] = source`` does the same in a kernel, but numba compiles the text of its shape errors
along with it, which takes two seconds.
"""

import numpy as np

from mjenv.core.kernel import kernel
from mjenv.errors import OptionError

_SMALL = 1 << 16
"""Bytes up to which a copy by way of a byte string is quicker than two views."""


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


def copy_records(records: np.ndarray, out: np.ndarray | None = None) -> np.ndarray:
    """A copy of an array of records, byte by byte.

    ``records.copy()`` goes through every field of every record and takes twenty times as long.

    Args:
        records: Any array of a structured dtype.
        out: Array of the same shape and dtype to copy into, which spares finding new memory: for
            many records that takes longer than the copy.

    Returns:
        ``out``, or a new array.
    """
    if out is None and records.nbytes <= _SMALL:
        return np.ndarray(records.shape, records.dtype, bytearray(records.tobytes()))
    copy = np.empty(records.shape, records.dtype) if out is None else out
    if copy.shape != records.shape or copy.dtype != records.dtype:
        raise OptionError(
            f"out: got {copy.shape} of another shape or dtype; allowed: {records.shape} of the "
            "dtype of the records"
        )
    raw = np.dtype(("V", records.dtype.itemsize))
    copy.view(raw)[...] = records.view(raw)
    return copy
