import json

import numpy as np
import pytest

from agents.greedy import Greedy
from mjenv import __version__
from mjenv.core.kernel import JIT_DISABLED
from mjenv.errors import AgentError, RulesError
from mjenv.games import rules_of
from mjenv.sichuan.rules import Rules
from tests.train.evaluation.players import HERE
from train.arena import arena, play_lineup
from train.evaluation.deal_sets import SEED_BLOCKS, Match, seed_of
from train.evaluation.errors import EvaluationError
from train.evaluation.lineup import LineUp
from train.evaluation.luck import value_luck
from train.evaluation.page import page
from train.evaluation.plain import to_csv
from train.evaluation.run import CHUNK_SETS, Conditions
from train.evaluation.sequential import MINIMUM_SETS, Stop, anytime
from train.evaluation.workers import Workers

PAIR = ("greedy/1", "random_legal/1")
SETS = 2 if JIT_DISABLED else 150
compiled_only = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")


class Twin(Greedy):
    """Greedy under another name."""

    def __init__(self) -> None:
        super().__init__()
        self.name = "twin/1"


def test_every_ordered_pair_is_told():
    result = arena(PAIR, deals=SETS)
    there, back = result.to_json()
    assert (there["challenger"], there["reference"]) == PAIR
    assert (back["reference"], back["challenger"]) == PAIR
    assert there["rules"] == "qq"
    assert there["fingerprint"] == Rules.preset("qq").fingerprint
    assert (there["seed_block"], there["seed"]) == ("dev", SEED_BLOCKS["dev"])
    assert (there["form"], there["walls"]) == ("1v3", "seat-keyed")
    assert there["engine"] == __version__
    assert there["deals"] == back["deals"] == SETS
    assert there["stopped"] == "played"
    assert not result.interrupted


@compiled_only
def test_the_stronger_wins_both_ways():
    there, back = arena(PAIR, deals=SETS).outcomes
    assert there.units.ci99[0] > 2
    assert back.units.ci99[1] < -2


@compiled_only
def test_the_same_bytes_whoever_plays():
    def everything(processes):
        result = arena((*PAIR, "never_call/1"), deals=2 * CHUNK_SETS + 5, processes=processes)
        return json.dumps(result.to_json()), to_csv(result.outcomes), page(result.fields)

    assert everything(1) == everything(3)


def test_an_arena_begins_with_agents_that_remember_nothing():
    first, again = (arena([f"{HERE}:Tiring", "greedy/1"], deals=1, processes=1) for _ in range(2))
    assert first.outcomes[0].illegal[0] == 0
    assert first.outcomes[1].illegal[1] > 0
    assert first.to_json() == again.to_json()


def test_equals_win_nothing_from_each_other():
    made = {"twin/1": Twin()}
    lineup = LineUp(("greedy/1", "twin/1"), deals=SETS)
    with Workers(1) as workers:
        there, back = play_lineup(lineup, workers, made=made).outcomes
    np.testing.assert_array_equal(there.values, 0)
    np.testing.assert_array_equal(back.values, 0)
    assert there.p_value == 1


def test_two_against_two_is_one_match_seen_from_both_sides():
    there, back = arena(PAIR, deals=2, form="2v2").outcomes
    np.testing.assert_array_equal(there.values, -back.values)
    assert there.seats == back.seats == 2
    assert (back.challenger, back.reference) == PAIR[::-1]
    assert back.challenger_figures == there.reference_figures
    ahead = {name: e.value for name, e in there.above_table.items()}
    assert {name: -e.value for name, e in back.above_table.items()} == pytest.approx(ahead)


@compiled_only
def test_a_precision_ends_a_match_when_it_is_reached():
    looks = []
    result = arena(PAIR, precision=0.15, watch=looks.append)
    for outcome in result.outcomes:
        assert outcome.stop == Stop.PRECISION
        assert outcome.units.half_width <= 0.15
        assert outcome.deals >= MINIMUM_SETS
        assert outcome.deals % CHUNK_SETS == 0
    assert [look.match for look in looks] == sorted(look.match for look in looks)
    first = [look for look in looks if look.match == 1]
    assert [look.sets for look in first] == [CHUNK_SETS * (i + 1) for i in range(len(first))]
    assert first[-1].sets == result.outcomes[0].deals
    assert first[-1].units.value == result.outcomes[0].units.value


@compiled_only
def test_deals_are_the_fewest_and_max_deals_the_most_with_a_precision():
    few = arena(PAIR, precision=50.0, deals=600).outcomes[0]
    assert (few.deals, few.stop) == (640, Stop.PRECISION)
    lineup = LineUp(PAIR, precision=0.001, max_deals=500)
    with Workers(2) as workers:
        most = play_lineup(lineup, workers).outcomes[0]
    assert (most.deals, most.stop) == (500, Stop.PLAYED)


class Interrupter:
    """Presses Ctrl-C after so many chunks."""

    def __init__(self, after: int) -> None:
        self.left = after

    def __call__(self, look) -> None:
        self.left -= 1
        if self.left == 0:
            raise KeyboardInterrupt


@compiled_only
def test_what_was_played_before_an_interruption_is_told():
    chunks = -(-MINIMUM_SETS // CHUNK_SETS)
    result = arena(PAIR, deals=100_000, watch=Interrupter(chunks))
    assert result.interrupted
    (only,) = result.outcomes
    assert only.stop == Stop.INTERRUPTED
    assert only.deals == chunks * CHUNK_SETS
    whole = arena(PAIR, deals=only.deals).outcomes[0]
    np.testing.assert_array_equal(only.values, whole.values)
    assert only.units.ci95[0] < whole.units.ci95[0] < whole.units.ci95[1] < only.units.ci95[1]


@compiled_only
def test_an_interruption_in_the_last_of_many_matches_keeps_the_others():
    result = arena((*PAIR, "never_call/1"), deals=100, watch=Interrupter(6))
    assert result.interrupted
    assert len(result.outcomes) == 6
    assert [outcome.stop for outcome in result.outcomes[:5]] == [Stop.PLAYED] * 5
    assert result.to_json()[-1]["ci95"] == [None, None]  # too few for an interval at any time


@compiled_only
def test_with_variates_the_result_is_watched_as_it_will_be_told():
    looks = []
    lineup = LineUp(PAIR, deals=1500, variates="luck")
    with Workers(2) as workers:
        outcome = play_lineup(lineup, workers, looks.append).outcomes[0]
    first = [look for look in looks if look.match == 1]
    assert [look.sets for look in first] == [*range(CHUNK_SETS, 1500, CHUNK_SETS), 1500]
    assert first[-1].units == anytime(outcome.values)
    halves = [look.units.half_width for look in first if look.sets > 1000]
    plain = anytime(arena(PAIR, deals=1500).outcomes[0].values).half_width
    assert halves[-1] < min(halves[0], plain)


@compiled_only
def test_taking_luck_off_keeps_the_ledger_whole():
    lineup = LineUp(PAIR, deals=400, variates="luck")
    with Workers(2) as workers:
        found = play_lineup(lineup, workers).to_json()[0]
    plain = arena(PAIR, deals=400).to_json()[0]
    assert found["variates"] == "luck"
    assert sum(found["ledger"].values()) == pytest.approx(found["units_per_deal"])
    assert found["units_per_deal"] + -found["ledger"]["luck"] == pytest.approx(
        plain["units_per_deal"]
    )
    width = [ends[1] - ends[0] for ends in (found["ci95"], plain["ci95"])]
    assert width[0] < width[1]


@compiled_only
def test_luck_by_value_needs_no_coefficients_and_few_sets():
    lineup = LineUp(("never_call/1", "greedy/1"), deals=40, reference="greedy/1", variates="value")
    with Workers(1) as workers:
        (outcome,) = play_lineup(lineup, workers).outcomes
        conditions = Conditions(rules_of("qq"), seed_of("dev"), value="fitted")
        played = workers.play_match(Match("never_call/1", "greedy/1"), conditions, 40)
    assert outcome.variates == "value"
    np.testing.assert_array_equal(outcome.values, played.units - value_luck(played))
    assert outcome.luck == pytest.approx(value_luck(played).mean())


def test_several_rules_are_several_fields():
    result = arena(PAIR, ["qq", "standalone"], deals=1)
    assert [field.outcomes[0].setting.rules for field in result.fields] == ["qq", "standalone"]
    assert len(result.to_json()) == 4


@pytest.mark.parametrize(
    ("agents", "rules", "error"),
    [
        (["greedy/1", "greedi/1"], "qq", AgentError),
        (["greedy/1", "greedy/1"], "qq", EvaluationError),
        ("greedy/1", "qq", EvaluationError),
        ([Greedy(), "folder/1"], "qq", EvaluationError),
        (PAIR, "qqq", RulesError),
        (PAIR, Rules(), EvaluationError),
        (PAIR, {"fan_cap": 3}, EvaluationError),
    ],
)
def test_what_cannot_be_played_is_told_before_anything_is_played(agents, rules, error):
    def nothing(look):
        raise AssertionError("it was played")

    with pytest.raises(error):
        arena(agents, rules, watch=nothing)


def test_the_same_rules_by_two_names_are_refused(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("preset: qq\n", encoding="utf-8")
    with pytest.raises(EvaluationError, match=r"'qq' and '.*mine\.yaml' are the same rules \("):
        arena(PAIR, ["qq", str(file)], deals=1)


def test_an_interruption_before_anything_was_played_is_one():
    class Nobody(Workers):
        def play(self, tasks):
            raise KeyboardInterrupt

    with Nobody(1) as workers, pytest.raises(KeyboardInterrupt):
        play_lineup(LineUp(PAIR), workers)
