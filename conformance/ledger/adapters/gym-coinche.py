"""Play deals of EricPicot/gym-coinche with its own random players, and write them as records for belot audit.

python log.py WORKTREE DEALS SEED > deals.jsonl. Its packages gym and tensorflow play no part in the rules; in their
place stand empty modules. The game has no bidding to speak of: trump and taker are drawn by lot.
"""

import json
import random
import sys
from types import ModuleType

tree, deals, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
sys.path.insert(0, tree)


class Anything:
    def __init__(self, *_args, **_kwargs):
        pass

    def __getattr__(self, _name):
        return Anything()

    def __call__(self, *_args, **_kwargs):
        return Anything()


for name in (
    "gym",
    "gym.envs",
    "gym.envs.registration",
    "gym.spaces",
    "tensorflow",
    "tensorflow.keras",
    "tensorflow.keras.models",
):
    module = sys.modules[name] = ModuleType(name)
    module.__getattr__ = lambda _name: Anything()
sys.modules["gym"].Env = object
out, sys.stdout = sys.stdout, sys.stderr

import numpy
from coinche.gym.env import GymCoinche
from coinche.gym.player import GymPlayer
from coinche.player import RandomPlayer

random.seed(seed)
numpy.random.seed(seed)
SUITS = dict(zip(("CLUB", "DIAMOND", "SPADE", "HEART"), "CDSH", strict=True))
RANKS = ["7", "8", "9", "10", "J", "Q", "K", "A"]


def text(card):
    return RANKS[card.rank.value] + SUITS[card.suit.name]


env = GymCoinche(players=[RandomPlayer(0, "N"), RandomPlayer(1, "E"), GymPlayer(2, "S"), RandomPlayer(3, "W")])
random.shuffle(env.deck.cards)
for number in range(deals):
    env.reset()
    done = False
    while not done:
        _seen, _reward, done, _info = env.step(numpy.random.random(32))
    tricks = env.played_tricks
    leaders = [env.round_number % 4] + [trick.winner.index for trick in tricks[:-1]]
    cards = [0, 0]
    for trick in tricks:
        cards[trick.winner.index % 2] += trick.score()
    told = [
        {"leader": leader, "cards": [text(card) for card in trick.cards]}
        for leader, trick in zip(leaders, tricks, strict=True)
    ]
    taker = env.attacker_team
    # The game turns no card up; where the rules want one, it is the first that the taker played.
    turned = next(one["cards"][(taker - one["leader"]) % 4] for one in told)
    record = {
        "id": f"deal {number + 1}",
        "input": {
            "dealer": (leaders[0] + 3) % 4,
            "turn_up": turned,
            "taker": taker,
            "trump": SUITS[env.atout_suit.name],
            "tricks": told,
        },
        "result": {
            "ended": "played",
            "tricks": [
                {"winner": trick.winner.index, "points": trick.score() - (10 if trick is tricks[-1] else 0)}
                for trick in tricks
            ],
            "cards": [int(side) for side in cards],
        },
    }
    out.write(json.dumps(record, separators=(",", ":")) + "\n")
