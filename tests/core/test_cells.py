"""Copies of records."""

import numpy as np
import pytest

from mjenv.core.cells import copy_records
from mjenv.errors import OptionError

RECORD = np.dtype([("number", "i8"), ("cells", "i1", 8)])


def some(count: int) -> np.ndarray:
    records = np.zeros(count, RECORD)
    records["number"] = np.arange(count)
    records["cells"] = np.arange(8)
    return records


@pytest.mark.parametrize("count", [0, 1, 4096, 4097, 10_000])
@pytest.mark.parametrize("step", [1, 3])
def test_a_copy_is_equal_and_its_own(count, step):
    records = some(count)[::step]
    before = records.tobytes()
    copy = copy_records(records)
    assert copy.dtype == RECORD
    assert copy.tobytes() == before
    copy["number"] += 1
    assert records.tobytes() == before


def test_a_copy_into_an_array():
    records, out = some(6), np.zeros((2, 3), RECORD)
    assert copy_records(records.reshape(2, 3), out) is out
    assert out.tobytes() == records.tobytes()


@pytest.mark.parametrize("out", [np.zeros(5, RECORD), np.zeros(6, "i8"), np.zeros((2, 3), RECORD)])
def test_what_cannot_be_copied_into(out):
    with pytest.raises(OptionError, match=r"out: got \(.*allowed: \(6,\) of the dtype"):
        copy_records(some(6), out)
