"""Rule cases in the format of `tests/cases/README.md`, answered by the reference."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.reference.coins import coins
from tests.reference.dealer import next_dealer
from tests.reference.fan import Situation, readings, ready_fan, score
from tests.reference.hand import waits, why_not_win
from tests.reference.ledger import SEATS, Ledger
from tests.reference.presets import RulesMapping, with_options
from tests.reference.readiness import classify
from tests.reference.tiles import KIND, SUITS, TEXT, Meld, count, parse_meld, parse_tiles

Case = dict[str, Any]
Outcome = dict[str, Any]
SELF_DRAW_FLAGS = {"after_kong", "tian_hu", "di_hu", "last_tile"}
DISCARD_FLAGS = {"kong_discard", "last_tile", "di_hu"}


def run_case(case: Case) -> list[str]:
    """What the reference gets differently from the case's `expect`, one text a field."""
    outcome = outcome_of(case)
    expected = dict(case["expect"])
    mismatches = []
    if case["type"] == "fan":
        mismatches += _compare_patterns(case, outcome, expected.pop("base"))
        expected.pop("extras")
    for name, value in expected.items():
        got = outcome.get(name)
        if got != value:
            mismatches.append(f"{case['id']}: {name} is {got!r}, expected {value!r}")
    return mismatches


def outcome_of(case: Case) -> Outcome:
    """The reference's answer to a case, under the names its `expect` uses."""
    rules = with_options(case["preset"], case.get("options", {}))
    return RUNNERS[case["type"]](case, rules)


def _tiles(case: Case) -> tuple[list[int], list[Meld], int | None]:
    """Concealed counts, melds and void suit of a case or of one player in it."""
    void = case.get("void")
    melds = [parse_meld(text) for text in case.get("melds", [])]
    return count(parse_tiles(case["hand"])), melds, None if void is None else SUITS.index(void)


def _fan(case: Case, rules: RulesMapping) -> Outcome:
    concealed, melds, void = _tiles(case)
    concealed[KIND[case["win"]]] += 1
    assert why_not_win(concealed, melds, void) is None, case["id"]
    return score(rules, concealed, melds, _situation(case), case.get("won_before", ()))


def _situation(case: Case) -> Situation:
    flags = set(case.get("flags", ()))
    known = {"self_draw": SELF_DRAW_FLAGS, "discard": DISCARD_FLAGS, "rob_kong": set[str]()}
    unknown = flags - known[case["by"]]
    if unknown:
        raise ValueError(f"{case['id']}: flags {sorted(unknown)} do not fit {case['by']}")
    return Situation(
        how=case["by"],
        tian_hu="tian_hu" in flags,
        di_hu="di_hu" in flags,
        after_kong=bool(flags & {"after_kong", "kong_discard"}),
        last_tile="last_tile" in flags,
    )


def _compare_patterns(case: Case, outcome: Outcome, base: list[str]) -> list[str]:
    """Tables A and B name acceptable patterns, table C all parts together."""
    rules = with_options(case["preset"], case.get("options", {}))
    concealed, melds, _ = _tiles(case)
    concealed[KIND[case["win"]]] += 1
    found = readings(rules, concealed, melds, _situation(case))
    names = [set(reading.patterns) for reading in found]
    wanted = [set(base)] if rules["fan_table"] == "C" else [{name} for name in base]
    mismatches = []
    if any(name not in names for name in wanted) or len(names) != len(wanted):
        mismatches.append(f"{case['id']}: readings {names}, expected {base}")
    if case["expect"]["extras"] not in [reading.extras for reading in found]:
        mismatches.append(f"{case['id']}: extras {outcome['extras']}")
    return mismatches


def _not_win(case: Case, rules: RulesMapping) -> Outcome:
    concealed, melds, void = _tiles(case)
    concealed[KIND[case["win"]]] += 1
    reason = why_not_win(concealed, melds, void)
    return {"win": reason is None, "reason": reason}


def _waits(case: Case, rules: RulesMapping) -> Outcome:
    concealed, melds, void = _tiles(case)
    kinds = waits(concealed, melds, void)
    return {
        "waits": [TEXT[kind] for kind in kinds],
        "ready": bool(kinds),
        "max_fan": ready_fan(rules, concealed, melds, void),
    }


def _settle(case: Case, rules: RulesMapping) -> Outcome:
    ledger = Ledger(rules)
    _play(ledger, case["events"])
    outcome: Outcome = {"delta": ledger.points}
    if sum(ledger.won) >= 3 and rules["mode"] == "blood":  # in single mode it is `first_win`
        outcome["ended"] = "three_wins"
    return outcome


def _play(ledger: Ledger, events: Sequence[dict[str, Any]]) -> None:
    """Book the events of a `settle` or `escape` case in order."""
    for event in events:
        name = event["ev"]
        if name == "kong":
            ledger.kong(event["seat"], event["kind"], event.get("from"))
        elif name == "discard_passed":
            ledger.close_window()
        elif name == "win":
            how = "self_draw" if event["from"] is None else "discard"
            after_kong = event.get("kong_discard", False)
            ledger.win(how, event["winners"], event["fans"], event["from"], after_kong)
            ledger.close_window()
        elif name == "rob_kong":
            ledger.win("rob_kong", event["winners"], event["fans"], event["from"])
            ledger.close_window()
        elif name == "leave":
            ledger.left[event["seat"]] = True
        elif name == "flow":
            ledger.flow(event.get("pigs", []), event.get("unready", []), _fans(event))
        elif name == "escape":
            ledger.escape(event["seat"], event.get("last_four", False), _fans(event))
        else:
            raise ValueError(f"unknown event {name!r}")


def _fans(event: dict[str, Any]) -> dict[int, int]:
    """Largest fan by ready seat; JSON writes the seats as texts."""
    return {int(seat): fan for seat, fan in event.get("ready", {}).items()}


def _flow_hands(case: Case, rules: RulesMapping) -> Outcome:
    ledger = Ledger(rules)
    for seat in case["won_before"]:
        ledger.won[seat] = True
    _play(ledger, case["kongs"])
    ledger.close_window()
    voids = case.get("void", [None] * 4)
    classes: dict[int, tuple[str, int]] = {}
    for seat in SEATS:
        player = {**case["players"][seat], "void": voids[seat]}
        classes[seat] = ("won", 0) if ledger.won[seat] else classify(rules, *_tiles(player))
    pigs = [seat for seat in SEATS if classes[seat][0] == "pig"]
    unready = [seat for seat in SEATS if classes[seat][0] == "unready"]
    ready = {seat: fan for seat, (name, fan) in classes.items() if name == "ready"}
    ledger.flow(pigs, unready, ready)
    shown = [f"{name}:{fan}" if name == "ready" else name for name, fan in classes.values()]
    return {"classes": shown, "delta": ledger.points}


def _coins(case: Case, rules: RulesMapping) -> Outcome:
    by_seat, system = coins(case["points"], case["room_coefficient"], case["table_fee"])
    return {"coins": by_seat, "system": system}


def _next_dealer(case: Case, rules: RulesMapping) -> Outcome:
    state = case["state"]
    shooter = state.get("discarder", state.get("konger"))
    return {"next": next_dealer(rules, state["dealer"], state.get("winners", ()), shooter)}


RUNNERS: dict[str, Callable[[Case, RulesMapping], Outcome]] = {
    "fan": _fan,
    "not_win": _not_win,
    "waits": _waits,
    "settle": _settle,
    "escape": _settle,
    "flow_hands": _flow_hands,
    "coins": _coins,
    "next_dealer": _next_dealer,
}
