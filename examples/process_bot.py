"""A program that plays: a template for any language; see docs/processes.md.

Try it with ``mjenv selfplay "process:python examples/process_bot.py" --out games.jsonl``.
"""

import json
import sys

ORDER = {"win": -4, "kong": -3, "pung": -2, "pass": -1, "quit": 99}
NEAR = 2


def cost(action: str, hand: list[str]) -> int:
    """What an action gives away: tiles of a suit, or copies and neighbours of a tile."""
    verb, _, what = action.partition(" ")
    if verb == "void":
        return sum(tile[1] == what for tile in hand)
    if verb in ORDER:
        return ORDER[verb]
    return sum(tile[1] == what[1] and abs(int(tile[0]) - int(what[0])) <= NEAR for tile in hand)


for line in sys.stdin:
    told = json.loads(line)
    if told["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "neighbours/1"}), flush=True)
    elif told["type"] == "question":
        best = min(told["legal"], key=lambda action: cost(action, told["view"]["hand"]))
        print(json.dumps({"id": told["id"], "action": best}), flush=True)
