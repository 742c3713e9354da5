"""The report of a run as JUnit XML, which CI systems show: a suite per operation, a test case per case that was asked.

What the program does not declare is no test of it, and is only counted.
"""

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from typing import Final

from belot_conformance.reports.expected import finding_lines
from belot_conformance.reports.explained import first_lines
from belot_conformance.reports.report import FAULTS, Run, listed
from belot_conformance.reports.terminal import failure_text
from belot_conformance.reports.words import OUTCOME_WORDS, told_of_tables, told_of_undeclared
from belot_conformance.suite.verdicts import COUNTED_APART, Outcome, Verdict
from belot_conformance.text.printable import document
from belot_spec.spec import Spec

# An outcome without an element of its own has passed.
ELEMENTS: Final[Mapping[Outcome, str]] = {
    "failed": "failure",
    "skipped": "skipped",
    **dict.fromkeys(FAULTS, "error"),
}


def as_junit(run: Run, spec: Spec) -> str:
    """Return the report as the text of a JUnit file."""
    asked = [one for one in run.told if one.outcome != "unsupported" or one.excuse]
    kinds = [*map(element_of, asked), *_incident_kinds(run)]
    root = ET.Element("testsuites", {"name": f"belot {run.suite}", **_counts(kinds, run.seconds)})
    groups: dict[str, list[Verdict]] = {}
    for verdict in asked:
        groups.setdefault(_suite_of(verdict), []).append(verdict)
    for operation, verdicts in groups.items():
        root.append(_suite(operation, verdicts, run, spec))
    if run.incidents:
        root.append(_incidents(run))
    notes = finding_lines(run.expected) if run.expected else []
    if len(root):
        told = [*told_of_undeclared(run), *told_of_tables(run)]
        ET.SubElement(root[0], "system-out").text = "\n".join(told)
        if notes:
            ET.SubElement(root[0], "system-err").text = "\n".join(notes)
    ET.indent(root)
    text = document(ET.tostring(root, encoding="unicode"))
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def _suite_of(verdict: Verdict) -> str:
    """Return the operation that a case is about; what is counted apart stands apart."""
    provenance = verdict.planned.provenance
    return provenance if provenance in COUNTED_APART else verdict.planned.case.operation


def _counts(kinds: Sequence[str | None], seconds: float) -> dict[str, str]:
    return {
        "tests": str(len(kinds)),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error")),
        "skipped": str(kinds.count("skipped")),
        "time": f"{seconds:.3f}",
    }


def element_of(verdict: Verdict) -> str | None:
    """Return which element tells the outcome of a case: none if it passed, and skipped for an expected failure."""
    return "skipped" if verdict.excuse else ELEMENTS.get(verdict.outcome)


def _suite(operation: str, verdicts: Sequence[Verdict], run: Run, spec: Spec) -> ET.Element:
    counts = _counts([*map(element_of, verdicts)], sum(verdict.seconds for verdict in verdicts))
    suite = ET.Element("testsuite", {"name": operation, **counts})
    known = {"name": run.hello.name, "version": run.hello.version, "language": run.hello.language}
    known |= {"command": run.command, "suite": run.suite}
    if operation in run.hello.shape.fields:
        known["only fields"] = ", ".join(run.hello.shape.fields[operation])
    for said, _ in first_lines(run.explained, spec)[:1]:
        known["looks like"] = said
    _add_properties(suite, known)
    for verdict in listed(verdicts):
        suite.append(_case(verdict, run, spec))
    return suite


def _add_properties(element: ET.Element, values: Mapping[str, str]) -> None:
    properties = ET.SubElement(element, "properties")
    for name, value in values.items():
        ET.SubElement(properties, "property", {"name": name, "value": value})


def _incidents(run: Run) -> ET.Element:
    """Return the incidents as a suite of errors, or of what is skipped where they are allowed."""
    kinds = _incident_kinds(run)
    suite = ET.Element("testsuite", {"name": "incidents", **_counts(kinds, 0.0)})
    for number, (kind, incident) in enumerate(zip(kinds, run.incidents, strict=True), start=1):
        case = ET.SubElement(suite, "testcase", {"classname": "incidents", "name": f"incident {number}", "time": "0"})
        ET.SubElement(case, kind, {"message": incident, "type": "incident"})
    return suite


def _incident_kinds(run: Run) -> list[str]:
    return ["error" if run.disturbed else "skipped"] * len(run.incidents)


def _case(verdict: Verdict, run: Run, spec: Spec) -> ET.Element:
    case = verdict.planned.case
    names = {
        "classname": f"{verdict.planned.profile}.{case.operation}",
        "name": f"{case.id} {case.title.en}",
        "time": f"{verdict.seconds:.6f}",
    }
    element = ET.Element("testcase", names)
    _add_properties(element, {"provenance": verdict.planned.provenance})
    kind = element_of(verdict)
    if kind is None:
        return element
    message = verdict.excuse or verdict.detail or OUTCOME_WORDS[verdict.outcome]
    inner = ET.SubElement(element, kind, {"message": message})
    if kind != "skipped":
        inner.set("type", verdict.outcome)
        inner.text = failure_text(verdict, spec, run.asked_with)
        if verdict.stderr:
            ET.SubElement(element, "system-err").text = verdict.stderr
    return element
