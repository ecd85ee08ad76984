import csv
import json
import os
import subprocess
import sys

import pytest

from mjenv.core.kernel import JIT_DISABLED
from tests.train.evaluation.players import HERE
from tests.train.test_cli import BLOCKED, environment, error_line
from train.cli import main

PAIR = ["greedy/1", "random_legal/1"]
SETS = "2" if JIT_DISABLED else "50"
compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")


def test_a_table_is_the_result(capsys):
    assert main(["arena", *PAIR, "--deals", SETS]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    lines = captured.out.splitlines()
    assert lines[0].startswith("greedy/1 ")
    assert "units a deal, 95 %" in lines[0]
    for words in ("above the table", "how they played", "deals in", f"{SETS} deal sets"):
        assert words in captured.out


def test_json_alone_stands_on_standard_output(capsys):
    assert main(["arena", *PAIR, "--deals", SETS, "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    found = json.loads(captured.out)
    assert [pair["challenger"] for pair in found] == PAIR
    assert found[0]["deals"] == int(SETS)
    again = main(["arena", *PAIR, "--deals", SETS, "--json", "--processes", "1"])
    assert again == 0
    assert capsys.readouterr().out == captured.out


def test_files_are_written_whole(tmp_path, capsys):
    page, table = tmp_path / "report.html", tmp_path / "report.csv"
    page.write_text("old", encoding="utf-8")
    options = ["--html", str(page), "--csv", str(table)]
    assert main(["arena", *PAIR, "--deals", SETS, *options]) == 0
    assert capsys.readouterr().err.splitlines() == [f"written: {table}", f"written: {page}"]
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["who"] for row in rows} == {"challenger", "reference"}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.csv", "report.html"]


def test_links_and_devices_stay_what_they_are(tmp_path):
    file, link, pipe = tmp_path / "edges.csv", tmp_path / "link.csv", tmp_path / "pipe"
    link.symlink_to(file)
    os.mkfifo(pipe)
    # Open at both ends, so that writing to the pipe waits for nobody.
    reader = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    try:
        files = ["--csv", str(link), "--html", str(pipe)]
        assert main(["arena", *PAIR, "--deals", "1", *files]) == 0
        assert os.read(reader, 15) == b"<!doctype html>"
    finally:
        os.close(reader)
    assert link.is_symlink()
    assert pipe.is_fifo()
    assert file.read_text(encoding="utf-8").startswith("challenger,")


@pytest.mark.parametrize(
    "processes", ["1", pytest.param("2", marks=[pytest.mark.slow, compiled_only])]
)
def test_what_agents_print_is_no_result(processes, capfd):
    options = ["--deals", "1", "--json", "--reference", "greedy/1", "--processes", processes]
    assert main(["arena", f"{HERE}:Talkative", *options]) == 0
    captured = capfd.readouterr()
    assert len(json.loads(captured.out)) == 1
    assert "let me think" in captured.err


@pytest.mark.slow
@compiled_only
def test_an_agent_that_ends_its_process_is_one_line(capsys):
    options = ["--deals", "1", "--reference", "greedy/1", "--processes", "2"]
    assert main(["arena", f"{HERE}:Deadly", *options]) == 2
    line = error_line(capsys)
    assert line.startswith("mjenv: a process that played has ended")


BOTS = """
class Slow:
    games, observation, name = ("sichuan",), "view", "slow/1"

    def act(self, observations, masks, rng):
        return masks.argmax(axis=1)
"""


@compiled_only
def test_processes_find_agents_in_the_current_folder(tmp_path):
    (tmp_path / "bots.py").write_text(BOTS, encoding="utf-8")
    code = "import sys; from mjenv.command import main; sys.exit(main())"
    options = ["--reference", "random_legal/1", "--deals", "1", "--json", "--processes", "2"]
    done = subprocess.run(
        # -P: the folder is not in Python's path, as it is not for an installed command.
        [sys.executable, "-P", "-c", code, "arena", "module:bots:Slow", *options],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[0]["challenger"] == "module:bots:Slow"


SCRIPT = """
from train.arena import arena

arena(["module:bots:Slow", "random_legal/1"], deals=1, processes=2)
"""


@pytest.mark.slow
@compiled_only
def test_a_script_without_a_guard_is_told_what_it_lacks(tmp_path):
    (tmp_path / "bots.py").write_text(BOTS, encoding="utf-8")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "the script that called has no `if __name__" in done.stderr
    guarded = SCRIPT.replace("\narena(", '\nif __name__ == "__main__":\n    arena(')
    (tmp_path / "script.py").write_text(guarded, encoding="utf-8")
    again = [sys.executable, "script.py"]
    subprocess.run(again, cwd=tmp_path, env=environment(), check=True)


@compiled_only
def test_three_agents_are_ranked(capsys):
    assert main(["arena", *PAIR, "never_call/1", "--deals", "40"]) == 0
    out = capsys.readouterr().out
    assert " > " in out.splitlines()[0]
    assert "OpenSkill" in out
    assert "p (Holm)" in out


def test_one_reference_is_challenged_by_all_others(capsys):
    options = ["--reference", "random_legal/1", "--deals", "1", "--json"]
    assert main(["arena", "greedy/1", "folder/1", *options]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(pair["challenger"], pair["reference"]) for pair in found] == [
        ("greedy/1", "random_legal/1"),
        ("folder/1", "random_legal/1"),
    ]


def test_a_line_up_from_a_file(tmp_path, capsys):
    file = tmp_path / "lineup.yaml"
    file.write_text(f"agents: {PAIR}\nrules: [qq, standalone]\ndeals: 500\n", encoding="utf-8")
    assert main(["arena", "--config", str(file), "--deals", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [pair["rules"] for pair in found] == ["qq", "qq", "standalone", "standalone"]
    assert {pair["deals"] for pair in found} == {1}


def test_times_are_told_only_when_asked_for(capsys):
    if JIT_DISABLED:
        pytest.skip("plain Python takes minutes")
    assert main(["arena", *PAIR, "--deals", "1", "--json", "--times"]) == 0
    for pair in json.loads(capsys.readouterr().out):
        assert set(pair["seconds_per_decision"]) == set(PAIR)
        for times in pair["seconds_per_decision"].values():
            assert 0 < times["p50"] <= times["p99"]


def test_a_precision_that_was_not_reached_is_told(capsys):
    options = ["--precision", "0.001", "--max-deals", "3", "--json"]
    assert main(["arena", *PAIR, *options]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)[0]["deals"] == 3
    assert captured.err == (
        "mjenv: 2 of 2 results are less precise than 0.001: "
        "their matches ended at the most deal sets allowed\n"
    )


@compiled_only
def test_a_precision_that_was_reached_unseen_is_no_complaint(capsys):
    """Matches are not looked at before there are enough sets for an early end to be honest."""
    assert main(["arena", *PAIR, "--precision", "5", "--max-deals", "50", "--json"]) == 0
    captured = capsys.readouterr()
    assert [pair["stopped"] for pair in json.loads(captured.out)] == ["played", "played"]
    assert captured.err == ""


def test_control_variates_that_cannot_be_fitted_are_told(capsys):
    assert main(["arena", *PAIR, "--variates", "luck", "--deals", "2", "--json"]) == 0
    captured = capsys.readouterr()
    for pair in json.loads(captured.out):
        assert pair["variates"] is None
        assert "luck" not in pair["ledger"]
    assert captured.err == (
        "mjenv: 2 of 2 results are as played: there were too few deal sets to fit control "
        "variates\n"
    )


@compiled_only
def test_ctrl_c_tells_what_was_played(monkeypatch, capsys):
    from train.evaluation.bar import ArenaBar

    def interrupted(bar, look):
        raise KeyboardInterrupt

    monkeypatch.setattr(ArenaBar, "show", interrupted)
    assert main(["arena", *PAIR, "--deals", "100000", "--json"]) == 130
    captured = capsys.readouterr()
    (pair,) = json.loads(captured.out)
    assert pair["stopped"] == "interrupted"
    assert pair["ci95"] == [None, None]
    assert captured.err == (
        "mjenv: interrupted; the results are those of the deal sets played so far\n"
    )


@pytest.mark.skipif(os.name == "nt", reason="pipes work differently there")
@pytest.mark.parametrize("form", [[], ["--json"]])
def test_a_reader_that_leaves_takes_no_file_away(form, tmp_path):
    table = tmp_path / "edges.csv"
    options = [*PAIR, "--deals", "1", "--csv", str(table), *form]
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "mjenv", "arena", *options],
            stdout=writing, stderr=subprocess.PIPE, env=environment(), text=True, check=False,
        )  # fmt: skip
    finally:
        os.close(writing)
    assert done.returncode == 141
    assert done.stderr.splitlines()[-1] == f"written: {table}"
    assert table.read_text(encoding="utf-8").startswith("challenger,")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no such device")
def test_a_full_disk_keeps_no_other_result_back(tmp_path, capsys):
    page = tmp_path / "report.html"
    options = ["--deals", "1", "--json", "--csv", "/dev/full", "--html", str(page)]
    assert main(["arena", *PAIR, *options]) == 2
    captured = capsys.readouterr()
    assert len(json.loads(captured.out)) == 2
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert captured.err.splitlines() == [
        f"written: {page}",
        "mjenv: /dev/full: No space left on device",
    ]


def test_a_disk_without_room_is_told_before_anything_is_played(tmp_path, capsys):
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, before[1]))
    try:
        assert main(["arena", *PAIR, "--csv", str(tmp_path / "edges.csv")]) == 2
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert error_line(capsys).endswith("edges.csv: cannot be written: File too large")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "agents: got none; give two or more"),
        (["greedy/1"], "agents: got 'greedy/1' alone; give two or more"),
        (["greedy/1", "greedy/1"], "agents: 'greedy/1' is named twice"),
        (["greedy/1", "greedi/1"], "unknown agent 'greedi/1' (did you mean 'greedy/1'?)"),
        ([*PAIR, "--deals", "0"], "deals: got 0; allowed: a whole number from 1"),
        ([*PAIR, "--precision", "0"], "precision: got 0.0; allowed: a half-width above 0"),
        ([*PAIR, "--max-deals", "-3"], "max_deals: got -3"),
        ([*PAIR, "--rules", "qqq"], "unknown preset 'qqq' (did you mean 'qq'?)"),
        ([*PAIR, "--form", "4v0"], "argument --form: invalid choice: '4v0'"),
        ([*PAIR, "--seed-block", "mine"], "argument --seed-block: invalid choice: 'mine'"),
        ([*PAIR, "--reference", "folder"], "unknown agent 'folder' (did you mean 'folder/1'?)"),
        ([*PAIR, "--processes", "0"], "processes: got 0"),
        (["--config", "no.yaml"], "cannot read the line-up in 'no.yaml'"),
        ([*PAIR, "--html", "no/where/a.html"], "--html no/where/a.html: cannot be written"),
        ([*PAIR, "--csv", "."], "--csv .: that is a folder; name a file in it"),
        ([*PAIR, "--csv", "a", "--html", "./a"], "--csv and --html: both are a"),
    ],
)
def test_mistakes_are_one_line_before_anything_is_played(arguments, message, monkeypatch, capsys):
    from train.evaluation.workers import Workers

    def played(workers, tasks):
        raise AssertionError("it was played")

    monkeypatch.setattr(Workers, "play", played)
    assert main(["arena", *arguments]) == 2
    line = error_line(capsys)
    assert line.startswith("mjenv: ")
    assert message in line


def test_without_the_extra_it_says_what_to_install(tmp_path):
    script = f"""
import sys
for name in {BLOCKED!r}:
    sys.modules[name] = None
from train.cli import main
sys.exit(main(["arena", "greedy/1", "random_legal/1"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        'mjenv: mjenv arena needs packages that are not installed; run: pip install "mjenv[train]"'
    )


def test_other_commands_do_not_wait_for_it():
    """What only the arena needs is imported only when it is called."""
    script = "import sys, train.cli; sys.exit(bool({'train.arena', 'rich'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", script], env=environment(), check=False)
    assert done.returncode == 0
