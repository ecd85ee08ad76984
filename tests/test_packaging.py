"""The built distributions hold what they should, and work in a fresh environment."""

import importlib
import re
import subprocess
import sys
import tarfile
import tomllib
import venv
import zipfile
from importlib.metadata import entry_points
from pathlib import Path

import pytest

import mjenv

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def run(*arguments: object, cwd: Path) -> str:
    done = subprocess.run(
        [str(argument) for argument in arguments],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def targets() -> list[str]:
    """Every entry point and console script of the distribution."""
    groups = [PROJECT["scripts"], *PROJECT["entry-points"].values()]
    return [target for group in groups for target in group.values()]


@pytest.mark.parametrize("target", targets())
def test_entry_points_exist(target):
    module, _, attribute = target.partition(":")
    assert getattr(importlib.import_module(module), attribute) is not None


@pytest.mark.parametrize("name", PROJECT["entry-points"]["mjenv.agents"])
def test_agents_are_registered_under_their_own_name(name):
    (found,) = entry_points(group="mjenv.agents", name=name)
    assert found.load()().name == name


def test_the_changelog_begins_with_this_version():
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(r"^## \[(.+?)\]", changelog, re.MULTILINE)[1] == mjenv.__version__


@pytest.fixture(scope="module")
def distributions(tmp_path_factory) -> Path:
    pytest.importorskip("build")
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", folder, ROOT, cwd=folder)
    return folder


@pytest.mark.slow
def test_the_wheel_holds_the_three_packages(distributions):
    (wheel,) = distributions.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names if ".dist-info" not in name}
    assert tops == {"mjenv", "agents", "train"}
    assert "mjenv/py.typed" in names


@pytest.mark.slow
def test_the_sdist_holds_what_the_tests_need(distributions):
    (archive,) = distributions.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.partition("/")[2] for name in opened.getnames()}
    expected = {
        "Makefile",
        "constraints.txt",
        "docs/rules.md",
        "configs/rules/friends.yaml",
        "tests/test_packaging.py",
        "tests/cases/sichuan.jsonl",
    }
    assert expected <= names


@pytest.mark.slow
def test_the_readme_example_runs_without_extras(distributions, tmp_path):
    """Builds an environment with nothing but the wheel and what it depends on."""
    venv.create(tmp_path / "venv", with_pip=True)
    bin_folder = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    (wheel,) = distributions.glob("*.whl")
    pip = [bin_folder / "python", "-m", "pip", "install", "-c", ROOT / "constraints.txt"]
    run(*pip, wheel, cwd=tmp_path)
    example = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    (tmp_path / "example.py").write_text(example[0], encoding="utf-8")
    assert "player_0" in run(bin_folder / "python", "example.py", cwd=tmp_path)
    run(bin_folder / "mjenv", "rules", "qq", cwd=tmp_path)
