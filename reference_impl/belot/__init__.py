"""Belot to play with: matches, players, notation and scores, by the rules of any variant or of your own table.

    >>> import random, belot
    >>> game = belot.Game("belotten", seed=7)
    >>> while not game.is_over:
    ...     game = game.apply(random.choice(game.legal_actions()))
    >>> print(game.score())

Cards are texts (``"10H"``), suits ``"S"``, ``"H"``, ``"D"`` and ``"C"``, and seats count from 0 in playing order. A
profile is the name of a variant (``"belotten"``), one with options (``"bela-4+pass"``), or a file with house rules.
Nothing that the library returns ever changes; all of it can be copied, pickled and printed.

- A match: ``Game``; what a seat does in it, ``Action``; what a seat may know, ``View``, with ``Trick``, ``Declared``
  and ``Contract``; the sheet, ``Score``, with a ``DealScore`` a line.
- A trick alone: ``Position``, what may be played to it, who wins it, and how many ways there are to go on.
- What a deal is worth: ``score``, from its tricks, as a ``Reckoning``; of a list of deals the sheet.
- Players: ``Player``, to make your own, ``RandomPlayer`` and ``SensiblePlayer``; ``play_match`` lets them play.
- Text: ``Transcript`` and ``Deal`` are what the notation holds, whether or not the rules allow it; ``Place`` says where
  in it something stands.
- What goes wrong: ``Refusal`` is what the rules do not allow, and ``Why``; ``BadQuestionError`` is what makes no sense,
  ``NotationError`` what is not in the notation. All are a ``BelotError``.
- For programs that learn: the module ``belot.rl``, a PettingZoo environment, with the extra ``rl``.

``conformance/docs/library.md`` is the guide. ``belot_reference`` is the older name of this package.
"""

from typing import TYPE_CHECKING, Any

import belot_reference

if TYPE_CHECKING:
    from belot_reference import (
        Action,
        BadQuestionError,
        BelotError,
        Contract,
        Deal,
        DealScore,
        Declared,
        Game,
        NotationError,
        Place,
        Player,
        Position,
        RandomPlayer,
        Reckoning,
        Refusal,
        Score,
        SensiblePlayer,
        Transcript,
        Trick,
        View,
        Why,
        play_match,
        score,
    )

__all__ = [
    "Action", "BadQuestionError", "BelotError", "Contract", "Deal", "DealScore", "Declared", "Game", "NotationError",
    "Place", "Player", "Position", "RandomPlayer", "Reckoning", "Refusal", "Score", "SensiblePlayer", "Transcript",
    "Trick", "View", "Why", "play_match", "score",
]  # fmt: skip

if not TYPE_CHECKING:  # or to mypy every name would be one of the package

    def __getattr__(name: str) -> Any:
        if name == "rl":
            from belot_reference import rl

            return rl
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        found = globals()[name] = getattr(belot_reference, name)
        return found


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})
