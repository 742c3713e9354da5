"""JSON values in short, with the signs of the suits."""

import json
from collections.abc import Mapping
from typing import Any, Final

from belot_reference.cards import CARD_BY_NAME
from belot_spec.words import Words

SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
# The letters on jack, queen and king; the other ranks are the same in every language.
INDICES: Final = Words(__name__, "indices")


# Beside which nothing stands.
_NOTHING: Final = object()


def brief(value: Any, beside: Any = _NOTHING) -> str:
    """Return a JSON value as short text, cards with suit signs: ``trump ♥ · hand K♠ J♠ 7♦ · trick Q♠``.

    Where it would look like the value ``beside`` it, and is of another type, it says so: ``the text "20"`` beside 20.
    """
    if isinstance(value, Mapping):
        return " · ".join(f"{key.replace('_', ' ')} {_inner(item, _at(beside, key))}" for key, item in value.items())
    return _inner(value, beside)


def _at(beside: Any, place: Any) -> Any:
    """Return what stands in a place of a mapping or list; nothing where there is none."""
    if isinstance(beside, Mapping):
        return beside.get(place, _NOTHING)
    return beside[place] if isinstance(beside, (list, tuple)) and place in range(len(beside)) else _NOTHING


def _inner(value: Any, beside: Any = _NOTHING) -> str:
    if isinstance(value, Mapping):
        told = (
            (_inner(key) if key in CARD_BY_NAME else key, _inner(item, _at(beside, key))) for key, item in value.items()
        )
        return "(" + ", ".join(f"{name} {item}" for name, item in told) + ")"
    if isinstance(value, (list, tuple)):
        listed = [_inner(item, _at(beside, place)) for place, item in enumerate(value)]
        if value and all(isinstance(item, str) for item in value) and not isinstance(beside, str):
            return " ".join(listed)
        return "[" + ", ".join(listed) + "]"
    if isinstance(value, str):
        if beside is not _NOTHING and not isinstance(beside, str) and value == _inner(beside):
            return f"the text {json.dumps(value, ensure_ascii=False)}"
        if value in CARD_BY_NAME:
            return value[:-1] + SUIT_SIGNS[value[-1]]
        return SUIT_SIGNS.get(value, value)
    return json.dumps(value, ensure_ascii=False)
