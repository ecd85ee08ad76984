import pytest

from mjenv import __version__
from mjenv.core.kernel import JIT_DISABLED
from mjenv.sichuan.rules import PRESETS, Rules
from train.evaluation.lineup import read_lineup
from train.evaluation.workers import Workers
from train.leaderboard import LINEUP, MARKED, PAGE, main

MARKS = "<!-- measured {} -->\nold\n<!-- end -->"


@pytest.fixture
def lineup(tmp_path):
    file = tmp_path / "lineup.yaml"
    file.write_text(
        "agents: [random_legal/1, greedy/1, never_call/1]\nrules: [qq, standalone]\n"
        "seed_block: test\ndeals: 5000\ndeals_with: {never_call/1: 10}\n",
        encoding="utf-8",
    )
    return file


@pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")
def test_marked_blocks_are_written_and_nothing_else(lineup, tmp_path):
    page = tmp_path / "page.md"
    text = f"# Top\n\n{MARKS.format('qq')}\n\nbetween\n\n{MARKS.format('standalone')}\nend\n"
    page.write_text(text, encoding="utf-8")
    call = ["--lineup", str(lineup), "--page", str(page), "--deals", "20"]
    assert main([*call, "--rules", "qq"]) == 0
    written = page.read_text(encoding="utf-8")
    assert written.startswith("# Top\n")
    assert written.endswith(f"\nbetween\n\n{MARKS.format('standalone')}\nend\n")
    (block,) = [match[0] for match in MARKED.finditer(written) if match[1] == "qq"]
    sets = "20 deal sets a match, 10 with `never_call/1`"
    for part in (sets, "seed block `test`", "7cf4e195d710", __version__, " > "):
        assert part in block
    rows = [line.split(" |")[0] for line in block.splitlines()]
    assert rows.count("| `greedy/1`") == 2  # among the ratings and the edges
    assert rows.count("| `never_call/1`") == 3  # and against the yardstick
    assert main(call) == 0
    twice = page.read_text(encoding="utf-8")
    assert "old" not in twice
    assert main(call) == 0
    assert page.read_text(encoding="utf-8") == twice


def test_a_page_without_marks_is_refused_before_anything_is_played(lineup, tmp_path, monkeypatch):
    def played(workers, tasks):
        raise AssertionError("it was played")

    monkeypatch.setattr(Workers, "play", played)
    page = tmp_path / "page.md"
    page.write_text(MARKS.format("qq"), encoding="utf-8")
    with pytest.raises(ValueError, match="no marks for standalone"):
        main(["--lineup", str(lineup), "--page", str(page)])


def test_the_page_has_a_place_for_every_preset():
    names = [match[1] for match in MARKED.finditer(PAGE.read_text(encoding="utf-8"))]
    assert sorted(names) == sorted(PRESETS)


def test_the_page_tells_of_this_version_and_of_all_bots_of_the_line_up():
    lineup = read_lineup(LINEUP, {})
    for match in MARKED.finditer(PAGE.read_text(encoding="utf-8")):
        block, rules = match[0], Rules.preset(match[1])
        assert f"fingerprint `{rules.fingerprint}`" in block, "run make leaderboard"
        assert f"mjenv {__version__}." in block, "run make leaderboard"
        for name in lineup.agents:
            assert f"| `{name}` |" in block, "run make leaderboard"


def test_the_line_up_is_played_on_the_deals_for_reports():
    lineup = read_lineup(LINEUP, {})
    assert sorted(lineup.rules) == sorted(PRESETS)
    assert lineup.seed_block == "test"
