"""Fit the weights of :mod:`agents.value` on self-play, and write :mod:`agents.fitted_values`.

``python -m train.fit_values`` takes minutes and writes the same bytes when it is run again.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

from agents.prospects import FAMILIES
from train.fitting.constants import array_text
from train.fitting.prospects import fit_weights

BOT = "greedy/1"
DEALS = 10_000
SEED = 20_27
TARGET = Path(__file__).parents[1] / "agents" / "fitted_values.py"

_DIGITS = 2
_HEAD = '''"""Weights fitted on self-play of ``{bot}``; written by ``python -m train.fit_values``.

Do not edit: a value must be fixed before what it corrects is played. :mod:`agents.value` says what
the weights mean.
"""

import numpy as np

# fmt: off

'''


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(prog="python -m train.fit_values", description=__doc__)
    parser.add_argument("--out", type=Path, default=TARGET, help="file to write")
    parser.add_argument("--deals", type=int, default=DEALS, help="of each family of rules")
    options = parser.parse_args(arguments)
    weights = np.stack([fit_weights(BOT, rules, options.deals, seed=SEED) for rules in FAMILIES])
    text = _HEAD.format(bot=BOT) + array_text("VALUE_WEIGHTS", weights, _DIGITS)
    options.out.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
