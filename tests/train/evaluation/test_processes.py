import pytest

from mjenv.core.kernel import announce_compiling
from train.evaluation.processes import Processes


def said() -> int:
    """1 if this process has said that it compiles."""
    return announce_compiling.cache_info().currsize


@pytest.mark.parametrize("here", [True, False])
def test_compiling_is_announced_once_for_all(here):
    assert said() == 1  # as in every process of the tests
    if not here:
        announce_compiling.cache_clear()
    try:
        processes = Processes(1)
        there = processes.submit(said).result(timeout=60)
        processes.close()
    finally:
        announce_compiling()
    assert there == (1 if here else 0)
