"""Everything the arena says a policy did, counted once more from records of the same deals."""

import json
import math
from itertools import combinations

import numpy as np
import pytest
from scipy import stats

from mjenv.core.kernel import JIT_DISABLED
from tests.train.evaluation.recount import LEDGER, deals_of, figures, seats_of
from train.cli import main
from train.evaluation.deal_sets import seed_of

pytestmark = pytest.mark.skipif(JIT_DISABLED, reason="plain Python takes minutes")

SETS = 20
MATCHES = [  # bots that differ much, so that a bit of everything happens
    ("qq", "1v3", "seat-keyed", ["kong_hunter/1", "greedy/1"]),
    ("standalone", "2v2", "seat-keyed", ["greedy/1", "random_legal/1"]),
    ("standalone_single", "1v3", "ordinary", ["always_call/1", "kong_hunter/1"]),
    ("sichuan_modern", "2v2", "ordinary", ["kong_hunter/1", "greedy/1"]),
]


@pytest.fixture
def recorded(tmp_path, capsys):
    """Plays the deal sets of a match into records: seats of challenger and reference, by set."""

    def play(rules, form, walls, challenger, reference):
        sides = [[[] for _ in range(SETS)] for _ in range(2)]
        for chosen in combinations(range(4), 1 if form == "1v3" else 2):
            agents = [challenger if seat in chosen else reference for seat in range(4)]
            out = tmp_path / "deals.jsonl"
            options = ["--deals", str(SETS), "--seed", str(seed_of("dev")), "--walls", walls]
            assert main(["selfplay", *agents, "--rules", rules, *options, "--out", str(out)]) == 0
            for number, events in enumerate(deals_of(out.read_text("utf-8").splitlines())):
                assert events[0]["deal"] == number
                for seat, did in enumerate(seats_of(events)):
                    sides[seat not in chosen][number].append(did)
        capsys.readouterr()
        return sides

    return play


@pytest.mark.parametrize(("rules", "form", "walls", "agents"), MATCHES)
def test_every_figure_is_that_of_the_records(rules, form, walls, agents, recorded, capsys):
    options = ["--rules", rules, "--form", form, "--walls", walls, "--deals", str(SETS), "--json"]
    assert main(["arena", *agents, *options]) == 0
    pairs = json.loads(capsys.readouterr().out)
    assert [pair["challenger"] for pair in pairs] == agents
    for pair in pairs:
        sides = recorded(rules, form, walls, pair["challenger"], pair["reference"])
        for told, sets in zip(("metrics", "reference_metrics"), sides, strict=True):
            counted = figures([seat for deal_set in sets for seat in deal_set])
            assert flat(pair[told]) == pytest.approx(counted, rel=1e-12, abs=1e-12, nan_ok=True)
        own, others = ([seat for deal_set in side for seat in deal_set] for side in sides)
        table = figures([*own, *others])
        for reason in LEDGER:
            above = figures(own)[f"ledger.{reason}"] - table[f"ledger.{reason}"]
            assert pair["ledger_above_table"][reason] == pytest.approx(above, abs=1e-12)
        of_sets = [np.mean([seat["units"] for seat in deal_set]) for deal_set in sides[0]]
        test = stats.ttest_1samp(of_sets, 0)
        assert pair["p_value"] == pytest.approx(test.pvalue)
        assert pair["ci95"] == pytest.approx(list(test.confidence_interval(0.95)))
        assert pair["ci99"] == pytest.approx(list(test.confidence_interval(0.99)))


def flat(metrics):
    """Values by the names of ``figures``."""
    found = {name: figure for name, figure in metrics.items() if "value" in figure}
    found |= {f"fan.{fan}": share for fan, share in metrics["fan_histogram"].items()}
    found |= {f"ledger.{reason}": part for reason, part in metrics["ledger"].items()}
    values = {name: figure["value"] for name, figure in found.items()}
    return {name: math.nan if value is None else value for name, value in values.items()}
