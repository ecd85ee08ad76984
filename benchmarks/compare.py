"""``mjenv`` beside another library on the same machine, in the same minutes.

Both are run in turn, several rounds, so that whatever else the machine does falls on both. The
ratio counts decisions per second of processor time: it is the fairer number on a busy machine.

    python benchmarks/compare.py --peer-python PEER_VENV/bin/python

``benchmarks/peers/README.md`` says how to make the other environment.
"""

import argparse
import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from train.bench import LAYERS, measure

PEERS = Path(__file__).parent / "peers"
PAIRS = {
    "riichienv": {
        "step_masks": "4p-red-single/none",
        "step_planes": "4p-red-single/encode",
        "step_vector": "4p-red-single/extended",
    },
    "open_spiel": {"step_masks": "hearts/none"},
    "pettingzoo": {"aec_raw": "leduc_holdem_v4"},
    "rlcard": {"step_masks": "game", "step_planes": "env"},
    "pymahjong": {"step_masks": "table/none", "step_planes": "env/obs"},
}
"""For each peer, what its modes are compared with."""


@dataclass
class Pair:
    """One layer of ours and one mode of the peer, with every round's decisions per second."""

    layer: str
    mode: str
    ours: list[float]
    theirs: list[float]

    @property
    def ratio(self) -> float:
        """Ours over theirs, by the medians."""
        return statistics.median(self.ours) / statistics.median(self.theirs)


def our_speed(layer: str, seconds: float) -> float:
    """Decisions per second of processor time."""
    chosen = [item for item in LAYERS if item.name == layer]
    (speed,) = measure(chosen, seconds, repeats=1, clock=time.process_time)
    return speed.decisions_per_second


def their_speed(python: str, peer: str, mode: str, seconds: float) -> float:
    """Decisions per second of processor time, from the peer's script."""
    script = PEERS / f"bench_{peer}.py"
    command = [python, str(script), "--modes", mode, "--seconds", str(seconds), "--reps", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"{script.name} in {python}: {done.stderr.strip().splitlines()[-1]}")
    if not done.stdout:
        raise SystemExit(f"{script.name} in {python} did not play {mode}")
    speed: float = json.loads(done.stdout.splitlines()[-1])["dps_cpu"]
    return speed


def compare(python: str, peer: str, seconds: float, rounds: int) -> list[Pair]:
    """Run both in turn."""
    known = {layer.name for layer in LAYERS}
    pairs = [Pair(layer, mode, [], []) for layer, mode in PAIRS[peer].items() if layer in known]
    for pair in pairs:
        our_speed(pair.layer, 0.1)  # compiles, so that the rounds are alike
    for _ in range(rounds):
        for pair in pairs:
            pair.ours.append(our_speed(pair.layer, seconds))
            pair.theirs.append(their_speed(python, peer, pair.mode, seconds))
    return pairs


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description="mjenv beside another library, in one run")
    parser.add_argument("--peer-python", required=True, help="interpreter that has the peer")
    parser.add_argument("--peer", choices=list(PAIRS), default="riichienv")
    parser.add_argument("--seconds", type=float, default=2.0, help="of each run")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    pairs = compare(options.peer_python, options.peer, options.seconds, options.rounds)
    if options.json:
        rows = [
            {
                "layer": pair.layer,
                "mode": pair.mode,
                "ours": statistics.median(pair.ours),
                "theirs": statistics.median(pair.theirs),
                "ratio": round(pair.ratio, 2),
            }
            for pair in pairs
        ]
        json.dump(rows, sys.stdout)
        print()
        return
    print(f"decisions per second of processor time, median of {options.rounds} rounds")
    for pair in pairs:
        ours, theirs = statistics.median(pair.ours), statistics.median(pair.theirs)
        print(
            f"{pair.layer:12} {ours:12,.0f}   {options.peer} {pair.mode:24} {theirs:10,.0f}   "
            f"{pair.ratio:6.1f} x"
        )


if __name__ == "__main__":
    main()
