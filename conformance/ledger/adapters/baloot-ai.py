"""Ask tazjel/baloot-ai for its hokum (a suit as trump): game_engine of a work tree whose folder is the first argument.

Only the engine is needed: the module of its server that writes logs is replaced by Python's own logging.
"""

import logging
import sys
from types import ModuleType, SimpleNamespace

sys.path.insert(0, sys.argv[1])
from serve import Unsupported, serve

quiet = ModuleType("server.logging_utils")
quiet.logger = logging.getLogger("baloot")
sys.modules["server"], sys.modules["server.logging_utils"] = ModuleType("server"), quiet
# The packages' own __init__ files start the whole server; their modules are wanted one by one.
for package in ("game_engine", "game_engine.logic"):
    sys.modules[package] = ModuleType(package)
    sys.modules[package].__path__ = [f"{sys.argv[1]}/{package.replace('.', '/')}"]

from game_engine.core.rules import is_valid_move
from game_engine.logic.project_manager import ProjectManager
from game_engine.logic.rules.projects import check_project_eligibility
from game_engine.logic.scoring_engine import ScoringEngine
from game_engine.logic.trick_resolver import TrickResolver
from game_engine.models.card import Card
from game_engine.models.constants import BALOOT_GP, LAST_TRICK_BONUS
from game_engine.models.player import Player

SUIT = dict(zip("SHDC", "♠♥♦♣", strict=True))
LETTER = {sign: letter for letter, sign in SUIT.items()}
TEAMS = ("us", "them")
HOKUM = "HOKUM"


def card(text):
    return Card(SUIT[text[-1]], text[:-1])


def text(one):
    rank, suit = (one["rank"], one["suit"]) if isinstance(one, dict) else (one.rank, one.suit)
    return rank + LETTER[suit]


def table(trump, **fields):
    game = SimpleNamespace(
        game_mode=HOKUM,
        trump_suit=SUIT[trump],
        declarations={},
        trick_1_declarations={},
        round_history=[],
        past_round_results=[],
        sawa_failed_khasara=False,
        doubling_level=1,
        bid={},
        dealer_index=3,
        **fields,
    )
    game.players = [Player(str(i), str(i), i, game) for i in range(4)]
    return game


def card_points(_, asked):
    points = sum(TrickResolver.get_card_points(card(one), HOKUM, SUIT[asked["trump"]]) for one in asked["cards"])
    return {"points": points + (LAST_TRICK_BONUS if asked.get("last_trick") else 0)}


def trick_winner(_, asked):
    played = [{"card": card(one)} for one in asked["cards"]]
    place = TrickResolver.get_trick_winner(played, HOKUM, SUIT[asked["trump"]])
    return {"winner": (asked["leader"] + place) % 4}


def legal_cards(_, asked):
    seats = [player.position for player in table(asked["trump"]).players]
    played = [{"card": card(one), "playedBy": seats[i]} for i, one in enumerate(asked["trick"])]
    hand = [card(one) for one in asked["hand"]]
    me = seats[len(played)]
    return {"cards": [text(one) for one in hand if is_valid_move(one, hand, played, HOKUM, SUIT[asked["trump"]], me)]}


def declarations(_, asked):
    found = check_project_eligibility([card(one) for one in asked["hand"]], HOKUM)
    points = sum(one["score"] for one in found)
    sets = [{"declarations": [[text(c) for c in one["cards"]] for one in found], "points": points}] if found else []
    return {"sets": sets, "best_points": points}


def compare_hands(_, asked):
    game = table(asked["trump"])
    game.dealer_index = (asked["leader"] + 3) % 4
    manager = ProjectManager(game)
    for player, hand in zip(game.players, asked["hands"], strict=True):
        player.hand, player.is_bot = [card(one) for one in hand], True
    manager.auto_declare_bot_projects()
    manager.resolve_declarations()
    points = [sum(one["score"] for one in game.declarations.get(player.position, [])) for player in game.players]
    return {"points": points}


def score_deal(_, asked):
    if "last_trick" not in asked:
        raise Unsupported("who won the last trick")
    game, last = table("S"), asked["last_trick"]
    game.bid = {"bidder": game.players[asked["taker"]].position}
    for side in (1 - last, last):
        told = asked["sides"][side]
        tricks = [{"winner": game.players[side].position, "points": 0} for _ in range(told.get("tricks", 0))]
        if tricks:
            tricks[0]["points"] = told.get("cards", 0)
        game.round_history += tricks
        if told.get("declarations"):
            project = {"type": "HUNDRED", "rank": "A", "score": told["declarations"]}
            game.declarations[game.players[side].position] = [project]
    belote = {team: BALOOT_GP if side.get("belote") else 0 for team, side in zip(TEAMS, asked["sides"], strict=True)}
    game.baloot_manager = SimpleNamespace(get_baloot_points=lambda: belote, get_declarations=list)
    _result, us, them = ScoringEngine(game).calculate_final_scores()
    return {"score": [us, them]}


serve(
    {
        "name": "tazjel/baloot-ai, hokum",
        "version": "1c20390",
        "language": "Python",
        "profiles": ["belotten"],
        "last_trick": "apart",
        "fields": {"compare-hands": ["points"], "score-deal": ["score"]},
    },
    {
        "card-points": card_points,
        "trick-winner": trick_winner,
        "legal-cards": legal_cards,
        "declarations": declarations,
        "compare-hands": compare_hands,
        "score-deal": score_deal,
    },
)
