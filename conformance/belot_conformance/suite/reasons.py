"""The rules behind refusals: what a program must name when its reasons are asserted too."""

from collections.abc import Iterable
from dataclasses import replace

from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.suite.cases import Expectation
from belot_conformance.suite.compare import REASON_FIELDS, differences
from belot_conformance.suite.verdicts import Planned


def with_reasons(plan: Iterable[Planned], reference: Reference) -> list[Planned]:
    """Return the plan with the rule in every refusal that is expected, and the rule behind every illegal card.

    A case may state the rule itself. Otherwise it is the rule that the reference names, for the profile asked, in the
    refusal that it answers with; what another answer would be refused by, where several are right, is left open.
    """
    return [_with_reason(planned, reference) for planned in plan]


def _with_reason(planned: Planned, reference: Reference) -> Planned:
    case = planned.case
    if case.operation in REASON_FIELDS:
        return _with_reason_field(planned, reference)
    if all(expected.kind == "result" or expected.rule for expected in case.expected):
        return planned
    refusal = reference.reply(case.operation, planned.profile, case.input).get("rejected", {})
    if "rule" not in refusal:
        return planned
    reply = Reply(case.id, "rejected", refusal)
    expected = tuple(_named(case.operation, one, reply) for one in case.expected)
    return replace(planned, case=replace(case, expected=expected))


def _with_reason_field(planned: Planned, reference: Reference) -> Planned:
    """Return a case whose right answer also says why: as the case states it, else as the reference does."""
    case, field = planned.case, REASON_FIELDS[planned.case.operation]
    result = reference.reply(case.operation, planned.profile, case.input).get("result", {})
    reply = Reply(case.id, "result", result)
    expected = tuple(
        one
        if field in one.fields or differences(case.operation, [one], reply)
        else replace(one, fields={**one.fields, field: result[field]})
        for one in case.expected
    )
    return replace(planned, case=replace(case, expected=expected))


def _named(operation: str, expected: Expectation, reply: Reply) -> Expectation:
    if expected.rule or differences(operation, [expected], reply):
        return expected
    return replace(expected, rule=reply.value["rule"])
