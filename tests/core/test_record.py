"""Records replay to the same bytes, and whatever is wrong with one is found on its line."""

import io
import json

import pytest

from mjenv.core.header import set_out
from mjenv.core.record import read_deals
from mjenv.errors import RecordError
from mjenv.games import game_by_name
from mjenv.sichuan.rules import Rules
from mjenv.table import Table
from tests.at_table import PRESETS, Bot, house_rules, played
from tests.reference.table import ReferenceTable
from tests.reference.wall import arrange_wall


def as_file(lines):
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return io.BytesIO("".join(f"{text}\n" for text in texts).encode())


def deals_of(lines, verify=True):
    return list(read_deals(as_file(lines), game_by_name, verify))


def parsed(table, menus=False):
    return [json.loads(line) for line in table.record(menus=menus)]


def position_of(lines, kind, after=0, **fields):
    """Index of the first line of a type, with these fields."""
    return next(
        i
        for i in range(after, len(lines))
        if lines[i]["type"] == kind and fields.items() <= lines[i].items()
    )


def check_replays(table, menus=False):
    (deal,) = deals_of(table.record(menus=menus))
    assert deal.final.tobytes() == table.state.tobytes()
    assert deal.actions == table.actions
    assert deal.rules == table.rules
    assert Table.from_deal(deal).actor == int(deal.start["actor"][0])


@pytest.mark.parametrize("bot", ["uniform", "tidy", "patient"])
@pytest.mark.parametrize("preset", PRESETS)
def test_a_record_replays_to_the_same_bytes(preset, bot):
    for seed in range(3):
        check_replays(played(preset, seed, bot, deal=seed), menus=seed == 0)


@pytest.mark.parametrize("seed", range(24))
def test_records_under_house_rules_replay(seed):
    check_replays(played(house_rules(seed), seed, ["uniform", "tidy", "patient"][seed % 3]))


def test_several_deals_in_one_file():
    tables = [played(preset, 5, deal=3) for preset in PRESETS]
    lines = [line for table in tables for line in table.record()]
    deals = deals_of(lines)
    assert [deal.rules.preset_name for deal in deals] == list(PRESETS)
    assert [deal.final.tobytes() for deal in deals] == [table.state.tobytes() for table in tables]
    starts = [deal.first_line for deal in deals]
    assert [json.loads(lines[start - 1])["type"] for start in starts] == ["deal"] * len(PRESETS)


def test_deals_are_read_one_at_a_time():
    lines = played("standalone_single", 1).record()
    file = as_file(lines * 50)
    deals = read_deals(file, game_by_name)
    next(deals)
    assert file.tell() < 3 * sum(len(line) + 1 for line in lines)


@pytest.mark.parametrize("preset", PRESETS)
def test_the_events_are_those_of_the_reference(preset):
    table = played(preset, 8, "patient")
    header = json.loads(table.record()[0])
    direction = next(
        (line["direction"] for line in table.events if line["type"] == "exchange"), "next"
    )
    twin = ReferenceTable(header["rules"], header["wall"], header["dealer"], direction)
    for line in parsed(table, menus=True)[1:]:
        if line["type"] == "decide":
            assert (line["seat"], line["legal"]) == (twin.actor, twin.legal())
            twin.step(line["action"])

    def unordered(events):
        return [{**event, "patterns": set(event.get("patterns", ()))} for event in events]

    assert unordered(twin.events) == unordered(table.events)


# ------------------------------------------------------------------- what else a record may be


def test_a_record_without_seed_and_with_unknown_fields():
    table = played("sichuan_modern", 4)
    lines = parsed(table)
    del lines[0]["seed"], lines[0]["deal"]
    lines[0]["place"] = "Chengdu"
    turn = position_of(lines, "decide")
    lines[turn] |= {"policy": {"give 1m": 0.5}, "value": -1.5, "thought": ["?"]}
    (deal,) = deals_of(lines)
    assert deal.lines == lines
    assert deal.final["seed"][0] == 0
    played_with_seed = table.state
    played_with_seed["seed"] = 0
    assert deal.final.tobytes() == played_with_seed.tobytes()


def test_what_has_no_order_may_come_in_any():
    lines = parsed(played("sichuan_modern", 2), menus=True)
    for line in lines:
        if line["type"] == "exchange":
            line["tiles"] = [three[::-1] for three in line["tiles"]]
        if line["type"] == "win":
            line["patterns"] = line["patterns"][::-1]
        if "legal" in line:
            line["legal"] = line["legal"][::-1]
        if line.get("how") == "self_draw":
            del line["from"]
    assert len(deals_of(lines)) == 1


def a_win_of_two_readings(preset):
    """Seven pairs that are four sets with a 1 or a 9 in each as well; both are worth 3."""
    wall = arrange_wall(["9p", "112233778899m9p", "", ""])
    table = Table(preset, dealer=0, wall=wall)
    while table.phase != "TURN":
        table.step("void s" if "void s" in table.legal_actions() else table.legal_actions()[0])
    table.step("discard 9p")
    while table.phase == "CLAIM":
        table.step("win" if "win" in table.legal_actions() else "pass")
    choose = Bot("tidy", 1)
    while not table.over:
        table.step(choose(table))
    return parsed(table)


def test_either_reading_of_a_tie_is_right():
    lines = a_win_of_two_readings("standalone")
    win = position_of(lines, "win")
    readings = {"qi_dui", "dai_yao_jiu"}
    assert lines[win]["fan"] == 3
    assert set(lines[win]["patterns"]) < readings
    for name in readings:
        lines[win]["patterns"] = [name]
        assert len(deals_of(lines)) == 1
    for names in (["ping_hu"], ["qing_yi_se"], sorted(readings), []):
        lines[win]["patterns"] = names
        check_fault(lines, win + 1, "win: patterns is")
    lines[win] |= {"patterns": ["qi_dui"], "extras": {"gen": 1}}
    check_fault(lines, win + 1, "win: ")


def without_wall(table):
    """The record of a table with hands in the place of its wall."""
    lines = parsed(table)
    header = lines[0]
    wall = header.pop("wall")
    hands = [[], [], [], []]
    for k in range(4):
        hands[(header["dealer"] + k) % 4] = wall[13 * k : 13 * k + 13]
    hands[header["dealer"]].append(wall[52])
    header["hands"] = hands
    return lines


@pytest.mark.parametrize("draw_end", ["front", "back"])
@pytest.mark.parametrize("bot", ["uniform", "tidy"])
def test_draws_are_the_authority_where_there_is_no_wall(bot, draw_end):
    for seed in range(4):
        rules = Rules.preset("sichuan_modern").replace(kong_draw_end=draw_end)
        table = played(rules, seed, bot)
        (deal,) = deals_of(without_wall(table))
        assert deal.actions == table.actions
        for field in ("points", "hand", "meld_kind", "discard_kind", "win_fan", "classes"):
            assert (deal.final[field] == table.state[field]).all()


def test_hands_beside_a_wall_must_be_those_it_deals():
    lines = parsed(played("qq", 1))
    lines[0]["hands"] = without_wall(played("qq", 1))[0]["hands"]
    assert len(deals_of(lines)) == 1
    lines[0]["hands"][2][0] = lines[0]["hands"][3][0]
    check_fault(lines, 1, "hands: seat 2 is dealt other tiles")


def test_what_the_deal_line_leaves_open_follows_from_the_seed():
    table = Table("qq", seed=11, deal=6)
    game = game_by_name("sichuan")
    header = json.loads(table.record()[0])
    states = set_out(header, game, table.rules.pack())
    assert states["direction"][0] == table.state["direction"][0]


# ------------------------------------------------------------------------------------- faults


def check_fault(lines, number, reason):
    with pytest.raises(RecordError, match=reason) as caught:
        deals_of(lines)
    assert caught.value.line == number
    assert str(caught.value).startswith(f"line {number}: ")


@pytest.fixture(scope="module")
def record():
    """Two deals, so that a fault in the second is not found on a line of the first."""
    lines = [json.loads(line) for line in played("qq", 3).record(menus=True)]
    return lines + [json.loads(line) for line in played("sichuan_modern", 3).record(menus=True)]


@pytest.fixture
def lines(record):
    return json.loads(json.dumps(record))


@pytest.fixture
def second(record):
    """Index of the second deal line."""
    return position_of(record, "deal", after=1)


def test_an_intact_record_has_no_fault(lines):
    assert len(deals_of(lines)) == 2


def test_bad_json(lines, second):
    check_fault([*lines[:second], "{'type':'deal'}", *lines[second:]], second + 1, "not JSON")
    check_fault(["[1, 2]", *lines], 1, "not a JSON object")
    check_fault([*lines[:9], '{"type":"pay","points":NaN}'], 10, "NaN is no JSON number")
    check_fault([*lines[:9], '{"type":"draw","type":"pay"}'], 10, "'type' stands there twice")
    check_fault([*lines[:9], "[" * 100_000], 10, "nested too deeply")
    check_fault([*lines[:9], "", *lines[9:]], 10, "empty line")


def test_a_truncated_line(lines):
    text = as_file(lines).getvalue()
    cut = text[: -len(json.dumps(lines[-1])) // 2 - 1]
    with pytest.raises(RecordError, match="cut off") as caught:
        list(read_deals(io.BytesIO(cut), game_by_name))
    assert caught.value.line == len(lines)


def test_bytes_that_are_no_text(lines):
    raw = as_file(lines[:4]).getvalue() + b'{"type":"\xff"}\n'
    with pytest.raises(RecordError, match="not UTF-8") as caught:
        list(read_deals(io.BytesIO(raw), game_by_name))
    assert caught.value.line == 5


def test_a_line_without_end():
    with pytest.raises(RecordError, match="longer than") as caught:
        list(read_deals(io.BytesIO(b" " * 10 + b"1" * (1 << 21)), game_by_name))
    assert caught.value.line == 1


def test_an_empty_file():
    with pytest.raises(RecordError, match="empty"):
        deals_of([])


def test_empty_lines_at_the_end_are_no_fault(lines):
    assert len(deals_of([*lines, "", ""])) == 2


def test_a_missing_end(lines, second):
    check_fault(lines[:-1], len(lines) - 1, f"before the end line of the deal of line {second + 1}")
    check_fault(lines[: second - 1] + lines[second:], second, "a new deal, but that of line 1")
    check_fault(lines[:-4], len(lines) - 4, "the file ends here")


def test_lines_after_the_end(lines, second):
    check_fault([*lines, lines[-1]], len(lines) + 1, "goes on after the end")
    check_fault([*lines[:second], lines[2], *lines[second:]], second + 1, "goes on after the end")
    check_fault(lines[1:], 1, "a record begins with a deal line")


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("version", 2, "version is 2; allowed: 1"),
        ("version", True, "version is True"),
        ("game", "hearts", "game: got 'hearts'"),
        ("preset", "standalone", "preset is 'standalone', but these rules are 'sichuan_modern'"),
        ("fingerprint", "0123456789ab", "fingerprint is '0123456789ab', but"),
        ("agents", ["a", "b", "c"], "agents has 3 items"),
        ("agents", ["a", "b", "c", 4], r"agents\[3\] is 4"),
        ("dealer", 4, "dealer is 4; allowed: a seat"),
        ("dealer", False, "dealer is False"),
        ("seed", -1, "seed is -1"),
        ("seed", 2**53, "seed is 9007199254740992"),
        ("deal", -1, "deal is -1; allowed: a whole number from 0 to 2"),
        ("deal", 2**40, "deal is 1099511627776"),
        ("deal", "second", "deal is 'second'"),
        ("deal", True, "deal is True"),
        ("rules", [], "rules is"),
        ("engine", None, "engine is None"),
    ],
)
def test_a_wrong_deal_line(lines, second, field, value, reason):
    lines[second][field] = value
    check_fault(lines, second + 1, reason)


@pytest.mark.parametrize(
    "field", ["version", "game", "preset", "rules", "fingerprint", "engine", "agents", "dealer"]
)
def test_a_field_of_the_deal_line_is_missing(lines, second, field):
    del lines[second][field]
    check_fault(lines, second + 1, f"the field '{field}' is missing")


def test_neither_wall_nor_hands(lines):
    del lines[0]["wall"]
    check_fault(lines, 1, "'wall' is missing")


def test_wrong_rules(lines, second):
    lines[second]["rules"]["fan_cap"] = 6
    check_fault(lines, second + 1, "fingerprint is")
    lines[second]["rules"]["fan_cap"] = "six"
    check_fault(lines, second + 1, "rules: fan_cap: got 'six'")
    del lines[second]["rules"]["fan_cap"]
    check_fault(lines, second + 1, "rules: the option 'fan_cap' is missing")
    lines[second]["rules"]["fan_kap"] = 6
    check_fault(lines, second + 1, "rules: unknown option 'fan_kap'")


def test_wrong_walls(lines):
    wall = list(lines[0]["wall"])
    other = next(i for i, tile in enumerate(wall) if tile != wall[0])
    lines[0]["wall"] = wall[1:]
    check_fault(lines, 1, "this one has 107: 3 of " + wall[0])
    lines[0]["wall"] = [wall[0] if i == other else tile for i, tile in enumerate(wall)]
    check_fault(lines, 1, "5 of " + wall[0])
    lines[0]["wall"] = ["5x", *wall[1:]]
    check_fault(lines, 1, r"wall\[0\] is '5x'")
    lines[0]["wall"] = "".join(wall)
    check_fault(lines, 1, "wall is ")


def test_wrong_hands():
    lines = without_wall(played("qq", 3))
    hands = lines[0]["hands"]
    whole = [list(hand) for hand in hands]
    seat = (lines[0]["dealer"] + 1) % 4
    hands[seat] = whole[seat][1:]
    check_fault(lines, 1, f"hands: seat {seat} is dealt 13 tiles, not 12")
    hands[seat] = [whole[seat][0]] * 5 + whole[seat][5:]
    check_fault(lines, 1, f"hands: {whole[seat][0]} is dealt")


def test_draws_that_no_wall_gives():
    lines = without_wall(played("standalone", 3, "uniform"))
    dealt = [tile for hand in lines[0]["hands"] for tile in hand]
    draws = [i for i, line in enumerate(lines) if line["type"] == "draw"]
    tile = next(tile for tile in dealt if dealt.count(tile) + 1 > 3)
    seen = dealt.count(tile)
    for i in draws:
        seen += lines[i]["tile"] == tile
        if seen == 4 and lines[i]["tile"] != tile:
            lines[i]["tile"] = tile
            check_fault(lines, i + 1, f"{tile} is drawn, but all 4")
            break
    else:
        pytest.fail("no draw to change")


@pytest.mark.parametrize("kind", ["riichi", 7, None, ["draw"]])
def test_unknown_types(lines, second, kind):
    changed = position_of(lines, "discard", after=second)
    lines[changed]["type"] = kind
    check_fault(lines, changed + 1, "which is not known; types are deal, decide, exchange")


def test_a_line_without_type(lines):
    del lines[3]["type"]
    check_fault(lines, 4, "the field 'type' is missing")


def test_illegal_decisions(lines, second):
    changed = position_of(lines, "decide", after=second + 20)
    seat = lines[changed]["seat"]
    lines[changed]["action"] = "quit"
    check_fault(lines, changed + 1, f"seat {seat} cannot 'quit' in [A-Z]+; legal: ")
    lines[changed]["action"] = "surrender"
    check_fault(lines, changed + 1, "cannot 'surrender'")
    lines[changed]["seat"] = (seat + 1) % 4
    check_fault(lines, changed + 1, f"but seat {seat} is asked")
    lines[changed]["seat"] = "0"
    check_fault(lines, changed + 1, "decide: seat is '0'")


def test_wrong_menus(lines):
    changed = position_of(lines, "decide")
    lines[changed]["legal"].append("win")
    check_fault(lines, changed + 1, r"but the menu is \['void m'")
    lines[changed]["legal"] = "pass"
    check_fault(lines, changed + 1, "decide: legal is 'pass'")


def test_a_policy_that_is_no_mapping_to_numbers(lines):
    changed = position_of(lines, "decide")
    lines[changed]["policy"] = {"pass": "often"}
    check_fault(lines, changed + 1, "decide: policy is")


def test_a_decision_or_an_event_too_many_or_too_few(lines, second):
    draw = position_of(lines, "draw", after=second)
    check_fault(lines[:draw] + lines[draw + 1 :], draw + 1, "but first comes draw|but draw .* next")
    check_fault([*lines[:draw], lines[draw], *lines[draw:]], draw + 2, "draw .*, but")
    decide = position_of(lines, "decide", after=draw)
    check_fault(lines[:decide] + lines[decide + 1 :], decide + 1, "is asked")


FAULTY = {
    "exchange": [("direction", "sideways"), ("tiles", [["1m"] * 3] * 4), ("tiles", [])],
    "void": [("suits", ["m", "m", "p", "x"]), ("suits", ["m"])],
    "draw": [("tile", "5x"), ("tile", "same"), ("replacement", 0), ("seat", 9)],
    "discard": [("tile", "same"), ("seat", "same")],
    "pung": [("from", "same"), ("tile", "same")],
    "win": [("fan", 23), ("patterns", ["yaku"]), ("extras", {"gen": 9}), ("how", "theft")],
    "pay": [("points", [1, 2, 3, 4]), ("points", [0.0, 0, 0, 0]), ("reason", "transfer")],
    "end": [("classes", ["won"] * 4), ("points", [0, 0, 0, 1]), ("reason", "escape")],
}


@pytest.mark.parametrize(
    ("kind", "field", "value"),
    [(kind, *fault) for kind, faults in FAULTY.items() for fault in faults],
)
def test_wrong_events(lines, second, kind, field, value):
    changed = position_of(lines, kind, after=second)
    line = lines[changed]
    if value == "same":  # another value of the same form
        value = (line[field] + 1) % 4 if isinstance(line[field], int) else "1m"
        value = "9s" if value == line[field] else value
    line[field] = value
    check_fault(lines, changed + 1, f"{kind}: {field}|{kind} .*, but")


@pytest.mark.parametrize("kind", sorted(FAULTY))
def test_events_with_a_missing_field(lines, second, kind):
    changed = position_of(lines, kind, after=second)
    field = next(reversed([name for name in lines[changed] if name != "type"]))
    del lines[changed][field]
    check_fault(lines, changed + 1, f"{kind}: the field '{field}' is missing")


def test_every_payment_is_checked(record):
    payments = [i for i, line in enumerate(record) if line["type"] == "pay"]
    assert len(payments) > 3
    for changed in payments:
        lines = json.loads(json.dumps(record))
        points = lines[changed]["points"]
        lines[changed]["points"] = [points[3], *points[:3]]
        check_fault(lines, changed + 1, "pay: points is")


def test_the_first_fault_is_reported(lines, second):
    payment = position_of(lines, "pay", after=second)
    lines[payment]["points"] = [1, -1, 0, 0]
    check_fault([*lines[:-1], "garbage"], payment + 1, "pay: points")


def test_a_deal_that_never_ends(lines):
    lines[-1:] = [lines[-2]] * 3000
    with pytest.raises(RecordError):
        deals_of(lines)
    with pytest.raises(RecordError, match="never has 2048 lines"):
        deals_of(lines, verify=False)


# ------------------------------------------------------------------------ without verification


def test_reading_without_playing(lines):
    deals = deals_of(lines, verify=False)
    assert [deal.actions for deal in deals] == [deal.actions for deal in deals_of(lines)]
    payment = position_of(lines, "pay")
    lines[payment]["points"] = [1, -1, 0, 0]
    assert len(deals_of(lines, verify=False)) == 2
    lines[payment]["points"] = "all"
    with pytest.raises(RecordError, match="pay: points is 'all'"):
        deals_of(lines, verify=False)


def test_an_action_that_is_none(lines):
    changed = position_of(lines, "decide")
    lines[changed]["action"] = "surrender"
    with pytest.raises(RecordError, match="'surrender' is no action") as caught:
        deals_of(lines, verify=False)
    assert caught.value.line == changed + 1
