"""The 62 actions as a labelled sum: constants for kernels, text for people.

An action is an integer. Actions with an argument are a range that starts at a constant ending in
``_0``: to discard kind ``k`` is ``DISCARD_0 + k``.
"""

from difflib import get_close_matches

from mjenv.core.tiles import NUM_SUITED_KINDS, NUM_SUITS, SUITS, parse_tile, tile_text
from mjenv.errors import IllegalActionError, TileError

DISCARD_0 = 0
"""Discard a kind; while tiles are exchanged, give it."""
NUM_DISCARDS = NUM_SUITED_KINDS
OWN_KONG_0 = DISCARD_0 + NUM_DISCARDS
"""Kong in the own turn; the hand says whether it is concealed or added."""
NUM_OWN_KONGS = NUM_SUITED_KINDS
VOID_0 = OWN_KONG_0 + NUM_OWN_KONGS
"""Declare a suit void."""
NUM_VOIDS = NUM_SUITS
PUNG = VOID_0 + NUM_VOIDS
KONG = PUNG + 1
"""Direct kong: claim the fourth tile."""
WIN = KONG + 1
PASS = WIN + 1
QUIT = PASS + 1
"""Leave the deal under the escape rules (R53a)."""
NUM_ACTIONS = QUIT + 1

ACTION_RANGES: tuple[tuple[str, int, int], ...] = (
    ("discard TILE", DISCARD_0, NUM_DISCARDS),
    ("kong TILE", OWN_KONG_0, NUM_OWN_KONGS),
    ("void SUIT", VOID_0, NUM_VOIDS),
    ("pung", PUNG, 1),
    ("kong", KONG, 1),
    ("win", WIN, 1),
    ("pass", PASS, 1),
    ("quit", QUIT, 1),
)
"""The sum: form of the text, first id, number of ids."""

ACTION_TEXTS: tuple[str, ...] = (
    *(f"discard {tile_text(kind)}" for kind in range(NUM_DISCARDS)),
    *(f"kong {tile_text(kind)}" for kind in range(NUM_OWN_KONGS)),
    *(f"void {suit}" for suit in SUITS),
    *(form for form, _, count in ACTION_RANGES if count == 1),
)
"""Text of every action by id."""

_IDS = {text: action for action, text in enumerate(ACTION_TEXTS)}
_TILE_VERBS = {"discard": DISCARD_0, "give": DISCARD_0, "kong": OWN_KONG_0}
_FORMS = ", ".join(["give TILE", *(form for form, _, _ in ACTION_RANGES)])


def action_text(action: int, phase_is_exchange: bool = False) -> str:
    """Text of an action, for example ``discard 5p``.

    Args:
        action: Its id.
        phase_is_exchange: Whether tiles are being exchanged; then it reads ``give 5p``.

    Raises:
        IllegalActionError: There is no action with this id.
    """
    if not 0 <= action < NUM_ACTIONS:
        raise IllegalActionError(f"no action has the id {action}; ids are 0 to {NUM_ACTIONS - 1}")
    text = ACTION_TEXTS[action]
    return text.replace("discard", "give") if phase_is_exchange else text


def parse_action(text: str) -> int:
    """Id of an action written as text; ``give 5p`` and ``discard 5p`` are the same.

    Raises:
        IllegalActionError: The text is no action; the message says which forms there are.
    """
    words = text.split()
    plain = " ".join(words)
    if plain in _IDS:
        return _IDS[plain]
    verb = words[0] if words else ""
    if len(words) > 1 and verb in _TILE_VERBS:
        try:
            return _TILE_VERBS[verb] + parse_tile("".join(words[1:]), NUM_SUITED_KINDS)
        except TileError as error:
            raise IllegalActionError(f"{text!r} is no action: {error}") from None
    if verb == "void":
        raise IllegalActionError(f"{text!r} is no action; a void suit is one of {', '.join(SUITS)}")
    known = [*_TILE_VERBS, *(form.split()[0] for form, _, _ in ACTION_RANGES)]
    near = [] if verb in known else get_close_matches(verb, known, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise IllegalActionError(f"{text!r} is no action{hint}; actions are: {_FORMS}")
