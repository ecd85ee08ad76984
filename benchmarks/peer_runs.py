"""The scripts of ``benchmarks/peers``: what each is compared with, and running one of them."""

import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

PEERS = Path(__file__).parent / "peers"
HANDS = PEERS / "riichi_hands.json"


class Against(NamedTuple):
    """One layer of ours against one mode of a peer."""

    layer: str
    mode: str
    what: str


@dataclass(frozen=True)
class Peer:
    """A library that plays mahjong or other card games.

    Attributes:
        plays: What it plays.
        pairs: What is compared; of several modes of a peer the fastest.
        slow_start: It compiles for a minute before it plays, so that all rounds are one process.
    """

    plays: str
    pairs: tuple[Against, ...]
    slow_start: bool = False


def _of_riichi(game: str, observation: str, plays: str) -> Peer:
    return Peer(
        plays,
        (
            Against("step_masks", game, "the game"),
            Against("step_planes", observation, "with an observation"),
            Against("aec_raw", observation, "one table from Python"),
        ),
    )


RIICHI = "4p-red-single"
PAIRS: dict[str, Peer] = {
    "riichienv": Peer(
        "Riichi mahjong in Rust",
        (
            Against("step_masks", f"{RIICHI}/none", "the game"),
            Against("step_planes", f"{RIICHI}/encode", "with an observation"),
            Against("step_vector", f"{RIICHI}/extended", "with analysis of the hand"),
            Against("step_tokens", f"{RIICHI}/seq", "with tokens"),
            Against("aec_raw", f"{RIICHI}/encode", "one table from Python"),
        ),
    ),
    "pymahjong": _of_riichi("table/none", "env/obs", "Riichi mahjong in C++"),
    "cmajiang": _of_riichi("match/none", "match/features", "Riichi mahjong in C++"),
    "jansou": Peer(
        "Riichi mahjong in Python and Rust",
        (
            Against("step_masks", "match", "the game"),
            Against("aec_raw", "match", "one table from Python"),
        ),
    ),
    "libriichi": Peer(
        "follows Riichi mahjong in Rust, plays none",
        (
            Against("step_masks", "update", "the game against following one"),
            Against("step_vector", "encode", "with analysis of the hand"),
        ),
    ),
    "mahjax": Peer(
        "Riichi mahjong in JAX",
        (
            Against("step_masks", "no_red/none/128", "the game"),
            Against("step_planes", "no_red/dict/128", "with an observation"),
            Against("batch_planes", "no_red/dict/128", "many tables from Python"),
        ),
        slow_start=True,
    ),
    "pgx": Peer(
        "Sparrow Mahjong, 44 tiles, in JAX",
        (
            Against("step_planes", "sparrow/128", "with an observation"),
            Against("batch_planes", "sparrow/128", "many tables from Python"),
        ),
        slow_start=True,
    ),
    "envpool": Peer(
        "Sparrow Mahjong, 44 tiles, in C++",
        (
            Against("step_planes", "sparrow/128", "with an observation"),
            Against("batch_planes", "sparrow/128", "many tables from Python"),
        ),
    ),
    "rlcard": _of_riichi("game", "env", "a simple mahjong in Python"),
    "open_spiel": Peer(
        "hearts and spades in C++; no mahjong",
        (
            Against("step_masks", "hearts/none", "the game"),
            Against("step_planes", "spades/obs", "with an observation"),
        ),
    ),
    "pettingzoo": Peer(
        "Leduc hold'em in Python; no mahjong",
        (Against("aec_raw", "leduc_holdem_v4", "one table from Python"),),
    ),
}
"""Every peer by name: mahjong first, the quickest before."""


class PeerError(Exception):
    """A peer that could not be run, and why."""


def interpreters(folder: Path) -> dict[str, str]:
    """The peers that have an environment ``folder/NAME``, with its interpreter."""
    found = {}
    for peer in PAIRS:
        for inside in ("bin/python", "Scripts/python.exe"):
            if (folder / peer / inside).exists():
                found[peer] = str(folder / peer / inside)
    return found


def speeds_of(
    python: str, peer: str, modes: Sequence[str], seconds: float, repeats: int = 1
) -> dict[str, dict[str, Any]]:
    """What the script of a peer prints, by mode.

    Args:
        python: An interpreter that has the peer.
        peer: Its name.
        modes: All of them are run in one process.
        seconds: For each repeat of a mode.
        repeats: How often each is played; the median counts.

    Raises:
        PeerError: It failed, or did not play a mode.
    """
    script = PEERS / f"bench_{peer}.py"
    chosen = ",".join(dict.fromkeys(modes))
    command = [python, "-W", "ignore", str(script), "--modes", chosen]
    done = _run([*command, "--seconds", str(seconds), "--reps", str(repeats)])
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines()
        raise PeerError(f"{script.name} in {python}: {lines[-1] if lines else 'failed'}")
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    played = {line["mode"]: line for line in map(json.loads, lines)}
    for mode in modes:
        if mode not in played:
            raise PeerError(f"{script.name} in {python} did not play {mode}")
    return played


def record_hands(python: str) -> None:
    """Let riichienv play what libriichi follows, unless that was done before."""
    if not HANDS.exists():
        done = _run([python, str(PEERS / "riichi_hands.py")])
        if done.returncode != 0:
            raise PeerError(f"riichi_hands.py in {python} failed")


def _run(command: list[str]) -> subprocess.CompletedProcess[str]:
    # Not with the path of mjenv: a peer has other versions of the same libraries.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
