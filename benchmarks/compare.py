"""``mjenv`` beside other libraries on the same machine, in the same minutes.

Both are run in turn, several rounds, so that whatever else the machine does falls on both. The
ratio counts decisions per second of processor time: it is the fairer number on a busy machine.

    make peers
    python benchmarks/compare.py
    python benchmarks/compare.py --peer riichienv --peer-python PEER_VENV/bin/python

``benchmarks/peers/README.md`` says what is played and how the other environments are made.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import machine
from peer_runs import PAIRS, Against, PeerError, interpreters, record_hands, speeds_of

from train.bench import LAYERS, measure

SECONDS, ROUNDS = 2.0, 3
FOLDER = Path(__file__).parents[1] / ".venvs" / "peers"


@dataclass
class Pair:
    """One layer of ours and one mode of a peer, with every round's decisions per second."""

    peer: str
    against: Against
    version: str = ""
    counted: str = ""
    ours: list[float] = field(default_factory=list)
    theirs: list[float] = field(default_factory=list)

    @property
    def ratio(self) -> float:
        """Ours over theirs, by the medians."""
        return statistics.median(self.ours) / statistics.median(self.theirs)

    def row(self) -> dict[str, Any]:
        """As JSON types."""
        return {
            "peer": self.peer,
            "version": self.version,
            "plays": PAIRS[self.peer].plays,
            "what": self.against.what,
            "layer": self.against.layer,
            "ours": round(statistics.median(self.ours)),
            "mode": self.against.mode,
            "theirs": round(statistics.median(self.theirs)),
            "counted": self.counted,
            "ratio": round(self.ratio, 1),
        }


def our_speed(layer: str, seconds: float) -> float:
    """Decisions per second of processor time."""
    chosen = [item for item in LAYERS if item.name == layer]
    (speed,) = measure(chosen, seconds, repeats=1, clock=time.process_time)
    return speed.decisions_per_second


def compare(python: str, peer: str, seconds: float, rounds: int) -> list[Pair]:
    """Run a peer and ours in turn.

    Args:
        python: An interpreter that has the peer.
        peer: Its name.
        seconds: Of each run.
        rounds: How often both are run.

    Raises:
        PeerError: The peer could not be run.
    """
    known = {layer.name for layer in LAYERS}
    pairs = [Pair(peer, against) for against in PAIRS[peer].pairs if against.layer in known]
    layers = dict.fromkeys(pair.against.layer for pair in pairs)
    for layer in layers:
        our_speed(layer, 0.1)  # compiles, so that the rounds are alike
    modes = [pair.against.mode for pair in pairs]
    together = PAIRS[peer].slow_start
    for number in range(rounds):
        ours = {layer: our_speed(layer, seconds) for layer in layers}
        if number == 0 or not together:
            repeats = rounds if together else 1
            theirs = speeds_of(python, peer, modes, seconds, repeats)
        for pair in pairs:
            line = theirs[pair.against.mode]
            pair.ours.append(ours[pair.against.layer])
            pair.theirs.append(line["dps_cpu"])
            pair.version, pair.counted = line["version"], line["counted"]
    return pairs


def compare_all(
    pythons: Mapping[str, str],
    seconds: float = SECONDS,
    rounds: int = ROUNDS,
    peers: Iterable[str] = tuple(PAIRS),
) -> Iterator[Pair]:
    """Compare with every peer that has an interpreter; tell of those that cannot be run.

    Args:
        pythons: Interpreters by peer.
        seconds: Of each run.
        rounds: How often each is run.
        peers: Their names.
    """
    for peer in peers:
        try:
            if peer not in pythons:
                raise PeerError("no environment of its own; see benchmarks/peers/README.md")
            if peer == "libriichi" and "riichienv" in pythons:
                record_hands(pythons["riichienv"])
            yield from compare(pythons[peer], peer, seconds, rounds)
        except PeerError as error:
            print(f"{peer} is left out: {error}", file=sys.stderr, flush=True)


def markdown(rows: list[dict[str, Any]]) -> str:
    """A table of :meth:`Pair.row`."""
    lines = [
        "| peer | plays | what is compared | mjenv | decisions/s | mode of the peer | decisions/s "
        "| ratio |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {row['peer']} {row['version']} | {row['plays']} | {row['what']} | `{row['layer']}` "
        f"| {row['ours']:,} | `{row['mode']}` | {row['theirs']:,} | {row['ratio']:,.1f} |"
        for row in rows
    ]
    return "\n".join(lines)


def main() -> int:
    """Print a table, or JSON; 1 if nothing could be compared."""
    parser = argparse.ArgumentParser(description="mjenv beside other libraries, in one run")
    parser.add_argument("--peers", type=Path, default=FOLDER, help="folder of environments by name")
    parser.add_argument("--peer", choices=list(PAIRS), action="append", help="these only")
    parser.add_argument("--peer-python", help="interpreter that has the one peer named")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each run")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pythons = interpreters(options.peers)
    if options.peer_python is not None:
        if options.peer is None or len(options.peer) != 1:
            parser.error("--peer-python needs one --peer")
        pythons[options.peer[0]] = options.peer_python
    about = machine.describe()
    peers = options.peer or PAIRS
    pairs = compare_all(pythons, options.seconds, options.rounds, peers)
    rows = [pair.row() for pair in pairs]
    if options.json:
        json.dump({"machine": about, "rows": rows}, sys.stdout, ensure_ascii=False, indent=1)
        print()
    else:
        print(machine.in_words(about))
        print(f"Decisions per second of processor time, median of {options.rounds} rounds.\n")
        print(markdown(rows))
    return 0 if rows else 1


if __name__ == "__main__":
    sys.exit(main())
