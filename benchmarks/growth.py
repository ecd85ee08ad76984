"""How the cost grows: decisions per second from 1 to 65,536 tables, on one and two threads.

    python benchmarks/growth.py --plot growth.svg

All go through the interfaces that a user has: ``mjenv.Batch``, whose actions are random legal ones
chosen in compiled code, and the vector environment against three bots. Wall time counts, since
threads are what is to be seen.
"""

import argparse
import json
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import machine
from plot import Line, draw

from mjenv.envs.batch import Batch
from mjenv.sichuan.game import SICHUAN
from train import bench_tables

SIZES = tuple(4**power for power in range(9))
THREADS = (1, 2)
SECONDS = 0.25
REPEATS = 2
OBSERVATIONS = ("planes/1", "vector/1", "tokens/1")
MASKS, VECTOR_ENV = "masks only", "make_vec, three greedy/1"
MEASURED_TABLES = 4096

Prepare = Callable[[int, int], bench_tables.Chunk]


def series() -> dict[str, Prepare]:
    """What is measured, by name: functions of the number of tables and of threads."""
    chosen: dict[str, Prepare] = {
        MASKS: lambda size, threads: bench_tables.batch(size, None, threads)
    }
    for name in OBSERVATIONS:
        chosen[name] = lambda size, threads, name=name: bench_tables.batch(size, name, threads)
    chosen[VECTOR_ENV] = bench_tables.vector_env
    return chosen


def points(
    sizes: tuple[int, ...] = SIZES, seconds: float = SECONDS, repeats: int = REPEATS
) -> Iterator[dict[str, Any]]:
    """Measure every series at every size, on each number of threads that has tables.

    Args:
        sizes: Numbers of tables.
        seconds: Of each repeat.
        repeats: How often; the median counts.
    """
    for name, prepare in series().items():
        for threads in THREADS:
            for size in sizes:
                if threads <= size:
                    speed = _speed(prepare(size, threads), seconds, repeats)
                    yield {
                        "series": name,
                        "threads": threads,
                        "tables": size,
                        "decisions_per_second": round(speed),
                    }


def _speed(chunk: bench_tables.Chunk, seconds: float, repeats: int) -> float:
    chunk()  # compiles, and touches the memory
    rates = []
    for _ in range(repeats):
        decisions, start = 0, time.perf_counter()
        while (passed := time.perf_counter() - start) < seconds or decisions == 0:
            decisions += chunk()
        rates.append(decisions / passed)
    return statistics.median(rates)


def memory() -> list[dict[str, Any]]:
    """Bytes that a batch takes for each of its tables, without and with its observations."""
    rows = []
    for name in OBSERVATIONS:
        Batch(2, "qq", 0, name).observe()  # what all batches share is there now
        tracemalloc.start()
        tables = Batch(MEASURED_TABLES, "qq", 0, name)
        without = tracemalloc.get_traced_memory()[0]
        tables.observe()
        total = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        rows.append(
            {
                "observation": name,
                "state": SICHUAN.state.itemsize,
                "table": round(without / MEASURED_TABLES),
                "observations": round((total - without) / MEASURED_TABLES),
            }
        )
    return rows


def lines(rows: list[dict[str, Any]]) -> list[Line]:
    """The points of :func:`points` as lines to draw, one for each series and number of threads."""
    names = list(dict.fromkeys(row["series"] for row in rows))
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for row in rows:
        key = row["series"], row["threads"]
        found.setdefault(key, []).append((row["tables"], row["decisions_per_second"]))
    return [
        Line(name, names.index(name), threads > 1, tuple(values))
        for (name, threads), values in found.items()
    ]


def plot(rows: list[dict[str, Any]], about: dict[str, Any]) -> str:
    """The picture, as SVG."""
    where = f"{about['processor']}, {about['cores']} cores, {about['date']}"
    return draw(lines(rows), "Decisions a second by the number of tables", where)


def markdown(rows: list[dict[str, Any]]) -> str:
    """A table: a row for each number of tables, one and two threads beside each other."""
    names = list(dict.fromkeys(row["series"] for row in rows))
    speeds = {
        (row["series"], row["tables"], row["threads"]): row["decisions_per_second"] for row in rows
    }
    text = [f"| tables | {' | '.join(names)} |", "|---|" + "---|" * len(names)]
    for size in dict.fromkeys(row["tables"] for row in rows):
        cells = []
        for name in names:
            both = [speeds.get((name, size, threads)) for threads in THREADS]
            cells.append(" / ".join("–" if speed is None else f"{speed:,}" for speed in both))
        text.append(f"| {size:,} | {' | '.join(cells)} |")
    return "\n".join(text)


def main() -> None:
    """Print a table or JSON; draw if asked."""
    parser = argparse.ArgumentParser(description="decisions per second by number of tables")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each repeat")
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES, help="numbers of tables")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw an SVG")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    about = machine.describe()
    rows = list(points(tuple(options.sizes), options.seconds))
    if options.plot is not None:
        options.plot.write_text(plot(rows, about), encoding="utf-8")
    if options.json:
        json.dump({"machine": about, "points": rows, "memory": memory()}, sys.stdout, indent=1)
        print()
    else:
        print(machine.in_words(about))
        print(markdown(rows))


if __name__ == "__main__":
    main()
