import time

from train.console import Progress, print_table


def test_progress_speaks_while_the_work_is_silent(capsys):
    with Progress("deals", 3, first_after=0.01, every=0.01) as progress:
        time.sleep(0.1)
        progress.advance()
        time.sleep(0.1)
    captured = capsys.readouterr()
    assert captured.out == ""
    lines = captured.err.splitlines()
    assert lines[0] == "deals: 0 s so far"
    assert lines[-1] == "deals: 1 of 3 after 0 s"
    time.sleep(0.05)
    assert capsys.readouterr().err == ""


def test_quick_work_is_silent(capsys):
    with Progress("deals") as progress:
        progress.advance()
    assert capsys.readouterr().err == ""


def test_a_table_has_columns(capsys):
    print_table([["a", "bb", "c"], ["aaa", "b", "long"]])
    assert capsys.readouterr().out == "a    bb  c\naaa  b   long\n"
