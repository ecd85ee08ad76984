"""The rules of a table as data: options, presets, files, and the record that kernels read.

``Rules()`` are the rules of the preset ``qq``. Options and their values are those of the rule
pages; ``R36`` and the like are rule numbers there.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import yaml

from mjenv.core.yaml_keys import RepeatedKeyError, load_yaml
from mjenv.errors import RulesError
from mjenv.sichuan.choices import (
    AddedKongTiming,
    CallTransfer,
    ClaimWithVoidTiles,
    DealerAfterSelfDraw,
    DiHu,
    DirectKongPayment,
    KongDrawEnd,
    LastFour,
    LastFourScope,
    Mode,
    NextAfterDiscardWin,
    NextDealer,
    PassWinLock,
    PigRule,
    RobKongPayer,
    SelfDrawBonus,
    TransferScope,
)
from mjenv.sichuan.limits import check_together, highest_fan
from mjenv.sichuan.options import (
    MAX_FAN,
    ExtraFansOption,
    FanTableOption,
    FrozenMapping,
    Option,
    choice,
    flag,
    nearest,
    number,
    option_field,
)
from mjenv.sichuan.patterns import (
    ALONE,
    EXTRA_FAN_NAMES,
    FAN_TABLES,
    NUM_EXTRA_FANS,
    NUM_EXTRAS,
    NUM_PATTERNS,
    Extra,
    FanTable,
    Pattern,
)
from mjenv.sichuan.presets import PRESET_CHANGES, PRESETS

__all__ = [
    "FAN_TABLES",
    "NOT_IN_TABLE",
    "NUM_EXTRAS",
    "NUM_EXTRA_FANS",
    "NUM_PATTERNS",
    "OPTIONS",
    "PRESETS",
    "RULES_DTYPE",
    "AddedKongTiming",
    "CallTransfer",
    "ClaimWithVoidTiles",
    "DealerAfterSelfDraw",
    "DiHu",
    "DirectKongPayment",
    "Extra",
    "KongDrawEnd",
    "LastFour",
    "LastFourScope",
    "Mode",
    "NextAfterDiscardWin",
    "NextDealer",
    "PassWinLock",
    "Pattern",
    "PigRule",
    "RobKongPayer",
    "Rules",
    "SelfDrawBonus",
    "TransferScope",
    "preset_differences",
]

NOT_IN_TABLE = -1
"""Packed fan of a pattern that the fan table does not name."""
DEFAULT_LIMIT = 6
"""Fan of tian_hu and di_hu in an additive table that names neither them nor a cap."""

_QQ_EXTRA_FANS: FrozenMapping[int] = FrozenMapping(
    {"gang_shang_hua": 1, "gang_shang_pao": 1, "qiang_gang": 0, "gen": 1, "hai_di": 0}
)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Everything tables may disagree about; immutable, checked, hashable.

    The text beside each option gives its meaning and rule number; :data:`OPTIONS` gives it, and
    the values allowed, to programs.

    Raises:
        RulesError: An option is out of range or contradicts another.
    """

    game: ClassVar[str] = "sichuan"

    mode: str = choice(Mode.BLOOD, "play until three have won, or until the first win (R37, R38)")
    base_points: int = number(6, "points of one unit (R50)", low=1, high=1000, cell="int32")
    min_fan: int = number(1, "fewest fan a win must have (R31)", low=1, high=MAX_FAN, cell="int8")
    swap_three: bool = flag(False, "exchange three tiles before play (R5)")
    void_suit: bool = flag(True, "each seat declares a void suit (R6, R7)")
    void_auto: bool = flag(
        True, "a suit missing from the dealt hand is the void suit (R6); needs void_suit"
    )
    claim_with_void_tiles: str = choice(
        ClaimWithVoidTiles.ALLOWED, "pung and kong while void tiles are held (R7)"
    )
    fan_table: str | Mapping[str, Any] = option_field(
        "B", FanTableOption("fan of each base pattern (section 2): a letter or a whole table")
    )
    extra_fans: Mapping[str, int] = option_field(
        _QQ_EXTRA_FANS, ExtraFansOption("fan added by situations (2.2)", rest=_QQ_EXTRA_FANS)
    )
    root_counts_kong: bool = flag(False, "a declared kong is a root as well (2.2)")
    fan_cap: int | None = number(
        None,
        "most fan a win is paid for (R50)",
        low=1,
        high=MAX_FAN,
        cell="int8",
        optional=True,
    )
    self_draw_bonus: str = choice(SelfDrawBonus.ADD_BASE, "what a self-draw adds (R33)")
    direct_kong_payment: str = choice(
        DirectKongPayment.DISCARDER_ONLY, "who pays for a direct kong (R21)"
    )
    call_transfer: str = choice(
        CallTransfer.FULL_EACH, "kong income moves to the winner of the discard after it (R26)"
    )
    transfer_scope: str = choice(TransferScope.LAST_KONG, "which kongs are transferred (R26a)")
    added_kong_timing: str = choice(
        AddedKongTiming.JUST_DRAWN, "when a pung may become a kong (R22)"
    )
    kong_needs_wall: bool = flag(True, "a kong needs a tile in the wall (R24)")
    kong_draw_end: str = choice(KongDrawEnd.FRONT, "end of the wall for replacement tiles (R4)")
    rob_kong_payer: str = choice(
        RobKongPayer.KONGER_SINGLE, "what the seat with the robbed kong pays (R25)"
    )
    last_four: str = choice(
        LastFour.OPTIONAL_IF_VOID, "must a win on the last four tiles be taken (R36)"
    )
    last_four_scope: str = choice(LastFourScope.TURN, "where the last four begin (Q21)")
    pass_win_lock: str = choice(PassWinLock.NONE, "what declining a win forbids (R15)")
    next_after_discard_win: str = choice(
        NextAfterDiscardWin.DISCARDER_NEXT, "whose neighbour draws after a discard win (R17)"
    )
    pig_rule: str = choice(
        PigRule.THREE_SUITS, "who is a flower pig at an empty wall (R41); void tiles need void_suit"
    )
    pig_multiple: int = number(
        16, "units a pig pays to each other seat (R42)", low=0, high=1024, cell="int32"
    )
    pig_pays_winners: bool = flag(True, "pigs pay seats that have won (R42)")
    pig_pays_unready: bool = flag(True, "pigs pay seats that are not ready (R42)")
    refund_on_draw: bool = flag(True, "unready seats give kong income back (R44)")
    pigs_refund: bool = flag(True, "so do pigs (R44, Q11)")
    refund_requires_ready: bool = flag(False, "only if some seat is ready (Q12)")
    di_hu: str = choice(DiHu.FIRST_DRAW_UNINTERRUPTED, "what counts as di_hu (R34)")
    allow_quit: bool = flag(False, "a seat may leave in its turn (R53a)")
    escape_refunds_kong: bool = flag(False, "a leaver gives kong income back (R53a)")
    next_dealer: str = choice(NextDealer.DICE, "who deals next (R60, R61)")
    dealer_after_self_draw: str = choice(
        DealerAfterSelfDraw.DICE, "who deals next where nobody was the shooter (R62)"
    )
    room_coefficient: int = number(0, "coins for a point, 0 for none (R52)", low=0)
    table_fee: int = number(0, "coins each seat pays for a deal (R52)", low=0)

    def __post_init__(self) -> None:
        for name, option in OPTIONS.items():
            object.__setattr__(self, name, option.check(name, getattr(self, name)))
        check_together(self)

    @staticmethod
    def preset(name: str) -> "Rules":
        """The rules called ``name``: one of :data:`PRESETS`."""
        if name not in PRESETS:
            raise RulesError(
                f"unknown preset {name!r}{nearest(name, PRESETS)}; presets: {', '.join(PRESETS)}"
            )
        return _presets()[name]

    @classmethod
    def of(cls, value: object) -> "Rules":
        """Rules from whatever names them.

        Args:
            value: Rules, the name of a preset, the path of a YAML file, or a mapping of options.
        """
        if isinstance(value, Rules):
            return value
        if isinstance(value, Mapping):
            return cls.from_dict(value)
        if isinstance(value, Path) or (isinstance(value, str) and _is_path(value)):
            return cls.load(value)
        if isinstance(value, str):
            return cls.preset(value)
        raise RulesError(
            f"rules: got {value!r}; allowed: a preset ({', '.join(PRESETS)}), a YAML file, "
            "a mapping of options, or Rules"
        )

    def replace(self, **options: Any) -> "Rules":
        """The same rules with some options changed; ``extra_fans`` may name only some items."""
        for name in options:
            if name not in OPTIONS:
                raise RulesError(
                    f"unknown option {name!r}{nearest(name, tuple(OPTIONS))}; "
                    f"options: {', '.join(OPTIONS)}"
                )
        extra_fans = options.get("extra_fans")
        if isinstance(extra_fans, Mapping):
            options["extra_fans"] = {**self.extra_fans, **extra_fans}
        return replace(self, **options)

    @classmethod
    def from_dict(cls, mapping: Mapping[str, Any]) -> "Rules":
        """Rules from a mapping of options.

        Args:
            mapping: Options by name. ``preset`` names the rules they change, ``qq`` if it is left
                out or null; ``game`` may be given and must be ``sichuan``.
        """
        options = {str(name): value for name, value in mapping.items()}
        game = options.pop("game", cls.game)
        if game != cls.game:
            raise RulesError(f"game: got {game!r}; allowed here: {cls.game}")
        preset = options.pop("preset", None)
        return cls.preset("qq" if preset is None else preset).replace(**options)

    def to_dict(self) -> dict[str, Any]:
        """Every option, as JSON types, in the order of the rule page."""
        return {name: _thawed(getattr(self, name)) for name in OPTIONS}

    @classmethod
    def from_yaml(cls, text: str) -> "Rules":
        """Rules from YAML text; see :meth:`from_dict`."""
        try:
            mapping = load_yaml(text)
        except RepeatedKeyError as error:
            raise RulesError(str(error)) from None
        except yaml.YAMLError as error:
            raise RulesError(f"not YAML: {error}") from None
        if not isinstance(mapping, dict):
            raise RulesError(f"got {mapping!r}; allowed: lines of the form 'option: value'")
        return cls.from_dict(mapping)

    def to_yaml(self) -> str:
        """YAML text of every option, game first."""
        return yaml.safe_dump({"game": self.game, **self.to_dict()}, sort_keys=False)

    @classmethod
    def load(cls, path: str | Path) -> "Rules":
        """Read a YAML file."""
        try:
            text = Path(path).read_text(encoding="utf-8")
        except OSError as error:
            reason = error.strerror or error
            raise RulesError(f"cannot read the rules in {str(path)!r}: {reason}") from None
        except UnicodeDecodeError:
            raise RulesError(f"cannot read the rules in {str(path)!r}: not UTF-8 text") from None
        try:
            return cls.from_yaml(text)
        except RulesError as error:
            raise RulesError(f"{path}: {error}") from None

    def save(self, path: str | Path) -> None:
        """Write a YAML file."""
        Path(path).write_text(self.to_yaml(), encoding="utf-8")

    @property
    def preset_name(self) -> str | None:
        """The preset with exactly these options, or None for house rules."""
        return next((name for name, rules in _presets().items() if rules == self), None)

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that stand for these rules in records and checkpoints."""
        mapping = {"game": self.game, **self.to_dict()}
        text = json.dumps(mapping, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    @property
    def table(self) -> FanTable:
        """The fan table written out, whether it was given by letter or in full.

        In an additive table tian_hu and di_hu are always there, worth the fan cap if there is one.
        """
        given = self.fan_table
        table: Any = FAN_TABLES[given] if isinstance(given, str) else given
        fans = dict(table["fans"])
        if table["additive"]:
            for name in ALONE:
                fans[name] = self.fan_cap or fans.get(name, DEFAULT_LIMIT)
        return {"additive": table["additive"], "fans": fans}

    @property
    def highest_fan(self) -> int:
        """A bound on the fan of any win, cap included."""
        return highest_fan(self)

    def pack(self, seat_keyed: bool = False) -> np.ndarray:
        """The rules as kernels read them.

        Args:
            seat_keyed: Draw from seat-keyed walls (:mod:`mjenv.sichuan.draws`). That is a way to
                evaluate, which changes the law of nothing, and so no option.

        Returns:
            A new array ``(1,)`` of :data:`RULES_DTYPE`. It is writable, since compiled code takes
            a read-only array for another type; changing it does not change the rules.
        """
        packed = np.zeros(1, RULES_DTYPE)
        row = packed[0]
        for name, option in OPTIONS.items():
            if option.cell is not None:
                row[name] = option.encode(getattr(self, name))
        if self.last_four == "optional_if_void":
            row["last_four"] = LastFour.OPTIONAL if self.void_suit else LastFour.FORCED
        table = self.table
        row["additive"] = table["additive"]
        row["fans"] = NOT_IN_TABLE
        for pattern, fan in table["fans"].items():
            row["fans"][Pattern[pattern.upper()]] = fan
        row["extra_fans"] = [self.extra_fans[name] for name in EXTRA_FAN_NAMES]
        row["seat_keyed"] = seat_keyed
        return packed


OPTIONS: dict[str, Option] = {item.name: item.metadata["option"] for item in fields(Rules)}
"""Every option by name, in the order of the rule page: its meaning and allowed values."""

RULES_DTYPE = np.dtype(
    [(name, option.cell) for name, option in OPTIONS.items() if option.cell is not None]
    + [
        ("additive", "int8"),
        ("fans", "int8", (NUM_PATTERNS,)),
        ("extra_fans", "int8", (NUM_EXTRA_FANS,)),
        ("seat_keyed", "int8"),
    ],
    align=True,
)
"""The record that kernels read. Booleans are 0 or 1, choices the numbers of their ``IntEnum``,
``fan_cap`` is 0 for none, and ``fans`` is -1 for a pattern that is not in the table."""


def preset_differences() -> dict[str, dict[str, Any]]:
    """The options in which presets differ: option, then preset, then value."""
    values = {name: rules.to_dict() for name, rules in _presets().items()}
    table = {option: {name: values[name][option] for name in PRESETS} for option in OPTIONS}
    return {
        option: row
        for option, row in table.items()
        if any(value != row[PRESETS[0]] for value in row.values())
    }


@lru_cache(maxsize=1)
def _presets() -> dict[str, Rules]:
    return {name: Rules(**changes) for name, changes in PRESET_CHANGES.items()}


def _is_path(text: str) -> bool:
    if text in PRESETS:
        return False
    return text.endswith((".yaml", ".yml")) or "/" in text or os.sep in text or os.path.exists(text)


def _thawed(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _thawed(item) for key, item in value.items()}
    return value
