import pytest

from mjenv import sichuan_v0
from mjenv.render.events import event_text, latest_text
from mjenv.sichuan.actions import parse_action
from tests.envs.play import PRESETS, towards_a_win, turns
from tests.render.test_text import fixed_wall

DISCARD = {"type": "discard", "seat": 1, "tile": "5p"}
DRAW = {"type": "draw", "seat": 2, "tile": "3s", "replacement": False}
KONG = {"type": "kong", "seat": 2, "tile": "4p", "kind": "concealed"}
PAY = {"type": "pay", "reason": "ready_check", "points": [-6, 18, -6, -6]}
END = {"type": "end", "reason": "wall_empty", "points": [0] * 4, "classes": ["pig"] * 4}


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (DISCARD, "player_1 discards 5p"),
        (DRAW, "player_2 draws 3s"),
        ({**DRAW, "replacement": True}, "player_2 draws 3s as a replacement"),
        ({"type": "pung", "seat": 0, "tile": "5p", "from": 1}, "player_0 pungs 5p from player_1"),
        (KONG, "player_2 declares a concealed kong of 4p"),
        (
            {**KONG, "kind": "direct", "from": 3},
            "player_2 declares a direct kong of 4p from player_3",
        ),
        (
            {"type": "win", "seat": 0, "how": "discard", "from": 3, "tile": "4p", "fan": 2},
            "player_0 wins on 4p from player_3 with 2 fan",
        ),
        (
            {"type": "win", "seat": 0, "how": "self_draw", "from": None, "tile": None, "fan": 6},
            "player_0 wins with 6 fan",
        ),
        (PAY, "ready check pays -6 +18 -6 -6"),
        (END, "the deal is over: wall empty"),
        ({"type": "void", "suits": ["m", "p", "s", "m"]}, "void suits are m p s m"),
        (
            {"type": "exchange", "tiles": [], "direction": "next"},
            "tiles were exchanged with the next seat",
        ),
    ],
)
def test_events_in_words(event, text):
    assert event_text(event) == text


def test_the_latest_deed_comes_with_what_followed_from_it():
    assert latest_text([]) == ""
    assert latest_text([DRAW, DISCARD, DRAW]) == "player_1 discards 5p; player_2 draws 3s"
    assert latest_text([DISCARD, KONG, PAY, DRAW]) == (
        "player_2 declares a concealed kong of 4p; ready check pays -6 +18 -6 -6; player_2 draws 3s"
    )


def test_a_rendered_board_ends_with_the_latest_event():
    env = sichuan_v0.raw_env("standalone", render_mode="ansi")
    env.reset(seed=0, options={"wall": fixed_wall(), "dealer": 0})
    assert env.render().splitlines()[-1].startswith("    hand")
    env.step(parse_action("discard 2m"))
    assert env.render().splitlines()[-1] == "player_0 discards 2m"
    env.step(parse_action("pung"))
    assert env.render().splitlines()[-1] == "player_1 pungs 2m from player_0"
    env.step(parse_action("discard 6p"))
    assert env.render().splitlines()[-1] == "player_1 discards 6p; player_2 draws 7p"


@pytest.mark.parametrize("preset", PRESETS)
def test_every_event_of_whole_deals_has_words(preset):
    env = sichuan_v0.raw_env(preset, render_mode="ansi")
    for seed in range(5):
        env.reset(seed=seed)
        lines = {env.render().splitlines()[-1] for _ in turns(env, towards_a_win(env, seed))}
        assert len(lines) > 10
        assert "the deal is over" in env.render().splitlines()[-1]


def test_human_mode_prints_every_board_of_a_match(capsys):
    env = sichuan_v0.raw_env("standalone", render_mode="human", episode="match", deals=2)
    env.reset(seed=1)
    for _ in turns(env, towards_a_win(env, 1)):
        pass
    assert capsys.readouterr().out.count("  over: ") == 2
