"""A recorded deal that is refused is told with the action at which it is refused, not with a number alone."""

from dataclasses import replace

from belot_conformance.programs.protocol import Reply
from belot_conformance.reports.report import refused_actions
from belot_conformance.reports.terminal import failure_text
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.verdicts import Planned, judge
from belot_spec.spec import Spec

REFUSED = next(
    case
    for case in load_cases()
    if case.operation == "replay" and case.expected[0].fields.get("reason") == "illegal-card"
)
AT = REFUSED.expected[0].fields["at"]


def test_the_action_that_should_be_refused_stands_in_the_report(spec: Spec) -> None:
    planned = Planned(REFUSED, REFUSED.profile)
    verdict = judge(planned, Reply(REFUSED.id, "rejected", {"reason": "illegal-card", "at": AT - 1}))
    assert [place for place, _ in refused_actions(verdict)] == [AT - 1, AT]
    text = failure_text(verdict, spec, "en")
    card = REFUSED.input["actions"][AT]["play"]
    assert f"at {AT} " in text
    assert card[:-1] in text


def test_a_place_that_is_no_action_is_left_out() -> None:
    planned = Planned(replace(REFUSED, expected=REFUSED.expected[:1]), REFUSED.profile)
    for at in (10_000, -1, True, "4", None):
        verdict = judge(planned, Reply(REFUSED.id, "rejected", {"reason": "illegal-card", "at": at}))
        assert [place for place, _ in refused_actions(verdict)] == [AT]
