"""JSON values in short, with the signs of the suits."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from belot_reference.cards import CARD_BY_NAME

SUIT_SIGNS: Final = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}


# A bid of an auction by numbers; of more calls than this those that make a ladder are told as one.
_CALL: Final = re.compile(r"^(\d{2,})([A-Z])$")
_MANY_BIDS: Final = 12
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
        if len(value) > _MANY_BIDS and (ranges := _in_ranges(value)):
            return " ".join(ranges)
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


def _in_ranges(calls: Sequence[Any]) -> list[str]:
    """Return many calls of an auction with the amounts that rise by one step in the same modes told as a range.

    Nothing of a list that holds anything but calls.
    """
    if not all(isinstance(one, str) for one in calls):
        return []
    modes: dict[str, list[str]] = {}
    for amount, mode in filter(None, (_CALL.match(one) and _CALL.findall(one)[0] for one in calls)):
        modes.setdefault(amount, []).append(SUIT_SIGNS.get(mode, mode))
    runs: list[tuple[list[int], list[str]]] = []
    for amount, named in modes.items():
        number, last = int(amount), runs[-1] if runs else None
        if last and last[1] == named and (len(last[0]) == 1 or number - last[0][-1] == last[0][-1] - last[0][-2]):
            last[0].append(number)
        else:
            runs.append(([number], named))
    found = []
    for amounts, named in runs:
        step = f" by {amounts[1] - amounts[0]}" if len(amounts) > 1 else ""
        span = f"{amounts[0]}–{amounts[-1]}{step}" if len(amounts) > 1 else f"{amounts[0]}"
        found.append(f"{span} {''.join(named)}")
    rest = [SUIT_SIGNS.get(one, one) for one in calls if not _CALL.match(one)]
    return [*(f"{one}," for one in found), *rest] if found else []
