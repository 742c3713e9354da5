"""Turn a program's own JSON into records for belot audit: python3 from_json.py games.json > records.jsonl.

Players by name, cards with suit signs, tricks with their leader: settled by their tricks, as nobody kept the bids. Of a
contract there is what it came to: "bid" (110, or "capot") and "times" (2 if doubled); "belote" is who said both words.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

SUITS = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}
MODES = {**SUITS, "no trumps": "N", "all trumps": "A"}
SIDES = 2


def card(name: str) -> str:
    """Return a card as the protocol writes it: ``10H`` for ``♥10``."""
    return name[1:] + SUITS[name[0]]


def record(game: Mapping[str, Any]) -> dict[str, Any]:
    """Return one game as a record of ``settle-tricks``."""
    seats = {player: seat for seat, player in enumerate(game["players"])}
    tricks = [{"leader": seats[who], "cards": [card(name) for name in cards]} for who, cards in game["tricks"]]
    question = {"trump": MODES[game["trump"]], "taker": seats[game["taker"]], "tricks": tricks}
    question |= {ours: game[theirs] for theirs, ours in (("bid", "bid"), ("times", "raised")) if theirs in game}
    if "belote" in game:
        question["sides"] = [{"belote": 20 * (side == seats[game["belote"]] % SIDES)} for side in range(SIDES)]
    return {
        "id": game["name"],
        "op": "settle-tricks",
        "input": question,
        "result": {"points": game["points"], "outcome": "made" if game["won"] else "fell"},
    }


if __name__ == "__main__":
    for one in json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")):
        print(json.dumps(record(one)))
