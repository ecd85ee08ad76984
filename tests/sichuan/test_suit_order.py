"""Encodings in the canonical order of suits: the world with suits permuted looks the same."""

import numpy as np
import pytest

from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.observation import ENCODINGS
from mjenv.sichuan.state import STATE, VIEW
from mjenv.sichuan.suit_order import SUIT_ORDER, put_void_last, shown_mask
from tests.sichuan.positions import PRESETS, Play
from tests.sichuan.relabelled import (
    BY_KIND,
    BY_SUIT,
    KIND_VALUES,
    PERMUTATIONS,
    SUIT_VALUES,
    keeps_order,
    last,
    relabelled,
    relabelled_action,
)

CANONICAL = sorted(name for name in ENCODINGS if name.endswith("/canonical"))
VOIDS = (-1, 0, 1, 2)

# Fields of a view that hold neither kinds nor suits.
WITHOUT_SUITS = {
    "points", "ledger", "end_reason", "classes", "left_seat", "win_order", "win_how", "win_from",
    "win_fan", "win_patterns", "win_extras", "seat", "phase", "dealer", "turn", "hand_size",
    "wall_count", "replacement", "must_discard", "num_draws", "direction", "num_melds",
    "meld_type", "meld_from", "kong_paid", "kong_transferred", "kong_discard", "num_discards",
    "discard_fate", "num_deeds", "deed", "deed_after", "claim_from", "offer", "lock_fan", "unused",
}  # fmt: skip
ONLY_IN_STATES = {
    "seed", "deal", "num_events", "num_decisions", "wall_next", "wall_end", "actor", "num_wins",
    "num_win_events", "num_given", "turn_kongs", "last_kong", "answer", "first_winner",
    "first_payer", "first_win_size",
}  # fmt: skip


def observe(name: str, view: np.void, play: Play) -> bytes:
    encoding = ENCODINGS[name]
    out = np.full(encoding.size, -7, encoding.dtype)
    encoding.observe(view, play.rules[0], play.luts, out)
    return out.tobytes()


def own_void(view: np.void) -> int:
    return int(view["void_suit"][view["seat"]])


def shown(view: np.void) -> np.ndarray:
    views = np.zeros(1, VIEW)
    put_void_last(view, views)
    return views


# --------------------------------------------------------------------------------- what there is


def test_every_field_of_a_view_is_known_to_hold_suits_or_not():
    with_suits = {*KIND_VALUES, *SUIT_VALUES, *BY_KIND, *BY_SUIT}
    assert not with_suits & WITHOUT_SUITS
    # A new field of a view belongs to one of these sets, and to suit_order.py if it has suits.
    assert set(VIEW.names) <= with_suits | WITHOUT_SUITS
    assert set(STATE.names) <= with_suits | WITHOUT_SUITS | ONLY_IN_STATES


def test_every_encoding_of_a_view_has_a_canonical_one():
    assert {f"{name}/canonical" for name in ENCODINGS if name.count("/") == 1} == set(CANONICAL)
    for name in CANONICAL:
        plain, canonical = ENCODINGS[name.removesuffix("/canonical")], ENCODINGS[name]
        assert canonical.name == name
        assert canonical.relabelling is SUIT_ORDER
        assert plain.relabelling is None
        for same in ("shape", "dtype", "low", "high", "channels"):
            assert getattr(canonical, same) == getattr(plain, same)


# --------------------------------------------------------------------------------------- actions


@pytest.mark.parametrize("void", VOIDS)
def test_actions_are_numbered_as_if_the_void_suit_were_the_last(void):
    expected = [relabelled_action(action, last(void)) for action in range(62)]
    assert SUIT_ORDER.shown[void + 1].tolist() == expected
    assert SUIT_ORDER.real[void + 1][expected].tolist() == list(range(62))
    assert not SUIT_ORDER.shown.flags.writeable
    assert not SUIT_ORDER.real.flags.writeable


def test_the_tables_in_words():
    ids = SICHUAN.parse_action
    for real, suit, number in (
        ("discard 1m", "m", "discard 1s"),
        ("discard 2p", "m", "discard 2m"),
        ("discard 3s", "m", "discard 3p"),
        ("kong 4s", "m", "kong 4p"),
        ("kong 5p", "p", "kong 5s"),
        ("discard 6s", "p", "discard 6p"),
        ("discard 7m", "p", "discard 7m"),
        ("discard 8s", "s", "discard 8s"),
        ("pung", "m", "pung"),
        ("kong", "p", "kong"),
    ):
        row = "mps".index(suit) + 1
        assert SUIT_ORDER.shown[row, ids(real)] == ids(number)
        assert SUIT_ORDER.real[row, ids(number)] == ids(real)


@pytest.mark.parametrize("void", VOIDS)
def test_masks_of_one_table_and_of_many(void):
    rng = np.random.default_rng(void + 1)
    menus = rng.integers(0, 2, (20, 62)).astype(np.int8)
    many = SUIT_ORDER.show_masks(menus, np.full(20, void + 1))
    for menu, row in zip(menus, many, strict=True):
        one = np.full(62, 7, np.int8)
        shown_mask(menu, void, one)
        assert one.tolist() == row.tolist()
        assert one[SUIT_ORDER.shown[void + 1]].tolist() == menu.tolist()


@pytest.mark.parametrize(
    ("permutation", "void"),
    [(turn, void) for void in range(3) for turn in PERMUTATIONS if keeps_order(turn, void)],
)
def test_a_shown_number_is_the_same_decision_in_a_permuted_world(permutation, void):
    here, there = SUIT_ORDER.real[void + 1], SUIT_ORDER.real[permutation[void] + 1]
    assert there.tolist() == [relabelled_action(int(action), permutation) for action in here]


# ----------------------------------------------------------------------------------------- views


@pytest.mark.parametrize("preset", PRESETS)
def test_a_view_is_shown_with_its_void_suit_last(preset):
    met = set()
    play = Play(preset, 6, seed=5, every=3)
    for _ in play:
        for view in play.views():
            void = own_void(view)
            expected = relabelled(view, last(void))
            before = view.tobytes()
            assert shown(view).tobytes() == expected.tobytes()
            assert view.tobytes() == before
            met.add(void)
    assert met >= ({0, 1, 2} if play.rules["void_suit"][0] else {-1})


def test_shown_in_order_nothing_changes_any_more():
    play = Play("sichuan_modern", 2, every=10)
    for _ in play:
        for view in play.views():
            once = shown(view)
            assert shown(once[0]).tobytes() == once.tobytes()


# ------------------------------------------------------------------------------------- encodings


@pytest.mark.parametrize("name", CANONICAL)
@pytest.mark.parametrize("preset", PRESETS)
def test_it_is_the_encoding_of_the_view_as_shown(preset, name):
    play = Play(preset, 3, seed=2, every=5)
    for _ in play:
        for view in play.views():
            expected = relabelled(view, last(own_void(view)))[0]
            plain = observe(name.removesuffix("/canonical"), expected, play)
            assert observe(name, view, play) == plain


@pytest.mark.parametrize("preset", PRESETS)
def test_a_world_with_other_suits_looks_the_same(preset):
    play = Play(preset, 4, seed=3, every=8)
    views = np.zeros(1, VIEW)
    alike, different = 0, 0
    for tables in play:
        for i, table in enumerate(tables):
            for permutation in PERMUTATIONS[1:]:
                world = relabelled(table, permutation)
                for seat in range(4):
                    SICHUAN.view_at(world, 0, play.rules, seat, views)
                    view = play.view(i, seat)
                    assert views.tobytes() == relabelled(view, permutation).tobytes()
                    if keeps_order(permutation, own_void(view)):
                        alike += 1
                        for name in CANONICAL:
                            assert observe(name, views[0], play) == observe(name, view, play)
                    else:
                        name = "planes/1/canonical"
                        different += observe(name, views[0], play) != observe(name, view, play)
    assert different > 100
    # Without void suits only the world itself keeps the order of all three.
    assert alike > 100 if play.rules["void_suit"][0] else alike == 0


@pytest.mark.parametrize("preset", PRESETS)
def test_hidden_tiles_change_nothing_that_is_shown(preset):
    play = Play(preset, 3, seed=11, every=9)
    rng, changed = np.ones(1, np.uint64), 0
    views = np.zeros(1, VIEW)
    for tables in play:
        for i in range(len(tables)):
            for seat in range(4):
                world = tables[i : i + 1].copy()
                SICHUAN.redeal_at(world, 0, play.rules, play.luts, seat, rng)
                changed += world["hand"].tobytes() != tables[i]["hand"].tobytes()
                SICHUAN.view_at(world, 0, play.rules, seat, views)
                for name in CANONICAL:
                    assert observe(name, views[0], play) == observe(name, play.view(i, seat), play)
    assert changed > 50
