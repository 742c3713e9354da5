"""A program that answers nonsense to everything plays by no rules, and is not told that it plays as if it did."""

import pytest

from belot_conformance.explain.asking import explain_checked
from belot_conformance.programs.protocol import Reply, ReplyKind
from belot_conformance.programs.reference import Reference
from belot_conformance.reports.explained import diagnosis_json
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import Planned, judge
from belot_spec.spec import Spec

pytestmark = pytest.mark.long

NONSENSE: list[tuple[ReplyKind, object]] = [
    ("error", "boom"),
    ("result", {"x": 1}),
    ("rejected", {"reason": "illegal-card", "at": 0}),
    ("result", {"cards": [], "points": 0, "winner": 0, "score": [], "outcome": "made"}),
]


@pytest.mark.parametrize(("kind", "said"), NONSENSE)
def test_nonsense_to_everything_is_explained_by_no_rule(
    cases: list[Case], reference: Reference, spec: Spec, kind: ReplyKind, said: object
) -> None:
    # Some questions of one game are as good as all of all games, which take minutes.
    asked = [case for case in cases if case.origin != "derived" and case.profile == "belote"][::3]
    plan = [Planned(case, case.profile) for case in asked]
    answers = {one.case.id: Reply(one.case.id, kind, said) for one in plan}
    verdicts = [judge(one, answers[one.case.id]) for one in plan]
    assert sum(one.outcome == "passed" for one in verdicts) < len(plan) / 10
    assert diagnosis_json(explain_checked(verdicts, dict(answers), reference), spec) == []
