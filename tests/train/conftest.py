"""Standard error holds what a test asks for, and nothing that depends on the clock."""

import contextlib
import io

import pytest

import train.console
from mjenv.core.kernel import announce_compiling


@pytest.fixture(scope="session", autouse=True)
def _nothing_but_messages():
    """Compiling is announced once a process, and slow work speaks after a while."""
    with contextlib.redirect_stderr(io.StringIO()):
        announce_compiling()
    train.console.FIRST_AFTER = 3600.0
