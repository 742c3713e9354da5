"""An adapter: it lets `belot` ask your engine questions, and sends the answers back.

The part between the two lines of === is yours. The rest reads one question a line on stdin and writes one answer
a line on stdout, and need not change. It uses nothing beyond Python 3.11's standard library.
"""

import json
import sys
from typing import Any

# ====================================================================== yours: what your program is, and your engine

NAME, VERSION, LANGUAGE = "my-belot", "0.1", "Python"
PROFILES = ["bela-4"]  # the rules your program plays by: `belot spec list` names them
OPERATIONS = ["trick-winner"]  # what `answer` can answer; add one at a time, and run `belot smoke` after each


def answer(operation: str, profile: str, question: dict[str, Any]) -> dict[str, Any]:
    """Answer one question: a result, or why there is none. Call your own engine here.

    The protocol page says what each operation is asked, and what its result holds. Other answers than a result are
    {"rejected": {"reason": "illegal-card", "at": 3}} when the rules refuse what is asked, and {"unsupported": "why"}.
    An exception is no harm: it becomes an answer {"error": …} to this question alone.
    """
    if operation == "trick-winner":
        # Asked: {"trump": "H", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]}, the cards in the order played.
        return {"result": {"winner": trick_winner(question["trump"], question["leader"], question["cards"])}}
    return {"unsupported": f"{operation} is not there yet"}


def trick_winner(trump: str, leader: int, cards: list[str]) -> int:
    """Return the seat that wins a trick; a small engine to begin with, which yours replaces."""
    trumps = [card for card in cards if card[-1] == trump]
    followers = [card for card in cards if card[-1] == cards[0][-1]]
    order = ["7", "8", "Q", "K", "10", "A", "9", "J"] if trumps else ["7", "8", "9", "J", "Q", "K", "10", "A"]
    best = max(trumps or followers, key=lambda card: order.index(card[:-1]))
    return (leader + cards.index(best)) % len(cards)


# ================================================================================ not yours: the talk with the runner


def reply(request: dict[str, Any]) -> dict[str, Any]:
    """Return the reply to a request, which repeats its id."""
    try:
        if request["op"] == "hello":  # the handshake: the first request of all
            return {"id": request["id"], "result": hello(request["input"]["protocol"])}
        return {"id": request["id"], **answer(request["op"], request["profile"], request["input"])}
    except Exception as error:  # a bug costs one answer, not the whole run
        return {"id": request["id"], "error": f"{type(error).__name__}: {error}"}


def hello(offered: list[int]) -> dict[str, Any]:
    """Say what this program is and what it may be asked."""
    if 1 not in offered:
        raise ValueError(f"this adapter speaks protocol 1 only, and {offered} was offered")
    said = {"protocol": 1, "name": NAME, "version": VERSION, "language": LANGUAGE}
    # Whole deals come as a deck; add "deals": "hands" to get the hands that were dealt instead. Gives your program only
    # some fields of a result? Add "fields": {"score-deal": ["points", "outcome"]}, and only those are compared.
    return said | {"profiles": PROFILES, "operations": OPERATIONS}


def main() -> None:
    """Answer line by line until stdin closes. Nothing else may be printed on stdout; stderr is free."""
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    for line in sys.stdin:
        # Without the flush the answer waits in a buffer, and the runner waits for the answer.
        print(json.dumps(reply(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
