"""Runs what the documents show: every Python block and every ``mjenv`` command.

A block that a test cannot run stands below a comment ``<!-- not run: reason -->``; one that needs a
library which is not always there, below ``<!-- needs: module -->``, or several modules.
"""

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from mjenv.sichuan.rules import Rules

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
COMMAND_LINE = "import sys; from train.cli import main; sys.exit(main())"
LANGUAGES = {"python", "sh", "yaml", "json", "text"}
FENCE = re.compile(
    r"(?:<!-- not run: (?P<reason>.+?) -->\n)?(?:<!-- needs: (?P<needs>[\w ]+) -->\n)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """One fenced block of a document."""

    document: str
    line: int
    language: str
    text: str
    reason: str | None
    needs: list[str]

    def __str__(self) -> str:
        return f"{self.document}:{self.line}"


def blocks_of(document: Path) -> list[Block]:
    text = document.read_text(encoding="utf-8")
    return [
        Block(
            document=document.relative_to(ROOT).as_posix(),
            line=text.count("\n", 0, match.start("text")) + 1,
            language=match["language"],
            text=match["text"],
            reason=match["reason"],
            needs=(match["needs"] or "").split(),
        )
        for match in FENCE.finditer(text)
    ]


BLOCKS = [block for document in DOCUMENTS for block in blocks_of(document)]


def blocks(language: str) -> list[Block]:
    return [block for block in BLOCKS if block.language == language and not block.reason]


def documents_with_commands() -> list[str]:
    return sorted({block.document for block in blocks("sh")})


def run(arguments: list[str], folder: Path, what: str) -> None:
    """Run a program in a folder that sees the example configurations."""
    if not (folder / "configs").exists():
        (folder / "configs").symlink_to(ROOT / "configs")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        arguments,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, f"{what}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_every_block_names_its_language():
    assert not [str(block) for block in BLOCKS if block.language not in LANGUAGES]


@pytest.mark.parametrize("block", blocks("python"), ids=str)
def test_python_blocks(block, tmp_path):
    for module in block.needs:
        if not importlib.util.find_spec(module):
            pytest.skip(f"{module} is not installed")
    script = tmp_path / "block.py"
    script.write_text(block.text, encoding="utf-8")
    run([sys.executable, str(script)], tmp_path, str(block))


@pytest.mark.parametrize("document", documents_with_commands())
def test_commands(document, tmp_path):
    """In the order of the document: later commands read what earlier ones wrote."""
    for block in blocks("sh"):
        if block.document != document:
            continue
        for line in block.text.splitlines():
            program, *arguments = shlex.split(line)
            assert program == "mjenv", f"{block}: cannot run {line!r}; mark the block with a reason"
            run([sys.executable, "-c", COMMAND_LINE, *arguments], tmp_path, f"{block}: {line}")


@pytest.mark.parametrize("block", blocks("yaml"), ids=str)
def test_house_rules(block):
    assert Rules.from_yaml(block.text).preset_name is None
