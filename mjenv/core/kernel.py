"""The one compile decorator. No other file imports numba.

``@kernel`` compiles a function at its first call and caches the machine code on disk. With
``NUMBA_DISABLE_JIT=1`` it returns the function unchanged, so every rule can be stepped through
in a debugger and gives the same bytes.

Numba keys its cache by the file that defines a function: after an edit of a constant in another
file, the old code keeps running. Here the key is the content of everything a function can reach,
so that a changed rule is always a rule in force.
"""

import hashlib
import importlib
import inspect
import os
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar, cast

import numba
import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator
from numba.core.typing import arraydecl
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, unbox

P = ParamSpec("P")
R = TypeVar("R")

_CONFIG: Any = numba.config
JIT_DISABLED = bool(_CONFIG.DISABLE_JIT)


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


def _source_roots(module_name: str, file: str) -> list[str]:
    """The folders and files whose content decides what a function of a module does.

    Kernels of ``mjenv.core`` and of a game can, by the import contracts, only use that game and
    the core. Others may use all of ``mjenv`` and of their own top-level package.
    """
    mjenv = Path(__file__).resolve().parents[1]
    parts = module_name.split(".")
    if parts[0] == mjenv.name and parts[1:2] != ["envs"] and len(parts) > 2:  # noqa: PLR2004 - a.b.c
        return [str(mjenv / "core"), str(mjenv / parts[1])]
    top = sys.modules.get(parts[0])
    own = [
        str(folder) for folder in getattr(top, "__path__", []) if Path(folder) in Path(file).parents
    ]
    return [str(mjenv), *(own or [file])]


class _ContentLocator(_CacheLocator):
    """Places the cache of a function in a folder named after the content it depends on."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        contents = [content_hash(root) for root in _source_roots(function.__module__, file)]
        # Bounds checks change the code but are no part of numba's own key. Versions of numba empty
        # each other's caches: two environments would compile in turn.
        contents += [str(_CONFIG.BOUNDSCHECK), numba.__version__]
        stamp = hashlib.sha256("".join(contents).encode()).hexdigest()[:16]
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


class _ContentCacheImpl(CompileResultCacheImpl):
    _locator_classes: list[type[object]] = [_ContentLocator]  # noqa: RUF012 - as numba declares it


class _CalleeCacheImpl(_ContentCacheImpl):
    def get_filename_base(self, fullname: str, abiflags: str) -> str:
        return f"{super().get_filename_base(fullname, abiflags)}.callee"


@cache
def announce_compiling() -> None:
    """Say once a process that compiling takes a while: silence would look like a fault."""
    print(
        f"mjenv: compiling, half a minute or more; kept in {cache_directory()} for the next time",
        file=sys.stderr,
        flush=True,
    )


class _ContentCache(FunctionCache):
    _impl_class: type[_ContentCacheImpl] = _ContentCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None:
            announce_compiling()
        return found


class _CalleeCache(_ContentCache):
    _impl_class = _CalleeCacheImpl


def _enum_as_integer(index: Any) -> Any:
    if isinstance(index, types.BaseTuple):
        parts = [_enum_as_integer(item) for item in cast("Any", index)]
        return types.BaseTuple.from_types(parts)
    return types.intp if isinstance(index, types.IntEnumMember) else index


def _let_enums_index_arrays() -> None:
    """Teach numba 0.61 what later versions know: a member of an ``IntEnum`` is an index."""
    known = arraydecl.get_array_index_type

    class Example(IntEnum):
        MEMBER = 0

    try:
        known(types.Array(types.int8, 1, "C"), types.IntEnumMember(Example, types.intp))
    except numba.TypingError:
        arraydecl.get_array_index_type = lambda array, index: known(array, _enum_as_integer(index))


_let_enums_index_arrays()


def _widened(argument: Any) -> Any:
    """The type a kernel is compiled for: every integer but ``uint64`` as ``int64``."""
    argument = types.unliteral(argument)
    if isinstance(argument, types.IntEnumMember):
        return types.int64
    if isinstance(argument, types.Integer) and argument != types.uint64:
        return types.int64
    return argument


def _compile(function: Callable[..., Any], cache: type[FunctionCache], **flags: bool) -> Any:
    options: Any = {"nogil": True, **flags}
    dispatcher: Any = numba.njit(**options)(function)
    # Typed into a shell, or without a writable folder, a kernel is compiled once a process.
    with suppress(RuntimeError):
        dispatcher._cache = cache(function)
    return dispatcher


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile ``function`` at its first call; plain Python when compilation is off.

    Other kernels call a leaner copy: without the wrappers that Python needs, and compiled once
    for all widths of integer, which then computes with 64 bits as plain Python does. Together
    that halves the time to compile.
    """
    if JIT_DISABLED:
        return function
    dispatcher = _compile(function, _ContentCache)
    callee = _compile(function, _CalleeCache, no_cpython_wrapper=True, no_cfunc_wrapper=True)

    def get_call_template(args: tuple[Any, ...], kws: dict[str, Any]) -> Any:
        widened = {name: _widened(argument) for name, argument in kws.items()}
        return callee.get_call_template(tuple(_widened(argument) for argument in args), widened)

    dispatcher.get_call_template = get_call_template
    dispatcher.get_overload = callee.get_overload
    dispatcher.callee = callee
    return cast("Callable[P, R]", dispatcher)


def entry_point(function: Callable[P, R], *arguments: Any) -> Callable[P, R]:
    """The code of a kernel for arguments like these, without the search for it.

    Half of what a small kernel costs from Python is finding the code for the types it is called
    with. Whoever calls it with the same types every time can ask once.

    Args:
        function: A kernel or a loop; it is compiled if it was not.
        arguments: Examples. The result must only be called with arguments of exactly these types,
            all by position: nothing checks them.
    """
    if JIT_DISABLED:
        return function
    return cast("Callable[P, R]", _code_for(getattr(function, "compiled", function), arguments))


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


class _KernelType(types.FunctionType):
    """A function of a spelled out signature, handed over as its address in memory.

    Numba's own type looks for the code anew at every call from Python, 20 microseconds for each
    function. Here an :class:`Argument` has looked once.
    """


register_model(_KernelType)(FunctionModel)


@unbox(_KernelType)  # type: ignore[untyped-decorator]  # numba's own
def _unbox_kernel(kind: _KernelType, argument: Any, context: Any) -> NativeValue:
    function = cgutils.create_struct_proxy(kind)(context.context, context.builder)
    address = context.pyapi.object_getattr_string(argument, "address")
    with context.builder.if_then(cgutils.is_null(context.builder, address), likely=False):
        context.builder.ret(context.pyapi.get_null_object())  # an exception was raised
    function.jit_addr = context.pyapi.long_as_voidptr(address)
    context.pyapi.decref(address)
    nothing = context.context.get_constant_null(types.voidptr)
    function.c_addr, function.py_addr = nothing, nothing
    return NativeValue(function._getvalue())


class Argument:
    """A kernel that can be handed to a :func:`loop`.

    Numba compiles a loop once for a *type* of function, whatever function is passed, if the type
    is spelled out. ``takes`` and ``returns`` describe it: a structured dtype is one record,
    ``int`` a 64-bit integer, ``ArrayOf`` an array, ``None`` nothing.
    """

    def __init__(self, function: Callable[..., Any], takes: tuple[Any, ...], returns: Any) -> None:
        self.function = function
        self.takes = takes
        self._returns = returns

    def __call__(self, *arguments: Any) -> Any:
        """Call the kernel itself."""
        return self.function(*arguments)

    def like(self, function: Callable[..., Any]) -> "Argument":
        """Another kernel in the place of this one."""
        return Argument(function, self.takes, self._returns)

    @cached_property
    def _signature(self) -> Any:
        return _numba_type(self._returns)(*(_numba_type(item) for item in self.takes))

    @cached_property
    def type(self) -> Any:
        """The numba type of the function, whatever its code."""
        return _KernelType(self._signature)

    @cached_property
    def address(self) -> int:
        """Where its machine code is; compiles it if need be.

        Raises:
            TypeError: It is not compiled by :func:`kernel`, or returns something else than it
                should.
        """
        if not hasattr(self.function, "callee"):
            raise TypeError(f"{self.name} is no kernel: decorate it with mjenv.core.kernel.kernel")
        self._check_parameters()
        callee = cast("Any", self.function).callee
        # By its arguments alone, as other kernels call it: what is compiled for a whole signature
        # is another entry of the cache, which only the first to compile it would write.
        callee.compile(tuple(self._signature.args))
        code = callee.overloads[tuple(self._signature.args)]
        returned = types.unliteral(code.signature.return_type)
        if returned != self._signature.return_type:
            hint = "; write return int(...)" if self._returns is int else ""
            raise TypeError(
                f"{self.name} returns {returned}; it must return "
                f"{self._signature.return_type}{hint}"
            )
        address: int = code.library.get_pointer_to_function(code.fndesc.llvm_func_name)
        return address

    @property
    def name(self) -> str:
        """Of the function."""
        return str(getattr(self.function, "__qualname__", self.function))

    def _check_parameters(self) -> None:
        """Say how many there are before numba does, which does not name the function."""
        number = len(inspect.signature(cast("Any", self.function).py_func).parameters)
        if number != len(self.takes):
            raise TypeError(f"{self.name} takes {number} arguments; it must take {len(self.takes)}")

    def __reduce__(self) -> tuple[Any, ...]:
        """By name, as functions are pickled: compiled code belongs to one process."""
        function: Any = self.function
        name = function.__module__, function.__qualname__
        return _argument_named, (*name, self.takes, self._returns)


def _argument_named(module: str, name: str, takes: tuple[Any, ...], returns: Any) -> Argument:
    return Argument(getattr(importlib.import_module(module), name), takes, returns)


_KIND_FLAGS = 0x1 | 0x2 | 0x100 | 0x400
"""Of ``ndarray.flags.num``: contiguous in C's or in Fortran's order, aligned, writeable."""


def _kind_of(argument: Any) -> Any:
    """What decides how an argument is compiled, cheaply."""
    if isinstance(argument, np.ndarray):
        return argument.dtype, argument.ndim, argument.flags.num & _KIND_FLAGS
    return argument.type.key if isinstance(argument, Argument) else type(argument)


def _code_for(compiled: Any, arguments: tuple[Any, ...]) -> Any:
    """The code of a kernel or loop for arguments like these."""
    kinds = tuple(
        item.type if isinstance(item, Argument) else numba.typeof(item) for item in arguments
    )
    compiled.compile(kinds)
    return compiled.overloads[kinds].entry_point


def loop(function: Callable[..., R]) -> Callable[..., R]:
    """Compile a loop over many tables that takes kernels (:class:`Argument`) as arguments.

    One compiled copy serves all kernels of a type. The code for the arguments of a call is looked
    up by their kinds, quicker than numba does.
    """
    compiled: Any = kernel(function)
    codes: dict[tuple[Any, ...], Callable[..., R]] = {}

    @wraps(function)
    def call(*arguments: Any) -> R:
        if JIT_DISABLED:
            return function(
                *(item.function if isinstance(item, Argument) else item for item in arguments)
            )
        kinds = tuple([_kind_of(item) for item in arguments])
        code = codes.get(kinds)
        if code is None:
            code = codes[kinds] = _code_for(compiled, arguments)
        return code(*arguments)

    cast("Any", call).compiled = compiled
    return call
