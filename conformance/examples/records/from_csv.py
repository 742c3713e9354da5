"""Turn a CSV of plays into records for belot audit: python3 from_csv.py plays.csv > records.jsonl.

One row a move, in the order played: deal, dealer, seat, move (pass, a suit, or a card) and, with the last one, score.
"""

import csv
import json
import sys
from collections.abc import Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

SEATS = 4
BIDS = ("pass", "S", "H", "D", "C")


def record(deal: str, rows: list[Mapping[str, str]]) -> dict[str, Any]:
    """Return one deal as a record; every card is played, so the hands follow from the plays."""
    hands: list[list[str]] = [[] for _ in range(SEATS)]
    actions: list[dict[str, Any]] = []
    for row in rows:
        seat, move = int(row["seat"]), row["move"]
        actions.append({"seat": seat, "bid" if move in BIDS else "play": move})
        if move not in BIDS:
            hands[seat].append(move)
    question = {"dealer": int(rows[0]["dealer"]), "hands": hands, "actions": actions}
    score = [int(points) for points in rows[-1]["score"].split("-") if points]
    return {"id": deal, "input": question, **({"result": {"score": score}} if score else {})}


if __name__ == "__main__":
    with Path(sys.argv[1]).open(encoding="utf-8", newline="") as file:
        for deal, moves in groupby(csv.DictReader(file), key=lambda row: row["deal"]):
            print(json.dumps(record(deal, list(moves))))
