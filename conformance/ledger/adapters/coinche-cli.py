"""Ask coinche-cli: the functions of coinche/rules.py, in a work tree whose folder is the first argument."""

import sys

sys.path.insert(0, sys.argv[1])
from coinche import rules
from coinche.cards import Card, Seat
from serve import serve

SUIT = dict(zip("SHDC", "♠♥♦♣", strict=True))
RANK = {"J": "V", "Q": "D", "K": "R"}
BACK = {**{sign: letter for letter, sign in SUIT.items()}, **{french: rank for rank, french in RANK.items()}}
SEATS = [Seat.N, Seat.W, Seat.S, Seat.E]


def card(text):
    return Card(RANK.get(text[:-1], text[:-1]), SUIT[text[-1]])


def text(one):
    return BACK.get(one.rank, one.rank) + BACK[one.suit]


def trick_of(leader, cards):
    return [(SEATS[(leader + i) % 4], card(one)) for i, one in enumerate(cards)]


def card_points(_, asked):
    points = sum(rules.card_points(card(one), SUIT[asked["trump"]]) for one in asked["cards"])
    return {"points": points + (rules.DIX_DE_DER if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    winner = rules.trick_winner(trick_of(asked["leader"], asked["cards"]), SUIT[asked["trump"]])
    return {"winner": SEATS.index(winner)}


def legal_cards(_, asked):
    trick = trick_of(0, asked["trick"])
    seat = len(trick)
    hand = [card(one) for one in asked["hand"]]
    led = trick[0][1].suit if trick else None
    legal = rules.legal_cards_to_play(hand, trick, SUIT[asked["trump"]], led, SEATS[seat], SEATS[(seat + 2) % 4])
    return {"cards": [text(one) for one in legal]}


serve(
    {
        "name": "coinche-cli",
        "version": "8a71a29",
        "language": "Python",
        "profiles": ["belote+partner-winning-free-discard+rise-over-partner"],
    },
    {"card-points": card_points, "trick-winner": trick_winner, "legal-cards": legal_cards},
)
