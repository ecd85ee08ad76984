"""Observations in words: true, complete, and clear about what they were given."""

import numpy as np
import pytest

import mjenv
from mjenv import OptionError, RulesError, describe, sichuan_v0
from mjenv.core.tiles import tile_text, tiles_text
from mjenv.render import describe as module
from mjenv.render.cells import Cells
from mjenv.sichuan.game import SICHUAN
from mjenv.sichuan.history import fates
from mjenv.sichuan.observation import ENCODINGS, ORACLE_SHAPE
from mjenv.sichuan.state import Meld, Phase
from mjenv.sichuan.view import new_views
from tests.sichuan.positions import PRESETS, Play
from tests.sichuan.relabelled import last, relabelled
from tests.sichuan.slow_hand import visible_tiles
from tests.sichuan.slow_planes import SEATS, counts

NAMES = list(ENCODINGS)
BOARDS = [name for name in NAMES if not name.startswith("tokens")]
RNG = np.random.default_rng(5)


def encode(name, play, i, seat):
    """An observation, and the view it shows."""
    view = np.array([play.view(i, seat)])
    encoding = ENCODINGS[name]
    out = np.zeros(encoding.size, encoding.dtype)
    encoding.observe(view[0], play.rules[0], play.luts, out)
    if name.endswith("/canonical"):
        view = relabelled(view[0], last(int(view["void_suit"][0, seat])))
    return out.reshape(encoding.shape), view[0]


def oracle(play, i, seat):
    out = np.zeros(ORACLE_SHAPE, np.int8)
    SICHUAN.oracle(play.tables[i], play.rules[0], seat, out.reshape(-1))
    return out


def told(text):
    """The lines by what stands before the colon; those of seats as lists of notes."""
    pairs = [line.strip().partition(": ")[::2] for line in text.splitlines()]
    return {key: value.split("; ") if key in SEATS else value for key, value in pairs}


# ------------------------------------------------------------------------------------------- true


def check_seat(notes, view, seat, name):
    has_won = view["win_order"][seat] > 0
    assert ("has won" in notes) == has_won
    assert ("dealer" in notes) == (view["dealer"] == seat)
    assert ("in turn" in notes) == (view["turn"] == seat)
    void = int(view["void_suit"][seat])
    assert [note for note in notes if note.startswith("void suit")] == (
        [f"void suit {'mps'[void]}"] if void >= 0 else []
    )
    made = fates(view)
    river = [int(view["discard_kind"][i]) for i, (who, what, _) in enumerate(made)
             if who == seat and what == 0]  # fmt: skip
    if name.startswith("planes"):
        river = [kind for kind in set(river) for _ in range(min(3, river.count(kind)))]
    if name.startswith("planes") or seat != view["seat"]:
        expected = [f"river {tiles_text(river)}"] if river else []
        assert [note for note in notes if note.startswith("river")] == expected
    melds = sorted(
        f"{meld_name(int(view['meld_type'][seat, i]), name)} "
        f"{tile_text(int(view['meld_kind'][seat, i]))}"
        for i in range(view["num_melds"][seat])
    )
    found = [note for note in notes if note.startswith("melds ")]
    assert sorted(found[0].removeprefix("melds ").split(", ")) == melds if melds else not found


def meld_name(kind, name):
    if kind == Meld.PUNG:
        return "pung"
    return Meld(kind).name.lower().replace("_", " ") if name.startswith("planes") else "kong"


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("preset", PRESETS)
def test_the_text_says_what_the_seat_knows(preset, name):
    asked, kongs = set(), 0
    play = Play(preset, 4, seed=6, every=7)
    for _ in play:
        for i in range(4):
            for seat in range(4):
                observation, view = encode(name, play, i, seat)
                lines = told(describe(observation, name))
                assert lines["hand"] == tiles_text(np.repeat(np.arange(27), view["hand"]).tolist())
                live = 4 - counts(visible_tiles(view))
                rows = [f"{s} {' '.join(map(str, live[9 * j :][:9]))}" for j, s in enumerate("mps")]
                assert lines["live copies"] == ", ".join(rows)
                phase = Phase(int(view["phase"])).name
                asked.add((phase, lines["asked"]))
                tile = int(view["claim_tile"])
                assert lines.get("about") == (tile_text(tile) if tile >= 0 else None)
                for k, who in enumerate(SEATS):
                    check_seat(lines[who], view, (seat + k) % 4, name)
                kongs += int((view["meld_type"] > 1).sum())
                if name.startswith("vector"):
                    assert lines["wall"].startswith(f"{view['wall_count']} tiles, ")
                elif view["drawn"] >= 0:
                    assert lines["drawn"] == tile_text(int(view["drawn"]))
    assert kongs > 0
    # One text for every phase, and no text for two.
    assert len(asked) == len(dict(asked)) == len({words for _, words in asked}) >= 4


def test_the_exchange():
    play = Play("sichuan_modern", 1, seed=4, every=1)
    for tables in play:
        if tables[0]["num_draws"].sum() > 2:
            break
    for name in BOARDS:
        observation, view = encode(name, play, 0, 2)
        way = ("next", "previous", "across")[int(view["direction"])]
        given, received = (tiles_text(view[what].tolist()) for what in ("given", "received"))
        assert told(describe(observation, name))["exchange"] == (
            f"gave {given}, received {received}, to {way}"
        )


def many(useful):
    return f"{round(30 * useful)}{' or more' if useful == 1 else ''}"


def test_the_hand_analysis():
    play = Play("qq", 2, seed=9, every=5)
    turns = 0
    for tables in play:
        for i, table in enumerate(tables):
            seat = int(table["actor"])
            if seat < 0:
                continue
            observation, view = encode("vector/1", play, i, seat)
            cells = dict(zip(ENCODINGS["vector/1"].channels, observation, strict=True))
            lines = told(describe(observation))
            (missing,) = [n for n in range(9) if cells[f"deficiency {n}"]]
            analysis = next(text for text in lines if text.startswith("deficiency "))
            assert analysis.startswith(f"deficiency {missing}{', ' if missing < 8 else ' or more'}")
            assert f"{many(cells['useful'])} useful tiles" in analysis
            if view["phase"] != Phase.TURN:
                continue
            keep = lines["discards that keep the deficiency"]
            for kind in range(27):
                tile = tile_text(kind)
                kept = f"{tile} ({many(cells[f'useful after {tile}'])} useful)" in keep
                assert kept == (cells[f"discard keeps {tile}"] == 1)
            turns += 1
    assert turns > 20


def test_the_oracle_tells_all_hands():
    play = Play("qq", 1, seed=2, every=20)
    for tables in play:
        lines = describe(oracle(play, 0, 1)).split("hidden:")[1].splitlines()
        for k, who in enumerate(SEATS[1:], start=2):
            hand = np.repeat(np.arange(27), tables[0]["hand"][(k) % 4]).tolist()
            (line,) = [text for text in lines if text.startswith(f"  {who}: ")]
            assert f"hand {tiles_text(hand) or 'none'}" in line


def in_play(view):
    """The discards of a view as tokens say them."""
    for i, (seat, _, _) in enumerate(fates(view)):
        who = SEATS[(seat - int(view["seat"])) % 4]
        yield f"discard {who} {tile_text(int(view['discard_kind'][i]))}"


@pytest.mark.parametrize("name", ["tokens/1", "tokens/1/canonical"])
@pytest.mark.parametrize("preset", PRESETS)
def test_the_text_of_tokens(preset, name):
    played, rules = 0, set()
    play = Play(preset, 4, seed=6, every=7)
    for _ in play:
        for i in range(4):
            for seat in range(4):
                observation, view = encode(name, play, i, seat)
                lines = told(describe(observation, name))
                assert lines.get("hand", "") == tiles_text(
                    np.repeat(np.arange(27), view["hand"]).tolist()
                )
                tile, drawn = int(view["claim_tile"]), int(view["drawn"])
                assert lines.get("about") == (tile_text(tile) if tile >= 0 else None)
                assert lines.get("drawn") == (tile_text(drawn) if drawn >= 0 else None)
                assert f"wall {view['wall_count']}" in lines["now"].split(", ")
                planes, _ = encode("planes/1", play, i, seat)
                assert lines["asked"] == told(describe(planes, "planes/1"))["asked"]
                course = lines.get("play", "").split(", ")
                made = [text for text in course if text.startswith("discard ")
                        and not text.startswith("discard win")]  # fmt: skip
                assert made == list(in_play(view))
                played += len(made)
                rules.add(lines["rules"])
    assert played > 100
    assert len(rules) == 1
    assert ("usual" in rules.pop()) == (preset == "qq")


# --------------------------------------------------------------------------------------- complete


def positions():
    """Some positions of all phases, with all that may lie on a table."""
    for preset, seed in (("sichuan_modern", 3), ("qq", 8), ("standalone", 1)):
        play = Play(preset, 1, seed=seed, every=26)
        for _ in play:
            yield play


@pytest.mark.parametrize("name", ["planes/1", "vector/1", "tokens/1", "oracle/1"])
def test_every_channel_has_its_part_in_the_text(name):
    for number, play in enumerate(positions()):
        seat = number % 4
        cells = oracle(play, 0, seat) if name == "oracle/1" else encode(name, play, 0, seat)[0]
        text = describe(cells, name)
        for channel in range(len(cells)):
            other = cells.copy()
            other[channel] = 0 if cells[channel].any() else 1
            assert describe(other, name) != text, channel


def test_tokens_that_are_none_are_told():
    tokens, _ = encode("tokens/1", Play("qq", 1), 0, 0)
    length = int(tokens[0])
    for place, token, said in (
        (3, 9999, "no token of the vocabulary: 9999"),
        (3, -4, "no token of the vocabulary: -4"),
        (3, 0, "padding: 1 times"),
        (length + 2, 7, "behind the last token: 7"),
        (0, length - 1, f"length: {length - 1} tokens of at most {len(tokens) - 1}"),
        (0, -1, "length: -1 tokens"),
        (0, 3000, "length: 3000 tokens"),
    ):
        wrong = tokens.copy()
        wrong[place] = token
        assert said in describe(wrong)


@pytest.mark.parametrize("name", ["planes/1", "oracle/1"])
def test_every_cell_of_a_plane_has_its_part_in_the_text(name):
    for number, play in enumerate(positions()):
        seat = number % 4
        cells = oracle(play, 0, seat) if name == "oracle/1" else encode(name, play, 0, seat)[0]
        text = describe(cells, name)
        for cell in RNG.choice(cells.size, 150, replace=False):
            other = cells.copy()
            other.reshape(-1)[cell] ^= 1
            assert describe(other, name) != text, cell


@pytest.mark.parametrize("name", ["planes/1", "vector/1", "tokens/1"])
def test_channels_that_no_words_know_are_listed(name, monkeypatch):
    monkeypatch.setattr(module, "_WORDS", {})
    play = Play("qq", 1)
    next(iter(play))
    cells, _ = encode(name, play, 0, 0)
    listed = describe(cells, name).split("other channels: ")[1].split(", ")
    on = [channel for channel, value in zip(ENCODINGS[name].channels, cells, strict=True)
          if value.any()]  # fmt: skip
    assert [item.rpartition(" ")[0] for item in listed] == on


def test_a_new_channel_is_listed():
    names = (*ENCODINGS["planes/1"].channels, "halo", "aura")
    values = np.zeros((len(names), 27))
    values[-2, 4] = 1
    cells = Cells(names, values)
    assert "asked" in "".join(module._WORDS["planes/1"](cells))
    assert cells.unread() == ["halo 5m"]


# ------------------------------------------------------------------------------ what it was given


def some(name, number=3):
    play = Play("qq", number, seed=5)
    next(iter(play))
    return np.array([encode(name, play, i, 0)[0] for i in range(number)])


def test_it_is_a_public_name():
    assert mjenv.describe is describe
    assert "describe" in mjenv.__all__


@pytest.mark.parametrize("name", NAMES)
def test_one_of_a_batch(name):
    batch = some(name)
    texts = [describe(batch, name, row=row) for row in range(3)]
    assert len(set(texts)) == 3
    for row, text in enumerate(texts):
        alone = describe(batch[row], name)
        assert text.splitlines()[0] == f"{name} of sichuan, row {row} of 3"
        assert text.splitlines()[1:] == alone.splitlines()[1:]
        assert alone == describe(batch[row].reshape(-1), name)
        assert alone == describe(batch[row], name, "sichuan")
        assert alone == describe(batch[row].astype(np.float64), name)
    assert describe(batch[1:2], name).splitlines()[1:] == texts[1].splitlines()[1:]
    assert describe(batch.reshape(3, -1), name, row=2) == texts[2]


@pytest.mark.parametrize("name", ["planes/1", "vector/1", "tokens/1"])
def test_shape_and_dtype_tell_the_encoding_but_not_the_order_of_suits(name):
    text = describe(some(name)[0])
    assert text.splitlines()[0] == f"{name} of sichuan"
    assert f"unless this is {name}/canonical; name= would tell" in text
    assert "unless" not in describe(some(name)[0], name)
    assert "own void suit, once declared, is shown as s" in describe(
        some(name)[0], f"{name}/canonical"
    )
    assert describe(np.zeros(ORACLE_SHAPE, np.int8)).startswith("oracle/1 of sichuan\n")


def test_what_an_environment_gives():
    env = sichuan_v0.raw_env("sichuan_modern")
    env.reset(seed=3)
    told_of = set()
    for agent in env.agent_iter():
        observation, _, terminated, truncated, _ = env.last()
        if terminated or truncated:
            break
        mask = observation["action_mask"]
        phase = env.infos[agent]["phase"]
        menu = ", ".join(SICHUAN.menu_of(mask, phase))
        assert told(describe(observation))["legal"] == menu
        told_of.add(phase)
        env.step(int(mask.nonzero()[0][-1]))
    assert told_of >= {"EXCHANGE", "VOID", "TURN", "CLAIM"}
    batch = {name: np.stack([value, value]) for name, value in observation.items()}
    assert told(describe(batch, row=1))["legal"] == "pass"
    waiting = {**observation, "action_mask": 0 * mask}
    assert told(describe(waiting))["legal"] == "nothing"
    assert "legal" not in told(describe({"observation": observation["observation"]}))


def test_cells_that_no_observation_has_are_named():
    cells = some("vector/1")[0]
    cells[ENCODINGS["vector/1"].channels.index("points next")] = np.nan
    cells[ENCODINGS["vector/1"].channels.index("wall")] = 7
    text = describe(cells)
    assert "not finite: points next\n" in text
    assert "outside -1 to 1: wall\n" in text
    text = describe(some("planes/1")[0] * 2)
    assert "outside 0 to 1: hand >= 1" in text
    assert " more\n" in text


@pytest.mark.parametrize("name", ENCODINGS)
@pytest.mark.parametrize("extreme", ["min", "max"])
def test_extreme_cells_are_described_without_a_warning(name, extreme):
    form = ENCODINGS[name]
    limits = np.finfo if form.dtype.kind == "f" else np.iinfo
    cells = np.full(form.shape, getattr(limits(form.dtype), extreme), form.dtype)
    text = describe(cells, name)
    assert "outside " in text
    assert len(text) < 100_000


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        (np.zeros((3, 3)), {}, r"got shape \(3, 3\); allowed: one, or a batch, of planes/1 \(114"),
        (np.zeros(669), {"name": "planes/1"}, r"got shape \(669,\); allowed: .* planes/1 \(114"),
        (np.zeros(669), {"name": "vector/9"}, "name: got 'vector/9'; allowed: planes/1"),
        (np.zeros((4, 669)), {}, "row: got none for a batch; allowed: 0 to 3"),
        (np.zeros((4, 669)), {"row": 4}, "row: got 4; allowed: 0 to 3"),
        (np.zeros((4, 669)), {"row": -1}, "row: got -1; allowed: 0 to 3"),
        (np.zeros((4, 669)), {"row": "one"}, "row: got 'one'; allowed: an integer"),
        (np.zeros((0, 669)), {"row": 0}, "row: got 0; allowed"),
        (np.zeros(669), {"row": 0}, "row: got 0; allowed: none, since this is a single"),
        ({"cells": np.zeros(669)}, {}, "got a mapping with 'cells'; it needs 'observation'"),
        ("vector/1", {}, "observation: got <U8"),
        (None, {}, "observation: got object"),
        (new_views(1)[0], {}, r"observation: got records \(\); allowed: numbers"),
        ({"observation": np.zeros(669), "action_mask": np.zeros(5)}, {}, r"mask: got .* \(5,\)"),
    ],
)  # fmt: skip
def test_what_cannot_be_described(given, options, message):
    with pytest.raises(OptionError, match=message):
        describe(given, **options)


def test_an_unknown_game():
    with pytest.raises(RulesError, match="game: got 'chess'"):
        describe(np.zeros(669), game="chess")
