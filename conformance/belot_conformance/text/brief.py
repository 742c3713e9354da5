"""JSON values in short, with the signs of the suits."""

import json
from collections.abc import Mapping
from typing import Any, Final

from belot_reference.cards import CARD_BY_NAME
from belot_spec.words import Words

SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
# The letters on jack, queen and king; the other ranks are the same in both languages.
INDICES: Final = Words(__name__, "indices")


def brief(value: Any) -> str:
    """Return a JSON value as short text, cards with suit signs: ``trump ♥ · hand K♠ J♠ 7♦ · trick Q♠``."""
    if isinstance(value, Mapping):
        return " · ".join(f"{key.replace('_', ' ')} {_inner(item)}" for key, item in value.items())
    return _inner(value)


def _inner(value: Any) -> str:
    if isinstance(value, Mapping):
        names = (_inner(key) if key in CARD_BY_NAME else key for key in value)
        return "(" + ", ".join(f"{name} {_inner(item)}" for name, item in zip(names, value.values(), strict=True)) + ")"
    if isinstance(value, (list, tuple)):
        if value and all(isinstance(item, str) for item in value):
            return " ".join(_inner(item) for item in value)
        return "[" + ", ".join(_inner(item) for item in value) + "]"
    if isinstance(value, str):
        if value in CARD_BY_NAME:
            return value[:-1] + SUIT_SIGNS[value[-1]]
        return SUIT_SIGNS.get(value, value)
    return json.dumps(value, ensure_ascii=False)
