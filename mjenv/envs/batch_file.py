"""A batch on disk: its tables and its options, read without running code."""

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from mjenv.core.jsonl import replace_file
from mjenv.errors import OptionError, RecordError
from mjenv.games import game_by_name
from mjenv.version import __version__

_FORMAT = 1


def write_batch(
    path: str | Path, tables: np.ndarray, fresh: np.ndarray, options: dict[str, Any]
) -> None:
    """Write tables and options; an older file of that name is replaced once that is complete.

    Args:
        path: File, ``.npz`` by custom.
        tables: ``(N,)`` states.
        fresh: ``(N,)`` bool, which of them have not been stepped yet.
        options: What JSON can hold.
    """
    about = {"format": _FORMAT, "engine": __version__, "state": layout(tables.dtype), **options}
    with replace_file(path) as file:
        np.savez_compressed(
            file,
            tables=tables.view(np.uint8).reshape(len(tables), -1),
            fresh=fresh,
            about=np.frombuffer(json.dumps(about).encode(), np.uint8),
        )


def read_batch(path: str | Path) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Read what :func:`write_batch` wrote.

    Returns:
        Tables, ``(N, bytes of a state)`` uint8; ``(N,)`` bool, which are fresh; the options.

    Raises:
        RecordError: The file is damaged, no batch, or of a later format.
    """
    try:
        with open(path, "rb") as stream, np.load(stream, allow_pickle=False) as file:
            tables, fresh = file["tables"], file["fresh"]
            about = json.loads(file["about"].tobytes())
        options = dict(about)
        number = options.pop("format")
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise RecordError(f"{path} is damaged or holds no batch: {error}") from None
    if number != _FORMAT:
        raise RecordError(f"{path}: format {number!r}; this version reads {_FORMAT}")
    engine, state = options.pop("engine", None), options.pop("state", None)
    form = game_by_name(options.get("game", "")).state
    if state != layout(form):
        raise RecordError(f"{path}: saved by engine {engine}, whose tables are of another form")
    shapes = (fresh.size, form.itemsize), (fresh.size,)
    if (tables.shape, fresh.shape) != shapes or (tables.dtype, fresh.dtype) != (np.uint8, np.bool_):
        raise RecordError(f"{path} is damaged or holds no batch: its arrays are of another form")
    return tables, fresh, options


def layout(state: np.dtype) -> str:
    """The fields of a state as text: a file can only be read by an engine with the same."""
    return repr(state)


def changed_options(saved: dict[str, Any], options: dict[str, Any]) -> dict[str, Any]:
    """Options of a saved batch, some of which shall be others now.

    Raises:
        OptionError: There is no such option, or it cannot be changed.
    """
    for name in options:
        if name not in {*saved, "buffers"}:
            raise OptionError(f"{name}: got by load; allowed: {', '.join(saved)}, buffers")
    return {**saved, **options}
