"""Everything that docs/performance.md and the README say about speed, measured anew.

    make performance

It takes about six minutes with every peer. Results are written to ``benchmarks/results``, one file
for each part, and the pages take their tables and the picture from there. ``--only`` measures some
parts, ``--only`` without a name writes the pages from the results that are there.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import compare
import growth
import machine
from peer_runs import interpreters

from train.bench import LAYERS, measure

ROOT = Path(__file__).parents[1]
RESULTS = Path(__file__).parent / "results"
PICTURE = ROOT / "docs" / "growth.svg"
PAGES = (ROOT / "docs" / "performance.md", ROOT / "README.md")
MARKED = re.compile(r"<!-- measured (\w+) -->\n.*?<!-- end -->", re.DOTALL)
LAYER_SECONDS = 1.5
PEER_SECONDS, PEER_ROUNDS = 0.5, 2

Part = dict[str, Any]


def measure_layers(options: argparse.Namespace) -> list[Part]:
    """Every layer of ``mjenv bench``."""
    speeds = measure(LAYERS, LAYER_SECONDS * options.scale)
    return [
        {
            "layer": speed.name,
            "decisions_per_second": round(speed.decisions_per_second),
            "counted": speed.what_is_counted,
        }
        for speed in speeds
    ]


def measure_growth(options: argparse.Namespace) -> list[Part]:
    """Every series at every number of tables."""
    return list(growth.points(seconds=growth.SECONDS * options.scale))


def measure_memory(options: argparse.Namespace) -> list[Part]:
    """Bytes of a table."""
    return growth.memory()


def measure_peers(options: argparse.Namespace) -> list[Part]:
    """Every peer that has an environment."""
    seconds = PEER_SECONDS * options.scale
    found = interpreters(options.peers)
    return [pair.row() for pair in compare.compare_all(found, seconds, options.rounds)]


MEASURE: dict[str, Callable[[argparse.Namespace], list[Part]]] = {
    "layers": measure_layers,
    "memory": measure_memory,
    "growth": measure_growth,
    "peers": measure_peers,
}
"""Parts, in the order of measuring: what others could disturb most comes first."""


def layers_table(rows: list[Part]) -> str:
    """What ``mjenv bench`` prints, as Markdown."""
    lines = ["| layer | decisions/s | what is counted |", "|---|---|---|"]
    lines += [
        f"| `{row['layer']}` | {row['decisions_per_second']:,} | {row['counted']} |" for row in rows
    ]
    return "\n".join(lines)


def memory_table(rows: list[Part]) -> str:
    """Bytes of a table and of its observation."""
    lines = [
        "| observation | table | of that its state | observation buffer |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| `{row['observation']}` | {row['table']:,} | {row['state']:,} "
        f"| {row['observations']:,} |"
        for row in rows
    ]
    return "\n".join(lines)


def growth_table(rows: list[Part]) -> str:
    """The points of the picture, and the picture."""
    picture = f"![Decisions a second by the number of tables]({PICTURE.name})"
    return f"{picture}\n\n{growth.markdown(rows)}"


def summary_table(rows: list[Part]) -> str:
    """The layers that a first reader wants to know of."""
    speeds = {row["layer"]: row["decisions_per_second"] for row in rows}
    lines = ["| what | decisions a second |", "|---|---|"]
    lines += [f"| {what} | {speeds[name]:,} |" for name, what in SUMMARY.items() if name in speeds]
    return "\n".join(lines)


SUMMARY = {
    "step_masks": "random legal play with menus, one compiled loop",
    "step_planes": "the same with `planes/1`",
    "step_vector": "the same with `vector/1`, the hand analysed for every discard",
    "greedy_batch": "four `greedy/1`",
    "vector_env": "`make_vec` with three `greedy/1`, all seats counted",
    "aec_raw": "the PettingZoo environment, `last()` and `step()`",
    "ppo": "PPO training, on two cores",
}
BLOCKS: dict[str, tuple[str, Callable[[list[Part]], str]]] = {
    "summary": ("layers", summary_table),
    "layers": ("layers", layers_table),
    "memory": ("memory", memory_table),
    "growth": ("growth", growth_table),
    "peers": ("peers", compare.markdown),
}
"""What stands between the marks of a page: the part it is about, and its table."""


def block(name: str, result: Part) -> str:
    """What stands between two marks: the table, and what it was measured on."""
    return f"{BLOCKS[name][1](result['rows'])}\n\n{machine.in_words(result['machine'])}"


def rewritten(page: str, results: dict[str, Part]) -> str:
    """A page with every block between marks written anew from results."""

    def between(match: re.Match[str]) -> str:
        name = match[1]
        part = BLOCKS[name][0]
        if part not in results:
            return match[0]
        return f"<!-- measured {name} -->\n{block(name, results[part])}\n<!-- end -->"

    return MARKED.sub(between, page)


def read_results() -> dict[str, Part]:
    """The results that are there, by part."""
    files = {name: RESULTS / f"{name}.json" for name in MEASURE}
    return {
        name: json.loads(file.read_text(encoding="utf-8"))
        for name, file in files.items()
        if file.exists()
    }


def write_pages(results: dict[str, Part]) -> None:
    """Bring pages and picture up to date."""
    if "growth" in results:
        drawn = growth.plot(results["growth"]["rows"], results["growth"]["machine"])
        PICTURE.write_text(drawn, encoding="utf-8")
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        page.write_text(rewritten(text, results), encoding="utf-8")


def main() -> int:
    """Measure, keep, write."""
    parser = argparse.ArgumentParser(description="measure what the pages say about speed")
    parser.add_argument("--only", nargs="*", choices=list(MEASURE), help="these parts")
    parser.add_argument("--peers", type=Path, default=compare.FOLDER, help="environments by name")
    parser.add_argument("--scale", type=float, default=1.0, help="of all times; 0.1 to try it")
    parser.add_argument("--rounds", type=int, default=PEER_ROUNDS, help="with each peer")
    options = parser.parse_args()
    chosen = list(MEASURE) if options.only is None else options.only
    RESULTS.mkdir(exist_ok=True)
    for name in [name for name in MEASURE if name in chosen]:
        print(f"{name} ...", file=sys.stderr, flush=True)
        about = machine.describe()
        rows = MEASURE[name](options)
        if not rows:
            print(f"{name}: nothing measured; the old results stay", file=sys.stderr)
            continue
        text = json.dumps({"machine": about, "rows": rows}, ensure_ascii=False, indent=1)
        (RESULTS / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
    write_pages(read_results())
    return 0


if __name__ == "__main__":
    sys.exit(main())
