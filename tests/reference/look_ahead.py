"""What a hand is worth to `expected_value/1`, in plain Python from the definition.

A hand is 27 counts; every step is tried anew, with the needs and fans of the other references.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from tests.reference.fan import Situation, best_fan, ready_fan
from tests.reference.greedy import two_suit_deficiency
from tests.reference.hand import one_suit_deficiency
from tests.reference.tiles import COPIES, KINDS, Meld, owned, suit_of

SELF_DRAW = Situation("self_draw")


class LookAhead:
    """Values on one route.

    Args:
        rules: Options by name.
        forecast: Arrays by name, as in `agents.forecast.Forecast`.
        suits: One suit, or two.
        melds: Those there are.
        live: Copies unseen of every kind.
        held: Concealed tiles before anything is drawn or claimed.
        locked: Whether no discard wins in stage 0.
    """

    def __init__(
        self,
        rules: Mapping[str, Any],
        forecast: Mapping[str, Any],
        suits: Sequence[int],
        melds: Sequence[Meld],
        live: Sequence[int],
        held: Sequence[int],
        locked: bool,
    ) -> None:
        self.rules, self.forecast, self.suits = dict(rules), forecast, set(suits)
        self.melds, self.live, self.held, self.locked = list(melds), live, held, locked
        self.kinds = [kind for kind in range(KINDS) if suit_of(kind) in self.suits]
        self.last = int(forecast["draws"][0])
        self.known: dict[tuple[Any, ...], float] = {}

    def need(self, hand: Sequence[int], pungs: tuple[int, ...]) -> int:
        """Fewest tiles to add for a win on the route."""
        number = len(self.melds) + len(pungs)
        if len(self.suits) == 1:
            start = 9 * min(self.suits)
            return one_suit_deficiency(tuple(hand[start : start + 9]), number)
        beside = ({0, 1, 2} - self.suits).pop()
        fillers = [Meld("pung", kind) for kind in self._kinds_of(number)]
        return two_suit_deficiency(hand, fillers, beside)

    def _kinds_of(self, number: int) -> list[int]:
        """Any kinds of the route, as many as there are melds."""
        return [min(self.suits) * 9] * number

    def value(
        self, hand: tuple[int, ...], pungs: tuple[int, ...], may_change: bool, stage: int
    ) -> float:
        """V(h, i)."""
        key = (self._on_route(hand), pungs, may_change, stage)
        if key not in self.known:
            self.known[key] = self._value(hand, pungs, may_change, stage)
        return self.known[key]

    def _on_route(self, hand: Sequence[int]) -> tuple[int, ...]:
        return tuple(hand[kind] for kind in self.kinds)

    def _live(self, hand: Sequence[int], pungs: tuple[int, ...], kind: int) -> int:
        drawn = hand[kind] + 3 * pungs.count(kind) - self.held[kind]
        return self.live[kind] - max(0, drawn)

    def _share(self, hand: Sequence[int], pungs: tuple[int, ...], kind: int) -> float:
        return self._live(hand, pungs, kind) / self.live[kind] if self.live[kind] else 0.0

    def _all_melds(self, pungs: tuple[int, ...]) -> list[Meld]:
        return [*self.melds, *(Meld("pung", kind) for kind in pungs)]

    def _units(
        self, hand: tuple[int, ...], pungs: tuple[int, ...], kind: int, self_draw: bool
    ) -> float:
        """What one payer pays for a win with the kind, 0 if it is none."""
        melds, on_route = self._all_melds(pungs), self._only_route(hand)
        if owned(on_route, melds)[kind] == COPIES:
            return 0.0
        whole = _plus(on_route, kind)
        if self.need(whole, pungs) > 0:
            return 0.0
        situation = SELF_DRAW if self_draw else Situation("discard")
        fan = best_fan(self.rules, whole, melds, situation).fan
        if fan < self.rules["min_fan"]:
            return 0.0
        bonus = self_draw and self.rules["self_draw_bonus"] == "add_base"
        return 2.0 ** (fan - 1) + bonus

    def _only_route(self, hand: Sequence[int]) -> tuple[int, ...]:
        return tuple(count if suit_of(kind) in self.suits else 0 for kind, count in enumerate(hand))

    def _after(
        self, hand: tuple[int, ...], pungs: tuple[int, ...], goal: int, kept: int | None = None
    ) -> list[tuple[int, ...]]:
        """The hand after each discard that leaves a need; tiles beside the route go first."""
        beside = [kind for kind in range(KINDS) if hand[kind] and suit_of(kind) not in self.suits]
        choices = beside or [kind for kind in range(KINDS) if hand[kind] and kind != kept]
        after = [_plus(hand, kind, -1) for kind in choices]
        return [left for left in after if self.need(left, pungs) == goal]

    def _value(
        self, hand: tuple[int, ...], pungs: tuple[int, ...], may_change: bool, stage: int
    ) -> float:
        f, need = self.forecast, self.need(hand, pungs)
        drawn = self._at_end(hand, pungs, need)
        if stage < self.last:
            staying = self.value(hand, pungs, may_change, stage + 1)
            drawn = staying - f["deal_in"][stage + 1]
            drawn += sum(
                f["odds"][kind]
                * self._share(hand, pungs, kind)
                * max(0.0, self._gain(hand, pungs, may_change, stage, need, kind, staying))
                for kind in self.kinds
            )
            drawn += f["live"][stage] * self._kongs_drawn(hand, pungs, need)
        calm = f["goes_on"][stage] * drawn - f["cost"][stage]
        claimed = likely = 0.0
        for kind in self.kinds:
            chance = f["claims"][stage][kind] * self._share(hand, pungs, kind)
            best = self._claim(hand, pungs, may_change, stage, need, kind)
            if best is not None and best > calm:
                claimed += chance * (best - calm)
                likely += chance
            if self._may_kong(hand, pungs, need, kind):
                claimed += 2.0 * chance
        turns = f["turns"][stage]
        if turns > 1.0:
            turns *= 1.0 - min(likely, 0.5) * (turns - 1.0) / 2.0
        return float(calm + turns * claimed)

    def _at_end(self, hand: tuple[int, ...], pungs: tuple[int, ...], need: int) -> float:
        if need == 1:
            fan = ready_fan(self.rules, self._only_route(hand), self._all_melds(pungs), None)
            if fan:
                return float(self.forecast["at_end"][0] * 2.0 ** (fan - 1))
        return -float(self.forecast["at_end"][1])

    def _gain(
        self,
        hand: tuple[int, ...],
        pungs: tuple[int, ...],
        may_change: bool,
        stage: int,
        need: int,
        kind: int,
        staying: float,
    ) -> float:
        if self._live(hand, pungs, kind) <= 0:
            return 0.0
        whole = _plus(hand, kind)
        if need == 1:
            units = self._units(hand, pungs, kind, self_draw=True)
            if units:
                stay = staying - self.forecast["deal_in"][stage + 1]
                return float(units * self.forecast["live"][stage] - stay)
            if not may_change or self.need(whole, pungs) == 0:
                return 0.0
            others = self._after(whole, pungs, 1, kept=kind)
            values = [self.value(other, pungs, False, stage + 1) for other in others]
        else:
            if self.need(whole, pungs) == need:
                return 0.0
            others = self._after(whole, pungs, need - 1)
            values = [self.value(other, pungs, may_change, stage + 1) for other in others]
        return max(values) - staying if values else 0.0

    def _claim(
        self,
        hand: tuple[int, ...],
        pungs: tuple[int, ...],
        may_change: bool,
        stage: int,
        need: int,
        kind: int,
    ) -> float | None:
        """What a discard of the kind is worth if it is claimed, None if it cannot be."""
        if need == 1:
            if self.locked and stage == 0:
                return None
            return self._units(hand, pungs, kind, self_draw=False) or None
        if hand[kind] < 2 or self._live(hand, pungs, kind) <= 0:
            return None
        if len(self.melds) + len(pungs) == 4:
            return None
        rest, made = _plus(hand, kind, -2), tuple(sorted((*pungs, kind)))
        if self.need(rest, made) >= need:
            return None
        others = self._after(rest, made, need - 1)
        values = [self.value(other, made, may_change, stage) for other in others]
        return max(values) - float(self.forecast["deal_in"][stage]) if values else None

    def _may_kong(
        self, hand: tuple[int, ...], pungs: tuple[int, ...], need: int, kind: int
    ) -> bool:
        if hand[kind] != 3 or len(self.melds) + len(pungs) == 4:
            return False
        return self.need(_plus(hand, kind, -3), (*pungs, kind)) <= need

    def _kongs_drawn(self, hand: tuple[int, ...], pungs: tuple[int, ...], need: int) -> float:
        units = 0.0
        for kind in self.kinds:
            chance = self.forecast["odds"][kind] * self._share(hand, pungs, kind)
            if kind in pungs:
                units += chance
            elif self._may_kong(hand, pungs, need, kind):
                units += 2.0 * chance
        units += sum(self.forecast["odds"][meld.tile] for meld in self.melds if meld.kind == "pung")
        return float(units)


def values(
    rules: Mapping[str, Any],
    forecast: Mapping[str, Any],
    void: int | None,
    hand: Sequence[int],
    melds: Sequence[Meld],
    live: Sequence[int],
    locked: bool = False,
) -> dict[int | None, float]:
    """The value after each discard, or of the whole hand (None), on the best route that counts."""
    melded = {suit_of(meld.tile) for meld in melds}
    pairs = [
        {0, 1, 2} - {unused}
        for unused in range(3)
        if unused not in melded and void in (None, unused)
    ]
    singles = [{suit} for suit in range(3) if suit != void and melded <= {suit}]
    needs = {}
    for suits in [*pairs, *singles]:
        look = LookAhead(rules, forecast, sorted(suits), melds, live, hand, locked)
        needs[tuple(sorted(suits))] = max(1, look.need(hand, ()))
    least = min((needs[tuple(sorted(suits))] for suits in pairs), default=99)
    best: dict[int | None, float] = {}
    if least > 3:
        return best
    for suits, need in needs.items():
        deepest = min(3, least + 1) if len(suits) == 2 else min(4, least + 2)
        if need > deepest:
            continue
        look = LookAhead(rules, forecast, suits, melds, live, hand, locked)
        for discard, rest in _roots(hand):
            left = look.need(rest, ())
            if discard is None or left <= min(deepest, max(need, 2)):
                worth = look.value(rest, (), left <= 2, 0)
                best[discard] = max(worth, best.get(discard, worth))
    return best


def _roots(hand: Sequence[int]) -> list[tuple[int | None, tuple[int, ...]]]:
    """What is to be valued: the hand itself, or what its discards leave."""
    if sum(hand) % 3 == 1:
        return [(None, tuple(hand))]
    return [(kind, _plus(hand, kind, -1)) for kind in range(KINDS) if hand[kind]]


def _plus(hand: Sequence[int], kind: int, copies: int = 1) -> tuple[int, ...]:
    changed = list(hand)
    changed[kind] += copies
    return tuple(changed)
