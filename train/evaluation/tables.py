"""Results in a terminal: what is known first, then why."""

from collections.abc import Iterator, Mapping

from rich.console import Console
from rich.table import Table
from rich.text import Text

from train.evaluation.field import CLEAR, Field
from train.evaluation.labels import labelled
from train.evaluation.outcome import Outcome
from train.evaluation.verdict import COPIES, advice, digits, edge, played, replaced, verdict
from train.evaluation.wording import (
    EDGES_TITLE,
    FIGURE_WORDS,
    PAIRS_TITLE,
    RATINGS_TITLE,
    REASON_WORDS,
    bounds,
    duration,
    figure,
    p_text,
    units,
    value,
)

WIDTH = 10_000
"""Columns where there is no terminal to fit into: no line is broken."""
PAIR = 2


class _Console(Console):
    def on_broken_pipe(self) -> None:
        """Leave it to the command; rich would exit with a code of its own."""
        raise BrokenPipeError


def console_for(stream: object) -> Console:
    """A console whose output is the same wherever there is no terminal."""
    # Names are no markup: the x of module:x:Bot would be an emoji.
    console = _Console(file=stream, highlight=False, markup=False, emoji=False)  # type: ignore[arg-type]  # any text stream
    if not console.is_terminal:
        console.width = WIDTH
    return console


def shown(field: Field) -> Iterator[str | Text | Table]:
    """What a terminal shows of all matches by the same rules."""
    field = labelled(field)
    first = field.outcomes[0]
    if len(field.agents) == PAIR:
        yield from _pair(first, *field.outcomes[1:])
    else:
        yield from _many(field)
    yield ""
    yield f"{played(field.outcomes)}."


def _pair(there: Outcome, back: Outcome | None = None) -> Iterator[str | Text | Table]:
    yield Text(f"{verdict(there)}.", style="bold")
    if back is not None and back.setting.form == "1v3":
        yield (
            f"The other way round, {back.challenger} against three {back.reference}: {edge(back)}."
        )
    hint = advice(there)
    if hint:
        yield hint
    yield from replaced([there] if back is None else [there, back])
    yield ""
    yield ledger_table(there)
    yield ""
    yield figures_table(there)


def _many(field: Field) -> Iterator[str | Text | Table]:
    if field.ratings:
        yield Text(field.ranking(), style="bold")
        yield "(>: told apart at 95 %, all pairs taken together; =: not)"
    yield from (wrong := replaced(field.outcomes))
    if field.ratings or wrong:
        yield ""
    if field.ratings:
        yield f"{RATINGS_TITLE}:"
        yield ratings_table(field)
        yield ""
        yield f"{PAIRS_TITLE}:"
        yield differences_table(field)
        yield ""
    yield f"{EDGES_TITLE}:"
    yield edges_table(field)
    if field.intransitivity is not None and field.intransitivity[1] < CLEAR:
        yield (
            f"Ratings leave {field.intransitivity[0]:.2f} units a deal unexplained "
            f"(p {p_text(field.intransitivity[1])}): look at the matches as well."
        )
    if field.outcomes[0].times is not None:
        yield ""
        yield times_table(field.outcomes[0].times)


def ratings_table(field: Field) -> Table:
    """One number for each agent, best first."""
    table = _table("agent")
    for name in ("units a deal", "95 %", "OpenSkill (± sigma)"):
        table.add_column(name, justify="right", overflow="fold")
    for rating in field.ratings:
        skill = f"{rating.skill:.1f} ± {rating.skill_error:.1f}"
        table.add_row(rating.name, units(rating.units), bounds(rating.units), skill)
    return table


def differences_table(field: Field) -> Table:
    """All pairs, on the same deal sets."""
    table = _table("agent", "minus", "through")
    for name in ("units a deal", "95 %", "p (Holm)"):
        table.add_column(name, justify="right", overflow="fold")
    for pair in field.differences:
        table.add_row(
            pair.first,
            pair.second,
            pair.through,
            units(pair.units),
            bounds(pair.units),
            p_text(pair.p_holm),
            style=None if pair.p_holm < CLEAR else "dim",
        )
    return table


def edges_table(field: Field) -> Table:
    """One row for each match."""
    outcomes = field.outcomes
    copies = COPIES[outcomes[0].setting.form]
    table = _table("challenger", f"against {copies}")
    columns: tuple[str, ...] = ("units a deal", "p (Holm)", "wins", "fan", "deals in")
    # Unless matches were stopped early they all have as many, which is said below.
    uneven = len({outcome.deals for outcome in outcomes}) > 1
    illegal = any(any(outcome.illegal) for outcome in outcomes)
    columns += ("deal sets",) * uneven + ("replaced, of either",) * illegal
    for name in columns:
        table.add_column(name, justify="right", overflow="fold")
    for outcome in outcomes:
        averages = outcome.challenger_figures.averages
        table.add_row(
            outcome.challenger,
            outcome.reference,
            units(outcome.units),
            p_text(field.holm[outcome]),
            *(value(name, averages[name]) for name in ("win_rate", "average_fan", "deal_in_rate")),
            *([f"{outcome.deals:,}"] if uneven else []),
            *(["{} / {}".format(*outcome.illegal)] if illegal else []),
            style=None if _is_clear(outcome) else "dim",
        )
    return table


def times_table(times: Mapping[str, Mapping[str, float]]) -> Table:
    """One row for each agent: seconds a decision takes, p50 and p99."""
    table = _table("time a decision")
    for name in ("p50", "p99"):
        table.add_column(name, justify="right", overflow="fold")
    for agent, took in times.items():
        table.add_row(agent, *(duration(took[name]) for name in ("p50", "p99")))
    return table


def ledger_table(outcome: Outcome) -> Table:
    """Where the edge comes from, reason by reason; reasons nothing was booked for are left out."""
    table = _table("units a deal for")
    for name in (outcome.challenger, f"each {outcome.reference}", "above the table"):
        table.add_column(name, justify="right", overflow="fold")
    mine, theirs = outcome.challenger_figures.ledger, outcome.reference_figures.ledger
    places = digits(outcome.units.half_width)
    for reason, words in REASON_WORDS.items():
        if mine[reason].value or theirs[reason].value:
            above = outcome.above_table[reason]
            table.add_row(
                words,
                f"{mine[reason].value:+.{places}f}",
                f"{theirs[reason].value:+.{places}f}",
                units(above, places),
                style=None if abs(above.value) > above.half_width else "dim",
            )
    if outcome.variates is not None:
        table.add_row(
            "luck taken off", f"{-outcome.luck:+.{places}f}", "", f"{-outcome.luck:+.{places}f}"
        )
    theirs_in_all = outcome.reference_figures.averages["units_per_deal"].value
    table.add_section()
    table.add_row(
        "in all",
        f"{outcome.units.value:+.{places}f}",
        f"{theirs_in_all:+.{places}f}",
        units(outcome.units, places),
        style="bold",
    )
    return table


def figures_table(outcome: Outcome) -> Table:
    """How both played; where their intervals are apart, the row stands out."""
    table = _table("how they played")
    for name in (outcome.challenger, f"each {outcome.reference}"):
        table.add_column(name, justify="right", overflow="fold")
    mine, theirs = outcome.challenger_figures.averages, outcome.reference_figures.averages
    for name, words in FIGURE_WORDS.items():
        low, high = mine[name].ci95, theirs[name].ci95
        apart = low[0] > high[1] or high[0] > low[1]
        table.add_row(
            words,
            figure(name, mine[name]),
            figure(name, theirs[name]),
            style=None if apart else "dim",
        )
    if any(outcome.illegal):
        table.add_row("answers replaced", *(str(number) for number in outcome.illegal))
    for name in ("p50", "p99") if outcome.times else ():
        times = outcome.times or {}
        table.add_row(
            f"time a decision, {name}",
            *(duration(times[who][name]) for who in (outcome.challenger, outcome.reference)),
        )
    return table


def _table(*columns: str) -> Table:
    table = Table(box=None, pad_edge=False, header_style="underline")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _is_clear(outcome: Outcome) -> bool:
    low, high = outcome.units.ci95
    return low > 0 or high < 0
