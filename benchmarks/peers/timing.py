"""How every peer is timed: play random legal games for some seconds, several times.

A script gives ``play(rng, deadline)``, which plays whole games until the deadline has passed and
returns decisions, games and a dictionary of further counts. One JSON line is printed per mode.
"""

import argparse
import json
import os
import platform
import random
import statistics
import time
from collections.abc import Callable
from typing import Any

# Native libraries read these when they are loaded: each gets one thread, as mjenv does.
for _variable in (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMEXPR_NUM_THREADS",
    "RAYON_NUM_THREADS",
):
    os.environ.setdefault(_variable, "1")

WARM_UP_SECONDS = 0.3

Play = Callable[[random.Random, float], tuple[int, int, dict[str, int]]]


def parse_arguments(**extra: str) -> argparse.Namespace:
    """Read the options all scripts share; ``extra`` names further ones and their defaults."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=5.0, help="of each repetition")
    parser.add_argument("--reps", type=int, default=3, help="repetitions")
    parser.add_argument("--seed", type=int, default=12345)
    parser.add_argument("--modes", default="", help="names between commas; all if empty")
    for name, default in extra.items():
        parser.add_argument(f"--{name}", default=default, help="names between commas")
    return parser.parse_args()


def measure(
    library: str, version: str, mode: str, counted: str, play: Play, options: argparse.Namespace
) -> None:
    """Time one mode and print its line, unless ``--modes`` leaves it out."""
    if options.modes and mode not in options.modes.split(","):
        return
    play(random.Random(options.seed - 1), time.perf_counter() + WARM_UP_SECONDS)
    runs = [_run(play, options.seed + i, options.seconds) for i in range(options.reps)]
    decisions = sum(run["decisions"] for run in runs)
    games = sum(run["games"] for run in runs)
    line = {
        "library": library,
        "version": version,
        "mode": mode,
        "counted": counted,
        "dps_median": round(statistics.median(r["decisions"] / r["wall"] for r in runs), 1),
        "dps_best": round(max(r["decisions"] / r["wall"] for r in runs), 1),
        "dps_cpu": round(statistics.median(r["decisions"] / r["cpu"] for r in runs), 1),
        "cpu_over_wall": round(sum(r["cpu"] for r in runs) / sum(r["wall"] for r in runs), 2),
        "decisions_per_game": round(decisions / max(games, 1), 1),
        "games": games,
        "decisions": decisions,
        "python": platform.python_version(),
    }
    for name in runs[0]["counts"]:
        line[name] = sum(run["counts"][name] for run in runs)
    print(json.dumps(line, ensure_ascii=False), flush=True)


def _run(play: Play, seed: int, seconds: float) -> dict[str, Any]:
    wall, cpu = time.perf_counter(), time.process_time()
    decisions, games, counts = play(random.Random(seed), wall + seconds)
    return {
        "decisions": decisions,
        "games": games,
        "counts": counts,
        "wall": time.perf_counter() - wall,
        "cpu": time.process_time() - cpu,
    }
