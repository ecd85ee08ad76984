"""The way to the command line: what the console script ``mjenv`` and ``python -m mjenv`` call.

The commands stand in ``train.cli``. ``agents`` and ``train`` are names that other distributions
use as well, and if theirs hide ours, somebody outside has to say so.
"""

import importlib
import importlib.util
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

from mjenv.errors import MjenvError

DISTRIBUTION = "mjenv"
PACKAGES = ("agents", "train")
MISUSED = 2
INTERRUPTED = 130


def check_packages() -> None:
    """Refuse to go on with a package of another distribution.

    Raises:
        MjenvError: One of the names leads somewhere else; the message says where.
    """
    home = Path(__file__).resolve().parents[1]
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        file = None if spec is None else spec.origin
        # Not imported before this is clear: a stranger's package might do anything.
        ours = file is not None and Path(file).resolve().parents[1] == home
        if not ours or getattr(importlib.import_module(name), "DISTRIBUTION", "") != DISTRIBUTION:
            raise MjenvError(_describe(name, file))


def _describe(name: str, file: str | None) -> str:
    if file is None:
        return f"the package {name!r} of mjenv is missing, or hidden by a folder of that name"
    owners = [item for item in packages_distributions().get(name, []) if item != DISTRIBUTION]
    owner = f", installed by {', '.join(owners)}," if owners else ""
    return (
        f"the package {name!r} at {file}{owner} is not that of mjenv and hides it; "
        "use a virtual environment or a folder without it"
    )


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        check_packages()
        code: int = importlib.import_module("train.cli").main()
    except MjenvError as error:
        print(f"mjenv: {error}", file=sys.stderr)
        return MISUSED
    except KeyboardInterrupt:  # before the command line could see to it: loading takes a moment
        print("mjenv: interrupted", file=sys.stderr)
        return INTERRUPTED
    return code
