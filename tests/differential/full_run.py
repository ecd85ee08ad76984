"""The comparison of engine and reference at full length.

    python -m tests.differential.full_run --menus 10000000 --hands 1000000 --seed 1

Progress goes to stderr; the last line, on stdout, is JSON with all counts. The exit code is 1 if
there was a difference. ``--parts 2 --part 0`` and ``--part 1`` share the work between two
processes; with ``--state FILE`` a run that was stopped goes on where it was.
"""

import argparse
import json
import os
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import mjenv
import tests.reference.table
from mjenv.core.kernel import content_hash
from tests.differential.compare import Comparison, DifferenceError
from tests.differential.deals import DEALS_PER_RULES, new_deal, new_rules
from tests.differential.hands import compare_hands, new_hand

RULES_PER_CHUNK = 10
HANDS_PER_RULES = 250
HAND_RULES_PER_CHUNK = 2
PROGRESS_SECONDS = 10


@dataclass
class Progress:
    """What has been compared; saved after every chunk."""

    menus: int = 0
    deals: int = 0
    events: int = 0
    hands: int = 0
    mismatches: int = 0
    seconds: float = 0.0
    next_deals: int = 0
    next_hands: int = 0
    seen: Counter[str] = field(default_factory=Counter)
    seen_in_hands: Counter[str] = field(default_factory=Counter)

    @staticmethod
    def load(path: Path) -> "Progress":
        """Progress that an earlier run saved."""
        saved = json.loads(path.read_text(encoding="utf-8"))
        counters = ("seen", "seen_in_hands")
        return Progress(**{**saved, **{name: Counter(saved[name]) for name in counters}})

    def save(self, path: Path) -> None:
        """Write it under a temporary name, then rename."""
        beside = path.with_suffix(".new")
        beside.write_text(json.dumps(vars(self)), encoding="utf-8")
        os.replace(beside, path)


def compare_deals(progress: Progress, comparison: Comparison, seed: int, chunk: int) -> None:
    """A chunk of deals; the same for the same seed and chunk."""
    rng = random.Random(f"deals {seed} {chunk}")
    for _ in range(RULES_PER_CHUNK):
        house = new_rules(rng)
        for _ in range(DEALS_PER_RULES):
            comparison.compare(new_deal(rng, house))
    progress.menus += comparison.menus
    progress.deals += comparison.deals
    progress.events += comparison.events
    progress.seen += comparison.seen
    comparison.forget()


def compare_chunk_of_hands(progress: Progress, seed: int, chunk: int) -> None:
    """A chunk of hands; the same for the same seed and chunk."""
    rng = random.Random(f"hands {seed} {chunk}")
    for _ in range(HAND_RULES_PER_CHUNK):
        house = new_rules(rng)
        compare_hands(
            [new_hand(rng) for _ in range(HANDS_PER_RULES)], house, progress.seen_in_hands
        )
        progress.hands += HANDS_PER_RULES


def work(progress: Progress, options: argparse.Namespace) -> Iterator[None]:
    """Yield after every chunk until enough is compared."""
    comparison = Comparison()
    while progress.hands * options.parts < options.hands:
        compare_chunk_of_hands(progress, options.seed, progress.next_hands)
        progress.next_hands += options.parts
        yield
    while progress.menus * options.parts < options.menus:
        compare_deals(progress, comparison, options.seed, progress.next_deals)
        progress.next_deals += options.parts
        yield


def run(options: argparse.Namespace) -> Progress:
    """Compare, report and save; stop at the first difference."""
    if options.state and options.state.exists():
        progress = Progress.load(options.state)
    else:
        progress = Progress(next_deals=options.part, next_hands=options.part)
    before, reported = time.monotonic(), 0.0
    try:
        for _ in work(progress, options):
            now = time.monotonic()
            progress.seconds, before = progress.seconds + now - before, now
            if options.state:
                progress.save(options.state)
            if now - reported > PROGRESS_SECONDS:
                reported = now
                report(progress)
    except DifferenceError as difference:
        progress.mismatches += 1
        print(difference, file=sys.stderr)
    report(progress)
    return progress


def report(progress: Progress) -> None:
    """One line of progress."""
    counts = f"{progress.menus:,} menus in {progress.deals:,} deals, {progress.hands:,} hands"
    differences = f"{progress.mismatches} differences"
    print(f"{counts}, {differences}, {progress.seconds:.0f} s", file=sys.stderr, flush=True)


def summary(progress: Progress, options: argparse.Namespace) -> dict[str, Any]:
    """The final line."""
    counts = {**vars(progress), "seconds": round(progress.seconds, 1)}
    for name in ("seen", "seen_in_hands"):
        counts[name] = dict(sorted(counts[name].items()))
    engine = Path(mjenv.__file__).parent
    reference = Path(tests.reference.table.__file__).parent
    return {
        "engine": content_hash(str(engine))[:12],
        "reference": content_hash(str(reference))[:12],
        "seed": options.seed,
        "part": options.part,
        "parts": options.parts,
        **counts,
    }


def parse(arguments: list[str] | None = None) -> argparse.Namespace:
    """Command-line options."""
    parser = argparse.ArgumentParser(description="Compare the engine with the reference.")
    parser.add_argument("--menus", type=int, default=10_000_000, help="menus of whole deals")
    parser.add_argument("--hands", type=int, default=1_000_000, help="single hands")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", type=int, default=1, help="processes that share the work")
    parser.add_argument("--part", type=int, default=0, help="which of them this is, from 0")
    parser.add_argument("--state", type=Path, help="file to go on from, if it exists")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    given = parse()
    done = run(given)
    print(json.dumps(summary(done, given)))
    sys.exit(1 if done.mismatches else 0)
