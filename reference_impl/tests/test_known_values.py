"""No value of a rule is played as another one: what the rules that ship do not list, the engine refuses by name."""

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import belot_reference
from belot_reference.compile import compile_profile, is_for_people
from belot_reference.errors import UnknownRuleError, UnknownValueError
from belot_spec.errors import IdleRuleError
from belot_spec.spec import Spec

MADE_UP = "made-up"
# What a rule of names, numbers or lists may be given by a catalogue of tomorrow, beside a new name.
OF_OTHER_KINDS = (7001, True, None, 0.5, ["made-up"], {"made-up": 7})


def wrong_in_one_place(value: Any) -> Iterator[Any]:
    yield from (other for other in (MADE_UP, *OF_OTHER_KINDS) if type(other) is not type(value) or other == MADE_UP)
    if isinstance(value, list):
        for place, item in enumerate(value):
            yield from ([*value[:place], other, *value[place + 1 :]] for other in wrong_in_one_place(item))
    elif isinstance(value, dict):
        yield {**value, MADE_UP: 7}
        for key, item in value.items():
            yield from ({**value, key: other} for other in wrong_in_one_place(item))


@pytest.mark.parametrize("variant", ["bela-3", "coinche", "denderbelot"])
def test_what_nobody_knows_is_refused_wherever_it_stands(spec: Spec, variant: str) -> None:
    profile, tried = spec.profile(variant), 0
    for rule, setting in profile.settings.items():
        for value in () if is_for_people(rule) else wrong_in_one_place(setting.value):
            if type(value) is int and spec.rules[rule].allows(value):
                continue
            tried += 1
            settings = {**profile.settings, rule: replace(setting, value=value)}
            with pytest.raises(UnknownValueError, match=f"^{rule}: the engine does not know the value "):
                compile_profile(replace(profile, settings=settings))
    assert tried > 600


def test_what_is_listed_is_said_with_what_is_nearest(spec: Spec) -> None:
    profile = spec.profile("belotten")
    settings = {**profile.settings, "scoring.tie": replace(profile.settings["scoring.tie"], value="taker-fals")}
    with pytest.raises(
        UnknownValueError, match=r"taker-fals; did you mean taker-falls\?; it knows: taker-falls, taker-h"
    ):
        compile_profile(replace(profile, settings=settings))


def test_a_rule_that_the_engine_does_not_read_is_refused(spec: Spec) -> None:
    profile = spec.profile("belotten")
    settings = {**profile.settings, "scoring.rouding": profile.settings["scoring.rounding"]}
    with pytest.raises(UnknownRuleError, match=r"the rule scoring.rouding; did you mean scoring.rounding\?"):
        compile_profile(replace(profile, settings=settings))


def test_a_rule_that_matters_only_sometimes_is_read_through_a_door_that_refuses(spec: Spec) -> None:
    for profile in (spec.profile("belote"), compile_profile(spec.profile("belote"))):
        with pytest.raises(IdleRuleError, match=r"^bidding.raises was read, and does not matter in belote$"):
            profile.given("bidding.raises")
    unguarded = []
    for path in sorted(Path(str(belot_reference.__file__)).parent.glob("*.py")):
        for call in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match call:
                case ast.Call(ast.Attribute(attr="value" | "value_or" | "given"), [ast.JoinedStr() as made_up, *_]):
                    unguarded.append(f"{path.name}:{call.lineno}: {ast.unparse(made_up)}")
                case ast.Call(ast.Attribute(attr="value"), [ast.Constant(str(rule))]) if spec.rules[rule].needs:
                    unguarded.append(f"{path.name}:{call.lineno}: {rule}")
    assert unguarded == [], "ask first whether it matters, or read it with value_or; then read it with given"
