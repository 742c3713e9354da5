"""Ask sternalon/klaberjass: jass/utils.py in a work tree whose folder is the first argument."""

import sys

sys.path.insert(0, f"{sys.argv[1]}/jass")
from serve import serve
from utils import Card, JassRules, JassScorer, JassTrick

SUITS = {"S": "spade", "H": "heart", "D": "diamond", "C": "club"}
RANKS = {"7": "seven", "8": "eight", "9": "nine", "10": "ten", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
LAST_TRICK = 10


def cards(texts):
    return [Card(RANKS[text[:-1]], SUITS[text[-1]]) for text in texts]


def card_points(_, asked):
    points = JassScorer(SUITS[asked["trump"]]).get_points(cards(asked["cards"]))
    return {"points": points + (LAST_TRICK if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    trick = cards(asked["cards"])
    return {"winner": (asked["leader"] + trick.index(JassTrick(trick, SUITS[asked["trump"]]).get_winner())) % 4}


def legal_cards(_, asked):
    hand = cards(asked["hand"])
    legal = JassRules(hand, cards(asked["trick"]), SUITS[asked["trump"]]).legal_cards
    return {"cards": [text for text, card in zip(asked["hand"], hand, strict=True) if card in legal]}


serve(
    {
        "name": "sternalon/klaberjass",
        "version": "ce63445",
        "language": "Python",
        "profiles": ["bela-4"],
        "knows": {"modes": ["S", "H", "D", "C"]},
    },
    {"card-points": card_points, "trick-winner": trick_winner, "legal-cards": legal_cards},
)
