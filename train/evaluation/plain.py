"""Results as JSON types and as rows of a CSV file."""

import csv
import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from train.evaluation.intervals import NOTHING, Estimate
from train.evaluation.metrics import Figures
from train.evaluation.outcome import Outcome

Plain = dict[str, Any]

CSV_COLUMNS = (
    "challenger",
    "reference",
    "rules",
    "fingerprint",
    "form",
    "walls",
    "seed_block",
    "seed",
    "engine",
    "variates",
    "stopped",
    "deals",
    "who",
    "figure",
    "value",
    "low95",
    "high95",
    "low99",
    "high99",
)


def plain(outcome: Outcome, p_holm: float | None = None) -> Plain:
    """An outcome as JSON types; what is not known is None.

    Args:
        outcome: What is told.
        p_holm: Its p value after Holm's correction over the table it stands in.
    """
    setting, averages = outcome.setting, outcome.challenger_figures.averages
    result: Plain = {
        "challenger": outcome.challenger,
        "reference": outcome.reference,
        "rules": setting.rules,
        "fingerprint": setting.fingerprint,
        "seed_block": setting.seed_block,
        "deals": outcome.deals,
        "units_per_deal": number(outcome.units.value),
        "ci95": interval(outcome.units.ci95),
        "ci99": interval(outcome.units.ci99),
        "p_value": number(outcome.p_value),
        "p_holm": None if p_holm is None else number(p_holm),
        "points_per_deal": number(outcome.units.value * setting.base_points),
        **{
            name: number(averages[name].value)
            for name in ("win_rate", "average_fan", "deal_in_rate")
        },
        "ledger": ledger(outcome),
        "ledger_above_table": _values(outcome.above_table),
        "form": setting.form,
        "walls": setting.walls,
        "seed": setting.seed,
        "engine": setting.engine,
        "stopped": str(outcome.stop),
        "variates": outcome.variates,
        "illegal_answers": dict(zip(("challenger", "reference"), outcome.illegal, strict=True)),
        "metrics": _figures(outcome.challenger_figures),
        "reference_metrics": _figures(outcome.reference_figures),
    }
    if outcome.times is not None:
        result["seconds_per_decision"] = {name: dict(p) for name, p in outcome.times.items()}
    return result


def ledger(outcome: Outcome) -> dict[str, float]:
    """Units a deal of the challenger by reason, which sum to its units a deal.

    With control variates there is one reason more: ``luck``, which they took off.
    """
    booked = _values(outcome.challenger_figures.ledger)
    return booked if outcome.variates is None else {**booked, "luck": -outcome.luck}


def to_csv(outcomes: Sequence[Outcome]) -> str:
    """One line for each outcome, policy and figure; an empty field where nothing is known."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for outcome in outcomes:
        setting = outcome.setting
        about = [outcome.challenger, outcome.reference, setting.rules, setting.fingerprint]
        about += [setting.form, setting.walls, setting.seed_block, str(setting.seed)]
        about += [setting.engine, outcome.variates or "", str(outcome.stop)]
        for who, figure, estimate in _rows(outcome):
            bounds = [estimate.value, *estimate.ci95, *estimate.ci99]
            cells = ["" if math.isnan(bound) else repr(bound) for bound in bounds]
            writer.writerow([*about, outcome.deals, who, figure, *cells])
    return text.getvalue()


def number(value: float) -> float | None:
    """A number that JSON has, None for one it has not."""
    return float(value) if math.isfinite(value) else None


def interval(bounds: tuple[float, float]) -> list[float | None]:
    """Both ends, None for one that there is not."""
    return [number(bound) for bound in bounds]


def _rows(outcome: Outcome) -> list[tuple[str, str, Estimate]]:
    rows = [("challenger", "edge", outcome.units)]
    rows += [("challenger", f"above_table.{name}", e) for name, e in outcome.above_table.items()]
    sides = {"challenger": outcome.challenger_figures, "reference": outcome.reference_figures}
    for (who, figures), illegal in zip(sides.items(), outcome.illegal, strict=True):
        rows.append((who, "illegal_answers", replace(NOTHING, value=float(illegal))))
        rows += [(who, name, estimate) for name, estimate in figures.averages.items()]
        rows += [(who, f"fan.{fan}", share) for fan, share in figures.fan_histogram.items()]
        rows += [(who, f"ledger.{name}", units) for name, units in figures.ledger.items()]
    return rows


def _figures(figures: Figures) -> Plain:
    named = {name: _estimate(estimate) for name, estimate in figures.averages.items()}
    fans = {str(fan): _estimate(share) for fan, share in figures.fan_histogram.items()}
    booked = {name: _estimate(units) for name, units in figures.ledger.items()}
    return {**named, "fan_histogram": fans, "ledger": booked}


def _estimate(estimate: Estimate) -> Plain:
    return {"value": number(estimate.value), "ci95": interval(estimate.ci95)}


def _values(estimates: Mapping[str, Estimate]) -> dict[str, float]:
    return {name: float(estimate.value) for name, estimate in estimates.items()}
