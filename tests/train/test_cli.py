"""What holds for every command: exit codes, one line for a mistake, the right stream."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import mjenv
from mjenv import command as entry
from mjenv.core.kernel import JIT_DISABLED
from train import cli

ROOT = Path(__file__).parents[2]
COMMAND = [sys.executable, "-m", "train.cli"]
BLOCKED = ["torch", "rich", "jsonargparse", "tensorboard", "safetensors", "scipy", "openskill"]


def environment(*before: Path) -> dict[str, str]:
    path = os.pathsep.join(str(folder) for folder in (*before, ROOT))
    return {**os.environ, "PYTHONPATH": path}


def run(*arguments: str, stdin: str | None = None, **options) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        **{"env": environment(), **options},
    )


def error_line(capsys) -> str:
    """The one line on standard error; nothing on standard output."""
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert captured.err.endswith("\n")
    return captured.err.rstrip("\n")


def test_version_and_help(capsys):
    for word in ("--version", "--help"):
        with pytest.raises(SystemExit) as ended:
            cli.main([word])
        assert ended.value.code == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert f"mjenv {mjenv.__version__}" in captured.out
    for command in ("rules", "score", "cases", "bench", "train"):
        assert command in captured.out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["fly"], "argument COMMAND: invalid choice: 'fly'"),
        (["rules", "qq", "qq"], "unrecognized arguments: qq"),
        (["rules", "qqq"], "unknown preset 'qqq' (did you mean 'qq'?)"),
        (["rules", "--json", "--yaml"], "not allowed with argument --json"),
        (["rules", "--js"], "unrecognized arguments: --js"),
        (["arena", "greedy/1", "folder/1", "--seed", "3"], "unrecognized arguments: --seed 3"),
    ],
)
def test_a_wrong_call_is_one_line_and_exit_code_2(arguments, message, capsys):
    assert cli.main(arguments) == 2
    line = error_line(capsys)
    assert line.startswith("mjenv: ")
    assert message in line


def test_without_a_command_it_lists_them(capsys):
    assert cli.main([]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    for name in ("rules", "arena", "train"):
        assert f"\n    {name} " in captured.err


def test_a_message_of_several_lines_becomes_one(tmp_path, capsys):
    file = tmp_path / "rules.yaml"
    file.write_text("fan_cap: [\n", encoding="utf-8")
    assert cli.main(["rules", str(file)]) == 2
    assert "not YAML" in error_line(capsys)


def test_interrupting_is_one_line_and_exit_code_130(monkeypatch, capsys):
    def interrupted(words):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "_run", interrupted)
    assert cli.main(["rules"]) == 130
    assert error_line(capsys) == "mjenv: interrupted"


@pytest.mark.skipif(os.name == "nt", reason="signals work differently there")
def test_a_real_interrupt_in_the_middle_of_work(tmp_path):
    """A pipe that nobody writes to: the command waits for cases until it is interrupted."""
    pipe = tmp_path / "cases"
    os.mkfifo(pipe)
    # A shell lets what it runs in the background ignore the signal, tests and all below them.
    code = (
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler); "
        "from train.cli import main; sys.exit(main())"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, "cases", str(pipe)],
        stderr=subprocess.PIPE,
        env=environment(),
        text=True,
    ) as process:
        first = process.stderr.readline()  # a sign of life: it has begun
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        try:
            _, rest = process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
    assert first.startswith("cases: ")
    assert rest.splitlines()[-1] == "mjenv: interrupted"
    assert "Traceback" not in rest
    assert process.returncode == 130


@pytest.mark.skipif(os.name == "nt", reason="pipes work differently there")
def test_a_reader_that_leaves_is_no_traceback():
    with subprocess.Popen(
        [*COMMAND, "rules"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
    ) as process:
        process.stdout.close()
        errors = process.stderr.read()
        process.wait(timeout=60)
    assert errors == b""
    assert process.returncode == 141


def test_a_terminal_without_chinese():
    done = run(
        "score", "123m456m789m11p55p", "--win", "5p",
        env={**environment(), "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"},
    )  # fmt: skip
    assert done.returncode == 0
    assert "ping_hu ??: four sets and a pair, 1 fan" in done.stdout


def test_the_core_commands_need_no_optional_package(tmp_path):
    """They work where only numpy, numba, gymnasium, pettingzoo and PyYAML are installed."""
    script = f"""
import sys
for name in {BLOCKED!r}:
    sys.modules[name] = None
from train.cli import main
case = r'{ROOT / "tests" / "cases" / "sichuan.jsonl"}'
assert main(["rules", "qq"]) == 0
assert main(["score", "123m456m789m11p55p", "--win", "5p"]) == 0
assert main(["cases", case]) == 0
assert main(["selfplay", "greedy/1", "--out", "games.jsonl"]) == 0
assert main(["replay", "games.jsonl", "--verify"]) == 0
assert {JIT_DISABLED} or main(["bench", "--seconds", "0.01"]) == 0
assert main(["train"]) == 2
"""
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1] == (
        'mjenv: mjenv train needs packages that are not installed; run: pip install "mjenv[train]"'
    )


def test_train_reads_its_own_options(capsys):
    pytest.importorskip("jsonargparse")
    assert cli.main(["train", "--no_such_option", "1"]) == 2
    assert "no_such_option" in error_line(capsys)
    assert cli.main(["train", "--help"]) == 0
    assert "--total_decisions" in capsys.readouterr().out


@pytest.mark.parametrize("package", ["agents", "train"])
def test_a_package_of_the_same_name_is_told(package, tmp_path):
    """Also if it stands before ours, so that ``train.cli`` cannot be found."""
    stranger = tmp_path / package
    stranger.mkdir()
    (stranger / "__init__.py").write_text("print('a stranger runs')\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "mjenv", "rules"],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert f"the package {package!r} at {stranger}" in done.stderr
    assert "is not that of mjenv" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_package_without_our_mark_is_told(monkeypatch, capsys):
    """Two distributions in one folder: the last one installed leaves its ``__init__``."""
    monkeypatch.delattr("agents.DISTRIBUTION")
    assert cli.main(["rules"]) == 2
    assert "the package 'agents'" in error_line(capsys)


def test_python_m_mjenv_is_the_same_command(capsys):
    done = subprocess.run(
        [sys.executable, "-m", "mjenv", "rules"],
        env=environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    assert cli.main(["rules"]) == 0
    assert done.stdout == capsys.readouterr().out


def test_interrupting_while_the_command_is_loaded(monkeypatch, capsys):
    def interrupted(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "check_packages", lambda: None)
    monkeypatch.setattr(entry.importlib, "import_module", interrupted)
    assert entry.main() == 130
    assert error_line(capsys) == "mjenv: interrupted"


def test_no_standard_output_at_all(monkeypatch, capsys):
    monkeypatch.setattr(sys, "stdout", None)
    assert cli.main(["rules", "qq", "--json"]) == 0
    assert capsys.readouterr().err == ""
