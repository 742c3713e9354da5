"""No value of a rule is played as another one: what the engine does not know by name, it refuses by name."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from belot_reference.compile import compile_profile
from belot_reference.known_values import KNOWN_VALUES, UnknownRuleError, UnknownValueError
from belot_spec.card_names import CARD_NAMES, RANKS
from belot_spec.catalogue import Rule, enumerated_values, resolve
from belot_spec.spec import Profile, default_spec

SPEC = default_spec()
MADE_UP = "made-up"


def named_in(schema: Any) -> Iterator[str]:
    """Yield the names that a schema allows in a value, whatever it is made of."""
    node = resolve(schema)
    yield from (value for value in enumerated_values(node) if isinstance(value, str))
    for part in (*node.get("oneOf", ()), *node.get("anyOf", ()), *([node["items"]] if "items" in node else ())):
        yield from named_in(part)


@pytest.mark.parametrize("rule", SPEC.rules.values(), ids=lambda rule: rule.id)
def test_the_engine_knows_just_the_names_of_the_catalogue(rule: Rule) -> None:
    if rule.topic == "presentation" and rule.id not in KNOWN_VALUES:
        pytest.skip("for people: the engine does not read it")
    assert rule.id in KNOWN_VALUES
    # What cards and ranks are called stands in no rule.
    of_cards = KNOWN_VALUES[rule.id] in (CARD_NAMES, RANKS)
    assert of_cards or set(named_in(rule.value_schema)) == set(KNOWN_VALUES[rule.id])


def in_place_of_names(value: Any) -> Iterator[Any]:
    """Yield a value with a name that nobody knows in each place where it has one."""
    if isinstance(value, str):
        yield MADE_UP
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in in_place_of_names(item))


def wrong_values(profile: Profile) -> Iterator[tuple[str, Any]]:
    for rule, setting in profile.settings.items():
        if rule in KNOWN_VALUES:
            yield from ((rule, value) for value in in_place_of_names(setting.value))


@pytest.mark.parametrize("variant", SPEC.playable())
def test_a_name_that_nobody_knows_is_refused_wherever_it_stands(variant: str) -> None:
    profile = SPEC.profile(variant)
    tried = list(wrong_values(profile))
    assert len(tried) > 40
    for rule, value in tried:
        settings = {**profile.settings, rule: replace(profile.settings[rule], value=value)}
        with pytest.raises(UnknownValueError, match=f"{rule}: the engine does not know the value {MADE_UP}"):
            compile_profile(replace(profile, settings=settings))


def test_a_rule_that_the_engine_does_not_read_is_refused() -> None:
    profile = SPEC.profile("belotten")
    settings = {**profile.settings, "scoring.rouding": profile.settings["scoring.rounding"]}
    with pytest.raises(UnknownRuleError, match=r"the rule scoring.rouding; did you mean scoring.rounding\?"):
        compile_profile(replace(profile, settings=settings))


def test_the_nearest_name_is_told() -> None:
    profile = SPEC.profile("belotten")
    setting = replace(profile.settings["match.claim"], value="enuogh")
    with pytest.raises(UnknownValueError, match=r"did you mean enough\?; it knows: played-out, enough,"):
        compile_profile(replace(profile, settings={**profile.settings, "match.claim": setting}))
