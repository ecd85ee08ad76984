"""Flower pig, ready or unready: the class of a seat that has not won (R41, point 31)."""

from collections.abc import Sequence

from tests.reference.fan import ready_fan
from tests.reference.presets import RulesMapping
from tests.reference.tiles import KINDS, Meld, owned, suit_of


def is_pig(
    rules: RulesMapping, concealed: Sequence[int], melds: Sequence[Meld], void: int | None
) -> bool:
    """`pig_rule`: three suits, melds included, or a tile of the void suit, or either."""
    counts = owned(concealed, melds)
    suits = {suit_of(kind) for kind in range(KINDS) if counts[kind]}
    if rules["pig_rule"] == "three_suits":
        return len(suits) == 3
    if rules["pig_rule"] == "void_suit":
        return void in suits
    return len(suits) == 3 or void in suits


def classify(
    rules: RulesMapping, concealed: Sequence[int], melds: Sequence[Meld], void: int | None
) -> tuple[str, int]:
    """The class of 3n+1 tiles, and for a ready seat its largest fan, else 0."""
    if is_pig(rules, concealed, melds, void):
        return "pig", 0
    fan = ready_fan(rules, concealed, melds, void)
    return ("ready", fan) if fan else ("unready", 0)
