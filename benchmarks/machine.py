"""On what and when something was measured: no number means anything without."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from mjenv.version import __version__

LIBRARIES = ("numpy", "numba", "gymnasium", "pettingzoo", "torch")


def describe() -> dict[str, Any]:
    """Machine, versions and date, as JSON types."""
    return {
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "memory_gib": _memory(),
        "system": f"{platform.system()} {platform.machine()}",
        # Others at work make everything slower: a quiet machine begins near 0.
        "load_at_start": round(os.getloadavg()[0], 2) if hasattr(os, "getloadavg") else None,
        "mjenv": __version__,
        "python": platform.python_version(),
        **{name: number for name in LIBRARIES if (number := _version(name))},
    }


def in_words(machine: dict[str, Any]) -> str:
    """One sentence for the page."""
    versions = ", ".join(f"{name} {machine[name]}" for name in LIBRARIES if name in machine)
    return (
        f"Measured on {machine['date']} on {machine['cores']} cores of {machine['processor']}, "
        f"{machine['memory_gib']} GiB, {machine['system']}; mjenv {machine['mjenv']}, "
        f"Python {machine['python']}, {versions}; load at the start {machine['load_at_start']}."
    )


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _memory() -> int | None:
    try:
        return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)
    except (AttributeError, ValueError, OSError):
        return None
