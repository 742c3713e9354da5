"""The values tried for a rule are values of it; where an answer read parts of one, others that agree in these give the same."""

import json
from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.identify.values import Hints, RuleValues
from belot_conformance.mistakes.mutations import compile_mutant, mutants_of
from belot_conformance.programs.reference import Came, Reference, put
from belot_conformance.questions.operations import RECORDINGS
from belot_conformance.suite.cases import Case
from belot_reference.trace import ValuePart, part_of
from belot_spec.errors import UnplayableError
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


# Of recorded deals one in so many is replayed.
SOME = 40


@pytest.mark.parametrize("profile", ["belote", "coinche"])
def test_by_values_that_agree_in_the_parts_read_an_answer_is_the_same_and_reads_the_same(
    profile: str, cases: list[Case], spec: Spec, reference: Reference
) -> None:
    rules = reference.ruleset(profile)
    own = [case for case in cases if case.profile == profile]
    asked = [case for place, case in enumerate(own) if case.operation not in RECORDINGS or place % SOME == 0]
    came = [(case, put(case.operation, rules, case.input)) for case in asked]
    in_parts = {part.rule for _, one in came for part in one.parts}
    alike: Counter[str] = Counter()
    for mutant in mutants_of(profile, spec):
        if mutant.rule not in in_parts or len(mutant.values) > 1:
            continue
        try:
            other = compile_mutant(mutant, rules.profile, spec)
        except UnplayableError:
            continue
        for case, one in came:
            parts = [part for part in one.parts if part.rule == mutant.rule]
            if parts and all(part_of(mutant.value, part) == part_of(rules.value(mutant.rule), part) for part in parts):
                alike[mutant.rule] += 1
                assert _told(put(case.operation, other, case.input)) == _told(one), (case.id, mutant)
    assert alike.keys() == in_parts


def _told(came: Came) -> tuple[object, ...]:
    return came.message(), came.rules, came.parts, came.form


@pytest.mark.parametrize(("value", "part", "found"), [
    ({"3": 20, "4": 50}, ("entry", "4"), 50),
    (["points", "top-card"], ("first", 1), ["points"]),
    # What ends before that was never looked at so far.
    (["points"], ("first", 2), None),
    ([["J"], ["9", "A"]], ("place", "A"), 1),
    ([["J"], ["9", "A"]], ("place", "7"), -1),
])  # fmt: skip
def test_a_part_is_an_entry_the_first_items_or_a_place(value: object, part: tuple[str, object], found: object) -> None:
    assert part_of(value, ValuePart("a.rule", *part)) == found  # type: ignore[arg-type]
