import pickle

import pytest

from mjenv.errors import (
    AgentError,
    CaseError,
    CheckpointError,
    IllegalActionError,
    MissingExtraError,
    MjenvError,
    OptionError,
    PositionError,
    RecordError,
    RulesError,
    TileError,
)


@pytest.mark.parametrize(
    "error",
    [
        AgentError,
        CaseError,
        CheckpointError,
        IllegalActionError,
        OptionError,
        PositionError,
        RecordError,
        RulesError,
        TileError,
    ],
)
def test_errors_of_input_are_value_errors(error):
    assert issubclass(error, MjenvError)
    assert issubclass(error, ValueError)


@pytest.mark.parametrize("error", [RecordError, CaseError])
def test_errors_in_files_carry_their_line(error):
    caught = error("not JSON", line=3)
    assert (str(caught), caught.line) == ("line 3: not JSON", 3)
    assert (str(error("empty")), error("empty").line) == ("empty", None)
    copy = pickle.loads(pickle.dumps(caught))
    assert (str(copy), copy.line) == (str(caught), 3)


def test_a_missing_extra_says_how_to_install_it():
    error = MissingExtraError("mjenv train", "train")
    assert isinstance(error, ImportError)
    assert 'pip install "mjenv[train]"' in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_an_action_refused_at_a_table_names_the_menu():
    error = IllegalActionError.at_table(
        seat=2, action="discard 7p", phase="CLAIM", legal=["pass", "pung"]
    )
    assert str(error) == "seat 2 cannot 'discard 7p' in CLAIM; legal: pass, pung"
