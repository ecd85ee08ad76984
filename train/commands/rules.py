"""``mjenv rules``: the options of a preset or file, and where presets differ."""

import argparse
from typing import Any

from mjenv.sichuan.rules import OPTIONS, PRESETS, Rules, preset_differences
from train.console import print_json, print_table


def add(commands: Any) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "rules",
        help="the options of a preset, and where presets differ",
        description="Without a name: where the presets differ. With one: every option.",
    )
    parser.add_argument("rules", nargs="?", metavar="PRESET|FILE", help="a preset or a YAML file")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="as JSON")
    form.add_argument("--yaml", action="store_true", help="as a YAML file of every option")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print rules."""
    if arguments.rules is None:
        if arguments.yaml:
            arguments.rules = "qq"
        else:
            _print_differences(arguments.json)
            return 0
    rules = Rules.of(arguments.rules)
    if arguments.json:
        print_json(
            {
                "game": rules.game,
                "preset": rules.preset_name,
                "fingerprint": rules.fingerprint,
                "rules": rules.to_dict(),
            }
        )
    elif arguments.yaml:
        print(rules.to_yaml(), end="")
    else:
        _print_rules(rules)
    return 0


def _print_differences(as_json: bool) -> None:
    differences = preset_differences()
    if as_json:
        print_json({"presets": list(PRESETS), "differences": differences})
        return
    rows = [["option", *PRESETS]]
    for name, values in differences.items():
        if isinstance(values[PRESETS[0]], dict):
            # A mapping is shown item by item: side by side it would be wider than a terminal.
            for item in values[PRESETS[0]]:
                cells = [_text(values[preset][item]) for preset in PRESETS]
                if len(set(cells)) > 1:
                    rows.append([f"{name}.{item}", *cells])
        else:
            rows.append([name, *(_text(values[preset]) for preset in PRESETS)])
    print_table(rows)
    print()
    print("All other options are the same in every preset: mjenv rules PRESET shows them.")


def _print_rules(rules: Rules) -> None:
    named = rules.preset_name or "house rules"
    print(f"{rules.game}, {named}, fingerprint {rules.fingerprint}")
    base = Rules()
    rows = [["", "option", "value", "meaning"]]
    for name, option in OPTIONS.items():
        value = getattr(rules, name)
        mark = "*" if value != getattr(base, name) else ""
        rows.append([mark, name, _text(value), option.meaning])
    print_table(rows)
    table = rules.table
    counted = "all patterns of a hand add up" if table["additive"] else "the best pattern counts"
    print(f"fan table: {counted}: {_text(table['fans'])}")
    print("R38, Q21 and the like are points of docs/rules.md")
    if any(row[0] == "*" for row in rows):
        print(f"* differs from {base.preset_name}")


def _text(value: Any) -> str:
    if value is True or value is False:
        return "on" if value else "off"
    if value is None:
        return "none"
    if hasattr(value, "items"):
        if "fans" in value:
            return "own table"
        return ", ".join(f"{key} {item}" for key, item in value.items())
    return str(value)
