"""An answer that only parts of a value decided is the same by every value that agrees in these."""

import pickle
from collections import Counter

import pytest

from belot_conformance.identify.hypothesis import reads_of
from belot_conformance.mistakes.mutations import compile_mutant, mutants_of
from belot_conformance.programs.reference import Came, Reference, put
from belot_conformance.questions.operations import RECORDINGS
from belot_conformance.suite.cases import Case
from belot_reference.trace import ValuePart, part_of
from belot_spec.errors import UnplayableError
from belot_spec.spec import Spec

# Of recorded deals one in so many is replayed.
SOME = 12


@pytest.mark.parametrize("profile", ["belote", "bela-4", "denderbelot-3", "bulgarian-belot", "coinche"])
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


def test_a_rule_of_which_all_was_read_has_no_parts() -> None:
    part = ValuePart("declarations.square-points", "entry", "J")
    read = reads_of(frozenset({"deck.plain-order", part.rule}), frozenset({part}))
    assert (read.rules, read.parts) == (("deck.plain-order",), (part,))
    assert pickle.loads(pickle.dumps(read)) is read
    values = {"deck.plain-order": "[]", part.rule: '{"J":200}'}
    assert [*read.values(values)] == ["[]", "200"]


@pytest.mark.parametrize(
    ("value", "part", "found"),
    [
        ({"3": 20, "4": 50}, ("entry", "4"), 50),
        (["points", "top-card"], ("first", 1), ["points"]),
        # What ends before that was never looked at so far.
        (["points"], ("first", 2), None),
        ([["J"], ["9", "A"]], ("place", "A"), 1),
        ([["J"], ["9", "A"]], ("place", "7"), -1),
    ],
)
def test_a_part_is_an_entry_the_first_items_or_the_place_of_a_member(
    value: object, part: tuple[str, object], found: object
) -> None:
    assert part_of(value, ValuePart("a.rule", *part)) == found  # type: ignore[arg-type]
