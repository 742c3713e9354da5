"""Ask the package colver (an engine in Rust) through its Python class Env: a deal with given hands, card by card."""

from importlib.metadata import version

from colver import Env
from serve import Rejected, serve

SIGN = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
NUMBER = {Env.card_name(i): i for i in range(32)}
LETTER = {sign: letter for letter, sign in SIGN.items()}
TRUMP = {letter: NUMBER["7" + sign] // 8 for letter, sign in SIGN.items()}
WORTHLESS = [rank + suit for rank in "78" for suit in SIGN]


def number(card):
    return NUMBER[card[:-1] + SIGN[card[-1]]]


def text(one):
    name = Env.card_name(one)
    return name[:-1] + LETTER[name[-1]]


def table(trump, leader, hands, taker=0):
    """A deal in which the bidding is over, and ``leader`` leads."""
    env = Env.deal_with_hands((leader + 3) % 4, [[number(card) for card in hand] for hand in hands])
    env.set_contract(TRUMP[trump], 80, taker % 2, 0)
    env.set_phase_playing()
    return env


def hands_of(tricks):
    hands = [[], [], [], []]
    for leader, cards in tricks:
        for i, card in enumerate(cards):
            hands[(leader + i) % 4].append(card)
    return hands


def after(trump, leader, tricks):
    """The deal after these tricks, of whose cards the hands consist."""
    env = table(trump, leader, hands_of(tricks))
    for _leader, cards in tricks:
        for card in cards:
            env.step(number(card))
    return env


def card_points(_, asked):
    points = 0
    for card in asked["cards"]:
        trick = [card, *[one for one in WORTHLESS if one != card][:3]]
        points += sum(after(asked["trump"], 0, [(0, trick)]).get_points())
    return {"points": points + (10 if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    # Whoever won the only trick that was played leads to the next.
    return {"winner": after(asked["trump"], asked["leader"], [(asked["leader"], asked["cards"])]).get_trick_lead()}


def legal_cards(_, asked):
    hands = [[card] for card in asked["trick"]] + [asked["hand"]]
    env = table(asked["trump"], 0, hands + [[]] * (4 - len(hands)))
    for card in asked["trick"]:
        env.step(number(card))
    return {"cards": [text(one) for one in env.legal_actions()]}


def replay(_, asked):
    tricks = [(one["leader"], one["cards"]) for one in asked["tricks"]]
    env = table(asked["trump"], tricks[0][0], hands_of(tricks), asked["taker"])
    at = 0
    for _leader, cards in tricks:
        for card in cards:
            if number(card) not in env.legal_actions():
                raise Rejected("illegal-card", at)
            env.step(number(card))
            at += 1
    belote = [20 if said == 2 else 0 for said in env.get_belote()]
    return {
        "ended": "played",
        "taker": asked["taker"],
        "trump": asked["trump"],
        "cards": list(env.get_points()),
        "belote": belote,
    }


def perft(_, asked):
    env = table(asked["trump"], asked["leader"], asked["hands"])

    def count(depth):
        legal = env.legal_actions()
        if depth == 0 or not legal:
            return 1
        here, total = env.get_state_bytes().tolist(), 0
        for action in legal:
            env.step(action)
            total += count(depth - 1)
            env.set_state_bytes(here)
        return total

    return {"count": count(asked["depth"])}


if __name__ == "__main__":
    serve(
        {
            "name": "colver",
            "version": version("colver"),
            "language": "Rust, called from Python",
            "profiles": ["belote+tournament+partner-winning-free-discard+rise-over-partner+automatic-belote"],
            "deals": "tricks",
            "fields": {"replay": ["cards", "belote"]},
        },
        {
            "card-points": card_points,
            "trick-winner": trick_winner,
            "legal-cards": legal_cards,
            "replay": replay,
            "perft": perft,
        },
    )
