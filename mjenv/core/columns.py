"""Arrays on disk that grow by rows: ``.npy`` files whose length is known only at the end.

NumPy leaves room in the header of such a file for the first axis to grow, so that it can be written
again in place when the last row is there.
"""

import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
from numpy.lib.format import dtype_to_descr, write_array_header_1_0


class Column:
    """A ``.npy`` file that receives rows; a context that completes it.

    Args:
        path: File to create.
        shape: Of a row.
        dtype: Of its cells.
    """

    def __init__(self, path: Path, shape: tuple[int, ...], dtype: Any) -> None:
        self._shape = shape
        self._dtype = np.dtype(dtype)
        self.length = 0
        self._file: IO[bytes] = path.open("xb")
        try:
            self._size = self._write_header()
        except BaseException:
            self._file.close()
            raise

    def _write_header(self) -> int:
        """Write the header for the present length; return the size of it."""
        self._file.seek(0)
        form = {
            "descr": dtype_to_descr(self._dtype),
            "fortran_order": False,
            "shape": (self.length, *self._shape),
        }
        write_array_header_1_0(self._file, form)
        return self._file.tell()

    def append(self, rows: np.ndarray) -> None:
        """Add rows.

        Args:
            rows: ``(k, *shape)``; they are converted to the dtype of the column.
        """
        if rows.shape[1:] != self._shape:
            raise ValueError(f"rows of shape {rows.shape[1:]} for a column of {self._shape}")
        self._file.write(np.ascontiguousarray(rows, self._dtype).tobytes())
        self.length += len(rows)

    def close(self) -> None:
        """Write how many rows there are, and see that they are on the disk."""
        if self._write_header() != self._size:
            raise RuntimeError("the header of an array has grown over its first rows")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()

    def __enter__(self) -> "Column":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            if kind is None:
                self.close()
        finally:
            self._file.close()


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A folder to fill, which gets the name ``path`` once it is complete.

    If anything fails, nothing is left of it.

    Raises:
        FileExistsError: There is something of that name, now or at the end.
        FileNotFoundError: There is no folder to make it in.
    """
    _refuse_existing(path)
    target = path.resolve()
    if not target.parent.is_dir():
        raise FileNotFoundError(f"{path}: there is no folder {target.parent}")
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.tmp")
    temporary.mkdir()
    try:
        yield temporary
        _refuse_existing(path)
        temporary.rename(target)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def _refuse_existing(path: Path) -> None:
    if os.path.lexists(path):
        raise FileExistsError(f"{path} is there already; choose another name, or remove it first")
