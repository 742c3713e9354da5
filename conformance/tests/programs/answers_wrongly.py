"""Answers every question about card points with one point less than nothing."""

import json
import sys

HELLO = {
    "protocol": 1,
    "name": "wrong",
    "version": "1",
    "language": "Python",
    "profiles": [
        "bela-4",
        "bela-4+*",
        "belotten",
        "belote",
        "denderbelot",
        "bela-3",
        "bela-2",
        "open-belot",
        "denderbelot-3",
    ],
    "operations": ["card-points"],
}
for line in sys.stdin:
    question = json.loads(line)
    result = HELLO if question["op"] == "hello" else {"points": -1}
    print(json.dumps({"id": question["id"], "result": result}), flush=True)
