"""The engine, and the older name of the library: what the package ``belot`` has is here too.

The engine executes the rules in ``spec/`` and has none of its own. The names listed in ``__all__`` are the library, and
what ``spec/VERSIONING.md`` promises about versions holds for them; every other module is the engine's own affair. A
name is imported when it is first asked for, so that to import the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from belot_reference.action import Action
    from belot_reference.errors import BadQuestionError, NotationError, Place, Refusal, Why
    from belot_reference.game import Game
    from belot_reference.notation import Deal, Transcript
    from belot_reference.players import Player, RandomPlayer, SensiblePlayer, play_match
    from belot_reference.position import Position
    from belot_reference.sheet import Contract, DealScore, Score
    from belot_reference.told import Reckoning, score
    from belot_reference.view import Declared, Trick, View
    from belot_spec.errors import BelotError

__all__ = [
    "Action", "BadQuestionError", "BelotError", "Contract", "Deal", "DealScore", "Declared", "Game", "NotationError",
    "Place", "Player", "Position", "RandomPlayer", "Reckoning", "Refusal", "Score", "SensiblePlayer", "Transcript",
    "Trick", "View", "Why", "play_match", "score",
]  # fmt: skip
_MODULES: Final = {
    "action": ("Action",),
    "errors": ("BadQuestionError", "BelotError", "NotationError", "Place", "Refusal", "Why"),
    "game": ("Game",),
    "notation": ("Deal", "Transcript"),
    "players": ("Player", "RandomPlayer", "SensiblePlayer", "play_match"),
    "position": ("Position",),
    "sheet": ("Contract", "DealScore", "Score"),
    "told": ("Reckoning", "score"),
    "view": ("Declared", "Trick", "View"),
}
_MODULE_OF: Final = {name: module for module, names in _MODULES.items() for name in names}

if not TYPE_CHECKING:  # or to mypy every name would be one of the package

    def __getattr__(name: str) -> Any:
        if (module := _MODULE_OF.get(name)) is None:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(import_module(f"{__name__}.{module}"), name)
        return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
