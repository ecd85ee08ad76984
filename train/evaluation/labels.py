"""Names that fit into a table: that of an agent may be a whole command."""

from collections.abc import Sequence
from dataclasses import replace

from agents.process import NAME
from train.evaluation.field import Field
from train.evaluation.outcome import Outcome

LONGEST = 40
"""Characters of a name that are shown as they are."""
_END = 30
"""Characters of a longer one that are: what tells two of a family apart often stands at the end."""


def label(name: str) -> str:
    """``process:NAME`` of ``process:NAME=COMMAND``; beginning and end of another that is long."""
    family, colon, rest = name.partition(":")
    if family == "process" and (given := NAME.match(rest)):
        return f"{family}:{given[1]}"
    return name if len(name) <= LONGEST else f"{family if colon else ''}{colon}...{name[-_END:]}"


def labels(names: Sequence[str]) -> dict[str, str]:
    """Labels by name, or the names themselves where two would be called the same."""
    short = [label(name) for name in names]
    return {
        name: one if short.count(one) == 1 else name for name, one in zip(names, short, strict=True)
    }


def labelled(field: Field) -> Field:
    """The same with labels in the place of names."""
    of = labels(field.agents)
    outcomes = {outcome: _labelled(outcome, of) for outcome in field.outcomes}
    return replace(
        field,
        agents=tuple(of.values()),
        outcomes=tuple(outcomes.values()),
        holm={outcomes[outcome]: p for outcome, p in field.holm.items()},
        ratings=tuple(replace(rating, name=of[rating.name]) for rating in field.ratings),
        differences=tuple(
            replace(
                pair,
                first=of[pair.first],
                second=of[pair.second],
                through=of.get(pair.through, pair.through),
            )
            for pair in field.differences
        ),
    )


def _labelled(outcome: Outcome, of: dict[str, str]) -> Outcome:
    times = outcome.times
    return replace(
        outcome,
        challenger=of[outcome.challenger],
        reference=of[outcome.reference],
        times=None if times is None else {of[name]: told for name, told in times.items()},
    )
