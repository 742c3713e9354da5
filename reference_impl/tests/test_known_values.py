"""No value of a rule is played as another one: what the engine does not know by name, it refuses by name."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from typing import Any

import pytest

from belot_reference.compile import compile_profile
from belot_reference.known_values import KNOWN_VALUES, Known, UnknownRuleError, UnknownValueError
from belot_spec.card_names import CARD_NAMES
from belot_spec.spec import Profile, Spec
from belot_spec.value_shapes import enumerated_values, resolve

MADE_UP = "made-up"
# What a rule of names, numbers or lists may be given by a catalogue of tomorrow, beside a new name.
OF_OTHER_KINDS = (7001, True, None, 0.5, ["made-up"], {"made-up": 7})


def known_by(value_schema: Any) -> Any:
    match resolve(value_schema):
        case {"oneOf": parts}:
            return tuple(chain.from_iterable(known_by(part) for part in parts))
        case {"$ref": beside}:
            return known_by({"$ref": f"values.schema.json{beside}"})
        case {"items": items}:
            return [known_by(items)]
        case {"properties": entries}:
            return {key: known_by(entry) for key, entry in entries.items()}
        case {"patternProperties": entries, "required": keys}:
            return {key: known_by(entry) for key in keys for entry in entries.values()}
        case {"type": "integer"}:
            return (int,)
        case {"type": "boolean"}:
            return (bool,)
        case {"pattern": _}:
            return CARD_NAMES
        case listed:
            return enumerated_values(listed)


def in_any_order(known: Known) -> Any:
    if isinstance(known, list):
        return [in_any_order(one) for one in known]
    return {key: in_any_order(one) for key, one in known.items()} if isinstance(known, dict) else frozenset(known)


def test_the_engine_knows_just_the_rules_and_values_of_the_catalogue(spec: Spec) -> None:
    about_the_table = {rule.id for rule in spec.rules.values() if rule.topic == "presentation"} - {"presentation.zero"}
    assert KNOWN_VALUES.keys() == spec.rules.keys() - about_the_table
    for name, known in KNOWN_VALUES.items():
        rule = spec.rules[name]
        wanted = known_by(rule.value_schema)
        if wanted == (int,) and known != (int,):
            wanted = tuple(number for number in range(1000) if rule.allows(number))
        assert in_any_order(known) == in_any_order(wanted), name


def wrong_in_one_place(value: Any) -> Iterator[Any]:
    yield from (other for other in (MADE_UP, *OF_OTHER_KINDS) if type(other) is not type(value) or other == MADE_UP)
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in wrong_in_one_place(item))
    elif isinstance(value, dict):
        yield {**value, MADE_UP: 7}
        for key, item in value.items():
            yield from ({**value, key: other} for other in wrong_in_one_place(item))


def takes_numbers(known: Known) -> bool:
    return isinstance(known, tuple) and int in known


def wrong_values(profile: Profile) -> Iterator[tuple[str, Any]]:
    for rule, setting in profile.settings.items():
        if rule in KNOWN_VALUES:
            for value in wrong_in_one_place(setting.value):
                if not (takes_numbers(KNOWN_VALUES[rule]) and type(value) is int):
                    yield rule, value


@pytest.mark.parametrize("variant", ["bela-3", "coinche", "denderbelot"])
def test_what_nobody_knows_is_refused_wherever_it_stands(spec: Spec, variant: str) -> None:
    profile = spec.profile(variant)
    tried = list(wrong_values(profile))
    assert len(tried) > 600
    for rule, value in tried:
        settings = {**profile.settings, rule: replace(profile.settings[rule], value=value)}
        with pytest.raises(UnknownValueError, match=f"^{rule}: the engine does not know the value .*; it knows: "):
            compile_profile(replace(profile, settings=settings))


def test_a_rule_that_the_engine_does_not_read_is_refused(spec: Spec) -> None:
    profile = spec.profile("belotten")
    settings = {**profile.settings, "scoring.rouding": profile.settings["scoring.rounding"]}
    with pytest.raises(UnknownRuleError, match=r"the rule scoring.rouding; did you mean scoring.rounding\?"):
        compile_profile(replace(profile, settings=settings))
