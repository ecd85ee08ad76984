"""Rules from the record that kernels read, for whoever is given nothing else."""

from typing import Any

import numpy as np

from mjenv.sichuan.options import Choice, Flag, Option
from mjenv.sichuan.patterns import EXTRA_FAN_NAMES, FAN_TABLES, PATTERN_NAMES
from mjenv.sichuan.rules import NOT_IN_TABLE, OPTIONS, PRESETS, Rules


def unpack_rules(packed: np.void) -> Rules:
    """Rules that packed would be this record.

    Packed rules do not tell two ways to write the same from each other, nor what coins are paid.
    Rules that play as a preset does come out as the preset, a fan table comes out as a letter where
    there is one.

    Args:
        packed: A row of what :meth:`~mjenv.sichuan.rules.Rules.pack` returns.
    """
    options = {
        name: _value(option, int(packed[name]))
        for name, option in OPTIONS.items()
        if option.cell is not None
    }
    fans = packed["extra_fans"].tolist()
    options["extra_fans"] = dict(zip(EXTRA_FAN_NAMES, fans, strict=True))
    rules = Rules(fan_table=_table(packed), **options)
    alike = (preset for preset in map(Rules.preset, PRESETS) if preset.pack() == rules.pack())
    return next(alike, rules)


def _table(packed: np.void) -> Any:
    """The fan table: a letter, or written out."""
    for letter in FAN_TABLES:
        other = Rules(fan_table=letter, fan_cap=int(packed["fan_cap"]) or None).pack()[0]
        if other["additive"] == packed["additive"] and (other["fans"] == packed["fans"]).all():
            return letter
    named = zip(PATTERN_NAMES, packed["fans"].tolist(), strict=True)
    table = {name: fan for name, fan in named if fan != NOT_IN_TABLE}
    return {"additive": bool(packed["additive"]), "fans": table}


def _value(option: Option, number: int) -> Any:
    """What an option was set to, from the number kernels see."""
    if isinstance(option, Flag):
        return bool(number)
    if isinstance(option, Choice):
        return option.names[number]
    return None if number == 0 and getattr(option, "optional", False) else number
