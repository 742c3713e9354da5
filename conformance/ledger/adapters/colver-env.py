"""Ask the package colver (an engine in Rust) through its Python class Env: a deal with given hands, card by card."""

from importlib.metadata import version

from colver import Env
from serve import Rejected, Unsupported, refuse_early, serve

SIGN = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
NUMBER = {Env.card_name(i): i for i in range(32)}
LETTER = {sign: letter for letter, sign in SIGN.items()}
TRUMP = {letter: NUMBER["7" + sign] // 8 for letter, sign in SIGN.items()}
MODE = {one: letter for letter, one in TRUMP.items()}
BIDDING, CAPOT = 0, 250
RAISED = [1, 2, 3]
WORDS = {"Pass": "pass", "Coinche": "double", "Surcoinche": "redouble"}


def said(action):
    """What is said in the bidding as the protocol has it."""
    name = Env.action_name(action, BIDDING)
    return WORDS.get(name) or f"{name[:-1].lower()}{LETTER[name[-1]]}"


NAMES = {action: said(action) for action in range(43)}
BIDS = {name: action for action, name in NAMES.items()}
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


def bid_now(env, bid, at):
    if env.phase() != BIDDING:
        raise Rejected("bidding-over", at)
    if BIDS.get(bid) not in env.legal_actions():
        raise Rejected("may-not-double" if bid.endswith("double") else "bid-too-low", at)
    env.step(BIDS[bid])


def taken(env):
    """The contract; of its team the program's history of the bidding names the seat."""
    contract = env.get_contract()
    seat = [seat for seat, action in env.get_bid_history() if NAMES[action] not in WORDS.values()][-1]
    bid = "capot" if contract["value"] == CAPOT else contract["value"]
    return {"taker": seat, "trump": MODE[contract["trump"]], "bid": bid, "raised": RAISED[contract["coinche"]]}


def bidding(_, asked):
    env = Env.deal(asked["dealer"], 0)
    for at, bid in enumerate(asked["bids"]):
        bid_now(env, bid, at)
    if env.phase() == BIDDING:
        return {"state": "open", "turn": env.current_player(), "choices": [NAMES[one] for one in env.legal_actions()]}
    return {"state": "failed"} if env.is_terminal() else {"state": "taken", **taken(env)}


def belote_of(env):
    return [20 if said == 2 else 0 for said in env.get_belote()]


def settled(env):
    """What is written; it is exact. Its points of the cards hold those for all tricks too, so they are not given."""
    score = [int(side) for side in env.rewards()]
    return {"points": score, "score": score}


def settle_tricks(_, asked):
    tricks = [(one["leader"], one["cards"]) for one in asked["tricks"]]
    bid = CAPOT if asked["bid"] == "capot" else asked["bid"]
    env = table(asked["trump"], tricks[0][0], hands_of(tricks))
    env.set_contract(TRUMP[asked["trump"]], bid, asked["taker"] % 2, min(asked.get("raised", 1), 3) - 1)
    for _leader, cards in tricks:
        for card in cards:
            env.step(number(card))
    sides = asked.get("sides", [{}, {}])
    if any(side.get(more) for side in sides for more in ("declarations", "outranked")):
        raise Unsupported("sequences and squares are not played")
    if [side.get("belote", 0) for side in sides] != belote_of(env):
        raise Unsupported("belote is found by the program itself")
    return settled(env)


def replay(_, asked):
    env = Env.deal_with_hands(asked["dealer"], [[number(card) for card in hand] for hand in asked["hands"]])
    for at, action in enumerate(asked["actions"]):
        if env.is_terminal():
            raise Rejected("deal-over", at)
        refuse_early(action, at, bids=env.phase() == BIDDING, turn=env.current_player())
        if "bid" in action:
            bid_now(env, action["bid"], at)
            continue
        if number(action["play"]) not in env.get_hands()[action["seat"]]:
            raise Rejected("card-not-held", at)
        if number(action["play"]) not in env.legal_actions():
            raise Rejected("illegal-card", at)
        env.step(number(action["play"]))
    if not env.is_terminal():
        raise Rejected("unfinished", len(asked["actions"]))
    if not env.get_played_cards():
        return {"ended": "passed"}
    return {"ended": "played", **taken(env), "belote": belote_of(env), **settled(env)}


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
            "profiles": ["contree+double-the-bid-alone+redouble-three+exact-points"],
            "deals": "hands",
            "announcing": "automatic",
            "fields": {
                "settle-tricks": ["points", "score"],
                "replay": ["ended", "taker", "trump", "raised", "belote", "points", "score"],
            },
        },
        {
            "card-points": card_points,
            "trick-winner": trick_winner,
            "legal-cards": legal_cards,
            "bidding": bidding,
            "settle-tricks": settle_tricks,
            "replay": replay,
            "perft": perft,
        },
    )
