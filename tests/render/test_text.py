"""Boards of known deals, and boards that show no more than they may."""

import numpy as np
import pytest

from mjenv import sichuan_v0
from mjenv.core.tiles import parse_tiles
from mjenv.render.board import board_of_table, board_of_view
from mjenv.render.text import board_text, table_text, view_text
from mjenv.render.tiles import TileStyle, show_tiles
from mjenv.sichuan.actions import parse_action
from tests.envs.play import PRESETS, towards_a_win, turns

# Hands of players 0 to 3, the 14th tile of player 0, then the wall.
HANDS = (
    "111m 333m 555m 77p 99p",
    "222m 444m 66p 888p 99p",
    "111p 222p 333p 4444p",
    "1111s 2222s 3333s 4s",
)
DRAWS = "2m 7p 7p"


def fixed_wall():
    wall = parse_tiles("".join(HANDS) + DRAWS)
    return wall + [kind for kind in range(27) for _ in range(4 - wall.count(kind))]


def table_after(*actions, preset="standalone", render_mode=None):
    env = sichuan_v0.raw_env(preset, render_mode=render_mode)
    env.reset(seed=0, options={"wall": fixed_wall(), "dealer": 0})
    for text in actions:
        env.step(parse_action(text))
    return env


def view_of(env, seat):
    views = np.zeros(1, env.game.view_dtype)
    env.game.view_at(env.table.states, 0, env.table.rules, seat, views)
    return views[0]


OPENING = ("discard 2m", "pung", "discard 6p")


def test_a_board_with_open_hands():
    env = table_after(*OPENING)
    assert table_text(env.table.states[0], 6) == "\n".join(
        [
            "wall 54  dealer player_0  player_2 to decide (TURN)",
            "  player_0  +0 points",
            "    hand   111333555m 7799p",
            "    river  2m>1",
            "  player_1  +0 points",
            "    hand   2444m 688899p",
            "    melds  pung 2m from player_0",
            "    river  6p",
            "* player_2  +0 points",
            "    hand   1112223334444p  drew 7p",
            "  player_3  +0 points",
            "    hand   1111222233334s",
        ]
    )


def test_a_board_as_one_seat_sees_it():
    env = table_after(*OPENING)
    assert view_text(view_of(env, 1), 6, TileStyle.CHINESE) == "\n".join(
        [
            "wall 54  dealer player_0  waiting for others",
            "  player_0  +0 points",
            "    hand   ?????????????",
            "    river  二万>1",
            "  player_1  +0 points  (you)",
            "    hand   二四四四万 六八八八九九筒",
            "    melds  pung 二万 from player_0",
            "    river  六筒",
            "  player_2  +0 points",
            "    hand   ??????????????",
            "  player_3  +0 points",
            "    hand   ?????????????",
        ]
    )


def test_a_question_is_shown_to_whom_it_is_asked():
    env = table_after("discard 2m")
    assert "player_1 to decide (CLAIM)  on 2m of player_0" in table_text(env.table.states[0], 6)
    assert "player_1 to decide (CLAIM)  on 2m of player_0" in view_text(view_of(env, 1), 6)
    assert "waiting for others" in view_text(view_of(env, 2), 6)
    assert "* player_1" not in view_text(view_of(env, 2), 6)


def test_kongs_and_points_are_shown():
    env = table_after(*OPENING, "kong 4p")
    text = table_text(env.table.states[0], 6)
    assert "melds  concealed kong 4p" in text
    assert "* player_2  +36 points" in text
    assert "player_0  -12 points" in text


def test_void_suits_and_given_tiles():
    env = sichuan_v0.raw_env("sichuan_modern")
    env.reset(seed=0, options={"wall": fixed_wall(), "dealer": 0})
    env.step(parse_action("give 1m"))
    assert "gives 1m" in table_text(env.table.states[0], 1)
    assert "gives 1m" in view_text(view_of(env, 0), 1)
    assert "gives" not in view_text(view_of(env, 1), 1)
    for agent in turns(env, lambda mask: int(mask.argmax())):
        if env.infos[agent]["phase"] == "TURN":
            break
    suits = env.table.states["void_suit"][0]
    text = view_text(view_of(env, 2), 1)
    for seat in range(4):
        assert f"player_{seat}  +0 points  void {'mps'[suits[seat]]}" in text


def test_a_win_says_how_and_for_what():
    env = sichuan_v0.raw_env("standalone")
    found = set()
    for seed in range(40):
        env.reset(seed=seed)
        for _ in turns(env, towards_a_win(env, seed)):
            pass
        state = env.table.states[0]
        lines = [line for line in table_text(state, 1).splitlines() if "    won    " in line]
        assert len(lines) == np.count_nonzero(state["win_order"])
        for line in lines:
            found.add(line.split()[1])
            assert " fan: " in line
            assert ("of player_" in line) == ("self draw" not in line)
        assert "over: " in table_text(state, 1)
    assert {"discard", "self"} <= found


@pytest.mark.parametrize("preset", PRESETS)
def test_every_board_of_a_deal_adds_up(preset):
    """Hands are those of the table; a view shows its own hand and the sizes of the others."""
    env = sichuan_v0.raw_env(preset)
    for seed in range(3):
        env.reset(seed=seed)
        for number, _ in enumerate(turns(env, towards_a_win(env, seed))):
            if number % 7:
                continue
            state = env.table.states[0]
            board = board_of_table(state, 1)
            assert board.asked == env.table.actor()
            for seat in range(4):
                facts = board.seats[seat]
                shown = [*facts.hand, *([] if facts.drawn is None else [facts.drawn])]
                assert np.bincount(shown, minlength=27).tolist() == state["hand"][seat].tolist()
                view = board_of_view(view_of(env, seat), 1)
                for other in range(4):
                    if other != seat:
                        assert view.seats[other].hand is None
                        assert view.seats[other].drawn is None
                        assert view.seats[other].given == ()
                        tiles = len(board.seats[other].given) + int(state["hand"][other].sum())
                        assert view.seats[other].hand_size == tiles
                assert view.seats[seat].hand == facts.hand
                assert show_tiles(facts.hand) in board_text(view)
