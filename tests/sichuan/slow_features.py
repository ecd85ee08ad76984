"""``vector/1`` from a view and rules, cell by cell, in plain Python."""

import itertools

import numpy as np

from mjenv.core.tiles import tile_text
from mjenv.sichuan.history import fates
from mjenv.sichuan.patterns import PATTERN_NAMES
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NO_SUIT, NUM_KINDS, Claim, Phase
from tests.reference.fan import best_fan, ready_fan
from tests.reference.hand import deficiency as full_deficiency
from tests.reference.tiles import Meld
from tests.sichuan.slow_hand import (
    HOPELESS,
    slow_deficiency,
    slow_discards,
    slow_useful,
    visible_tiles,
    with_tile,
)
from tests.sichuan.slow_planes import counts, rule_flags, seats_of, table_flags

Cells = dict[str, float]
SUITS = "mps"
KONGS = ("pung", "kong_direct", "kong_added", "kong_concealed")


def far(missing: int) -> float:
    return min(missing, 10) / 10


def many(tiles: int) -> float:
    return min(tiles, 30) / 30


def fan_cell(fan: int) -> float:
    return min(fan, 8) / 8


def by_kind(name: str, cells: list[float] | np.ndarray) -> Cells:
    return {f"{name} {tile_text(kind)}": cells[kind] for kind in range(NUM_KINDS)}


class Hand:
    """The own hand of a view, and what may be asked of it."""

    def __init__(self, view: np.void, rules: Rules) -> None:
        me = int(view["seat"])
        self.rules = rules.to_dict()
        self.tiles = [int(count) for count in view["hand"]]
        self.void = int(view["void_suit"][me])
        self.melds = [
            Meld(KONGS[view["meld_type"][me, i] - 1], int(view["meld_kind"][me, i]))
            for i in range(view["num_melds"][me])
        ]
        self.live = list(4 - counts(visible_tiles(view)))

    @property
    def melded(self) -> int:
        return sum(1 << suit for suit in {meld.tile // 9 for meld in self.melds})

    @property
    def shape(self) -> tuple[int, int, int]:
        return len(self.melds), self.melded, self.void

    def after_meld(self, kind: int, copies: int) -> "Hand":
        """The hand once tiles have gone into a new meld."""
        other = object.__new__(Hand)
        other.__dict__.update(self.__dict__)
        other.tiles = with_tile(self.tiles, kind, -copies)
        other.melds = [*self.melds, Meld("pung", kind)]
        return other

    def deficiency(self) -> int:
        return slow_deficiency(self.tiles, *self.shape)

    def useful(self) -> int:
        return slow_useful(self.tiles, *self.shape, self.live) if self.deficiency() else 0

    def discards(self) -> dict[int, tuple[int, int]]:
        return slow_discards(self.tiles, *self.shape, self.live)

    def only(self, suits: set[int]) -> list[int]:
        return [count if kind // 9 in suits else 0 for kind, count in enumerate(self.tiles)]

    def pairs_of_suits(self) -> list[set[int]]:
        """The two suits that the hand may keep."""
        return [
            {0, 1, 2} - {unused}
            for unused in range(3)
            if not (self.melded >> unused) & 1 and self.void in (NO_SUIT, unused)
        ]


def best_of(discards: dict[int, tuple[int, int]]) -> tuple[int, int, int]:
    """Deficiency, useful tiles and kind of the best discard."""
    missing, useful, kind = min((d, -u, kind) for kind, (d, u) in discards.items())
    return missing, (0 if missing == HOPELESS else -useful), kind


def triplets_missing(tiles: list[int], sets: int) -> int:
    """Fewest tiles for ``sets`` triplets and a pair, over every choice of kinds held."""
    held = sorted((count for count in tiles if count), reverse=True) + [0] * (sets + 1)
    best = HOPELESS
    for pair in range(len(held)):
        rest = held[:pair] + held[pair + 1 :]
        missing = max(0, 2 - held[pair]) + sum(max(0, 3 - count) for count in rest[:sets])
        best = min(best, missing)
    return best


def pairs_missing(tiles: list[int]) -> int:
    """Fewest tiles for seven pairs: complete the singles first."""
    missing = 7 - sum(count // 2 for count in tiles)
    return missing + max(0, missing - sum(count % 2 for count in tiles))


def route_cells(hand: Hand) -> Cells:
    sets = 4 - len(hand.melds)
    kept = [hand.only(suits) for suits in hand.pairs_of_suits()]
    in_play = [count for kind, count in enumerate(hand.tiles) if kind // 9 != hand.void]
    pungs = [meld.tile for meld in hand.melds if not meld.is_kong]
    roots = hand.tiles.count(4) + sum(hand.tiles[kind] > 0 for kind in pungs)
    by_pairs = min((pairs_missing(tiles) for tiles in kept), default=HOPELESS)
    cells = {
        "pairs": min(sum(count // 2 for count in in_play), 7) / 7,
        "roots": min(roots, 3) / 3,
        "to seven pairs": far(by_pairs if not hand.melds else HOPELESS),
        "to triplets": far(min((triplets_missing(t, sets) for t in kept), default=HOPELESS)),
        "void tiles": 0.0,
    }
    if hand.void != NO_SUIT:
        cells["void tiles"] = min(sum(hand.only({hand.void})), 13) / 13
    for suit, letter in enumerate(SUITS):
        alone = HOPELESS
        if suit != hand.void and not hand.melded & ~(1 << suit):
            alone = full_deficiency(hand.only({suit}), len(hand.melds))
        rest = slow_deficiency(hand.tiles, len(hand.melds), hand.melded, suit)
        cells[f"suit held {letter}"] = sum(hand.only({suit})) / 14
        cells[f"suit live {letter}"] = sum(hand.live[9 * suit : 9 * suit + 9]) / 36
        cells[f"to one suit {letter}"] = far(alone)
        cells[f"without {letter}"] = far(rest)
    return cells


def own_kong_cells(hand: Hand, least: int) -> Cells:
    cells = [0.0] * NUM_KINDS
    pungs = [meld.tile for meld in hand.melds if not meld.is_kong]
    for kind in range(NUM_KINDS):
        left = None
        if hand.tiles[kind] == 4 and kind // 9 != hand.void:
            left = hand.after_meld(kind, 4).deficiency()
        elif kind in pungs and hand.tiles[kind]:
            left = slow_deficiency(with_tile(hand.tiles, kind, -1), *hand.shape)
        if left is not None:
            cells[kind] = 1 if left <= least else -1
    return by_kind("own kong keeps", cells)


def hand_cells(view: np.void, rules: Rules) -> Cells:
    hand = Hand(view, rules)
    missing = hand.deficiency()
    keeps, useful_after = [0.0] * NUM_KINDS, [0.0] * NUM_KINDS
    cells = {**route_cells(hand), **own_kong_cells(hand, -1)}
    least, useful, tiles = missing, hand.useful(), hand.tiles
    if view["phase"] == Phase.TURN:
        discards = hand.discards()
        least, useful, best = best_of(discards)
        for kind, (left, tiles_after) in discards.items():
            if least != HOPELESS:
                keeps[kind] = 1 if left == least else -1
                useful_after[kind] = many(tiles_after) if left == least else 0
        cells |= own_kong_cells(hand, least)
        tiles = with_tile(hand.tiles, best, -1)
    else:
        cells |= by_kind("own kong keeps", [0.0] * NUM_KINDS)
    cells |= by_kind("discard keeps", keeps) | by_kind("useful after", useful_after)
    cells |= {f"deficiency {n}": float(min(missing, 8) == n) for n in range(9)}
    cells["useful"] = many(useful)
    offer, tile = int(view["offer"]), int(view["claim_tile"])
    can_win = missing == 0 or offer & 4 != 0
    cells["can win"] = float(can_win)
    fan = 0
    if can_win:
        complete = hand.tiles if tile < 0 else with_tile(hand.tiles, tile)
        fan = best_fan(hand.rules, complete, hand.melds).fan
    elif least == 1:
        fan = ready_fan(hand.rules, tiles, hand.melds, None if hand.void < 0 else hand.void)
    cells["fan"] = fan_cell(fan)
    preview = ("pass", "pung", "kong")
    cells |= {f"{what} {it}": 0.0 for what in preview for it in ("deficiency", "useful")}
    cells |= {"pung offered": float(offer & 1), "kong offered": float(offer & 2 > 0)}
    if tile >= 0:
        cells |= {"pass deficiency": far(missing), "pass useful": many(useful)}
    if offer & 1:
        least, useful, _ = best_of(hand.after_meld(tile, 2).discards())
        cells |= {"pung deficiency": far(least), "pung useful": many(useful)}
    if offer & 2:
        konged = hand.after_meld(tile, 3)
        cells["kong deficiency"] = far(konged.deficiency())
        cells["kong useful"] = many(konged.useful())
    return cells


def tile_cells(view: np.void) -> Cells:
    cells: Cells = {}
    for level in range(1, 5):
        cells |= by_kind(f"hand >= {level}", (view["hand"] >= level).astype(float))
    cells |= by_kind("live", (4 - counts(visible_tiles(view))) / 4)
    cells |= by_kind("claim tile", counts([view["claim_tile"]]))
    cells |= by_kind("given", counts(list(view["given"])) / 3)
    cells |= by_kind("received", counts(list(view["received"])) / 3)
    made = [int(kind) for kind in view["discard_kind"][: view["num_discards"]]]
    recent = [0.0] * NUM_KINDS
    for age, kind in enumerate(reversed(made)):
        recent[kind] = max(recent[kind], 0.9**age)
    return cells | by_kind("recent", recent)


def seat_cells(view: np.void) -> Cells:
    cells: Cells = {}
    for name, seat in seats_of(view):
        number = view["num_melds"][seat]
        kinds, types = view["meld_kind"][seat, :number], view["meld_type"][seat, :number]
        sizes = counts(list(itertools.chain(kinds, kinds, kinds, kinds[types > 1])))
        cells |= by_kind(f"meld {name}", sizes / 4)
        discards = fates(view)
        made = [i for i, (who, _, _) in enumerate(discards) if who == seat]
        river = [view["discard_kind"][i] for i in made if discards[i][1] == Claim.NONE]
        if name != "self":
            cells |= by_kind(f"river {name}", counts(river) / 4)
        void = int(view["void_suit"][seat])
        kept = view["kong_transferred"][seat, :number] == 0
        income = int(view["kong_paid"][seat, :number][kept].sum())
        cells |= {
            f"won {name}": float(view["win_order"][seat] > 0),
            f"win fan {name}": fan_cell(int(view["win_fan"][seat])),
            **{f"void {suit} {name}": float(void == i) for i, suit in enumerate(SUITS)},
            f"cleared {name}": float(
                void >= 0 and bool(made) and view["discard_kind"][made[-1]] // 9 != void
            ),
            f"melds {name}": number / 4,
            f"kongs {name}": int((types > 1).sum()) / 4,
            f"income {name}": min(income, 16) / 16,
            f"discards {name}": min(len(made), 24) / 24,
            f"held {name}": view["hand_size"][seat] / 14,
            f"points {name}": float(np.clip(view["points"][seat] / 32, -1, 1)),
        }
    return cells


def table_cells(view: np.void) -> Cells:
    flags = table_flags(view)
    playing = int((view["win_order"] == 0).sum())
    left = int(view["wall_count"])
    won = view["win_order"][view["seat"]] > 0
    kept = ("phase", "dealer", "turn", "exchanged", "must", "replacement", "kong")
    return {
        **{name: float(flag) for name, flag in flags.items() if name.split()[0] in kept},
        "wall": left / 55,
        "draws left": 0 if won else min(left / playing, 14) / 14,
        "playing": playing / 4,
        "pass lock": fan_cell(int(view["lock_fan"])),
    }


def rule_cells(rules: Rules) -> Cells:
    fans = rules.table["fans"]
    flags = rule_flags(rules)
    left_out = ("fan cap >=", "triplets", "one suit", "seven pairs", "roots", "kong draw")
    cells = {
        name: float(flag)
        for name, flag in flags.items()
        if not name.removeprefix("rule ").startswith(left_out)
    }
    cells.pop("rule kong discard")
    return {
        **cells,
        **{f"rule {name}": fan_cell(fans.get(name, 0)) for name in PATTERN_NAMES},
        **{f"rule {name}": min(fan, 4) / 4 for name, fan in rules.extra_fans.items()},
        "rule min fan": fan_cell(rules.min_fan),
        "rule fan cap": fan_cell(rules.fan_cap or 8),
        "rule kong needs wall": float(rules.kong_needs_wall),
        "rule rob for all": float(rules.rob_kong_payer == "konger_for_all"),
        "rule transfer split": float(rules.call_transfer == "split_ceil"),
        "rule last winner next": float(rules.next_after_discard_win == "last_winner_next"),
        "rule pig units": min(rules.pig_multiple, 64) / 64,
        "rule pig pays winners": float(rules.pig_pays_winners),
        "rule pig pays unready": float(rules.pig_pays_unready),
        "rule pigs refund": float(rules.pigs_refund),
    }


def slow_features(view: np.void, rules: Rules) -> Cells:
    """Every cell by name."""
    return {
        **tile_cells(view),
        **hand_cells(view, rules),
        **seat_cells(view),
        **table_cells(view),
        **rule_cells(rules),
    }
