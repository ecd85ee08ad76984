"""The first kernel that is compiled says so on standard error, which these tests look at."""

import contextlib
import io

import pytest

from mjenv.core.kernel import announce_compiling


@pytest.fixture(scope="session", autouse=True)
def _compiling_has_been_announced():
    with contextlib.redirect_stderr(io.StringIO()):
        announce_compiling()
