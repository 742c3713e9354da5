"""Bela for four in plain Python, with an adapter that speaks the belot-conformance protocol.

The first half is the engine: cards, a trick on the table, and the rules. The second half translates one line
of JSON into a call of the engine. Replace the first half by your own program and keep the second.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import BinaryIO

# ------------------------------------------------------------------------------------------------ engine

SEATS = 4
LAST_TRICK_BONUS = 10


class Suit(Enum):
    """The four suits."""

    SPADES = "S"
    HEARTS = "H"
    DIAMONDS = "D"
    CLUBS = "C"


@dataclass(frozen=True, slots=True)
class Card:
    """One card of the deck; the rank is a key of the tables below."""

    rank: str
    suit: Suit


# Each rank with its worth, from low to high: the order of the entries is the order of play.
PLAIN = {"7": 0, "8": 0, "9": 0, "J": 2, "Q": 3, "K": 4, "10": 10, "A": 11}
TRUMP = {"7": 0, "8": 0, "Q": 3, "K": 4, "10": 10, "A": 11, "9": 14, "J": 20}


@dataclass(frozen=True)
class Trick:
    """The cards played to a trick so far, the leader's first."""

    trump: Suit
    cards: list[Card]

    def height(self, card: Card) -> int:
        """Return how high a card stands among the cards of its own suit."""
        return list(TRUMP if card.suit is self.trump else PLAIN).index(card.rank)

    def of_suit(self, suit: Suit) -> list[Card]:
        """Return the cards of this trick that are of one suit."""
        return [card for card in self.cards if card.suit is suit]

    def best(self) -> Card:
        """Return the winning card: the highest trump, or else the highest card of the led suit."""
        return max(self.of_suit(self.trump) or self.of_suit(self.cards[0].suit), key=self.height)

    def winner(self, leader: int) -> int:
        """Return the seat that wins, given the seat that led."""
        return (leader + self.cards.index(self.best())) % SEATS

    def higher(self, hand: Iterable[Card], suit: Suit) -> list[Card]:
        """Return the cards of one suit in the hand that beat every card of that suit in this trick."""
        top = max(map(self.height, self.of_suit(suit)), default=-1)
        return [card for card in hand if card.suit is suit and self.height(card) > top]

    def duties(self, hand: list[Card]) -> Iterator[list[Card]]:
        """Yield what the hand should play, the strictest duty first; the first that can be met counts.

        Partner or opponent makes no difference in bela, so the owner of the winning card is not asked for.
        """
        if self.cards and (led := self.cards[0].suit) is not self.trump:
            if not self.of_suit(self.trump):
                yield self.higher(hand, led)
            yield [card for card in hand if card.suit is led]
        if self.cards:
            yield self.higher(hand, self.trump)
            yield [card for card in hand if card.suit is self.trump]
        yield hand

    def legal(self, hand: list[Card]) -> list[Card]:
        """Return the cards of the hand that may be played to this trick."""
        return next(filter(None, self.duties(hand)), [])


def card_points(cards: Iterable[Card], trump: Suit) -> int:
    """Return what the cards are worth, without any bonus."""
    return sum((TRUMP if card.suit is trump else PLAIN)[card.rank] for card in cards)


# ----------------------------------------------------------------------------------------------- adapter

HELLO: dict[str, object] = {
    "protocol": 1,
    "name": "example-bela-py",
    "version": "1.0",
    "language": "Python",
    "profiles": ["bela-4"],
    "operations": ["trick-winner", "card-points", "legal-cards"],
    "window": 4,
}
DECK = {rank + suit.value: Card(rank, suit) for suit in Suit for rank in PLAIN}


class BadInputError(Exception):
    """The request cannot be read."""


class UnsupportedError(Exception):
    """The request is outside what this program declares."""


class Input:
    """The input of a request, each field checked as it is taken out."""

    def __init__(self, fields: object) -> None:
        """Wrap the decoded JSON of the input."""
        if not isinstance(fields, dict):
            raise BadInputError("input is not an object")
        self._fields = fields

    def items(self, field: str) -> list[object]:
        """Read a list of anything."""
        value = self._fields.get(field)
        if not isinstance(value, list):
            raise BadInputError(f"{field} is not a list")
        return value

    def cards(self, field: str) -> list[Card]:
        """Read a list of cards that are all different."""
        cards = [DECK[name] for name in self.items(field) if isinstance(name, str) and name in DECK]
        if len(cards) < len(self.items(field)):
            raise BadInputError(f"{field} holds something that is not a card")
        if len(set(cards)) < len(cards):
            raise BadInputError(f"{field} holds the same card twice")
        return cards

    def trump(self) -> Suit:
        """Read the trump suit."""
        try:
            return Suit(self._fields.get("trump"))
        except ValueError as exc:
            raise BadInputError("trump is not a suit") from exc

    def seat(self, field: str) -> int:
        """Read a seat."""
        value = self._fields.get(field)
        if type(value) is not int or not 0 <= value < SEATS:
            raise BadInputError(f"{field} is not a seat")
        return value

    def flag(self, field: str) -> bool:
        """Read a boolean that may be missing."""
        value = self._fields.get(field, False)
        if not isinstance(value, bool):
            raise BadInputError(f"{field} is neither true nor false")
        return value


def result(op: object, profile: object, fields: object) -> dict[str, object]:
    """Answer one request with the fields of its result."""
    match op, profile:
        case "hello", _:
            if HELLO["protocol"] not in Input(fields).items("protocol"):
                raise UnsupportedError("only protocol 1 is spoken here")
            return HELLO
        case "trick-winner", "bela-4":
            data = Input(fields)
            trick = Trick(data.trump(), data.cards("cards"))
            if len(trick.cards) != SEATS:
                raise BadInputError(f"a trick has {SEATS} cards, not {len(trick.cards)}")
            return {"winner": trick.winner(data.seat("leader"))}
        case "card-points", "bela-4":
            data = Input(fields)
            bonus = LAST_TRICK_BONUS if data.flag("last_trick") else 0
            return {"points": card_points(data.cards("cards"), data.trump()) + bonus}
        case "legal-cards", "bela-4":
            data = Input(fields)
            trick, hand = Trick(data.trump(), data.cards("trick")), data.cards("hand")
            if len(trick.cards) >= SEATS:
                raise BadInputError("nobody is to play to a full trick")
            if set(hand) & set(trick.cards):
                raise BadInputError("hand and trick hold the same card")
            return {"cards": [card.rank + card.suit.value for card in trick.legal(hand)]}
        case str(), _:
            raise UnsupportedError(f"operation {op} for profile {profile}")
        case _:
            raise BadInputError("a request needs an op")


def reply_to(line: bytes) -> dict[str, object] | None:
    """Answer one line of the runner, or return None when it holds no id to answer to."""
    try:
        request = json.loads(line.decode("utf-8", "replace"))
    except (ValueError, RecursionError) as exc:
        print(f"not JSON: {exc}", file=sys.stderr)
        return None
    id_ = request.get("id") if isinstance(request, dict) else None
    if not isinstance(id_, str) and type(id_) is not int:
        print("a line without an id cannot be answered", file=sys.stderr)
        return None
    try:
        return {"id": id_, "result": result(request.get("op"), request.get("profile"), request.get("input"))}
    except UnsupportedError as exc:
        return {"id": id_, "unsupported": str(exc)}
    except Exception as exc:  # a bug in the engine costs one answer, not the whole run
        return {"id": id_, "error": f"{type(exc).__name__}: {exc}"}


def serve(lines: BinaryIO, out: BinaryIO) -> None:
    """Answer line after line until the runner closes the input."""
    for line in lines:
        if line.strip() and (reply := reply_to(line)):
            out.write(json.dumps(reply).encode() + b"\n")
            out.flush()


if __name__ == "__main__":
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (BrokenPipeError, KeyboardInterrupt):  # the runner has gone; a last flush would fail too
        os._exit(0)
