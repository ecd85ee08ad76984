import subprocess
import sys

import pettingzoo
import pytest

import mjenv
from mjenv.envs.registration import register_pettingzoo

NOT_FOR_AN_ENVIRONMENT = ("agents", "train", "torch", "rich")
IMPORT_SECONDS = 1.0


def in_a_new_process(code):
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_public_name_is_there():
    for name in mjenv.__all__:
        assert getattr(mjenv, name) is not None
        assert name in dir(mjenv)
    assert list(mjenv.__all__) == sorted(mjenv.__all__)


def test_names_imported_late_are_the_ones_of_their_modules():
    code = """
import mjenv
from mjenv.envs.batch import Batch
import mjenv.sichuan_v0 as module
assert mjenv.Batch is Batch and mjenv.sichuan_v0 is module
from mjenv import sichuan_v0
assert sichuan_v0 is module
print("same")
"""
    assert in_a_new_process(code) == "same"


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="module 'mjenv' has no attribute 'Tablet'"):
        _ = mjenv.Tablet
    with pytest.raises(ImportError):
        exec("from mjenv import nothing")


@pytest.mark.parametrize("statement", ["import mjenv", "from mjenv import *"])
def test_the_import_is_light_and_quick(statement):
    """Seconds are those of the processor, the least of three: a busy one is slower."""
    code = f"""
import sys, time
{statement}
print([name for name in {NOT_FOR_AN_ENVIRONMENT} if name in sys.modules], time.process_time())
"""
    told = [in_a_new_process(code).rsplit(" ", 1) for _ in range(3)]
    assert {heavy for heavy, _ in told} == {"[]"}
    assert min(float(seconds) for _, seconds in told) < IMPORT_SECONDS


@pytest.mark.skipif(not hasattr(pettingzoo, "spec"), reason="PettingZoo below 1.27 has no registry")
def test_the_import_registers_the_environment():
    assert pettingzoo.spec("aec", "mjenv/sichuan-v0").version == 0
    code = "import mjenv, pettingzoo; print(pettingzoo.make('aec', 'mjenv/sichuan_v0'))"
    assert in_a_new_process(code) == "sichuan_v0"


def test_without_a_registry_nothing_is_registered(monkeypatch):
    calls = []
    monkeypatch.setattr(pettingzoo, "register", lambda *a, **k: calls.append(a), raising=False)
    register_pettingzoo()
    assert calls == [("aec", "mjenv/sichuan-v0")]
    monkeypatch.delattr(pettingzoo, "register")
    register_pettingzoo()
    assert len(calls) == 1
