import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from tests.train.evaluation.matches import SETS, around, invented, outcome
from train.evaluation.metrics import REASONS
from train.evaluation.plain import CSV_COLUMNS, ledger, plain, to_csv

ASKED_FOR = {
    "challenger", "reference", "rules", "fingerprint", "seed_block", "deals", "units_per_deal",
    "ci95", "ci99", "win_rate", "average_fan", "deal_in_rate", "ledger",
}  # fmt: skip


def test_json_has_what_is_documented():
    real = outcome()
    found = plain(real, p_holm=0.5)
    assert found.keys() >= ASKED_FOR
    assert found["deals"] == SETS
    assert found["units_per_deal"] == real.units.value
    assert found["points_per_deal"] == pytest.approx(10 * real.units.value)
    assert found["ci99"][0] < found["ci95"][0] < found["units_per_deal"] < found["ci95"][1]
    assert found["p_holm"] == 0.5
    assert "seconds_per_decision" not in found


def test_json_is_json_without_nan():
    nothing = outcome()
    nan = replace(nothing.units, value=float("nan"), ci95=(float("nan"),) * 2)
    broken = replace(nothing, units=nan, p_value=float("nan"))
    text = json.dumps(plain(broken), allow_nan=False)
    assert json.loads(text)["units_per_deal"] is None
    assert json.loads(text)["ci95"] == [None, None]
    assert json.loads(json.dumps(plain(outcome()), allow_nan=False)) == plain(outcome())


def test_the_ledger_sums_to_the_units():
    real = outcome()
    assert list(ledger(real)) == list(REASONS)
    assert sum(ledger(real).values()) == pytest.approx(real.units.value, abs=1e-12)
    corrected = outcome(values=real.values - 0.25, variates="luck")
    assert ledger(corrected)["luck"] == pytest.approx(-0.25)
    assert sum(ledger(corrected).values()) == pytest.approx(corrected.units.value)


def test_times_stand_there_only_if_they_were_measured():
    times = {"greedy/1": {"p50": 1e-6, "p99": 2e-6}}
    assert plain(replace(outcome(), times=times))["seconds_per_decision"] == times


def test_csv_is_read_back():
    outcomes = [outcome(), invented("a, b/1", 'c"d/1', around(0.1))]
    rows = list(csv.DictReader(io.StringIO(to_csv(outcomes))))
    assert tuple(rows[0]) == CSV_COLUMNS
    edges = [row for row in rows if row["figure"] == "edge"]
    assert [row["challenger"] for row in edges] == ["greedy/1", "a, b/1"]
    assert float(edges[0]["value"]) == outcomes[0].units.value
    assert float(edges[0]["low95"]) == outcomes[0].units.ci95[0]
    assert [(row["seed"], row["stopped"], row["variates"]) for row in edges] == [
        (str(one.setting.seed), str(one.stop), "") for one in outcomes
    ]
    corrected = replace(outcomes[0], variates="luck", illegal=(3, 0))
    told = list(csv.DictReader(io.StringIO(to_csv([corrected]))))
    assert {row["variates"] for row in told} == {"luck"}
    illegal = [row for row in told if row["figure"] == "illegal_answers"]
    assert [(row["who"], float(row["value"]), row["low95"]) for row in illegal] == [
        ("challenger", 3, ""),
        ("reference", 0, ""),
    ]
    ledgers = [row for row in rows if row["figure"].startswith("ledger.")]
    mine = [row for row in ledgers if row["challenger"] == "greedy/1"]
    for who, figures in (("challenger", outcomes[0].challenger_figures),
                         ("reference", outcomes[0].reference_figures)):  # fmt: skip
        total = sum(float(row["value"]) for row in mine if row["who"] == who)
        assert total == pytest.approx(figures.averages["units_per_deal"].value)
    assert "nan" not in to_csv([invented("a", "b", np.array([1.0]))])
