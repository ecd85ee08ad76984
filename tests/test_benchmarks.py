import importlib
import importlib.util
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from mjenv.core.kernel import JIT_DISABLED

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
MODULES = ("machine", "plot", "peer_runs", "compare", "growth", "report")
SVG = "{http://www.w3.org/2000/svg}"
compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")


@pytest.fixture(scope="module")
def scripts():
    """The modules of the folder, as its scripts import them; names so plain must not stay."""
    sys.path.insert(0, str(BENCHMARKS))
    try:
        yield SimpleNamespace(**{name: importlib.import_module(name) for name in MODULES})
    finally:
        sys.path.remove(str(BENCHMARKS))
        for name in MODULES:
            sys.modules.pop(name, None)


# ------------------------------------------------------------------------------------------ peers


def test_every_peer_has_its_script_and_its_requirements(scripts):
    peers = scripts.peer_runs.PEERS
    names = {path.stem.removeprefix("bench_") for path in peers.glob("bench_*.py")}
    assert set(scripts.peer_runs.PAIRS) == names
    assert {path.stem for path in (peers / "requirements").glob("*.txt")} == names
    page = (peers / "README.md").read_text(encoding="utf-8")
    assert not [name for name in names if f"`bench_{name}.py`" not in page]


@compiled_only
def test_both_are_run_in_turn(scripts, monkeypatch):
    """PettingZoo is here anyway; its game without rules needs nothing more."""
    pairs = (scripts.peer_runs.Against("step_masks", "null/raw", "nothing"),)
    peer = scripts.peer_runs.Peer("no game", pairs)
    monkeypatch.setitem(scripts.peer_runs.PAIRS, "pettingzoo", peer)
    pythons = {"pettingzoo": sys.executable}
    (pair,) = scripts.compare.compare_all(pythons, 0.05, rounds=2, peers=["pettingzoo"])
    assert (len(pair.ours), len(pair.theirs)) == (2, 2)
    assert min(pair.ours + pair.theirs) > 0
    row = pair.row()
    assert row["ratio"] == pytest.approx(row["ours"] / row["theirs"], rel=0.1)
    assert (row["peer"], row["mode"], row["layer"]) == ("pettingzoo", "null/raw", "step_masks")
    assert row["version"]
    assert row["counted"] == "steps with an action"


@pytest.mark.parametrize(
    ("peer", "mode", "message"),
    [("pettingzoo", "null/unknown", "did not play null/unknown"), ("rlcard", "env", "rlcard")],
)
def test_a_peer_that_does_not_run_is_told(scripts, peer, mode, message):
    if peer == "rlcard" and importlib.util.find_spec("rlcard"):
        pytest.skip("rlcard is installed here")
    with pytest.raises(scripts.peer_runs.PeerError, match=message):
        scripts.peer_runs.speeds_of(sys.executable, peer, [mode], 0.05)


def test_peers_that_are_missing_do_not_stop_the_others(scripts, tmp_path, capsys):
    assert scripts.peer_runs.interpreters(tmp_path) == {}
    assert list(scripts.compare.compare_all({})) == []
    told = capsys.readouterr().err.splitlines()
    assert [line.split()[0] for line in told] == list(scripts.peer_runs.PAIRS)
    assert all("benchmarks/peers/README.md" in line for line in told)


def test_environments_are_found_by_name(scripts, tmp_path):
    python = tmp_path / "rlcard" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.touch()
    (tmp_path / "stranger" / "bin").mkdir(parents=True)
    assert scripts.peer_runs.interpreters(tmp_path) == {"rlcard": str(python)}


# ----------------------------------------------------------------------------------------- growth


@compiled_only
def test_growth_is_measured_for_every_series_and_number_of_threads(scripts):
    rows = list(scripts.growth.points(sizes=(1, 2), seconds=0.001, repeats=1))
    measured = {(row["series"], row["threads"], row["tables"]) for row in rows}
    series = scripts.growth.series()
    assert {"masks only", "planes/1", "vector/1"} <= set(series)
    # One table is not split among two threads.
    assert measured == {(name, *size) for name in series for size in ((1, 1), (1, 2), (2, 2))}
    assert min(row["decisions_per_second"] for row in rows) > 0


@compiled_only
def test_a_table_takes_a_kilobyte_beside_its_observation(scripts):
    for row in scripts.growth.memory():
        assert row["state"] < row["table"] <= 1024
        assert row["observations"] > 0


def test_a_plot_has_a_line_for_each_series(scripts):
    rows = [
        {"series": name, "threads": threads, "tables": size, "decisions_per_second": 1000 * size}
        for name in ("a < b", "c")
        for threads in (1, 2)
        for size in (1, 16, 256)
    ]
    about = {"processor": "one", "cores": 2, "date": "2026-01-01"}
    drawn = ElementTree.fromstring(scripts.growth.plot(rows, about))
    lines = drawn.findall(f"{SVG}polyline")
    assert len(lines) == 4
    assert len({line.get("stroke") for line in lines}) == 2
    assert sum(line.get("stroke-dasharray") is not None for line in lines) == 2
    places = [tuple(map(float, point.split(","))) for point in lines[0].get("points").split()]
    # Both axes are logarithmic: equal factors are equal distances.
    assert places[1][0] - places[0][0] == pytest.approx(places[2][0] - places[1][0], abs=0.2)
    assert places[0][1] - places[1][1] == pytest.approx(places[1][1] - places[2][1], abs=0.2)
    assert "a < b" in [text.text for text in drawn.findall(f"{SVG}text")]


# ------------------------------------------------------------------------------ pages and results


def test_pages_show_what_the_results_say(scripts):
    results = scripts.report.read_results()
    assert set(results) == set(scripts.report.MEASURE)
    shown = []
    for page in scripts.report.PAGES:
        text = page.read_text(encoding="utf-8")
        assert scripts.report.rewritten(text, results) == text, f"{page.name}: make performance"
        marked = scripts.report.MARKED.findall(text)
        assert text.count("<!-- measured ") == len(marked)
        shown += marked
    assert sorted(shown) == sorted(scripts.report.BLOCKS)
    drawn = scripts.growth.plot(results["growth"]["rows"], results["growth"]["machine"])
    assert scripts.report.PICTURE.read_text(encoding="utf-8") == drawn


def test_results_say_when_and_on_what(scripts):
    for result in scripts.report.read_results().values():
        assert {"date", "processor", "cores", "mjenv", "numpy", "numba"} <= set(result["machine"])
        assert result["rows"]


def test_no_peer_is_faster(scripts):
    rows = scripts.report.read_results()["peers"]["rows"]
    assert not [row for row in rows if row["ratio"] <= 1]


def test_blocks_are_written_anew_and_the_rest_is_left_alone(scripts):
    machine = dict.fromkeys(("date", "processor", "memory_gib", "system", "mjenv", "python"), "?")
    machine |= {"cores": 2, "load_at_start": 0.1}
    row = {"layer": "step_masks", "decisions_per_second": 1234567, "counted": "steps"}
    peers = "<!-- measured peers -->\nc\n<!-- end -->\n"
    page = f"a\n<!-- measured layers -->\nold\n<!-- end -->\nb\n{peers}"
    written = scripts.report.rewritten(page, {"layers": {"machine": machine, "rows": [row]}})
    assert "| `step_masks` | 1,234,567 | steps |" in written
    assert "old" not in written
    assert written.startswith("a\n<!-- measured layers -->\n|")
    assert written.endswith(f"\n<!-- end -->\nb\n{peers}")


def test_a_report_keeps_results_it_could_not_measure(scripts, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(scripts.report, "RESULTS", tmp_path)
    monkeypatch.setattr(scripts.report, "PAGES", ())
    monkeypatch.setattr(scripts.report, "PICTURE", tmp_path / "picture.svg")
    monkeypatch.setattr(sys, "argv", ["report.py", "--only", "peers", "--peers", str(tmp_path)])
    (tmp_path / "peers.json").write_text('{"rows": []}', encoding="utf-8")
    assert scripts.report.main() == 0
    assert "the old results stay" in capsys.readouterr().err
    assert json.loads((tmp_path / "peers.json").read_text(encoding="utf-8")) == {"rows": []}
