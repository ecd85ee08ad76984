import numpy as np
import pytest

from mjenv.errors import IllegalActionError
from mjenv.sichuan import actions
from mjenv.sichuan.actions import (
    ACTION_RANGES,
    ACTION_TEXTS,
    NUM_ACTIONS,
    action_text,
    parse_action,
)


def test_ids_are_those_of_the_documentation():
    assert (actions.DISCARD_0, actions.OWN_KONG_0, actions.VOID_0) == (0, 27, 54)
    singles = (actions.PUNG, actions.KONG, actions.WIN, actions.PASS, actions.QUIT)
    assert singles == (57, 58, 59, 60, 61)
    assert NUM_ACTIONS == len(ACTION_TEXTS) == len(set(ACTION_TEXTS)) == 62


def test_ranges_cover_every_id_once():
    ids = [first + i for _, first, count in ACTION_RANGES for i in range(count)]
    assert ids == list(range(NUM_ACTIONS))


@pytest.mark.parametrize("action", range(NUM_ACTIONS))
@pytest.mark.parametrize("phase_is_exchange", [False, True])
def test_text_reads_back(action, phase_is_exchange):
    assert parse_action(action_text(action, phase_is_exchange)) == action


@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("discard 5p", 13),
        ("give 5p", 13),
        ("kong 1m", 27),
        ("void s", 56),
        ("pung", 57),
        ("kong", 58),
        ("win", 59),
        ("pass", 60),
        ("quit", 61),
    ],
)
def test_text_forms(text, action):
    assert parse_action(text) == action
    assert action_text(action, text.startswith("give")) == text


def test_spaces_do_not_matter_and_numpy_ids_are_ids():
    assert parse_action("  discard   5p ") == 13
    assert action_text(np.int64(13)) == "discard 5p"


@pytest.mark.parametrize("action", [-1, 62])
def test_ids_out_of_range_are_refused(action):
    with pytest.raises(IllegalActionError, match="0 to 61"):
        action_text(action)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "actions are: give TILE, discard TILE"),
        ("discrd 5p", "did you mean 'discard'"),
        ("discard", "actions are"),
        ("discard 5x", "'5x' in '5x' is no tile"),
        ("kong 5p6p", "exactly one"),
        ("discard E", "is no tile"),
        ("void x", "one of m, p, s"),
        ("win 5p", "actions are"),
        ("chow", "actions are"),
    ],
)
def test_nonsense_is_refused_with_a_hint(text, words):
    with pytest.raises(IllegalActionError) as caught:
        parse_action(text)
    assert words in str(caught.value)
    assert isinstance(caught.value, ValueError)
