"""Deals to compare: rules, wall, dealer, direction and players, each by chance.

Rules are presets, presets with a few options changed, and whole mixes.
"""

import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from mjenv.errors import RulesError
from mjenv.sichuan.rules import Rules
from tests.differential.players import Style
from tests.differential.walls import new_wall, shared_wait_wall
from tests.reference.house import CHOICES, PATTERNS, PIG_RULES, house_rules
from tests.reference.presets import PRESETS, RulesMapping, with_options
from tests.reference.state import GIVE_TO

DEALS_PER_RULES = 8
# Values that house rules of the reference leave out: the far ends of what Rules accepts.
MORE_CHOICES: dict[str, list[Any]] = {
    "base_points": [1, 3, 1000],
    "min_fan": [1, 2, 3, 4],
    "fan_cap": [None, 1, 2, 4, 6, 8, 12],
    "pig_multiple": [0, 1, 16, 100],
}
CHANGES = {name: values + MORE_CHOICES.get(name, []) for name, values in CHOICES.items()}
LINE_UPS = (
    [Style.SHARP] * 4,
    [Style.PATIENT] * 4,
    [Style.TIDY] * 4,
    [Style.SHARP, Style.PATIENT, Style.UNIFORM, Style.TIDY],
    [Style.SHARP, Style.PATIENT, Style.SHARP, Style.PATIENT],
    [Style.LEAVER, Style.SHARP, Style.PATIENT, Style.LEAVER],
    [Style.UNIFORM] * 4,
)


@dataclass(frozen=True)
class HouseRules:
    """The same rules as the reference reads them and as the engine does."""

    mapping: RulesMapping
    rules: Rules
    packed: np.ndarray


@dataclass(frozen=True)
class Deal:
    """Everything that decides a deal."""

    house: HouseRules
    wall: list[str]
    dealer: int
    direction: str
    styles: list[int]
    player_seed: int


def new_rules(rng: random.Random) -> HouseRules:
    """Rules by chance that `Rules` accepts."""
    while True:
        try:
            return house_of(_mapping(rng))
        except RulesError:
            continue  # a fan too high to be paid, a cap under min_fan: drawn again


def house_of(mapping: RulesMapping) -> HouseRules:
    """Rules from every option of point 43; both sides must mean the same."""
    rules = Rules.from_dict(mapping)
    assert rules.to_dict() == mapping
    return HouseRules(mapping, rules, rules.pack())


def new_deal(rng: random.Random, house: HouseRules) -> Deal:
    """A deal by chance under these rules."""
    if rng.random() < 0.1:  # patient seats let the tile all wait for go by until it makes a kong
        wall, styles = shared_wait_wall(rng), [Style.PATIENT] * 4
    else:
        wall, styles = new_wall(rng), rng.choice(LINE_UPS)
    return Deal(
        house=house,
        wall=wall,
        dealer=rng.randrange(4),
        direction=rng.choice(sorted(GIVE_TO)),
        styles=[int(style) for style in rng.sample(styles, 4)],
        player_seed=rng.getrandbits(63) | 1,
    )


def _mapping(rng: random.Random) -> RulesMapping:
    chance = rng.random()
    if chance < 0.3:
        return dict(PRESETS[rng.choice(sorted(PRESETS))])
    if chance < 0.6:
        return _changed_preset(rng)
    if chance < 0.65:
        return _escape_rules(rng)
    mapping = house_rules(rng)
    if rng.random() < 0.3:
        mapping["fan_table"] = _wide_fan_table(rng)
    return mapping


def _changed_preset(rng: random.Random) -> RulesMapping:
    """A preset with up to six options changed."""
    preset = rng.choice(sorted(PRESETS))
    names = rng.sample(sorted(CHANGES), rng.randint(1, 6))
    options: RulesMapping = {name: rng.choice(CHANGES[name]) for name in names}
    if options.get("void_suit", PRESETS[preset]["void_suit"]):
        if rng.random() < 0.2:
            options["pig_rule"] = rng.choice(PIG_RULES)
    else:  # point 37: the other pig rules need void suits
        options["pig_rule"] = "three_suits"
    if rng.random() < 0.3:
        items = PRESETS[preset]["extra_fans"]
        options["extra_fans"] = {name: rng.choice([0, 1, 2, 5, 12]) for name in items}
    if rng.random() < 0.2:
        options["fan_table"] = _wide_fan_table(rng)
    return with_options(preset, options)


def _escape_rules(rng: random.Random) -> RulesMapping:
    """Seats may leave, and hands are so dear that a ready check may cost more than the penalty."""
    options = {
        "allow_quit": True,
        "escape_refunds_kong": rng.random() < 0.5,
        "root_counts_kong": True,
        "extra_fans": {"gen": 4},
    }
    return with_options(rng.choice(sorted(PRESETS)), options | {"fan_cap": None})


def _wide_fan_table(rng: random.Random) -> dict[str, Any]:
    """Any of the patterns at worths that tie often; what an adding table names may be worth 0."""
    additive = rng.random() < 0.6
    low, high = (0, 3) if additive else (1, rng.choice([2, 4, 9]))
    names = [name for name in PATTERNS if rng.random() < 0.8]
    fans = {name: rng.randint(low, high) for name in names}
    fans |= {"ping_hu": rng.randint(1, 2), "qi_dui": rng.randint(low, high)}
    fans |= {name: rng.randint(1, 4) for name in ("tian_hu", "di_hu") if name in fans}
    return {"additive": additive, "fans": {name: fans[name] for name in PATTERNS if name in fans}}
