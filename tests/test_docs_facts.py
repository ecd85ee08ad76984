"""What the documents state is what the code does."""

import inspect
import json
import re
from pathlib import Path

import pytest
from gymnasium.vector import AutoresetMode

from mjenv.envs.batch import Batch
from mjenv.envs.single import SingleSeat
from mjenv.envs.vector import SingleSeats
from mjenv.registry import list_agents
from mjenv.sichuan.actions import ACTION_TEXTS
from mjenv.sichuan.patterns import EXTRA_FAN_NAMES, EXTRA_NAMES, FAN_TABLES, PATTERN_NAMES
from mjenv.sichuan.rules import OPTIONS, PRESETS, Rules
from mjenv.sichuan.state import VIEW

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
PRESET_COLUMNS = ("standalone", "standalone_single", "qq", "sichuan_modern")
WORDS = {"on": True, "off": False, "null": None}


def read(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def table_rows(text: str) -> list[list[str]]:
    rows = [line.strip().strip("|").split("|") for line in text.splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in row] for row in rows]


def section(text: str, title: str) -> str:
    """From one heading to the next of any level."""
    after = text.split(f"{title}\n", 1)[1]
    return re.split(r"^#", after, maxsplit=1, flags=re.MULTILINE)[0]


def value(text: str) -> object:
    return WORDS[text] if text in WORDS else int(text) if text.isdigit() else text


def option_rows() -> dict[str, list[str]]:
    rows = table_rows(section(read("docs/rules.md"), "### 1.8 Options and presets"))
    return {row[0].strip("`"): row for row in rows if row[0].startswith("`")}


def test_every_option_is_explained_in_the_order_of_the_code():
    assert list(option_rows()) == list(OPTIONS)
    assert set(PRESET_COLUMNS) == set(PRESETS)


@pytest.mark.parametrize("option", [name for name in OPTIONS if name != "extra_fans"])
def test_the_values_of_the_presets(option):
    values = [value(text.strip()) for text in option_rows()[option][2].split("/")]
    if len(values) == 1:
        values *= len(PRESET_COLUMNS)
    assert values == [Rules.preset(preset).to_dict()[option] for preset in PRESET_COLUMNS]


@pytest.mark.parametrize("option", list(OPTIONS))
def test_the_allowed_values(option):
    stated = re.findall(r"`(\w+)`", option_rows()[option][1])
    names = list(getattr(OPTIONS[option], "names", stated))
    assert stated == names


def test_the_values_of_the_extras():
    rows = table_rows(section(read("docs/rules.md"), "### 2.2 Extras"))
    stated = {row[0].strip("`"): [int(cell) for cell in row[2:5]] for row in rows[2:]}
    assert list(stated) == list(EXTRA_FAN_NAMES)
    for column, presets in enumerate((PRESET_COLUMNS[:2], PRESET_COLUMNS[2:3], PRESET_COLUMNS[3:])):
        for preset in presets:
            fans = Rules.preset(preset).to_dict()["extra_fans"]
            assert fans == {name: row[column] for name, row in stated.items()}


def test_fan_tables_a_and_b():
    rows = table_rows(section(read("docs/rules.md"), "### 2.1 Patterns of tables A and B"))
    stated = {row[0].strip("`"): (int(row[2]), int(row[3])) for row in rows[2:]}
    assert {name: fans[0] for name, fans in stated.items()} == FAN_TABLES["A"]["fans"]
    assert {name: fans[1] for name, fans in stated.items()} == FAN_TABLES["B"]["fans"]


def test_fan_table_c():
    rows = table_rows(section(read("docs/rules.md"), "### 2.3 Table C"))
    stated = {row[0].strip("`"): row[2] for row in rows[2:]}
    for pattern, fan in FAN_TABLES["C"]["fans"].items():
        if pattern not in ("tian_hu", "di_hu"):
            assert stated[pattern].startswith(str(fan))


def test_every_rule_and_point_has_its_number():
    text = read("docs/rules.md")
    assert re.findall(r"^- \*\*T(\d+)\*\*", text, re.MULTILINE) == [str(n) for n in range(1, 47)]
    assert re.findall(r"^\| Q(\d+) \|", text, re.MULTILINE) == [str(n) for n in range(1, 43)]
    rules = set(re.findall(r"^ *- \*\*(R\d+[abc]?)\*\*", text, re.MULTILINE))
    cited = set(re.findall(r"\bR\d+[abc]?\b", text))
    assert cited <= rules


@pytest.mark.parametrize("package", ["mjenv", "agents", "train"])
def test_rules_cited_in_the_code_exist(package):
    text = read("docs/rules.md")
    known = set(re.findall(r"\b[RQT]\d+[abc]?\b", text))
    for path in (ROOT / package).rglob("*.py"):
        cited = set(re.findall(r"\b[RQ]\d{1,2}[abc]?\b", path.read_text(encoding="utf-8")))
        assert cited <= known, (path, cited - known)


def test_the_glossary_explains_every_pattern():
    text = read("docs/glossary.md")
    assert not [name for name in (*PATTERN_NAMES, *EXTRA_NAMES) if f"| `{name}` |" not in text]


@pytest.mark.parametrize("document", ["docs/agents.md", "docs/bots.md", "CHANGELOG.md"])
def test_every_bot_of_the_ladder_is_named(document):
    panel = {"always_call/1", "never_call/1", "one_suit/1", "folder/1", "kong_hunter/1"}
    names = set(list_agents()) - (panel if document == "CHANGELOG.md" else set())
    assert not [name for name in names if f"`{name}`" not in read(document)]


def test_action_numbers():
    rows = table_rows(read("docs/actions.md"))
    stated = {row[0]: row[1] for row in rows if re.fullmatch(r"\d+(-\d+)?", row[0])}
    texts: list[str] = []
    for ids, forms in stated.items():
        first, _, last = ids.partition("-")
        count = int(last or first) - int(first) + 1
        assert int(first) == len(texts)
        words = forms.split("`")[1].split()[0]
        texts += [words] * count
    assert texts == [text.split()[0] for text in ACTION_TEXTS]


@pytest.mark.parametrize("title", ["## Options", "## One seat at many tables"])
def test_the_options_of_environments(title):
    parameters = inspect.signature(SingleSeats).parameters
    single = set(inspect.signature(SingleSeat).parameters)
    stated = {}
    for row in table_rows(section(read("docs/environments.md"), title))[2:]:
        names = re.findall(r"`(\w+)`", row[0])
        for name, text in zip(names, [row[1].strip("`"), "None"], strict=False):
            stated.setdefault(name, text)  # a table below may name it again
    rows = {name: text for name, text in stated.items() if name in parameters}
    told = {name: str(parameters[name].default).replace(".0", "") for name in rows}
    if title == "## Options":
        assert {name: text.strip('"') for name, text in rows.items()} == told
        assert set(rows) == single - {"game"}
    else:
        mode = AutoresetMode.SAME_STEP
        assert told.pop("autoreset_mode") == str(mode)
        assert rows.pop("autoreset_mode") == f'"{mode.name.lower()}"'
        assert rows == told
        assert set(rows) | {"autoreset_mode"} == set(parameters) - single


@pytest.mark.parametrize("path", sorted((ROOT / "configs" / "rules").glob("*.yaml")), ids=str)
def test_example_rules_are_valid(path):
    assert Rules.load(path).preset_name is None


def anchors(document: Path) -> set[str]:
    """What the headings of a page are called in links to them."""
    text = re.sub(r"^```.*?^```", "", document.read_text(encoding="utf-8"), flags=re.S | re.M)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    links = re.findall(r"\]\(([^)#]*)#?([^)]*)\)", document.read_text(encoding="utf-8"))
    for target, anchor in links:
        if "://" not in target:
            page = document.parent / target if target else document
            assert page.exists(), target
            assert not anchor or anchor in anchors(page), f"{target}#{anchor}"


def test_every_field_of_a_view_is_explained_with_its_shape():
    rows = table_rows(section(read("docs/observations.md"), "## What a seat may know"))[2:]
    stated = {name: row[1] for row in rows for name in re.findall(r"`(\w+)`", row[0])}
    shapes = {name: ", ".join(map(str, VIEW[name].shape)) for name in VIEW.names}
    del shapes["unused"]
    assert stated == shapes


def test_every_option_of_a_batch_is_explained_with_its_default():
    rows = table_rows(section(read("docs/batch.md"), "# Self-play over many tables"))
    stated: dict[str, str] = {}
    for row in rows[rows.index(["option", "default", ""]) + 2 :]:
        names = re.findall(r"`(\w+)`", row[0])
        defaults = row[1].replace("`", "").split(", ")
        stated.update(zip(names, defaults, strict=True))
    expected = {
        name: "" if option.default is option.empty else json.dumps(option.default)
        for name, option in inspect.signature(Batch).parameters.items()
    }
    in_python = {"None": "null", "True": "true", "False": "false"}
    assert {name: in_python.get(default, default) for name, default in stated.items()} == expected
