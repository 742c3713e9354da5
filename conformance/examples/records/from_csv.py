"""Turn a CSV of plays into records for belot audit: python3 from_csv.py plays.csv > records.jsonl.

One row a move, in the order played: deal, dealer, seat, move and, with the last one, score. A move is a card, with
"+belote" where that was said with it, or else a bid: pass, a mode (H), a number with one (110H, capotH), a double.
"""

import csv
import json
import sys
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

SEATS = 4
CARDS = {f"{rank}{suit}" for rank in ("7", "8", "9", "10", "J", "Q", "K", "A") for suit in "SHDC"}


def record(deal: str, rows: list[Mapping[str, str]]) -> dict[str, Any]:
    """Return one deal as a record; every card is played, so the hands follow from the plays."""
    hands: list[list[str]] = [[] for _ in range(SEATS)]
    actions: list[dict[str, Any]] = []
    for row in rows:
        seat = int(row["seat"])
        move, _, said = row["move"].partition("+")
        kind = "play" if move in CARDS else "bid"
        actions.append({"seat": seat, kind: move, **({said: True} if said else {})})
        if kind == "play":
            hands[seat].append(move)
    question = {"dealer": int(rows[0]["dealer"]), "hands": hands, "actions": actions}
    score = [int(points) for points in rows[-1]["score"].split("-") if points]
    return {"id": deal, "input": question, **({"result": {"score": score}} if score else {})}


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8", newline="") as file:
        for deal, moves in groupby(csv.DictReader(file), key=lambda row: row["deal"]):
            print(json.dumps(record(deal, list(moves))))
