"""Questions that a check drew by lot and a program answers wrongly, made smaller by asking on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from belot_conformance.fuzz.fuzzing import Seen, Tabled
from belot_conformance.fuzz.shrinker import smallest_of
from belot_conformance.house_suite.drawn import title_of
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference, put
from belot_conformance.programs.target import Answer, Target
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.verdicts import Verdict, judge
from belot_reference.compile import compile_profile
from belot_spec.files import canonical

# So many kinds of wrong answers are made smaller, of which all together last no longer than so many seconds.
_MOST: Final = 10
_SECONDS: Final = 10.0

# Of what kind a wrong answer is: the profile, the operation, the fields that differ, the kind of what came.
_Kind = tuple[str, str, tuple[str, ...], str]


def with_smaller(
    target: Target, verdicts: Sequence[Verdict], answers: Mapping[str, Answer], reference: Reference
) -> list[Verdict]:
    """Return verdicts with the smallest question by lot of each kind of wrong answers in the place of a larger one.

    It keeps the id of that one, by which it is asked again. Nothing is asked on where no answer came.
    """
    kinds: dict[_Kind, int] = {}
    for place, one in enumerate(verdicts):
        came = answers.get(one.planned.case.id)
        if one.planned.provenance == "drawn" and one.outcome == "failed" and isinstance(came, Reply):
            kind = _kind(one, came)
            if kind not in kinds or _size(one) < _size(verdicts[kinds[kind]]):
                kinds[kind] = place
    found, places = list(verdicts), sorted(kinds.values(), key=lambda place: _size(verdicts[place]))[:_MOST]
    for place in places:
        came = answers[verdicts[place].planned.case.id]
        found[place] = _smaller(target, verdicts[place], came, reference, _SECONDS / len(places))
    return found


def _kind(one: Verdict, came: Reply) -> _Kind:
    fields = tuple(difference.field for difference in one.differences)
    return one.planned.profile, one.planned.case.operation, fields, came.kind


def _size(one: Verdict) -> tuple[int, int]:
    case = one.planned.case
    return OPERATIONS[case.operation].rank, len(canonical(dict(case.input)))


def _smaller(target: Target, wrong: Verdict, came: Answer, reference: Reference, seconds: float) -> Verdict:
    """Return the verdict on the smallest question that shows the same, found within some seconds."""
    planned, case = wrong.planned, wrong.planned.case
    rules = reference.ruleset(planned.profile) if planned.rules is None else compile_profile(planned.rules)
    right, expected = put(case.operation, rules, case.input), case.expected[0]
    seen = Seen(
        number=0,
        table=Tabled(rules, planned.asked_as or planned.profile),
        operation=case.operation,
        question=case.input,
        right=right.message(),
        expected=expected,
        read=right.rules,
        came=came,
        fields=expected.apart(case.operation, came.message()),
    )
    found = smallest_of(target, [seen], seconds)
    if found.operation != case.operation or found.question == case.input:
        return wrong
    made = replace(case, title=title_of("smaller", case.operation), input=found.question, expected=(found.expected,))
    return judge(replace(planned, case=made), found.came)
