"""Results as one static page: no script, no font, no picture from elsewhere, no date.

Plots are drawn in the rows of the tables that hold their numbers (drawings.py), so that every
picture can be read as text.
"""

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from train.evaluation.drawings import Axis, bars, interval, scale
from train.evaluation.field import Field
from train.evaluation.metrics import MEANINGS
from train.evaluation.outcome import Outcome
from train.evaluation.verdict import COPIES, advice, digits, played, replaced, verdict
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
)

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<h1>{title}</h1>
{body}
{reading}
</body>
</html>
"""


def page(fields: Sequence[Field]) -> str:
    """The page of an arena.

    Args:
        fields: What was played, by rules.
    """
    names = list(dict.fromkeys(name for field in fields for name in field.agents))
    body = "\n".join(_field(field) for field in fields)
    style = files("train.evaluation").joinpath("page.css").read_text(encoding="utf-8")
    reading = files("train.evaluation").joinpath("reading.html").read_text(encoding="utf-8")
    title = escape(f"Arena: {', '.join(names)}")
    return _PAGE.format(title=title, style=style, body=body, reading=reading + _meanings())


def _field(field: Field) -> str:
    first = field.outcomes[0]
    hint = None if field.ratings else advice(first)
    said = field.ranking() if field.ratings else f"{verdict(first)}."
    parts = [f"<h2>{escape(first.setting.called.capitalize())}</h2>"]
    parts.append(f'<p class="verdict">{escape(said)}</p>')
    parts += [f"<p>{escape(text)}</p>" for text in ([hint] if hint else [])]
    parts += [f"<p>{escape(text)}</p>" for text in replaced(field.outcomes)]
    parts.append(f"<p>{escape(played(field.outcomes))}.</p>")
    parts.append(_edges(field))
    if field.ratings:
        everybody_met = len({outcome.reference for outcome in field.outcomes}) > 1
        parts += [_matrix(field)] if everybody_met else []
        parts += [_ratings(field), _differences(field)]
    parts += [_match(outcome) for outcome in field.outcomes]
    return "\n".join(parts)


def _meanings() -> str:
    """What each row of the last table of a match is."""
    rows = [[_head(words), escape(MEANINGS[name])] for name, words in FIGURE_WORDS.items()]
    return _table("What the figures are", ["figure", "is"], rows)


# ------------------------------------------------------------------------------------- the field


def _edges(field: Field) -> str:
    axis = Axis.of(outcome.units for outcome in field.outcomes)
    copies = COPIES[field.outcomes[0].setting.form]
    head = ["challenger", f"against {copies}", "units a deal", "95 %", scale(axis), "p"]
    head += ["p (Holm)", "deal sets"]
    rows = [
        [
            _name(outcome.challenger),
            _name(outcome.reference),
            _number(units(outcome.units)),
            _number(bounds(outcome.units)),
            interval(axis, outcome.units, verdict(outcome)),
            _number(p_text(outcome.p_value)),
            _number(p_text(field.holm[outcome])),
            _number(f"{outcome.deals:,}"),
        ]
        for outcome in field.outcomes
    ]
    return _table(EDGES_TITLE, head, rows)


def _matrix(field: Field) -> str:
    """Edges as a square; cells are coloured by sign where the interval leaves out zero."""
    by_pair = {(o.challenger, o.reference): o for o in field.outcomes}
    rows = []
    for challenger in field.agents:
        cells = [_name(challenger)]
        for reference in field.agents:
            outcome = by_pair.get((challenger, reference))
            cells.append("<td>-</td>" if outcome is None else _cell(outcome))
        rows.append(cells)
    head = ["challenger", *(escape(name) for name in field.agents)]
    caption = (
        "Units a deal of the row against the column; green (+) and red (-) where the sign is clear"
    )
    return _table(caption, head, rows)


def _cell(outcome: Outcome) -> str:
    low, high = outcome.units.ci95
    kind, mark = ("up", " (+)") if low > 0 else ("down", " (-)") if high < 0 else ("", "")
    return f'<td class="number {kind}">{outcome.units.value:+.2f}{mark}</td>'


def _ratings(field: Field) -> str:
    axis = Axis.of(rating.units for rating in field.ratings)
    head = ["agent", "units a deal", scale(axis), "OpenSkill (± sigma)"]
    rows = [
        [
            _name(rating.name),
            _number(units(rating.units)),
            interval(axis, rating.units, f"{rating.name}: {units(rating.units)}"),
            _number(f"{rating.skill:.2f} ± {rating.skill_error:.2f}"),
        ]
        for rating in field.ratings
    ]
    return _table(RATINGS_TITLE, head, rows)


def _differences(field: Field) -> str:
    axis = Axis.of(pair.units for pair in field.differences)
    head = ["agent", "minus", "through", "units a deal", scale(axis), "p (Holm)"]
    rows = [
        [
            _name(pair.first),
            _name(pair.second),
            f"<td>{escape(pair.through)}</td>",
            _number(units(pair.units)),
            interval(axis, pair.units, f"{pair.first} minus {pair.second}: {units(pair.units)}"),
            _number(p_text(pair.p_holm)),
        ]
        for pair in field.differences
    ]
    return _table(PAIRS_TITLE, head, rows)


# ------------------------------------------------------------------------------------- one match


def _match(outcome: Outcome) -> str:
    title = f"{outcome.challenger} against {COPIES[outcome.setting.form]} {outcome.reference}"
    parts = [f"<details open><summary>{escape(title)}</summary>"]
    parts += [_ledger(outcome), _fans(outcome), _figures(outcome), "</details>"]
    return "\n".join(parts)


def _ledger(outcome: Outcome) -> str:
    mine, theirs = outcome.challenger_figures.ledger, outcome.reference_figures.ledger
    axis, places = Axis.of(outcome.above_table.values()), digits(outcome.units.half_width)
    rows = []
    for reason, words in REASON_WORDS.items():
        if not (mine[reason].value or theirs[reason].value):
            continue
        above = outcome.above_table[reason]
        rows.append(
            [
                _head(words),
                _number(units(mine[reason], places)),
                _number(units(theirs[reason], places)),
                _number(units(above, places)),
                bars(axis, [above.value], f"{words}: {units(above, places)}"),
            ]
        )
    if outcome.variates is not None:
        luck = f"{-outcome.luck:+.{places}f}"
        rows.append([_head("luck taken off"), _number(luck), "", _number(luck), ""])
    theirs_in_all = outcome.reference_figures.averages["units_per_deal"]
    total = units(outcome.units, places)
    theirs_told = units(theirs_in_all, places)
    rows.append([_head("in all"), *(_number(n) for n in (total, theirs_told, total)), ""])
    head = ["units a deal for", escape(outcome.challenger), f"each {escape(outcome.reference)}"]
    return _table("Where the edge comes from", [*head, "above the table", scale(axis)], rows)


def _fans(outcome: Outcome) -> str:
    mine, theirs = (
        figures.fan_histogram for figures in (outcome.challenger_figures, outcome.reference_figures)
    )
    fans = sorted({*mine, *theirs})
    if not fans:
        return ""
    shares = {fan: [side[fan].value if fan in side else 0.0 for side in (mine, theirs)]
              for fan in fans}  # fmt: skip
    axis = Axis.around(100 * value for pair in shares.values() for value in pair)
    rows = [
        [
            _head(str(fan)),
            *(_number(f"{100 * value:.1f} %") for value in shares[fan]),
            bars(axis, [100 * value for value in shares[fan]], f"{fan} fan"),
        ]
        for fan in fans
    ]
    head = ["fan", _key(0, outcome.challenger), _key(1, outcome.reference), scale(axis)]
    return _table("Wins by fan, in per cent of the wins", head, rows)


def _figures(outcome: Outcome) -> str:
    mine, theirs = outcome.challenger_figures.averages, outcome.reference_figures.averages
    rows = [
        [
            _head(words),
            _number(figure(name, mine[name])),
            _number(figure(name, theirs[name])),
        ]
        for name, words in FIGURE_WORDS.items()
    ]
    rows.append([_head("answers replaced"), *(_number(str(n)) for n in outcome.illegal)])
    if outcome.times is not None:
        rows += [
            [
                _head(f"time a decision, {name}"),
                *(_number(duration(outcome.times[who][name]))
                  for who in (outcome.challenger, outcome.reference)),
            ]
            for name in ("p50", "p99")
        ]  # fmt: skip
    head = ["figure, with 95 %", escape(outcome.challenger), f"each {escape(outcome.reference)}"]
    return _table("How they played", head, rows)


# ------------------------------------------------------------------------------------- parts


def _table(caption: str, head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Cells that are not yet cells become some."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "\n".join(f"<tr>{''.join(_wrapped(cell) for cell in row)}</tr>" for row in rows)
    return (
        f'<div class="wide"><table>\n<caption>{escape(caption)}</caption>\n'
        f"<thead><tr>{top}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
    )


def _wrapped(cell: str) -> str:
    return cell if cell.startswith(("<td", "<th")) else f"<td>{cell}</td>"


def _name(name: str) -> str:
    return f'<th scope="row">{escape(name)}</th>'


def _head(words: str) -> str:
    """The head of a row; indented words belong to the row above."""
    part = ' class="part"' if words.startswith(" ") else ""
    return f'<th scope="row"{part}>{escape(words.strip())}</th>'


def _number(text: str) -> str:
    return f'<td class="number">{escape(text)}</td>'


def _key(number: int, name: str) -> str:
    """A name with the colour of its bars."""
    return f'<span class="key key{number}" aria-hidden="true"></span> {escape(name)}'
