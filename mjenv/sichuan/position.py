"""Any state of a table on one line, and back: what FEN is to chess.

A position is the word ``sichuan`` and fields ``name=value`` in any order, separated by spaces::

    sichuan rules=qq phase=TURN actor=1 dealer=0 hands=123m55p.../... wall=58m3p... draws=0/1/0/0

Values of the four seats are separated by ``/``, nothing is written ``-``, tiles are written
``123m55p`` and, where their order matters, in that order. A field that is left out has its
default. ``rules`` is a preset, or a fingerprint followed by the options that differ from ``qq``.

Reading names everything that is wrong with a text. What is read back from a text that
:func:`position_text` wrote has the same bytes.
"""

import json
from collections.abc import Mapping

import numpy as np

from mjenv.core.suits import power_of_five
from mjenv.core.tiles import COPIES, NUM_RANKS, NUM_SUITS, tile_text
from mjenv.errors import PositionError, RulesError
from mjenv.sichuan.deal import clear_table
from mjenv.sichuan.position_check import consistency_faults
from mjenv.sichuan.position_fields import FIELDS, NEEDED
from mjenv.sichuan.rules import Rules
from mjenv.sichuan.state import NO_SEAT, NUM_KINDS, NUM_SEATS, NUM_TILES, STATE, Phase

GAME = Rules.game
_FINGERPRINT_DIGITS = 12


def position_text(state: np.void, rules: Rules) -> str:
    """The state of a table on one line.

    Args:
        state: Any state that a deal leads to.
        rules: Unpacked.
    """
    words = [GAME, f"rules={_rules_text(rules)}"]
    for name, field in FIELDS.items():
        text = field.write(state)
        if text != field.default:
            words.append(f"{name}={text}")
    return " ".join(words)


def read_position(text: str) -> tuple[np.ndarray, Rules]:
    """The state and the rules of a position.

    Returns:
        ``(1,)`` states, and the unpacked rules.

    Raises:
        PositionError: Its message names everything that is wrong, and so does ``faults``.
    """
    given, faults = _split(text)
    rules = _read_rules(given.pop("rules", None), faults)
    states = np.zeros(1, STATE)
    state = states[0]
    clear_table(state)
    wrong = {name for name in NEEDED if name not in given}
    for name, field in FIELDS.items():
        value = given.get(name, field.default)
        if name in wrong:
            continue
        try:
            field.read(state, value)
        except ValueError as error:
            faults.append(f"{name}: {error}")
            wrong.add(name)
    _complete(state, given, wrong, faults)
    if rules is not None:
        faults += consistency_faults(states, rules, frozenset(wrong))
    if faults or rules is None:
        raise PositionError.of(faults)
    return states, rules


# ---------------------------------------------------------------------------------------- fields


def _split(text: str) -> tuple[dict[str, str], list[str]]:
    """Values by field, and what is wrong with the words."""
    words = text.split()
    faults = []
    if not words or words[0] != GAME:
        faults.append(f"a position begins with the word {GAME}, not {words[0] if words else ''!r}")
    given: dict[str, str] = {}
    for word in words[1:] if words and "=" not in words[0] else words:
        name, equals, value = word.partition("=")
        if not equals:
            faults.append(f"{word!r} is no field; fields are written name=value")
        elif name != "rules" and name not in FIELDS:
            faults.append(f"unknown field {name!r}; fields: rules, {', '.join(FIELDS)}")
        elif name in given:
            faults.append(f"the field {name!r} stands there twice")
        else:
            given[name] = value
    faults += [f"the field {name!r} is missing" for name in ("rules", *NEEDED) if name not in given]
    return given, faults


def _rules_text(rules: Rules) -> str:
    if rules.preset_name is not None:
        return rules.preset_name
    usual = Rules.preset("qq").to_dict()
    changed = {name: value for name, value in rules.to_dict().items() if value != usual[name]}
    return rules.fingerprint + json.dumps(changed, separators=(",", ":"))


def _read_rules(text: str | None, faults: list[str]) -> Rules | None:
    if text is None:
        return None
    try:
        if "{" not in text:
            return Rules.preset(text)
        fingerprint, options = text[:_FINGERPRINT_DIGITS], json.loads(text[_FINGERPRINT_DIGITS:])
        rules = Rules.from_dict(options)
    except json.JSONDecodeError as error:
        faults.append(f"rules: options are written as JSON without spaces: {error}")
        return None
    except RulesError as error:
        faults.append(f"rules: {error}")
        return None
    if rules.fingerprint != fingerprint:
        faults.append(
            f"rules: fingerprint is {fingerprint!r}, that of these is {rules.fingerprint!r}"
        )
        return None
    return rules


# -------------------------------------------------------------------------------- what follows


def _complete(state: np.void, given: Mapping[str, str], wrong: set[str], faults: list[str]) -> None:
    """Fill in what follows from the fields."""
    if "turn" not in given:
        asked = state["phase"] == Phase.TURN and state["actor"] != NO_SEAT
        state["turn"] = state["actor"] if asked else state["dealer"]
    if not {"wall", "past"} & wrong:
        fault = _complete_wall(state, "past" in given)
        if fault is not None:
            faults.append(fault)
            wrong.update(("wall", "past"))
    hand = state["hand"].astype(np.int64).reshape(NUM_SEATS, NUM_SUITS, NUM_RANKS)
    powers = [power_of_five(rank) for rank in range(NUM_RANKS)]
    state["suit_key"] = hand @ np.array(powers)
    state["points"] = state["ledger"].sum(axis=1)
    _complete_wins(state)


def _complete_wall(state: np.void, past_given: bool) -> str | None:
    """Check the size of the wall; without its past, put what is missing before it."""
    wall = state["wall"]
    start, end = int(state["wall_next"]), int(state["wall_end"])
    if past_given:
        return None
    gone = NUM_TILES - (end - start)
    left = np.bincount(wall[start:end], minlength=NUM_KINDS)
    if left.max(initial=0) > COPIES:
        kind = int(left.argmax())
        return f"wall: {left[kind]} tiles {tile_text(kind)}, there are {COPIES}"
    missing = [kind for kind in range(NUM_KINDS) for _ in range(COPIES - int(left[kind]))]
    wall[gone:] = wall[start:end].copy()
    wall[:gone] = missing
    state["wall_next"], state["wall_end"] = gone, NUM_TILES
    return None


def _complete_wins(state: np.void) -> None:
    order = state["win_order"].tolist()
    state["num_wins"] = sum(number > 0 for number in order)
    state["num_win_events"] = max(order)
    first = [seat for seat in range(NUM_SEATS) if order[seat] == 1]
    if not first:
        return
    payer = int(state["win_from"][first[0]])
    state["first_payer"] = payer
    state["first_win_size"] = len(first)
    first.sort(key=lambda seat: (seat - payer) % NUM_SEATS)
    state["first_winner"] = first[0]
