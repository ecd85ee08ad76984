"""What it is worth to discard with an eye on danger: ``greedy/1`` with prices on it, measured.

``python -m train.fitting.danger --sets 16000`` plays ``greedy/1`` with each price against three of
``greedy/1`` and prints a table in Markdown. A price is what one unit of
:func:`agents.estimates.deal_in_cost` counts in useful tiles, among the discards that leave the
least deficiency. The price of 0 decides between equally useful discards alone.
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from agents import greedy
from agents.estimates import deal_in_cost
from mjenv.agent import CompiledBot
from mjenv.core.batch import only_action
from mjenv.core.kernel import kernel
from mjenv.games import rules_of
from mjenv.sichuan.actions import DISCARD_0, WIN
from mjenv.sichuan.analysis import discard_analysis, live_counts
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS, Phase
from train.evaluation.deal_sets import Match, seed_of
from train.evaluation.intervals import mean
from train.evaluation.run import Conditions, MatchResult
from train.evaluation.workers import Workers

_BETWEEN_EQUALS = 1e-3
"""A price too low to outweigh a tile."""


@kernel
def _discard(view: np.void, rules: np.void, luts: np.ndarray, price: float) -> int:
    """The most useful tiles less the price of the danger."""
    live = np.empty(NUM_KINDS, np.int8)
    live_counts(view, live)
    left, useful = np.empty(NUM_KINDS, np.int8), np.empty(NUM_KINDS, np.int8)
    least = discard_analysis(view, rules, luts, live, left, useful)
    best, most = -1, 0.0
    for kind in range(NUM_KINDS):
        if view["hand"][kind] == 0 or left[kind] != least:
            continue
        good = useful[kind] - price * deal_in_cost(view, rules, kind, int(live[kind]))
        if best < 0 or good > most:
            best, most = kind, good
    return greedy.discard(view, rules, luts) if best < 0 else DISCARD_0 + best


@kernel
def _choose(
    view: np.void,
    rules: np.void,
    luts: np.ndarray,
    mask: np.ndarray,
    rng: np.ndarray,
    price: float,
) -> int:
    """As ``greedy/1``, but for a discard that it is free to choose."""
    void = int(view["void_suit"][int(view["seat"])])
    bound = void != NO_SUIT and view["suit_key"][void] != 0
    if view["phase"] != Phase.TURN or bound or only_action(mask) >= 0 or mask[WIN] != 0:
        return int(greedy.choose(view, rules, luts, mask, rng))
    kong = greedy.own_kong(view, luts, mask)
    return kong if kong >= 0 else _discard(view, rules, luts, price)


@kernel
def _price_0(v: np.void, r: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> int:
    return _choose(v, r, luts, mask, rng, _BETWEEN_EQUALS)


@kernel
def _price_10(v: np.void, r: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> int:
    return _choose(v, r, luts, mask, rng, 10.0)


@kernel
def _price_30(v: np.void, r: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> int:
    return _choose(v, r, luts, mask, rng, 30.0)


@kernel
def _price_100(v: np.void, r: np.void, luts: np.ndarray, mask: np.ndarray, rng: np.ndarray) -> int:
    return _choose(v, r, luts, mask, rng, 100.0)


_KERNELS: dict[int, Any] = {0: _price_0, 10: _price_10, 30: _price_30, 100: _price_100}
PRICES = tuple(_KERNELS)
"""Prices that are tried."""


def priced(price: int) -> CompiledBot:
    """``greedy/1`` with one of :data:`PRICES` on danger."""
    return CompiledBot(f"greedy_at_{price}/1", _KERNELS[price], SICHUAN)


def _row(price: int, result: MatchResult) -> str:
    edge = mean(result.units)
    seats = np.broadcast_to(result.match.challenger_seats, result.deals["won"].shape)
    rates = [f"{result.deals[name][seats].mean():.1%}" for name in ("won", "deal_in")]
    return f"| {price} | {edge.value:+.3f} ± {edge.half_width:.3f} | {' | '.join(rates)} |"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m train.fitting.danger", description=__doc__)
    parser.add_argument("--rules", default="qq", help="a preset or a YAML file")
    parser.add_argument("--sets", type=int, default=16_000, help="deal sets of each price")
    parser.add_argument("--processes", type=int, help="as many as there are cores if left out")
    options = parser.parse_args(arguments)
    conditions = Conditions(rules_of(options.rules), seed_of("dev"))
    print("| price | units over three `greedy/1` | wins | deals in |\n|---|---|---|---|")
    with Workers(options.processes) as workers:
        for price in PRICES:
            result = workers.play_match(Match(priced(price), "greedy/1"), conditions, options.sets)
            print(_row(price, result), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
