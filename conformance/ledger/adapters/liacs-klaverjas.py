"""Ask liacs/klaverjas: klaverjas/game of a work tree whose folder is the first argument; it plays Rotterdam rules."""

import sys

sys.path.insert(0, f"{sys.argv[1]}/klaverjas")
from game.cards import Card, Rank, Suit
from game.meld import meld_points
from game.rounds import Round, team
from game.tricks import Trick
from serve import Rejected, serve

SUITS, RANKS = "SHCD", ["7", "8", "9", "10", "J", "Q", "K", "A"]


def card(text):
    return Card(Suit(SUITS.index(text[-1])), Rank(RANKS.index(text[:-1])))


def text(one):
    return RANKS[one.rank().value] + SUITS[one.suit().value]


def trump_of(asked):
    return Suit(SUITS.index(asked["trump"]))


def card_points(_, asked):
    # The last trick's ten is added where a round is complete, in Round.complete_trick.
    points = sum(card(one).points(trump_of(asked)) for one in asked["cards"])
    return {"points": points + (10 if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    trick = Trick(asked["leader"])
    for one in asked["cards"]:
        trick.add(card(one))
    return {"winner": trick.winner(trump_of(asked))}


def legal_cards(_, asked):
    deal = Round(0, 0, trump_of(asked))
    for one in asked["trick"]:
        deal.play_card(card(one))
    return {"cards": [text(one) for one in deal.legal_moves([card(one) for one in asked["hand"]])]}


def roem(_, asked):
    return {"points": meld_points([card(one) for one in asked["cards"]], trump_of(asked))}


def replay(_, asked):
    trump, told = trump_of(asked), []
    deal = Round(asked["taker"], asked["tricks"][0]["leader"], trump)
    played = [((one["leader"] + i) % 4, card(each)) for one in asked["tricks"] for i, each in enumerate(one["cards"])]
    for at, (seat, one) in enumerate(played):
        hand = [each for who, each in played[at:] if who == seat]
        if one not in deal.legal_moves(hand):
            raise Rejected("illegal-card", at)
        deal.play_card(one)
        trick = deal.current_trick()
        if deal.complete_trick():
            told.append({"winner": trick.winner(trump), "points": trick.points(trump), "roem": trick.meld(trump)})
    score = [points + meld for points, meld in zip(deal.points(), deal.meld(), strict=True)]
    outcome = "made" if score[team(asked["taker"])] else "fell"
    end = {"tricks": told, "outcome": outcome, "points": score, "score": score}
    return {"ended": "played", "taker": asked["taker"], "trump": asked["trump"], **end}


serve(
    {
        "name": "liacs/klaverjas",
        "version": "513407d",
        "language": "Python",
        "profiles": ["klaverjas-rotterdams"],
        "deals": "tricks",
        "fields": {"roem": ["points"], "replay": ["ended", "taker", "trump", "tricks", "outcome", "points", "score"]},
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "roem": roem,
        "replay": replay,
    },
)
