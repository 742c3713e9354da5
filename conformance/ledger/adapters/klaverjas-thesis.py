"""Ask Bart-Aaldering/Klaverjas_thesis: state and tricks of its AlphaZero player (a work tree as first argument).

Its trump is always the first suit, so suits are turned by its own card_transform; it plays the Rotterdam rules.
"""

import sys

sys.path.insert(0, sys.argv[1])
from AlphaZero.AlphaZeroPlayer.Klaverjas.card import Card
from AlphaZero.AlphaZeroPlayer.Klaverjas.helper import card_transform, card_untransform
from AlphaZero.AlphaZeroPlayer.Klaverjas.state import State
from AlphaZero.AlphaZeroPlayer.Klaverjas.trick import Trick
from serve import Rejected, serve

SUITS, RANKS = "CHDS", ["7", "8", "9", "10", "J", "Q", "K", "A"]


def cards(texts, trump):
    return [
        Card(card_transform(10 * SUITS.index(one[-1]) + RANKS.index(one[:-1]), SUITS.index(trump))) for one in texts
    ]


def text(one, trump):
    number = card_untransform(one.id, SUITS.index(trump))
    return RANKS[number % 10] + SUITS[number // 10]


def trick(leader, texts, trump):
    one = Trick(leader)
    for each in cards(texts, trump):
        one.add_card(each)
    return one


def card_points(_, asked):
    # The last trick's ten is added where a deal ends, in State.do_move.
    points = sum(one.points() for one in cards(asked["cards"], asked["trump"]))
    return {"points": points + (10 if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    return {"winner": trick(asked["leader"], asked["cards"], asked["trump"]).winner()}


def legal_cards(_, asked):
    seat = len(asked["trick"])
    state = State(seat)
    state.current_player = seat
    state.hands = [set(), set(), set(), set()]
    state.hands[seat] = set(cards(asked["hand"], asked["trump"]))
    state.tricks = [trick(0, asked["trick"], asked["trump"])]
    return {"cards": [text(one, asked["trump"]) for one in state.legal_moves()]}


def roem(_, asked):
    return {"points": trick(0, asked["cards"], asked["trump"]).meld()}


def replay(_, asked):
    tricks = [(one["leader"], cards(one["cards"], asked["trump"])) for one in asked["tricks"]]
    state = State(0)
    state.current_player, state.declaring_team = tricks[0][0], asked["taker"] % 2
    state.hands, state.tricks = [set(), set(), set(), set()], [Trick(tricks[0][0])]
    for leader, played in tricks:
        for i, one in enumerate(played):
            state.hands[(leader + i) % 4].add(one)
    for at, one in enumerate(one for _leader, played in tricks for one in played):
        if one not in state.legal_moves():
            raise Rejected("illegal-card", at)
        state.do_move(one, "simulation")
    won = [{"winner": one.winner(), "points": one.points(), "roem": one.meld()} for one in state.tricks]
    score = state.final_score
    outcome = "made" if score[asked["taker"] % 2] else "fell"
    end = {"tricks": won, "cards": state.points, "outcome": outcome, "points": score, "score": score}
    return {"ended": "played", "taker": asked["taker"], "trump": asked["trump"], **end}


serve(
    {
        "name": "Klaverjas_thesis",
        "version": "0eb1184",
        "language": "Python",
        "profiles": ["klaverjas-rotterdams"],
        "deals": "tricks",
        "fields": {
            "roem": ["points"],
            "replay": ["ended", "taker", "trump", "tricks", "cards", "outcome", "points", "score"],
        },
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "roem": roem,
        "replay": replay,
    },
)
