"""What holds for every file of the repository, whatever is in it."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[1]
PACKAGES = ("mjenv", "agents", "train")
MAX_LINES = 400
TABLES_OF_DATA: set[str] = set()
"""Files allowed to be longer, because they are tables and nothing else."""

VAGUE_NAMES = {"utils", "util", "helpers", "helper", "common", "misc"}
TEXT_SUFFIXES = {".py", ".md", ".toml", ".yaml", ".yml", ".txt", ".jsonl", ".json"}
TEXT_NAMES = {"LICENSE", "Makefile", ".gitignore", "run"}
OUTSIDE = re.compile(r"(?<![\w.$~}/-])/(home|root|work|tmp|opt|mnt|Users|etc|var)/")
REGISTRY = re.compile(r"pypi\.org|pythonhosted\.org|download\.pytorch\.org|anaconda\.org")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def repository_files() -> list[Path]:
    """Files that belong to the project: named folders, and the top level."""
    folders = [*PACKAGES, "tests", "docs", "configs", "benchmarks", "examples", ".ci"]
    files = [path for path in ROOT.iterdir() if path.is_file()]
    for folder in folders:
        files += [path for path in (ROOT / folder).rglob("*") if path.is_file()]
    return sorted(path for path in files if path.suffix in TEXT_SUFFIXES or path.name in TEXT_NAMES)


FILES = repository_files()
PYTHON = [path for path in FILES if path.suffix == ".py"]


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def test_no_file_has_a_name_that_says_nothing():
    assert not [name(path) for path in PYTHON if path.stem in VAGUE_NAMES]


def test_no_package_below_tests():
    """With an ``__init__.py``, ``tests/agents`` would stand in the way of ``agents``."""
    assert not [name(path) for path in (ROOT / "tests").rglob("__init__.py")]


def test_source_files_are_short():
    lengths = {
        name(path): len(path.read_text(encoding="utf-8").splitlines())
        for path in PYTHON
        if path.relative_to(ROOT).parts[0] in PACKAGES
    }
    too_long = {file: lines for file, lines in lengths.items() if lines > MAX_LINES}
    assert set(too_long) <= TABLES_OF_DATA, too_long


@pytest.mark.parametrize("path", FILES, ids=name)
def test_text_is_clean(path):
    raw = path.read_bytes()
    assert b"\r" not in raw, "carriage returns"
    if raw:
        assert raw.endswith(b"\n"), "no newline at the end"
        assert not raw.endswith(b"\n\n"), "empty lines at the end"
    lines = raw.decode("utf-8").splitlines()
    assert not [number for number, line in enumerate(lines, 1) if line != line.rstrip()]


def test_no_path_outside_the_project_and_no_registry():
    """Both would work on one machine only; PIP_ARGS passes what a user's machine needs."""
    found = []
    for path in FILES:
        if path == Path(__file__):
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            if OUTSIDE.search(line.replace("/usr/bin/env", "")) or REGISTRY.search(line):
                found.append(f"{name(path)}:{number}: {line.strip()}")
    assert not found


EXTRAS = PROJECT["project"]["optional-dependencies"]


def requirements(extras: Iterable[str]) -> list[Requirement]:
    """What the core needs, and what some extras need."""
    texts = [*PROJECT["project"]["dependencies"]]
    for extra in extras:
        texts += EXTRAS[extra]
    return [Requirement(text) for text in texts]


def canonical(package: str) -> str:
    return re.sub(r"[-_.]+", "-", package).lower()


def versions(constraints: str) -> dict[str, str]:
    """Exact versions by the canonical name of the package."""
    lines = (ROOT / constraints).read_text(encoding="utf-8").splitlines()
    pins = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    return {canonical(package): version for package, version in pins.items()}


@pytest.mark.parametrize("requirement", requirements(EXTRAS), ids=str)
def test_every_dependency_has_a_tested_version_in_its_range(requirement):
    assert versions("constraints.txt")[canonical(requirement.name)] in requirement.specifier


@pytest.mark.parametrize("requirement", requirements(["train", "test"]), ids=str)
def test_the_oldest_versions_are_the_lower_bounds(requirement):
    oldest = versions("constraints-floor.txt")[canonical(requirement.name)]
    (bound,) = [item for item in requirement.specifier if item.operator == ">="]
    assert Version(bound.version) == Version(oldest)


def test_every_ignored_lint_rule_has_its_reason():
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    start = lines.index("ignore = [")
    end = lines.index("]", start)
    assert not [line for line in lines[start + 1 : end] if "#" not in line]
