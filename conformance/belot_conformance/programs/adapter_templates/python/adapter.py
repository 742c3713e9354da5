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
OPERATIONS = ["trick-winner"]  # what `answer` can answer; add one at a time, and run `belot adapter try` after each
SHAPE: dict[str, Any] = {
    "deals": "deck",  # how whole deals come: as the deck; or as "hands"; "play" has no bidding, "tricks" no hands
    "announcing": "players",  # or "automatic", if your program announces, and says belote, by itself
    "last_trick": "in-cards",  # or "apart", if the last trick's bonus must not be in the cards of score-deal
    "declared": "sums",  # or "announced", if settle-tricks must tell what each seat announced, not what it is worth
    "fields": {},  # fields that your program gives, if not all: {"score-deal": ["points", "outcome"]}
}
NOT_YET = {"unsupported": "not there yet"}


def answer(operation: str, profile: str, asked: dict[str, Any]) -> dict[str, Any]:
    """Answer one question: call your own engine here, each operation at its place.

    The protocol page says what everything means. Where the rules refuse what is asked, the answer is
    {"rejected": {"reason": "illegal-card", "at": 3}}. An exception costs this one answer, and not the run.
    """
    if operation == "trick-winner":
        # asked:  {"trump": "H", "leader": 0, "cards": ["AS", "7S", "7H", "10S"]}, the cards in the order played
        # result: {"winner": 2}
        return {"result": {"winner": trick_winner(asked["trump"], asked["leader"], asked["cards"])}}

    # <place>
    if operation == "{operation}":
        # asked:  {asked}
        # result: {result}
        return NOT_YET

    # </place>
    return NOT_YET


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
    """Say what this program is and how it may be asked."""
    if 1 not in offered:
        raise ValueError(f"this adapter speaks protocol 1 only, and {offered} was offered")
    said = {"protocol": 1, "name": NAME, "version": VERSION, "language": LANGUAGE}
    return said | {"profiles": PROFILES, "operations": OPERATIONS} | SHAPE


def main() -> None:
    """Answer line by line until stdin closes. Nothing else may be printed on stdout; stderr is free."""
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    for line in sys.stdin:
        # Without the flush the answer waits in a buffer, and the runner waits for the answer.
        print(json.dumps(reply(json.loads(line))), flush=True)


if __name__ == "__main__":
    main()
