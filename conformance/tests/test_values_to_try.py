"""The values tried for a rule are values of it, and what looks at them by the thousand says what explains itself says."""

import json
from dataclasses import replace
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.identify.values import Hints, RuleValues, rule_values
from belot_spec.files import canonical
from belot_spec.load.explanations import explained
from belot_spec.shipped import default_spec
from belot_spec.spec import Spec

SPEC = default_spec()
OWN = {
    rule: SPEC.profile(variant).settings[rule].value
    for variant in SPEC.playable()
    for rule in SPEC.profile(variant).settings
}
LEAVES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 700)
    | st.floats(allow_nan=False, allow_infinity=False, width=16)
    | st.text(max_size=3)
)
WORDS = st.sampled_from(sorted({word for value in OWN.values() for word in json.dumps(value).split('"')[1::2]}))
VALUES = st.recursive(
    LEAVES | WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=8,
)


def spoilt(data: Any, value: Any) -> Any:
    """A value with one thing inside it changed, lost or put in, wherever the lot says."""
    if not isinstance(value, list | dict) or not value or data.draw(st.booleans()):
        return data.draw(LEAVES | WORDS | st.just(value))
    made = list(value) if isinstance(value, list) else dict(value)
    place = data.draw(st.sampled_from(range(len(made)) if isinstance(made, list) else sorted(made)))
    match data.draw(st.integers(0, 2)):
        case 0:
            del made[place]
        case 1 if isinstance(made, list):
            made.insert(place, data.draw(LEAVES | st.sampled_from(made)))
        case _:
            made[place] = spoilt(data, made[place])
    return made


@given(st.sampled_from(sorted(OWN)), VALUES)
def test_of_any_value_both_validators_say_the_same(rule: str, value: Any) -> None:
    assert SPEC.rules[rule].allows(value) == (not explained(value, SPEC.rules[rule].value_schema))


@given(st.sampled_from(sorted(OWN)), st.data())
def test_of_a_value_nearly_right_both_validators_say_the_same(rule: str, data: Any) -> None:
    value = spoilt(data, OWN[rule])
    assert SPEC.rules[rule].allows(value) == (not explained(value, SPEC.rules[rule].value_schema))


def test_every_value_that_is_tried_is_one_that_the_rule_may_have(spec: Spec) -> None:
    hints = Hints((1, -7, 20), (0, 3, 162, 10**5))
    profile = spec.profile("denderbelot-3")
    tried = 0
    for rule in profile.settings:
        values = RuleValues(spec).to_try(spec.rules[rule], profile, None, hints)
        assert len(set(map(canonical, values))) == len(values)
        assert all(spec.rules[rule].allows(value) for value in values)
        tried += len(values)
    assert tried > 1000


def test_a_value_near_the_one_asked_for_is_tried_wherever_the_search_has_come(spec: Spec) -> None:
    """One rung put into the duty asked for is two steps away from the duty found meanwhile."""
    rule, asked = "play.void.opponent-ruffed", spec.profile("belotten")
    longer = ["higher_trump", "higher_of_led_suit", "any"]
    values = RuleValues(spec)
    assert longer in values.to_try(spec.rules[rule], asked, asked)
    meanwhile = asked.with_values("house", {rule: ["trump", "any"]}, spec.rules)
    assert longer in values.to_try(spec.rules[rule], meanwhile, asked)


def test_what_is_tried_rests_on_the_rules_of_a_profile_and_not_on_its_name(spec: Spec) -> None:
    rule, asked = "play.void.opponent-ruffed", spec.profile("belotten")
    values = RuleValues(spec)
    values.to_try(spec.rules[rule], asked, asked)
    duty = ["higher_trump_or_plain", "lower_trump", "trump", "any"]
    other = asked.with_values(asked.id, {"play.void.partner-ruffed": duty}, spec.rules)
    assert duty in values.to_try(spec.rules[rule], other, asked)


def test_a_second_spec_has_values_of_its_own(spec: Spec) -> None:
    rule, profile = spec.rules["match.target"], spec.profile("bela-4")
    most = profile.value(rule.id)
    narrow = replace(rule, value_schema={**rule.value_schema, "maximum": most})
    other = replace(spec, rules={**spec.rules, rule.id: narrow})
    assert any(value > most for value in rule_values(spec).to_try(rule, profile, None))
    tried = rule_values(other).to_try(narrow, profile, None)
    assert tried
    assert all(value <= most for value in tried)
