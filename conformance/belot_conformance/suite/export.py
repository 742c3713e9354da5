"""The cases as plain JSON files, for people who want no runner at all; the same selection gives the same bytes."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from belot_conformance.programs.protocol import PROTOCOL_VERSION, encode_line, encode_request
from belot_conformance.programs.reference import Reference, reference_for, suite_version
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.bundle import check_place, json_bytes, sealed, write_bundle
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.selection import Selection
from belot_conformance.suite.verdicts import Planned, with_reasons
from belot_spec.data import spec_digest, spec_folder
from belot_spec.files import read_text

EXPORT_VERSION: Final = 1
KIND: Final = "export"


def export_cases(
    folder: Path, plan: Sequence[Planned], selection: Selection, reference: Reference | None = None
) -> dict[str, Any]:
    """Write the plan of a selection into a folder, whole or not at all; return the manifest.

    A folder that holds an earlier export and nothing else is replaced. Raises ``ExportError`` for any other folder
    that is not empty, and ``UnknownNameError`` for a selection that fits no case.
    """
    check_place(folder, KIND)
    return write_bundle(folder, exported_files(plan, selection, reference), KIND)


def exported_files(
    plan: Sequence[Planned], selection: Selection, reference: Reference | None = None
) -> dict[str, bytes]:
    """Return the files of an export by their names in its folder."""
    return sealed(case_files_of(plan, reference or reference_for(selection.profile)), _manifest(plan, selection))


def case_files_of(plan: Sequence[Planned], reference: Reference, suite: str | None = None) -> dict[str, bytes]:
    """Return the cases of a plan as files by name, with their requests and a page that says how to use them.

    ``suite`` is the version that the page names, that of this suite if none is given.
    """
    named = with_reasons(plan, reference)
    return {
        **{f"cases/{one.case.operation}/{one.case.id}.json": json_bytes(case_json(one)) for one in named},
        "requests.jsonl": b"".join(encode_request(planned.question()) for planned in plan),
        "README.md": _readme(len(plan), suite or suite_version()),
    }


def _expected(operation: str, expectation: Expectation) -> dict[str, Any]:
    """Return a right answer, and apart from it the reasons, which are compared only where they are asserted."""
    reason = OPERATIONS[operation].reasons
    fields = {field: value for field, value in expectation.fields.items() if field != reason}
    found: dict[str, Any] = {expectation.kind: fields}
    if reason is not None and reason in expectation.fields:
        found["illegal_by"] = expectation.fields[reason]
    if expectation.rule:
        found["refused_by"] = expectation.rule
    return found


def case_json(planned: Planned) -> dict[str, Any]:
    """Return a planned case as JSON values: the question, its right answers apart from their reasons, the request."""
    case = planned.case
    entry: dict[str, Any] = {
        **case.named(),
        "profile": planned.profile,
        "input": dict(case.input),
        "expected": [_expected(case.operation, one) for one in case.expected],
        "rules": list(case.rules),
        "statements": list(case.statements),
        "rulings": list(case.rulings),
        "origin": case.origin,
        "tags": list(case.tags),
        "request": json.loads(encode_request(case.question(planned.profile))),
    }
    if case.profile != planned.profile:
        entry["written_for"] = case.profile
    if case.note is not None:
        entry["note"] = case.note.as_json()
    return entry


def protocol_lines(planned: Planned) -> tuple[str, list[str]]:
    """Return the line by which a planned case is asked, and for each of its right answers the line of a reply."""
    replies = (encode_line({"id": planned.case.id, **one.message}) for one in planned.case.expected)
    return encode_request(planned.question()).decode().rstrip("\n"), [line.decode().rstrip("\n") for line in replies]


def _manifest(plan: Sequence[Planned], selection: Selection) -> dict[str, Any]:
    return {
        "export": EXPORT_VERSION,
        "suite": suite_version(),
        "protocol": PROTOCOL_VERSION,
        "spec_sha256": spec_digest(spec_folder()),
        "selection": str(selection),
        "cases": len(plan),
        **plan_counts(plan),
    }


def plan_counts(plan: Sequence[Planned]) -> dict[str, dict[str, int]]:
    """Return how many cases of each operation and each profile are planned."""
    operations, profiles = (one.case.operation for one in plan), (one.profile for one in plan)
    return {
        "operations": dict(sorted(Counter(operations).items())),
        "profiles": dict(sorted(Counter(profiles).items())),
    }


def _readme(cases: int, suite: str) -> bytes:
    text = read_text(Path(__file__).with_name("export_readme.md"))
    return text.replace("{{cases}}", str(cases)).replace("{{suite}}", suite).encode()
