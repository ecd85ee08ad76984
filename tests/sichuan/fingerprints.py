"""Deals as hashes: ``python -m tests.sichuan.fingerprints SEED ...`` prints one line a seed.

Run in a process of its own, without compilation or with bounds checks, it must print the same.
"""

import hashlib
import sys

import numpy as np

from mjenv.core.rng import new_generator
from mjenv.sichuan.presets import PRESETS
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import VIEW
from tests.sichuan.checks import choose
from tests.sichuan.engine import LUTS, Engine
from tests.sichuan.players import PLAYERS

REDEAL_EVERY = 20
"""Decisions between two redealt worlds that go into a fingerprint."""


def preset_of(seed: int) -> str:
    return PRESETS[seed % len(PRESETS)]


def player_of(seed: int) -> str:
    return list(PLAYERS)[seed % len(PLAYERS)]


def play(engine: Engine, player: str) -> int:
    """One decision of the acting seat."""
    views, rng = np.zeros(1, VIEW), new_generator()
    choose(engine.tables, 0, engine.packed, LUTS, views, rng)
    action = int(PLAYERS[player](views[0], engine.packed[0], LUTS, engine.mask, rng))
    engine.play(action)
    return action


def fingerprint(seed: int) -> str:
    """Hash of every state, menu and view of a deal, some redealt worlds, and the log."""
    engine = Engine.of_seed(Rules.preset(preset_of(seed)), seed)
    digest = hashlib.sha256()
    rng = np.array([seed + 1], np.uint64)
    decisions = 0
    while not engine.over:
        play(engine, player_of(seed))
        digest.update(engine.tables.tobytes())
        digest.update(engine.mask.tobytes())
        for seat in range(4):
            digest.update(engine.view(seat).tobytes())
        decisions += 1
        if decisions % REDEAL_EVERY == 0:
            world = engine.copy()
            world.redeal(decisions // REDEAL_EVERY % 4, rng)
            digest.update(world.tables.tobytes())
    digest.update(engine.log.tobytes())
    return digest.hexdigest()


def course(seed: int) -> str:
    """Hash of what happens in a deal, whatever the layout of the records: see the golden test."""
    engine = Engine.of_seed(Rules.preset(preset_of(seed)), seed)
    digest = hashlib.sha256()
    while not engine.over:
        menu = ",".join(engine.menu())
        digest.update(f"{engine.actor} {engine.phase} {menu}: ".encode())
        digest.update(f"{play(engine, player_of(seed))}\n".encode())
    names = ("type", "seat", "tile", "source", "detail", "fan", "patterns", "extras", "units")
    for event in engine.events:
        digest.update(" ".join(str(event[name].tolist()) for name in names).encode())
    digest.update(str(engine.points).encode())
    return digest.hexdigest()


if __name__ == "__main__":
    for text in sys.argv[1:]:
        print(text, fingerprint(int(text)))
