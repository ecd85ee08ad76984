"""Arrays of a batch that may be the caller's own."""

from collections.abc import Mapping

import numpy as np

from mjenv.errors import OptionError


def check_buffer(name: str, array: object, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """Return ``array`` if a batch can write to it.

    Raises:
        OptionError: It is no array of that shape and dtype, C-contiguous and writeable.
    """
    allowed = f"a writeable C-contiguous {_words(dtype)} array {shape}"
    if not isinstance(array, np.ndarray):
        raise OptionError(f"{name}: got {type(array).__name__}; allowed: {allowed}")
    faults = [
        *(["read-only"] if not array.flags.writeable else []),
        *(["not C-contiguous"] if not array.flags.c_contiguous else []),
    ]
    if array.shape != shape or array.dtype != dtype or faults:
        got = " ".join([_words(array.dtype), str(array.shape), *faults])
        raise OptionError(f"{name}: got {got}; allowed: {allowed}")
    return array


def _words(dtype: np.dtype) -> str:
    return f"record of {dtype.itemsize} bytes" if dtype.names else str(dtype)


class Buffers:
    """Arrays by name: those of the caller, new ones for the others.

    Args:
        given: Arrays of the caller.
        allowed: Names there are.

    Raises:
        OptionError: They are no mapping, or a name is unknown.
    """

    def __init__(self, given: Mapping[str, np.ndarray] | None, allowed: tuple[str, ...]) -> None:
        if not isinstance(given, Mapping | None):
            raise OptionError(f"buffers: got {given!r}; allowed: arrays by name, as a mapping")
        self._given = dict(given or {})
        for name in self._given:
            if name not in allowed:
                raise OptionError(f"buffers: got {name!r}; allowed: {', '.join(allowed)}")

    def __contains__(self, name: str) -> bool:
        return name in self._given

    def array(self, name: str, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
        """The array of a name.

        Raises:
            OptionError: The caller's cannot be written to, or is of another shape or dtype.
        """
        if name not in self._given:
            return np.zeros(shape, dtype)
        return check_buffer(f"buffers[{name!r}]", self._given[name], shape, dtype)
