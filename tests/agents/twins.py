"""A bot at the table and its plain twin at the reference, side by side."""

import random
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from mjenv.agent import CompiledBot
from mjenv.core.game import Views
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import Direction
from tests.reference.table import ReferenceTable
from tests.reference.tiles import TEXT

Twin = Callable[[ReferenceTable, Sequence[str]], str]
NO_LOG = np.zeros(0, SICHUAN.event)
MEDDLING = 0.25  # share of decisions taken at random, so that odd hands come up as well
SEED = 11


def play_and_compare(
    bot: CompiledBot, twin: Twin, rules: Rules, deal: int, rng: random.Random, seen: Counter[str]
) -> None:
    """Play one deal at both tables; at every question both must answer the same."""
    packed, luts = rules.pack(), SICHUAN.luts()
    tables, mask = np.zeros(1, SICHUAN.state), np.zeros(SICHUAN.num_actions, np.int8)
    tables["seed"], tables["deal"], tables["dealer"] = SEED, deal, -1
    SICHUAN.deal_at(tables, 0, packed, luts, mask)
    state = tables[0]
    reference = ReferenceTable(
        rules.to_dict(),
        [TEXT[kind] for kind in state["wall"]],
        int(state["dealer"]),
        Direction(state["direction"]).name.lower(),
    )
    views = np.zeros(1, SICHUAN.view_dtype)
    while state["actor"] >= 0:
        SICHUAN.view_at(tables, 0, packed, int(state["actor"]), views)
        chosen = int(bot.act(Views(views, packed), mask[None], np.ones(1, np.uint64))[0])
        text = SICHUAN.action_text(chosen, reference.phase == "EXCHANGE")
        wanted = twin(reference, reference.legal())
        assert text == wanted, (rules.to_dict(), deal, reference.phase, reference.hands)
        seen[f"{reference.phase} {text.split()[0]}"] += 1
        if text == "pass" and "win" in reference.legal():
            seen["win let go"] += 1
        if rng.random() < MEDDLING:
            wanted = rng.choice(reference.legal())
        reference.step(wanted)
        SICHUAN.step_at(tables, 0, packed, luts, SICHUAN.parse_action(wanted), NO_LOG, mask)
    assert reference.over
