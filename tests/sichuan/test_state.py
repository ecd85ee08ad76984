"""The records: NumPy leaves the gaps of a record as they are when it copies one."""

import numpy as np
import pytest

from mjenv.sichuan.events import EVENT
from mjenv.sichuan.state import STATE, VIEW


@pytest.mark.parametrize("dtype", [STATE, VIEW, EVENT], ids=["state", "view", "event"])
def test_records_have_no_gaps(dtype):
    sizes = [dtype.fields[name][0].itemsize for name in dtype.names]
    assert sum(sizes) == dtype.itemsize


def test_a_copy_has_the_same_bytes():
    tables = np.zeros(3, STATE)
    assert tables.copy().tobytes() == tables.tobytes()
