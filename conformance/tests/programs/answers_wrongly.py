"""A program of several variants that answers every question of one operation wrongly."""

import json
import sys

PROFILES = (
    "bela-4", "bela-4+*", "belotten", "belote", "denderbelot", "bela-3", "bela-2", "open-belot", "denderbelot-3",
)  # fmt: skip
HELLO = {"protocol": 1, "name": "wrong", "version": "1", "language": "Python"}
for line in sys.stdin:
    question = json.loads(line)
    hello = HELLO | {"profiles": PROFILES, "operations": ["card-points"]}
    result = hello if question["op"] == "hello" else {"points": -1}
    print(json.dumps({"id": question["id"], "result": result}), flush=True)
