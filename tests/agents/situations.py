"""Odd situations, and players that come into them."""

import numpy as np

from mjenv.core.batch import random_action
from mjenv.core.kernel import kernel
from mjenv.core.rng import below
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS
from mjenv.sichuan.actions import DISCARD_0, NUM_DISCARDS, PASS, PUNG, QUIT, WIN
from mjenv.sichuan.analysis import discard_analysis, live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.hand import IMPOSSIBLE
from mjenv.sichuan.state import MAX_MELDS, NO_SUIT, NUM_KINDS, Phase
from tests.agents.lockstep import Asked
from tests.sichuan.players import NO_ACTION, PLAYERS, meld_action, patient

NEAR_THE_END = 4  # tiles in the wall


@kernel
def _keep_copies(view: np.void, mask: np.ndarray, rng: np.ndarray, melds: bool) -> int:
    """Keeps what it holds several times, and hardly ever wins or leaves."""
    menu = mask.copy()
    menu[WIN] = menu[QUIT] = 0
    if not menu.any() or below(rng, 200) == 0:
        return random_action(mask, rng)
    action = meld_action(menu)
    if melds and action != NO_ACTION:
        return action
    if not melds and menu[PASS] != 0:
        return int(PASS)
    best, chosen = 1000, NO_ACTION
    for kind in range(NUM_DISCARDS):
        if menu[DISCARD_0 + kind] != 0:
            value = 10 * int(view["hand"][kind]) + below(rng, 8)
            if value < best:
                best, chosen = value, DISCARD_0 + kind
    return chosen if chosen != NO_ACTION else random_action(menu, rng)


@kernel
def _hoarder(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Melds whatever it may."""
    return _keep_copies(view, mask, rng, True)


@kernel
def _pairer(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Melds nothing."""
    return _keep_copies(view, mask, rng, False)


@kernel
def _mixed(
    view: np.void, rules: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray
) -> int:
    """Hoarders and patient players at one table: kongs that can be robbed."""
    if view["seat"] % 2 == 0:
        return _keep_copies(view, mask, rng, True)
    return patient(view, rules, luts, mask, rng)


DRIVERS = {
    "hoarder": SICHUAN.bot(_hoarder),
    "pairer": SICHUAN.bot(_pairer),
    "mixed": SICHUAN.bot(_mixed),
    **{name: SICHUAN.bot(player) for name, player in PLAYERS.items()},
}
"""Players by name."""


def _hopeless(asked: Asked, deal: int) -> bool:
    """Whether no tile that is left would help the seat that is asked, whatever it discards."""
    views, rules = np.zeros(1, SICHUAN.view_dtype), asked.rules_of(deal)
    SICHUAN.view_at(asked.tables, deal, rules, int(asked.tables["actor"][deal]), views)
    view = views[0]
    live, left, useful = (np.zeros(NUM_KINDS, np.int8) for _ in range(3))
    live_counts(view, live)
    least = discard_analysis(view, rules[0], SICHUAN.luts(), live, left, useful)
    return bool(1 <= least < IMPOSSIBLE and useful.max() == 0)


def situations(asked: Asked) -> dict[str, int]:
    """How many of the questions are odd in which way."""
    tables, masks = asked.tables[asked.at_play], asked.masks[asked.at_play]
    rows, seats, phase = np.arange(len(tables)), tables["actor"], tables["phase"]
    hands, melds = tables["hand"][rows, seats], tables["num_melds"][rows, seats]
    voids, walls = tables["void_suit"][rows, seats], tables["wall_end"] - tables["wall_next"]
    made = np.arange(MAX_MELDS) < melds[:, None]
    melded = [
        (made & (tables["meld_kind"][rows, seats] // NUM_RANKS == suit)).any(axis=1)
        for suit in range(NUM_SUITS)
    ]
    bound = (voids != NO_SUIT) & (tables["suit_key"][rows, seats, voids] != 0)
    turn, late = phase == Phase.TURN, walls <= NEAR_THE_END
    quad, pairs = hands.max(axis=1) == COPIES, (hands // 2).sum(axis=1)
    to_win = masks[:, WIN] != 0
    deals = np.flatnonzero(asked.at_play)[turn & late & ~bound]
    found = {
        "exchange": phase == Phase.EXCHANGE,
        "void": phase == Phase.VOID,
        "robbing": phase == Phase.ROB,
        "two have won": tables["num_wins"] == 2,
        "last tile of the wall": walls == 1,
        "empty wall": walls == 0,
        "four melds and a tile drawn": (melds == MAX_MELDS) & turn,
        "asked with four melds": (melds == MAX_MELDS) & (phase == Phase.CLAIM),
        "melds of three suits": np.all(melded, axis=0),
        "void tiles at the end": bound & late,
        "quads kept": quad & turn,
        "seven pairs with a quad": turn & (melds == 0) & quad & (pairs >= 6),
        "no tile helps": np.array([_hopeless(asked, int(deal)) for deal in deals], bool),
        "forced win": to_win & (masks.sum(axis=1) == 1),
        "a win to decline": to_win & (masks.sum(axis=1) > 1),
        "may leave": masks[:, QUIT] != 0,
        "pung while void tiles are held": (masks[:, PUNG] != 0) & bound,
        "locked": (tables["lock_fan"][rows, seats] > 0) & (masks[:, PASS] != 0),
    }
    return {name: int(there.sum()) for name, there in found.items()}
