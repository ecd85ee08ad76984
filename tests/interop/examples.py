"""Loads and runs the files of ``examples`` for the tests of them."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]


def load(name: str) -> ModuleType:
    """Import an example under a name of its own."""
    name_of_module = f"examples_{name}"
    if name_of_module not in sys.modules:
        path = ROOT / "examples" / f"{name}.py"
        spec = importlib.util.spec_from_file_location(name_of_module, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        sys.modules[name_of_module] = module
    return sys.modules[name_of_module]


def run(name: str, arguments: list[str], monkeypatch, capsys) -> list[str]:
    """Run an example as from the command line; what it printed, line by line."""
    monkeypatch.setattr(sys, "argv", [f"{name}.py", *arguments])
    capsys.readouterr()
    load(name).main()
    return capsys.readouterr().out.splitlines()


def run_alone(name: str, arguments: list[str]) -> list[str]:
    """The same in a process of its own."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "examples" / f"{name}.py"), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout.splitlines()
