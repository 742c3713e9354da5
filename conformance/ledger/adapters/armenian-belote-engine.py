"""Ask manvel-khnkoyan/belote-engine: its cards, its rules of play and its sets (a work tree as first argument)."""

import sys

sys.path.insert(0, sys.argv[1])
from serve import Rejected, serve
from src.models.card import Card
from src.models.set import Set
from src.models.trump import Trump, TrumpMode
from src.phases.play.core.actions import ActionPlayCard
from src.phases.play.core.rules import Rules
from src.phases.play.core.simulator import Simulator
from src.phases.play.core.state import State
from src.utility.cards import Cards

SUITS, RANKS = "SHDC", ["7", "8", "9", "10", "J", "Q", "K", "A"]


def card(text):
    return Card(SUITS.index(text[-1]), RANKS.index(text[:-1]))


def text(one):
    return RANKS[one.rank] + SUITS[one.suit]


def trump(letter):
    return Trump(TrumpMode.Regular, SUITS.index(letter))


def card_points(_, asked):
    return {"points": Cards.value([card(one) for one in asked["cards"]], trump(asked["trump"]))}


def trick_winner(_, asked):
    _card, place = Cards.winner([card(one) for one in asked["cards"]], trump(asked["trump"]))
    return {"winner": (asked["leader"] + place) % 4}


def legal_cards(_, asked):
    state = State([card(one) for one in asked["hand"]], trump(asked["trump"]))
    state.table = [card(one) for one in asked["trick"]]
    return {"cards": [text(action.card) for action in Rules().actions(state)]}


def declarations(_, asked):
    # What a set is worth is asked of the program with a suit as trump; the suit makes no difference to it.
    found = Set.extract([card(one) for one in asked["hand"]])
    points = sum(one.value(trump("S")) for one in found)
    sets = [{"declarations": [[text(c) for c in one.cards] for one in found], "points": points}] if found else []
    return {"sets": sets, "best_points": points}


class Reader:
    """An agent of the program that plays the cards of a list, and refuses when the program would not let it."""

    def __init__(self, played):
        self.played, self.at = played, 0

    def choose_action(self, _state, actions):
        action = ActionPlayCard(card(self.played[self.at]))
        if action not in actions:
            raise Rejected("illegal-card", self.at)
        self.at += 1
        return action, None


def replay(_, asked):
    tricks = asked["tricks"]
    hands = [[], [], [], []]
    for trick in tricks:
        for i, one in enumerate(trick["cards"]):
            hands[(trick["leader"] + i) % 4].append(card(one))
    reader = Reader([one for trick in tricks for one in trick["cards"]])
    result = Simulator(Rules(), [reader] * 4).simulate(hands, trump(asked["trump"]), tricks[0]["leader"])
    return {"ended": "played", "taker": asked["taker"], "trump": asked["trump"], "cards": result.scores}


serve(
    {
        "name": "belote-engine",
        "version": "50a5f8d",
        "language": "Python",
        "profiles": ["belote"],
        "deals": "tricks",
        "fields": {"replay": ["cards"]},
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "declarations": declarations,
        "replay": replay,
    },
)
