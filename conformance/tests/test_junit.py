"""The JUnit report: it parses, and it tells the same as the JSON report."""

import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace

import pytest

from belot_conformance.reports.junit import ELEMENTS, as_junit
from belot_conformance.reports.report import Run, as_json, notes_of
from belot_conformance.suite.verdicts import OUTCOMES
from belot_spec.spec import Spec


@pytest.fixture(scope="module")
def parsed(mixed_run: Run, spec: Spec) -> ET.Element:
    return ET.fromstring(as_junit(replace(mixed_run, incidents=[]), spec, "en"))


def test_the_counts_are_those_of_the_json_report(parsed: ET.Element, mixed_run: Run, spec: Spec) -> None:
    report = as_json(mixed_run, spec)
    told = {"root": (parsed, report["totals"])}
    told |= {suite.get("name", ""): (suite, report["operations"][suite.get("name")]) for suite in parsed}
    assert len(told) == 1 + len(report["operations"])
    for element, counts in told.values():
        assert element.get("tests") == str(counts["planned"]) == str(len(list(element.iter("testcase"))))
        for attribute, kind in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            number = sum(counts[outcome] for outcome in OUTCOMES if ELEMENTS.get(outcome) == kind)
            assert element.get(attribute) == str(number) == str(len(list(element.iter(kind))))


def test_every_case_stands_in_it_with_the_element_of_its_outcome(parsed: ET.Element, mixed_run: Run) -> None:
    found = {case.get("name", "").split()[0]: case for case in parsed.iter("testcase")}
    assert len(found) == len(mixed_run.verdicts)
    for verdict in mixed_run.verdicts:
        case = found[verdict.planned.case.id]
        assert case.get("classname") == f"{verdict.planned.profile}.{verdict.planned.case.operation}"
        kinds = Counter(inner.tag for inner in case if inner.tag not in ("system-err", "properties"))
        assert kinds == Counter([ELEMENTS[verdict.outcome]] if verdict.outcome != "passed" else [])
        told = {one.get("name"): one.get("value") for one in case.iter("property")}
        assert told == {"provenance": verdict.planned.provenance}


def test_every_outcome_but_passed_has_an_element() -> None:
    assert set(ELEMENTS) == set(OUTCOMES) - {"passed"}
    assert ELEMENTS["failed"] == "failure"
    assert ELEMENTS["crashed"] == ELEMENTS["errored"] == ELEMENTS["not_run"] == "error"


def test_a_failure_says_what_was_asked_expected_and_got_and_by_which_rule(
    parsed: ET.Element, mixed_run: Run, spec: Spec
) -> None:
    told = {case.get("name", "").split()[0]: case.findtext("failure") for case in parsed.iter("testcase")}
    failed = [verdict for verdict in mixed_run.verdicts if verdict.outcome == "failed"]
    assert failed
    for verdict in failed:
        text = told[verdict.planned.case.id] or ""
        for label in ("asked", "(expected|differs)", "again", *["rule" for _ in notes_of(verdict, spec)][:1]):
            assert re.search(rf"^  {label} ", text, re.MULTILINE), text


def test_what_a_program_printed_on_stderr_stands_in_system_err(parsed: ET.Element) -> None:
    errors = [case.find("system-err") for case in parsed.iter("testcase") if case.find("error") is not None]
    assert any(error is not None and "<script>alert('x')</script>" in (error.text or "") for error in errors)


@pytest.mark.parametrize(("allowed", "element"), [(False, "error"), (True, "skipped")])
def test_an_incident_is_an_error_unless_it_is_allowed(mixed_run: Run, spec: Spec, allowed: bool, element: str) -> None:
    root = ET.fromstring(as_junit(replace(mixed_run, verdicts=[], incidents_allowed=allowed), spec, "en"))
    (suite,) = root
    assert (suite.get("name"), suite.get("tests"), suite.get("errors")) == ("incidents", "1", str(int(not allowed)))
    assert (root.get("tests"), root.get("errors")) == ("1", str(int(not allowed)))
    (incident,) = suite.iter(element)
    assert (incident.get("message") or "").startswith("incident <script>")


def test_an_expected_failure_counts_as_skipped_with_its_reason(mixed_run: Run, spec: Spec) -> None:
    verdicts = [replace(one, excuse="issue 12" if one.outcome == "failed" else "") for one in mixed_run.verdicts]
    root = ET.fromstring(as_junit(replace(mixed_run, verdicts=verdicts), spec, "en"))
    assert root.get("failures") == "0"
    expected = sum(verdict.outcome == "failed" for verdict in verdicts)
    assert [skipped.get("message") for skipped in root.iter("skipped")].count("issue 12") == expected > 0
