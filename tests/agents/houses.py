"""House rules by chance that `Rules` accepts."""

import random

from mjenv.errors import RulesError
from mjenv.sichuan.rules import Rules
from tests.reference.house import house_rules


def random_house(rng: random.Random) -> Rules:
    """A mix of all options; one that contradicts itself is drawn again."""
    while True:
        try:
            return Rules.from_dict(house_rules(rng))
        except RulesError:
            continue
