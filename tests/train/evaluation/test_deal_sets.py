import numpy as np
import pytest

from agents.greedy import Greedy
from train.evaluation.deal_sets import CHALLENGER, FORMS, REFERENCE, SEED_BLOCKS, Match, seed_of
from train.evaluation.errors import EvaluationError


def test_every_seating_of_a_form_comes_once() -> None:
    assert {form: len(seatings) for form, seatings in FORMS.items()} == {"1v3": 4, "2v2": 6}
    for challengers, seatings in ((1, FORMS["1v3"]), (2, FORMS["2v2"])):
        assert len({tuple(row) for row in seatings.tolist()}) == len(seatings)
        assert ((seatings == CHALLENGER).sum(axis=1) == challengers).all()
        assert set(seatings.ravel().tolist()) == {CHALLENGER, REFERENCE}
        assert len(set((seatings == CHALLENGER).sum(axis=0).tolist())) == 1


def test_a_match_names_its_sides() -> None:
    match = Match(Greedy(), "random_legal/1")
    assert match.names == ("greedy/1", "random_legal/1")
    assert np.array_equal(match.challenger_seats, np.eye(4, dtype=bool))
    with pytest.raises(EvaluationError, match="form: got '3v1'; allowed: 1v3, 2v2"):
        Match("greedy/1", "random_legal/1", "3v1")


def test_seed_blocks_share_no_deal() -> None:
    seeds = [seed_of(block) for block in SEED_BLOCKS]
    assert len(set(seeds)) == len(seeds) == 3
    assert max(seeds) < 2**53
    with pytest.raises(EvaluationError, match="seed block: got 'prod'; allowed: dev, val, test"):
        seed_of("prod")
