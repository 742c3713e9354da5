"""The loop that all adapters in Python share: questions on stdin, answers on stdout, by the protocol."""

import json
import sys
from collections.abc import Callable, Mapping
from typing import Any

Answer = Callable[[str, dict[str, Any]], dict[str, Any]]


class Rejected(Exception):
    """The program refuses what is asked: why, and where in the list of the operation."""

    def __init__(self, reason: str, at: int | None = None) -> None:
        super().__init__(reason)
        self.reply = {"reason": reason} if at is None else {"reason": reason, "at": at}


class Unsupported(Exception):
    """A corner of an operation that the program does not have."""


# What a player never may where there is nothing by which he could look back or claim.
NEVER = {"look": "may-not-look", "claim": "claim-not-allowed"}


def refuse_early(action: Mapping[str, Any], at: int, *, bids: bool, turn: int) -> None:
    """Raise ``Rejected`` for what nobody may do now, be it a bid or a card, and for who is not next."""
    if ("bid" in action) != bids:
        raise Rejected("wrong-phase", at)
    if refusal := next((why for what, why in NEVER.items() if what in action), None):
        raise Rejected(refusal, at)
    if action["seat"] != turn:
        raise Rejected("not-your-turn", at)


def serve(hello: Mapping[str, Any], answers: Mapping[str, Answer]) -> None:
    """Answer every question on stdin until it closes; ``answers`` names the operations."""
    out, sys.stdout = sys.stdout, sys.stderr
    for line in sys.stdin:
        question = json.loads(line)
        operation = question["op"]
        reply: dict[str, Any] = {"id": question["id"]}
        try:
            if operation == "hello":
                reply["result"] = {"protocol": 1, "operations": list(answers), "window": 16, **hello}
            else:
                reply["result"] = answers[operation](question.get("profile", ""), question["input"])
        except Rejected as refused:
            reply["rejected"] = refused.reply
        except Unsupported as corner:
            reply["unsupported"] = str(corner)
        except Exception as error:
            reply["error"] = f"{type(error).__name__}: {error}"
        out.write(json.dumps(reply, separators=(",", ":")) + "\n")
        out.flush()
