"""The tables of docs/leaderboard.md, played anew: ``make leaderboard``.

The line-up stands in ``configs/arena/ladder.yaml``. What is between the marks of a preset is
written again, everything else on the page stays.
"""

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from train.arena import play_lineup
from train.console import say
from train.evaluation.bar import ArenaBar
from train.evaluation.field import Field
from train.evaluation.lineup import read_lineup
from train.evaluation.outcome import Outcome
from train.evaluation.tables import console_for
from train.evaluation.verdict import sets_played
from train.evaluation.wording import p_text, units, value
from train.evaluation.workers import Workers

ROOT = Path(__file__).parents[1]
LINEUP = ROOT / "configs" / "arena" / "ladder.yaml"
PAGE = ROOT / "docs" / "leaderboard.md"
MARKED = re.compile(r"<!-- measured (\w+) -->\n.*?<!-- end -->", re.DOTALL)
SHOWN = {
    "win_rate": "wins",
    "average_fan": "average fan",
    "deal_in_rate": "deals in",
    "call_rate": "calls",
    "kongs_per_deal": "kongs a deal",
    "ready_turn": "ready after draws",
    "ready_at_wall_end": "ready at wall end",
}
YARDSTICK = "greedy/1"
"""Whoever is described plays against three of it."""


def block(field: Field) -> str:
    """What stands between the marks of a preset."""
    return "\n\n".join(
        [field.ranking(), _ratings(field), _edges(field), _play(field), _about(field)]
    )


def rewritten(page: str, blocks: dict[str, str]) -> str:
    """A page with the marked blocks of some presets written anew."""

    def between(match: re.Match[str]) -> str:
        name = match[1]
        if name not in blocks:
            return match[0]
        return f"<!-- measured {name} -->\n{blocks[name]}\n<!-- end -->"

    return MARKED.sub(between, page)


def check_marks(page: str, presets: Sequence[str]) -> None:
    """See that there is a place for what is going to be played, before it is.

    Raises:
        ValueError: There is none.
    """
    missing = set(presets) - set(MARKED.findall(page))
    if missing:
        raise ValueError(f"the page has no marks for {', '.join(sorted(missing))}")


def _ratings(field: Field) -> str:
    rows = [
        [f"`{rating.name}`", units(rating.units), f"{rating.skill:.1f} ± {rating.skill_error:.1f}"]
        for rating in field.ratings
    ]
    return _table(["agent", "rating, units a deal", "OpenSkill, ± sigma"], rows)


def _edges(field: Field) -> str:
    by_pair = {(outcome.challenger, outcome.reference): outcome for outcome in field.outcomes}
    order = [rating.name for rating in field.ratings]
    rows = [
        [f"`{one}`", *(_cell(by_pair.get((one, other)), field) for other in order)] for one in order
    ]
    return _table(["units a deal against three", *(f"`{name}`" for name in order)], rows)


def _cell(outcome: Outcome | None, field: Field) -> str:
    if outcome is None:
        return ""
    clear = p_text(field.holm[outcome])
    return units(outcome.units) + ("" if clear.startswith("<") else f", p {clear}")


def _play(field: Field) -> str:
    """How every agent plays against the yardstick, best first."""
    against = {o.challenger: o for o in field.outcomes if o.reference == YARDSTICK}
    rows = [
        [
            f"`{rating.name}`",
            *(
                value(name, against[rating.name].challenger_figures.averages[name])
                for name in SHOWN
            ),
        ]
        for rating in field.ratings
        if rating.name in against
    ]
    return _table([f"one against three `{YARDSTICK}`", *SHOWN.values()], rows)


def _sets(field: Field) -> str:
    """How many, and with whom fewer."""
    outcomes = field.outcomes
    sets = {
        name: max(o.deals for o in outcomes if name in (o.challenger, o.reference))
        for name in field.agents
    }
    if any(o.deals != min(sets[o.challenger], sets[o.reference]) for o in outcomes):
        return f"{sets_played(outcomes)} deal sets a match"
    most = max(sets.values())
    fewer = "".join(f", {few:,} with `{name}`" for name, few in sets.items() if few < most)
    return f"{most:,} deal sets a match{fewer}"


def _about(field: Field) -> str:
    first = field.outcomes[0].setting
    return (
        f"{_sets(field)}, seed block `{first.seed_block}`, "
        f"{first.form}, {first.walls} walls, rules `{first.rules}` with fingerprint "
        f"`{first.fingerprint}`, mjenv {first.engine}."
    )


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Play and write."""
    parser = argparse.ArgumentParser(description="play the ladder and write docs/leaderboard.md")
    parser.add_argument("--lineup", type=Path, default=LINEUP, help="what is played")
    parser.add_argument("--page", type=Path, default=PAGE, help="what is written")
    parser.add_argument("--rules", nargs="+", help="these presets alone")
    parser.add_argument("--deals", type=int, help="deal sets of every match, to try it")
    parser.add_argument("--processes", type=int, help="at work at once")
    options = parser.parse_args(arguments)
    given = {"rules": options.rules, "deals": options.deals}
    lineup = read_lineup(options.lineup, {key: of for key, of in given.items() if of is not None})
    text = options.page.read_text(encoding="utf-8")
    check_marks(text, lineup.rules)
    console = console_for(sys.stderr)
    with Workers(options.processes) as workers, ArenaBar(console, lineup.precision) as bar:
        result = play_lineup(lineup, workers, bar.show)
    if result.interrupted:
        say(f"{result.failure or 'interrupted'}; the page stays as it was")
        return 1
    blocks = {field.outcomes[0].setting.rules: block(field) for field in result.fields}
    options.page.write_text(rewritten(text, blocks), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
