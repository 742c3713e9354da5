"""The cases as plain JSON files, for people who want no runner at all; the same selection gives the same bytes.

And folders of files with a manifest and checksums in general, written whole or not at all.
"""

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from belot_conformance.programs.protocol import PROTOCOL_VERSION, encode_line, encode_request
from belot_conformance.programs.reference import Reference, reference_for, suite_version
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.judge import Expectation
from belot_conformance.suite.selection import Selection
from belot_conformance.suite.verdicts import Planned, with_reasons
from belot_spec.data import spec_digest, spec_folder
from belot_spec.errors import BelotError, SpecError
from belot_spec.files import MAX_OF_OURS, read_json, read_text
from belot_spec.load.schemas import is_valid
from belot_spec.whole_file import real, write_whole

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
        "requests.jsonl": b"".join(encode_request(planned.request()) for planned in plan),
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
        "request": json.loads(encode_request(case.request(planned.profile))),
    }
    if case.profile != planned.profile:
        entry["written_for"] = case.profile
    if case.note is not None:
        entry["note"] = case.note.as_json()
    return entry


def protocol_lines(planned: Planned) -> tuple[str, list[str]]:
    """Return the line by which a planned case is asked, and for each of its right answers the line of a reply."""
    replies = (encode_line({"id": planned.case.id, **one.message}) for one in planned.case.expected)
    return encode_request(planned.request()).decode().rstrip("\n"), [line.decode().rstrip("\n") for line in replies]


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


MANIFEST: Final = "manifest.json"
CHECKSUMS: Final = "SHA256SUMS"


class ExportError(BelotError):
    """The files cannot be written into this folder."""


def sealed(contents: Mapping[str, bytes], manifest: Mapping[str, Any]) -> dict[str, bytes]:
    """Return files by name with a manifest that lists them and their checksums, in one order."""
    found = dict(sorted(contents.items()))
    files = [{"path": name, "bytes": len(data), "sha256": sha256(data)} for name, data in found.items()]
    found[MANIFEST] = json_bytes({**manifest, "files": files})
    found[CHECKSUMS] = "".join(f"{sha256(data)}  {name}\n" for name, data in sorted(found.items())).encode()
    return found


def write_bundle(folder: Path, contents: Mapping[str, bytes], kind: str) -> dict[str, Any]:
    """Write sealed files into a folder, whole or not at all; return the manifest.

    A folder that holds an earlier bundle of this kind (the name of its manifest's schema) and nothing else is
    replaced. Raises ``ExportError`` for any other folder that is not empty.
    """
    place = real(folder)
    check_place(folder, kind)
    draft = place.with_name(f".{place.name}.{os.getpid()}.tmp")
    try:
        for name, data in contents.items():
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(draft / name, data, durable=False)
        # Looked at again, because writing took a while.
        check_place(folder, kind)
        _put(draft, place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    manifest: dict[str, Any] = json.loads(contents[MANIFEST])
    return manifest


def check_place(folder: Path, kind: str) -> None:
    """Raise ``ExportError`` for a folder in which something stands that no bundle of this kind put there."""
    place = real(folder)
    if not place.exists():
        if not place.parent.is_dir():
            raise ExportError(f"{folder}: there is no folder {folder.parent}; make it first")
        return
    if not place.is_dir():
        raise ExportError(f"{folder}: this is a file; name a folder")
    found = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_symlink() or not path.is_dir()}
    if place in (here := Path.cwd(), *here.parents):
        raise ExportError(f"{folder}: you are in this folder; go elsewhere, because it is replaced as a whole")
    known = _earlier_files(place, kind) if found else found
    if known is None:
        raise ExportError(f"{folder}: the folder is not empty and holds no earlier {kind}; name a new folder")
    for strange in sorted(found - known)[:1]:
        raise ExportError(f"{folder}: {strange} is not part of the {kind} there; move it away or name a new folder")


def json_bytes(value: Any) -> bytes:
    """Return a value as indented JSON."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _earlier_files(place: Path, kind: str) -> set[str] | None:
    """Return the names of the files of a bundle that stands in a folder; ``None`` if none does."""
    try:
        manifest = read_json(place / MANIFEST, MAX_OF_OURS)
    except SpecError:
        return None
    return {MANIFEST, CHECKSUMS, *(one["path"] for one in manifest["files"])} if is_valid(manifest, kind) else None


def _put(draft: Path, place: Path) -> None:
    """Give a finished folder its name; what stood there before goes only once the new one is in its place."""
    if not place.exists():
        draft.rename(place)
        return
    old = place.with_name(f".{place.name}.{os.getpid()}.old")
    place.rename(old)
    try:
        draft.rename(place)
    except BaseException:
        old.rename(place)
        raise
    shutil.rmtree(old)
