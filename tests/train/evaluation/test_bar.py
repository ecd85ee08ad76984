import io
import time

import pytest
from rich.console import Console

from train.evaluation.bar import ArenaBar
from train.evaluation.course import Look
from train.evaluation.intervals import NOTHING, Estimate


def look(sets, half, match=1, matches=2, name="a/1"):
    known = Estimate(0.2, half / 2, sets, (0.2 - half, 0.2 + half), (0.2 - half, 0.2 + half))
    return Look(name, "b/1", "qq", match, matches, sets, 2000, known if half else NOTHING)


def shown(terminal, *looks, precision=None) -> str:
    stream = io.StringIO()
    console = Console(file=stream, force_terminal=terminal, width=120, color_system=None)
    with ArenaBar(console, precision) as bar:
        for one in looks:
            bar.show(one)
            bar.refresh()
    return stream.getvalue()


def test_the_interval_is_shown_as_it_narrows():
    text = shown(True, look(128, 0), look(512, 0.2), look(1024, 0.14))
    for part in ("match 1 of 2, a/1 against b/1, qq", "+0.20 ± 0.20, 512 sets", "± 0.14"):
        assert part in text


def test_names_are_text_and_not_markup():
    assert "module:x:[b]Bot against" in shown(True, look(512, 0.2, name="module:x:[b]Bot"))


def test_what_is_quick_is_silent_in_a_log(capsys):
    assert shown(False, look(512, 0.2)) == ""
    assert capsys.readouterr().err == ""


def test_a_log_hears_of_it_now_and_then(monkeypatch, capsys):
    monkeypatch.setattr("train.console.FIRST_AFTER", 0.01)
    monkeypatch.setattr("train.evaluation.bar.EVERY", 0.01)
    with ArenaBar(Console(file=io.StringIO()), None) as bar:
        time.sleep(0.2)
        bar.show(look(512, 0.2))
        time.sleep(0.2)
    said = capsys.readouterr().err.splitlines()
    assert said[0] == "arena: 0 s so far"
    assert said[-1] == (
        "arena: match 1 of 2, a/1 against b/1, qq: +0.20 ± 0.20, 512 sets, after 0 s"
    )


@pytest.mark.parametrize(
    ("one", "precision", "percentage"),
    [
        (look(1000, 0.2), None, " 25%"),
        (look(1000, 0.2, match=2), None, " 75%"),
        (look(1000, 0.2, matches=1), 0.1, " 50%"),
        (look(100, 0.2, matches=1), 0.1, " 25%"),  # half as wide takes four times the sets
        (look(100, 0.05, matches=1), 0.1, "100%"),
        (look(100, 0, matches=1), 0.1, "  5%"),
    ],
)
def test_how_far_it_is(one, precision, percentage):
    assert percentage in shown(True, one, precision=precision)
