"""Each rule of greedy_plus/1 where greedy/1 would do otherwise, or where it just does not hold."""

from typing import Any

import numpy as np
import pytest

from agents.greedy import Greedy
from agents.greedy_plus import GreedyPlus
from agents.play import play_deals
from mjenv.agent import CompiledBot
from mjenv.core.game import Views
from mjenv.core.kernel import JIT_DISABLED
from mjenv.core.tiles import NO_TILE
from mjenv.sichuan.actions import KONG, OWN_KONG_0, PASS, PUNG, VOID_0, WIN
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.rules import PRESETS, Rules
from mjenv.sichuan.state import NO_SUIT, Meld, Phase
from mjenv.sichuan.statistics import deal_statistics
from tests.reference.tiles import KIND, SUITS, count, parse_tiles

GREEDY, PLUS = Greedy(), GreedyPlus()


def view_of(hand: str, pungs: str = "", void: str | None = "s", wall: int = 40) -> np.ndarray:
    """The view of seat 0, nothing discarded; all four seats have declared the same suit void."""
    views = np.zeros(1, SICHUAN.view_dtype)
    view = views[0]
    view["hand"] = count(parse_tiles(hand))
    view["suit_key"] = [int(view["hand"][9 * s : 9 * s + 9] @ 5 ** np.arange(9)) for s in range(3)]
    for meld, tile in enumerate(parse_tiles(pungs)):
        view["meld_type"][0, meld], view["meld_kind"][0, meld] = Meld.PUNG, tile
        view["num_melds"][0] = meld + 1
    view["void_suit"] = NO_SUIT if void is None else SUITS.index(void)
    view["wall_count"], view["phase"] = wall, Phase.TURN
    for name in ("win_tile", "given", "received", "claim_tile", "drawn"):
        view[name] = NO_TILE
    return views


def choice(bot: CompiledBot, views: np.ndarray, menu: list[int], rules: Any = "qq") -> str:
    """What a bot chooses of a menu."""
    mask = np.zeros((1, SICHUAN.num_actions), np.int8)
    mask[0, menu] = 1
    packed = Rules.of(rules).pack()
    chosen = int(bot.act(Views(views, packed), mask, np.ones(1, np.uint64))[0])
    return SICHUAN.action_text(chosen, False)


def in_turn(bot: CompiledBot, views: np.ndarray, rules: Any = "qq") -> str:
    """In the own turn, with the kongs that the hand allows."""
    held = views["hand"][0]
    kongs = [OWN_KONG_0 + int(kind) for kind in np.flatnonzero(held == 4)]
    return choice(bot, views, [*np.flatnonzero(held).tolist(), *kongs], rules)


def asked(
    bot: CompiledBot, views: np.ndarray, tile: str, menu: list[int], rules: Any = "qq"
) -> str:
    """Asked about the third discard of a deal, by seat 1."""
    views = views.copy()
    view = views[0]
    view["phase"], view["claim_tile"], view["claim_from"] = Phase.CLAIM, KIND[tile], 1
    view["num_discards"], view["discard_kind"][:3] = 3, KIND[tile]
    return choice(bot, views, [*menu, PASS], rules)


# Rule 1

CHEAP = "123m456m789m23p55p"  # 1p or 4p for one unit, or for six by self-draw


def test_lets_a_cheap_win_go_while_many_draws_are_left() -> None:
    assert asked(GREEDY, view_of(CHEAP), "1p", [WIN]) == "win"
    assert asked(PLUS, view_of(CHEAP), "1p", [WIN]) == "pass"
    assert asked(PLUS, view_of(CHEAP, wall=16), "1p", [WIN]) == "win"


def test_takes_the_win_where_waiting_pays_less() -> None:
    assert asked(PLUS, view_of(CHEAP), "1p", [WIN], "standalone_single") == "win"
    no_bonus = Rules.of("qq").replace(self_draw_bonus="none")
    assert asked(PLUS, view_of(CHEAP), "1p", [WIN], no_bonus) == "win"
    for others in ((1,), (1, 2)):
        views = view_of(CHEAP)
        views["win_order"][0, list(others)] = 1
        wanted = "pass" if others == (1,) else "win"
        assert asked(PLUS, views, "1p", [WIN]) == wanted, others


def test_takes_self_draws_robbed_kongs_and_the_first_discard() -> None:
    views = view_of(CHEAP.replace("23p", "123p"))
    assert choice(PLUS, views, [WIN, KIND["5p"]]) == "win"
    views = view_of(CHEAP)
    views["phase"], views["claim_tile"], views["num_discards"] = Phase.ROB, KIND["1p"], 9
    assert choice(PLUS, views, [WIN, PASS]) == "win"
    views["phase"], views["num_discards"] = Phase.CLAIM, 1
    assert choice(PLUS, views, [WIN, PASS]) == "win"
    views["num_discards"] = 2
    assert choice(PLUS, views, [WIN, PASS]) == "pass"


# Rule 2


def test_declares_a_concealed_kong_that_costs_a_set() -> None:
    hand = "233334m567p99p14p8m"
    assert in_turn(GREEDY, view_of(hand)).startswith("discard")
    assert in_turn(PLUS, view_of(hand)) == "kong 3m"


def test_keeps_a_ready_hand_ready() -> None:
    assert in_turn(PLUS, view_of("233334m567p99p45p8m")) == "discard 8m"
    assert in_turn(PLUS, view_of("3333m567m567p99p45p")) == "kong 3m"


# Rules 3 to 6


def test_claims_nothing_beside_the_suit_it_aims_at() -> None:
    hand = "11234556788m44p"
    assert asked(GREEDY, view_of(hand), "4p", [PUNG]) == "pung"
    assert asked(PLUS, view_of(hand), "4p", [PUNG]) == "pass"
    # Without the draws for it there is no aim.
    assert asked(PLUS, view_of(hand, wall=4), "4p", [PUNG]) == "pung"


def test_claims_a_kong_that_does_not_raise_the_deficiency() -> None:
    assert asked(PLUS, view_of("123m456m55m222p79p"), "2p", [PUNG, KONG]) == "kong"
    assert asked(PLUS, view_of("123m456m55m2223p9p"), "2p", [KONG]) == "kong"
    # Here two of the three are the only pair, the third one begins a run.
    assert asked(PLUS, view_of("123456m79m22234p"), "2p", [KONG]) == "pass"


def test_pungs_for_more_useful_tiles_at_the_same_deficiency() -> None:
    for hand, tile in (("12345789m46778p", "7p"), ("3466679m334569p", "3p")):
        assert asked(GREEDY, view_of(hand), tile, [PUNG]) == "pass"
        assert asked(PLUS, view_of(hand), tile, [PUNG]) == "pung"


def test_pungs_in_a_ready_hand_for_more_worth() -> None:
    # It waits for 7m; after the pung and a discard for 8m and 9m.
    views = view_of("12378899m11177p")
    assert asked(GREEDY, views, "7p", [PUNG]) == "pass"
    assert asked(PLUS, views, "7p", [PUNG]) == "pung"


# Rule 8


def test_sheds_the_third_suit_before_the_wall_ends() -> None:
    hand = "223334445m159p13s"
    late, early = view_of(hand, void=None, wall=12), view_of(hand, void=None)
    assert in_turn(GREEDY, late, "standalone") == "discard 1p"
    assert in_turn(PLUS, late, "standalone") == "discard 1s"
    assert in_turn(PLUS, early, "standalone") == "discard 1p"
    no_pigs = Rules.of("standalone").replace(pig_multiple=0)
    assert in_turn(PLUS, late, no_pigs) == "discard 1p"


# Rule 9


def test_aims_at_one_suit_that_is_one_tile_further() -> None:
    hand = "1123455678m44p22p"
    assert in_turn(GREEDY, view_of(hand)) == "discard 1m"
    assert in_turn(PLUS, view_of(hand))[-1] == "p"


def test_waits_for_what_pays_most() -> None:
    # Four tiles either way: 5p for a plain hand, or 2p and 4p for one of triplets.
    hand = "111m555m999m22p446p"
    assert in_turn(GREEDY, view_of(hand)) == "discard 4p"
    assert in_turn(PLUS, view_of(hand)) == "discard 6p"


def test_counts_no_win_that_is_too_small() -> None:
    # 3p and 6p are twice as many tiles, and more worth unless a plain win is not allowed.
    hand = "111m555m999m22p445p"
    assert in_turn(PLUS, view_of(hand)) == "discard 4p"
    assert in_turn(PLUS, view_of(hand), Rules.of("qq").replace(min_fan=2)) == "discard 5p"


def test_looks_one_tile_further_than_useful_tiles() -> None:
    hand = "112345m12344788p"
    assert in_turn(GREEDY, view_of(hand)) == "discard 1m"
    assert in_turn(PLUS, view_of(hand)) == "discard 8p"


# Rule 10


def test_declares_the_suit_void_that_leaves_it_closest() -> None:
    views = view_of("12679m5689p4778s", void=None)
    views["phase"] = Phase.VOID
    menu = [VOID_0, VOID_0 + 1, VOID_0 + 2]
    assert choice(GREEDY, views, menu) == "void p"
    assert choice(PLUS, views, menu) == "void s"


@pytest.mark.skipif(JIT_DISABLED, reason="averages over many deals")
@pytest.mark.parametrize("preset", PRESETS)
def test_beats_greedy_in_every_preset(preset: str) -> None:
    played = play_deals([PLUS, GREEDY, GREEDY, GREEDY], preset, 1200, seed=5, rotate=True)
    units = deal_statistics(played.finished)["units"][played.seats_of(0)]
    assert units.mean() > 0
