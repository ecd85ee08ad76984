import importlib.util
import sys
from pathlib import Path

import pytest

from mjenv.core.kernel import JIT_DISABLED

FILE = Path(__file__).parents[1] / "benchmarks" / "compare.py"


@pytest.fixture(scope="module")
def compare():
    spec = importlib.util.spec_from_file_location("compare_benchmarks", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_every_peer_has_its_script(compare):
    scripts = {path.stem.removeprefix("bench_") for path in compare.PEERS.glob("bench_*.py")}
    assert set(compare.PAIRS) == scripts


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
def test_both_are_run_in_turn(compare, monkeypatch):
    """PettingZoo is here anyway; its game without rules needs nothing more."""
    monkeypatch.setitem(compare.PAIRS, "pettingzoo", {"step_masks": "null/raw"})
    (pair,) = compare.compare(sys.executable, "pettingzoo", seconds=0.05, rounds=2)
    assert (len(pair.ours), len(pair.theirs)) == (2, 2)
    assert min(pair.ours + pair.theirs) > 0
    assert pair.ratio == pytest.approx(sum(pair.ours) / sum(pair.theirs), rel=1.0)


@pytest.mark.parametrize(
    ("peer", "mode", "message"),
    [("pettingzoo", "null/unknown", "did not play null/unknown"), ("rlcard", "env", "rlcard")],
)
def test_a_peer_that_does_not_run_is_told(compare, peer, mode, message):
    if peer == "rlcard" and importlib.util.find_spec("rlcard"):
        pytest.skip("rlcard is installed here")
    with pytest.raises(SystemExit, match=message):
        compare.their_speed(sys.executable, peer, mode, 0.05)
