"""Values that mix two things up: one order of the cards taken for another, or a number in the wrong unit."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from belot_spec.catalogue import Rule
from belot_spec.spec import Profile, Spec

WRONG_ORDER: Final = "wrong order"
WRONG_UNIT: Final = "wrong unit"

_ORDER: Final = "rank-order"
_CLASSES: Final = "rank-classes"
_POINTS: Final = frozenset(("points", "rank-points"))
# Points of which the schema says only that they are a number.
_NUMBERS: Final = frozenset(("match.target", "scoring.contract-needs", "scoring.trickless-player"))
_UNIT: Final = 10


def mixed_up(rule: Rule, profile: Profile, spec: Spec) -> Iterator[tuple[str, Any]]:
    """Yield what a rule's value would be in each other order of the profile, or in tens and tenths of its unit.

    Squares are ranked from low to high, orders of cards from high to low.
    """
    own = profile.settings[rule.id].value
    if _shape(rule.value_schema) == _ORDER:
        for other, order in _orders(profile, spec):
            yield f"{WRONG_ORDER}: {other}", order
    elif _shape(rule.value_schema) == _CLASSES:
        yield f"{WRONG_ORDER}: from high to low", own[::-1]
        known = {rank for ranks in own for rank in ranks}
        for other, order in _orders(profile, spec):
            yield f"{WRONG_ORDER}: {other}", [[rank] for rank in reversed(order) if rank in known]
    elif (rule.id in _NUMBERS or _is_points(rule.value_schema)) and not isinstance(own, str):
        yield f"{WRONG_UNIT}: tenfold", _each(own, lambda number: number * _UNIT)
        yield f"{WRONG_UNIT}: in tens", _each(own, lambda number: number // _UNIT)


def _orders(profile: Profile, spec: Spec) -> Iterator[tuple[str, list[str]]]:
    for rule in spec.rules.values():
        if rule.id in profile.settings and _shape(rule.value_schema) == _ORDER:
            yield rule.id, profile.settings[rule.id].value


def _shape(schema: Mapping[str, Any]) -> str:
    reference: str = schema.get("$ref", "")
    return reference.rsplit("/", 1)[-1]


def _is_points(schema: Mapping[str, Any]) -> bool:
    """Say whether the numbers of a schema are points, of cards or of the score."""
    return _shape(schema) in _POINTS or any(map(_is_points, schema.get("patternProperties", {}).values()))


def _each(value: Any, change: Callable[[int], int]) -> Any:
    """Change a number, or every number of a table."""
    return {key: change(number) for key, number in value.items()} if isinstance(value, Mapping) else change(value)
