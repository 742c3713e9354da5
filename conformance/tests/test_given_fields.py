"""A program that gives only some fields of a result: they alone are compared, and every report says so."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from belot_conformance.house_suite.smoke import _unknown_fields
from belot_conformance.house_suite.table import variant_tables
from belot_conformance.programs.protocol import Hello, ProtocolViolation, Reply, Shape, parse_hello
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.reports.junit import as_junit
from belot_conformance.reports.markdown import as_markdown
from belot_conformance.reports.report import Run, as_json
from belot_conformance.reports.terminal import print_report
from belot_conformance.reports.words import told_of_tables
from belot_conformance.suite.cases import Case
from belot_conformance.suite.shapes import NONE_OF_ITS_FIELDS
from belot_conformance.suite.verdicts import Planned, judge_all
from belot_conformance.text.terminal import as_text
from belot_spec.load.schemas import explain
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec
from suite_testing import LEAST_HELLO

SUMS = {"score-deal": ("points", "outcome")}


def hello(fields: Mapping[str, tuple[str, ...]] = SUMS, operations: tuple[str, ...] = ("score-deal",)) -> Hello:
    return Hello(1, "sums", "1", "C", (ProfileName("belotten"),), operations, shape=Shape(fields=fields))


def run_of(cases: list[Case], said: Hello, reference: Reference, **wrong: Any) -> Run:
    def reply(operation: str, profile: str, question: Mapping[str, Any]) -> dict[str, Any]:
        fields = reference.reply(operation, profile, question)
        return {"result": {**fields["result"], **wrong}} if "result" in fields else fields

    plan = [Planned(case, case.profile) for case in cases if case.profile == "belotten"]
    return Run(said, "sums", "0", judge_all(FunctionTarget(said, reply), plan), [], 0.0)


def outcomes(run: Run, operation: str) -> set[str]:
    return {one.outcome for one in run.verdicts if one.planned.case.operation == operation}


def test_only_the_fields_that_are_given_are_compared(cases: list[Case], reference: Reference) -> None:
    assert outcomes(run_of(cases, hello(), reference, written=["?"], counted=[]), "score-deal") == {"passed"}
    assert "failed" in outcomes(run_of(cases, hello({}), reference, written=["?"]), "score-deal")
    wrong = run_of(cases, hello(), reference, points=[-1, -1], written=["?"])
    assert {one.detail for one in wrong.verdicts if one.outcome == "failed"} == {"different: points"}


def test_an_answer_without_any_is_not_asked_and_a_refusal_counts(cases: list[Case], reference: Reference) -> None:
    said = hello({"bidding": ("taker", "trump")}, ("bidding",))
    bids = [one for one in run_of(cases, said, reference).verdicts if one.planned.case.operation == "bidding"]
    for verdict in bids:
        (expected,) = verdict.planned.case.expected
        unasked = expected.kind == "result" and not expected.fields.keys() & {"taker", "trump"}
        assert (verdict.outcome, verdict.detail) == (("unsupported", NONE_OF_ITS_FIELDS) if unasked else ("passed", ""))
    kinds = {(verdict.outcome, verdict.planned.case.expected[0].kind) for verdict in bids}
    assert kinds == {("unsupported", "result"), ("passed", "result"), ("passed", "rejected")}


def test_every_report_says_which_fields_are_compared(cases: list[Case], reference: Reference, spec: Spec) -> None:
    run = run_of(cases, hello(), reference)
    report = as_json(run, spec)
    assert report["target"]["fields"] == {"score-deal": ["points", "outcome"]}
    assert explain(report, "report") == []
    row = "score-deal (only points, outcome)"
    assert row in as_markdown(run, spec)
    assert '"only fields" value="points, outcome"' in as_junit(run, spec)
    printed = as_text(lambda page: print_report(page, run, spec, 0))
    assert "score-deal (only points, outcome)" in printed
    line = next(line for line in told_of_tables(run) if "compared" in line)
    assert line.endswith("score-deal: points, outcome.")
    scored = next(one for one in run.verdicts if one.planned.case.operation == "score-deal")
    none = replace(scored, outcome="unsupported", detail=NONE_OF_ITS_FIELDS)
    lines = told_of_tables(replace(run, verdicts=[none, *run.verdicts]))
    assert any("1 answers have none of them and were not asked" in line for line in lines)


def test_a_rule_only_another_field_shows_is_not_tested(cases: list[Case], reference: Reference, spec: Spec) -> None:
    plan = [Planned(case, case.profile) for case in cases if case.operation == "score-deal"]
    for fields, missing in (({}, False), (SUMS, True)):
        (table,) = variant_tables(plan, hello(fields), reference)
        unpinned = {test.rule: test.undeclared for test in table.tests if test.undeclared}
        assert ("score-deal" in unpinned.get("presentation.zero", ())) == missing
        assert "scoring.tie" not in unpinned


@pytest.mark.parametrize("said", [["points"], {"score-deal": "points"}, {"score-deal": []}, {"score-deal": [1]}])
def test_fields_in_another_form_are_refused(said: object) -> None:
    with pytest.raises(ProtocolViolation, match=r"`fields` in the answer to `hello` has the wrong form"):
        parse_hello(Reply("hello", "result", {**LEAST_HELLO, "fields": said}))
    ((_, told),) = _unknown_fields(hello({"score-deal": ("pionts",), "belote": ("never-asked",)}))
    assert told.startswith("It says that it gives the field pionts of score-deal, whose result has: counted,")
    right = {**LEAST_HELLO, "fields": {"score-deal": ["points", "outcome"]}}
    assert parse_hello(Reply("hello", "result", right)).shape == Shape(fields=SUMS)
