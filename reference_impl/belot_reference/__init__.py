"""Belot to play with: ``import belot_reference as belot`` and start with ``belot.Game("belotten")``.

The engine executes the rules in ``spec/`` and has none of its own. The names listed in ``__all__`` are the library, and
what ``spec/VERSIONING.md`` promises about versions holds for them; every other module is the engine's own affair.
"""

from belot_reference.action import Action
from belot_reference.errors import BadQuestionError, NotationError, Place, Refusal, Why
from belot_reference.game import Game
from belot_reference.notation import Deal, Transcript
from belot_reference.players import Player, RandomPlayer, SensiblePlayer, play_match
from belot_reference.sheet import Contract, DealScore, Score
from belot_reference.view import Declared, Trick, View
from belot_spec.errors import BelotError

__all__ = [
    "Action", "BadQuestionError", "BelotError", "Contract", "Deal", "DealScore", "Declared", "Game", "NotationError",
    "Place", "Player", "RandomPlayer", "Refusal", "Score", "SensiblePlayer", "Transcript", "Trick", "View", "Why",
    "play_match",
]  # fmt: skip
