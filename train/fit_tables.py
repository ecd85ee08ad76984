"""Fit the tables of :mod:`agents.fitted` on self-play, and write that module anew.

``python -m train.fit_tables`` writes it, ``--check`` says how well the tables foretell deals that
they were not fitted on.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from agents.signs import NUM_SIGNS, wall_share
from mjenv.core.game import NUM_SEATS
from mjenv.sichuan.state import NUM_DRAWS
from train.fitting import rates
from train.fitting.constants import array_text
from train.fitting.logistic import brier_score, calibration_error, fit_logistic, probability
from train.fitting.watch import Watched, watch

BOT = "greedy/1"
DEALS = 8000
HELD_OUT = 4000
FAMILIES = ("standalone", "qq", "sichuan_modern")
"""Rules whose play stands for others: without void suits, with them, with an exchange too."""
SEED = 20_26
TARGET = Path(__file__).parents[1] / "agents" / "fitted.py"

_DIGITS = 4
_HEAD = '''"""Numbers fitted on self-play of ``{bot}``; written by ``python -m train.fit_tables``.

Do not edit. The first axis of every table is the family of the rules: without void suits, with
them, with void suits and an exchange. :mod:`agents.estimates` says what the tables mean.
"""

import numpy as np

# fmt: off
'''


def ready_rows(watched: Watched) -> tuple[np.ndarray, np.ndarray]:
    """Signs of all seats that another discards against, ``(N, 2 * NUM_SIGNS)``, and readiness.

    The second half of the columns is the first times the share of the wall that is left.
    """
    rows = watched.discards
    counted = (rows["active"] == 1) & (rows["seat"][:, None] != np.arange(NUM_SEATS))
    signs = rows["signs"][counted].astype(np.float64)
    shares = np.array([wall_share(wall) for wall in range(NUM_DRAWS + 1)])
    left = np.broadcast_to(shares[rows["wall"]][:, None], counted.shape)[counted]
    return np.hstack([signs, signs * left[:, None]]), rows["fan"][counted] > 0


def fit_family(watched: Watched) -> dict[str, np.ndarray]:
    """All tables of one family of rules."""
    by_copies, by_rank = rates.discard_rate(watched)
    return {
        "READY_WEIGHTS": fit_logistic(*ready_rows(watched)).reshape(2, NUM_SIGNS),
        "LIVE_SHARE": rates.live_share(watched),
        "BECOMES_READY": rates.becomes_ready(watched),
        "READY_AT_END": np.array(rates.ready_at_end(watched)),
        "CHECK_UNITS": rates.check_units(watched),
        "WIN_UNITS": rates.win_units(watched),
        "WAIT_CHANCE": rates.wait_chance(watched),
        "DISCARD_RATE": by_copies,
        "DISCARD_RANK": by_rank,
    }


def module_text(families: list[dict[str, np.ndarray]]) -> str:
    """The text of :mod:`agents.fitted`."""
    parts = [_HEAD.format(bot=BOT)]
    for name in families[0]:
        table = np.stack([family[name] for family in families])
        parts.append(array_text(name, table, _DIGITS))
    return "\n".join(parts)


def check(weights: np.ndarray, watched: Watched) -> str:
    """How well readiness is foretold, in words."""
    features, happened = ready_rows(watched)
    chance = probability(features, np.ravel(weights))
    base = brier_score(np.full(len(happened), happened.mean()), happened)
    return (
        f"Brier score {brier_score(chance, happened):.4f} (always the mean: {base:.4f}), "
        f"expected calibration error {calibration_error(chance, happened):.4f}"
    )


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m train.fit_tables", description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say how good the tables are")
    parser.add_argument("--out", type=Path, default=TARGET, help="file to write")
    options = parser.parse_args(arguments)
    if options.check:
        from agents import fitted

        for row, rules in enumerate(FAMILIES):
            held_out = watch(BOT, rules, HELD_OUT, DEALS, SEED)
            print(f"{rules}: {check(fitted.READY_WEIGHTS[row], held_out)}")
        return 0
    families = [fit_family(watch(BOT, rules, DEALS, 0, SEED)) for rules in FAMILIES]
    options.out.write_text(module_text(families), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
