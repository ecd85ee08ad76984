"""Files of JSON lines: read one line at a time, written completely or not at all."""

import json
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from mjenv.errors import RecordError

MAX_LINE = 1 << 20
"""Longest line in bytes. No line of a record comes near it; a file without line ends does."""


def dump_line(line: Mapping[str, Any]) -> str:
    """One line, without the line end."""
    return json.dumps(line, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _refuse_constant(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    result = dict(pairs)
    if len(result) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the field {twice!r} stands there twice")
    return result


def parse_line(raw: bytes, number: int) -> dict[str, Any]:
    """The object on line ``number``.

    Raises:
        RecordError: It is not one JSON object in UTF-8.
    """
    try:
        value = json.loads(
            raw.decode("utf-8"), object_pairs_hook=_object, parse_constant=_refuse_constant
        )
    except UnicodeDecodeError as error:
        raise RecordError(f"not UTF-8: {error.reason}", line=number) from None
    except json.JSONDecodeError as error:
        where = "" if raw.endswith(b"\n") else "; the line is cut off or has no line end"
        reason = f"not JSON: {error.msg} at column {error.colno}{where}"
        raise RecordError(reason, line=number) from None
    except RecursionError:
        raise RecordError("not JSON that can be read: nested too deeply", line=number) from None
    except ValueError as error:
        raise RecordError(f"not JSON: {error}", line=number) from None
    if not isinstance(value, dict):
        raise RecordError("not a JSON object: a line begins with { and ends with }", line=number)
    return value


def read_lines(file: IO[bytes]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Every line with its number, counted from 1. Empty lines may stand at the end only.

    Raises:
        RecordError: A line is no JSON object; the lines before it have been yielded.
    """
    blank = None
    number = 0
    while raw := file.readline(MAX_LINE):
        number += 1
        if not raw.strip():
            blank = blank or number
            continue
        if blank is not None:
            raise RecordError("an empty line in the middle of the file", line=blank)
        if len(raw) == MAX_LINE:
            raise RecordError(f"longer than {MAX_LINE - 1} bytes", line=number)
        yield number, parse_line(raw, number)


@contextmanager
def replace_file(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file for writing that takes the place of ``path`` once it is complete.

    It is written under a temporary name in the same folder and renamed at the end. If anything
    fails, a full disk included, the old file is as it was and the new one is removed. What is
    no file (a pipe, a terminal) is written to directly.
    """
    given = Path(path)
    if given.exists() and not given.is_file():
        with given.open("wb") as file:
            yield file
        return
    target = given.resolve()  # behind a link; of a pipe this would be no path that can be opened
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    try:
        with temporary.open("xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
