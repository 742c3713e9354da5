"""Ask remithiebaut/Coinche: Round.py and Game.py of a work tree whose folder is the first argument.

Its bidding is a talk at the console, in which a double answers a bid at once; that is not asked.
"""

import sys
from types import ModuleType

sys.path.insert(0, sys.argv[1])
# Its windows are loaded with the rules, and not opened.
sys.modules["pygame"] = ModuleType("pygame")

import coinche_constant as const
from Card import Card
from Game import Game
from Hand import Hand
from Round import Round
from serve import Rejected, refuse_early, serve

SUITS = {"S": "pique", "H": "coeur", "D": "carreau", "C": "trefle"}
MODES = {**SUITS, "N": "sans atout", "A": "tout atout"}
RANKS = {"A": "As", "K": "R", "Q": "D", "J": "V"}
LETTER = {suit: letter for letter, suit in SUITS.items()}
RANK = {rank: letter for letter, rank in RANKS.items()}
PLAYERS = {f"j{one}_{what}": value for one in "1234" for what, value in (("name", one), ("random", True))}


def name(text):
    return RANKS.get(text[:-1], text[:-1]) + SUITS[text[-1]]


def text(card):
    return RANK.get(card.number, card.number) + LETTER[card.color]


def table(trump, hands=None):
    """A round of which trump is known; return it and all its cards by what they are called."""
    deck = {card.ID: card for suit in SUITS.values() for card in (Card(rank, suit) for rank in const.liste_numero)}
    pack = Hand(name="pioche", cards=list(deck.values()), sort=False)
    game = Round(team1_name="0", team2_name="1", number=1, pioche=pack, hidden=True, **PLAYERS)
    if hands is not None:
        for player, hand in zip(game.shortkey(), hands, strict=True):
            player.Hand = Hand(name=player.name, cards=[deck[name(one)] for one in hand])
    game.atout = MODES[trump]
    game.cards_update()
    return game, deck


def laid(game, deck, cards):
    game.pli = Hand(name="pli", cards=[deck[name(one)] for one in cards], sort=False)


def card_points(_, asked):
    _, deck = table(asked["trump"])
    return {"points": sum(deck[name(one)].points for one in asked["cards"]) + (10 if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    game, deck = table(asked["trump"])
    laid(game, deck, asked["cards"])
    return {"winner": (asked["leader"] + game.pli.winner()) % 4}


def legal_cards(_, asked):
    if not asked["trick"]:
        return {"cards": asked["hand"]}
    game, deck = table(asked["trump"])
    laid(game, deck, asked["trick"])
    player = game.shortkey()[len(asked["trick"])]
    player.Hand = Hand(name=player.name, cards=[deck[name(one)] for one in asked["hand"]])
    return {"cards": [text(card) for card in game.allowed_cards(deck[name(asked["trick"][0])].color, player).cards]}


def settled(game):
    """What the deal is worth, once all tricks lie in the piles."""
    match = Game.__new__(Game)
    match.Round, match.hidden, match.score = game, True, {"0": 0, "1": 0}
    match.result()
    return [match.score["0"], match.score["1"]]


def replay(_, asked):
    game, _ = table(asked["trump"], asked["hands"])
    seats = game.shortkey()
    belote = [int(team.pli.points) for team in game.teams]
    bid = {"capot": 250}.get(asked["bid"], asked["bid"])
    game.teams[asked["taker"] % 2].bet = bid
    game.coinche, game.surcoinche = asked.get("raised", 1) > 1, asked.get("raised", 1) > 2
    actions, tricks = iter(enumerate(asked["actions"])), []
    first = (asked["dealer"] + 1) % 4
    order = seats[first:] + seats[:first]
    turn = iter(())

    def choose(hand, random=True):
        """Give the card that is asked for, out of those that the program allows."""
        player = next(turn)
        at, action = next(actions, (len(asked["actions"]), None))
        if action is None:
            raise Rejected("unfinished", at)
        refuse_early(action, at, bids=False, turn=seats.index(player))
        wanted = name(action["play"])
        if not any(wanted == card.ID for card in player.Hand.cards):
            raise Rejected("card-not-held", at)
        card = next((one for one in hand.cards if wanted == one.ID), None)
        if card is None:
            raise Rejected("illegal-card", at)
        return card

    Hand.choose_card = choose
    for number in range(1, 9):
        turn = iter(order)
        before = [sum(card.points for card in team.pli.cards) for team in game.teams]
        order = game.play_pli(players=order, pli_number=number)
        now = [sum(card.points for card in team.pli.cards) for team in game.teams]
        tricks.append({"winner": seats.index(order[0]), "points": sum(now) - sum(before)})
    for at, _ in actions:
        raise Rejected("deal-over", at)
    taken = {"taker": asked["taker"], "trump": asked["trump"], "raised": asked.get("raised", 1)}
    return {"ended": "played", **taken, "tricks": tricks, "belote": belote, "score": settled(game)}


serve(
    {
        "name": "remithiebaut/Coinche",
        "version": "5008b15",
        "language": "Python",
        "profiles": ["contree+contract-alone+exact-points"],
        "deals": "play",
        "announcing": "automatic",
        "fields": {"replay": ["ended", "taker", "trump", "raised", "tricks", "belote", "score"]},
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "replay": replay,
    },
)
