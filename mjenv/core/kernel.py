"""The one compile decorator. No other file imports numba.

``@kernel`` compiles a function at its first call and caches the machine code on disk. With
``NUMBA_DISABLE_JIT=1`` it returns the function unchanged, so every rule can be stepped through
in a debugger and gives the same bytes.

Numba keys its cache by the file that defines a function: after an edit of a constant in another
file, the old code keeps running. Here the key is the content of all of ``mjenv`` and of the
top-level package the function comes from, so that a changed rule is always a rule in force.
"""

import hashlib
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

P = ParamSpec("P")
R = TypeVar("R")

JIT_DISABLED = bool(numba.config.DISABLE_JIT)


def cache_directory() -> Path:
    """Where ``mjenv`` keeps compiled kernels and lookup tables.

    ``MJENV_CACHE_DIR`` if set, else ``NUMBA_CACHE_DIR``, else the user's cache directory
    (``$XDG_CACHE_HOME`` or ``~/.cache``), with ``mjenv`` appended.
    """
    for variable in ("MJENV_CACHE_DIR", "NUMBA_CACHE_DIR"):
        if os.environ.get(variable):
            return Path(os.environ[variable]) / "mjenv"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "mjenv"


@cache
def content_hash(root: str) -> str:
    """Hash of every Python file below ``root`` (or of ``root`` itself if it is a file)."""
    path = Path(root)
    files = sorted(path.rglob("*.py")) if path.is_dir() else [path]
    digest = hashlib.sha256()
    for file in files:
        digest.update(str(file.relative_to(path.parent)).encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _source_root(module_name: str, file: str) -> str:
    """The top-level package folder of a module, or the file of a module outside packages."""
    top = module_name.partition(".")[0]
    module = sys.modules.get(top)
    folders = list(getattr(module, "__path__", []))
    for folder in folders:
        if Path(folder) in Path(file).parents:
            return str(folder)
    return file


def _own_root() -> str:
    return str(Path(__file__).resolve().parents[1])


class _ContentLocator(_CacheLocator):
    """Places the cache of a function in a folder named after the content it depends on."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        own = content_hash(_own_root())
        theirs = content_hash(_source_root(function.__module__, file))
        # Bounds checks change the code but are no part of numba's own key.
        flags = f"{numba.config.BOUNDSCHECK}"
        stamp = hashlib.sha256(f"{own}{theirs}{flags}".encode()).hexdigest()[:16]
        folder = self.get_suitable_cache_subpath(file)
        self._path = str(cache_directory() / "kernels" / folder / stamp)
        self._stamp = stamp
        self._line = function.__code__.co_firstlineno

    def get_cache_path(self) -> str:
        return self._path

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_ContentLocator | None":
        if not os.path.exists(file):
            return None
        locator = cls(function, file)
        try:
            locator.ensure_cache_path()
        except OSError:
            return None
        return locator


class _ContentCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]  # numba is untyped here
    _locator_classes = (_ContentLocator,)


class _ContentCache(FunctionCache):  # type: ignore[misc]  # numba is untyped here
    _impl_class = _ContentCacheImpl


def _widened(argument: Any) -> Any:
    """The type a kernel is compiled for: every integer but ``uint64`` as ``int64``."""
    argument = types.unliteral(argument)
    if isinstance(argument, types.IntEnumMember):
        return types.int64
    if isinstance(argument, types.Integer) and argument != types.uint64:
        return types.int64
    return argument


def _widen_integers(dispatcher: Any) -> None:
    """Compile a callee once, not again for every width of integer that callers pass.

    It then computes with 64 bits whatever width the record field had, as plain Python does.
    """
    compile_for = dispatcher.get_call_template

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        widened = {name: _widened(argument) for name, argument in kws.items()}
        return compile_for(tuple(_widened(argument) for argument in args), widened)

    dispatcher.get_call_template = get_call_template


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` at its first call; plain Python when compilation is off."""
    if JIT_DISABLED:
        return function
    dispatcher = numba.njit(nogil=True)(function)
    _widen_integers(dispatcher)
    try:
        dispatcher._cache = _ContentCache(function)
    except RuntimeError:
        pass  # typed into a shell, or no writable folder: compiled once a process
    return cast("Callable[P, R]", dispatcher)


@dataclass(frozen=True)
class ArrayOf:
    """A C-contiguous array in the signature of an :class:`Argument`."""

    dtype: Any
    ndim: int = 1
    read_only: bool = False


def _numba_type(description: Any) -> Any:
    if description is None:
        return types.void
    if description is int:
        return types.int64
    if isinstance(description, ArrayOf):
        element = numba.from_dtype(np.dtype(description.dtype))
        return types.Array(element, description.ndim, "C", readonly=description.read_only)
    return numba.from_dtype(np.dtype(description))


class Argument:
    """A kernel that can be handed to a :func:`loop`.

    Numba compiles a loop once for a *type* of function, whatever function is passed, if the type
    is spelled out. ``takes`` and ``returns`` describe it: a structured dtype is one record,
    ``int`` a 64-bit integer, ``ArrayOf`` an array, ``None`` nothing.
    """

    def __init__(self, function: Callable[..., Any], takes: tuple[Any, ...], returns: Any) -> None:
        self.function = function
        self._takes = takes
        self._returns = returns

    def __call__(self, *arguments: Any) -> Any:
        return self.function(*arguments)

    @property
    def type(self) -> Any:
        signature = _numba_type(self._returns)(*(_numba_type(item) for item in self._takes))
        return types.FunctionType(signature)


def loop(function: Callable[..., R]) -> Callable[..., R]:
    """Compile a loop over many tables that takes kernels (:class:`Argument`) as arguments.

    Passing a function from Python costs about 20 microseconds, so only batched calls do.
    """
    compiled = kernel(function)
    known: set[tuple[Any, ...]] = set()

    @wraps(function)
    def call(*arguments: Any) -> R:
        plain = [item.function if isinstance(item, Argument) else item for item in arguments]
        if JIT_DISABLED:
            return compiled(*plain)
        key = tuple(
            (item.type if isinstance(item, Argument) else numba.typeof(item)) for item in arguments
        )
        if key not in known:
            # Sealed again at once: an open dispatcher would compile a copy for every function.
            compiled.disable_compile(False)  # type: ignore[attr-defined]
            compiled.compile(key)  # type: ignore[attr-defined]
            compiled.disable_compile()  # type: ignore[attr-defined]
            known.add(key)
        return compiled(*plain)

    return call
