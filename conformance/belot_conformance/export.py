"""The cases as plain JSON files, for people who want no runner at all; the same selection gives the same bytes."""

import hashlib
import json
import os
import shutil
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from belot_conformance.protocol import PROTOCOL_VERSION, encode_request
from belot_conformance.reasons import with_reasons
from belot_conformance.reference import Reference, suite_version
from belot_conformance.selection import Selection, plan_selection
from belot_conformance.verdicts import Planned
from belot_reference.data import spec_digest, spec_folder
from belot_reference.errors import BelotError
from belot_reference.schemas import is_valid

EXPORT_VERSION: Final = 1
MANIFEST: Final = "manifest.json"
CHECKSUMS: Final = "SHA256SUMS"


class ExportError(BelotError):
    """The cases cannot be written into this folder."""


def export_cases(folder: Path, selection: Selection) -> dict[str, Any]:
    """Write the cases of a selection into a folder, whole or not at all; return the manifest.

    A folder that holds an earlier export and nothing else is replaced. Raises ``ExportError`` for any other folder
    that is not empty, and ``UnknownNameError`` for a selection that fits no case.
    """
    place = folder.resolve()
    _check_place(place, folder)
    contents = exported_files(selection)
    draft = place.with_name(f".{place.name}.{os.getpid()}.tmp")
    try:
        for name, data in contents.items():
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            (draft / name).write_bytes(data)
        # Looked at again, because writing took a while.
        _check_place(place, folder)
        _put(draft, place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    manifest: dict[str, Any] = json.loads(contents[MANIFEST])
    return manifest


def exported_files(selection: Selection) -> dict[str, bytes]:
    """Return the files of an export by their names in its folder."""
    plan = plan_selection(selection)
    reference = Reference(extra_profiles=[selection.profile] if selection.profile else [])
    found = {
        f"cases/{planned.case.operation}/{planned.case.id}.json": _json(_case(planned))
        for planned in with_reasons(plan, reference)
    }
    requests = [encode_request(planned.case.question(planned.profile)) for planned in plan]
    found["requests.jsonl"] = b"".join(requests)
    found["README.md"] = _readme(len(plan))
    found = dict(sorted(found.items()))
    found[MANIFEST] = _json(_manifest(plan, selection, found))
    found[CHECKSUMS] = "".join(f"{_sha256(data)}  {name}\n" for name, data in sorted(found.items())).encode()
    return found


def _case(planned: Planned) -> dict[str, Any]:
    case = planned.case
    entry: dict[str, Any] = {
        "id": case.id,
        "title": {"en": case.title.en, "nl": case.title.nl},
        "operation": case.operation,
        "profile": planned.profile,
        "input": dict(case.input),
        "expected": [
            {one.kind: dict(one.fields), **({"refused_by": one.rule} if one.rule else {})} for one in case.expected
        ],
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
        entry["note"] = {"en": case.note.en, "nl": case.note.nl}
    return entry


def _manifest(plan: Sequence[Planned], selection: Selection, contents: Mapping[str, bytes]) -> dict[str, Any]:
    return {
        "export": EXPORT_VERSION,
        "suite": suite_version(),
        "protocol": PROTOCOL_VERSION,
        "spec_sha256": spec_digest(spec_folder()),
        "selection": str(selection),
        "cases": len(plan),
        "operations": _counts(planned.case.operation for planned in plan),
        "profiles": _counts(planned.profile for planned in plan),
        "files": [
            {"path": name, "bytes": len(data), "sha256": _sha256(data)} for name, data in sorted(contents.items())
        ],
    }


def _counts(names: Iterator[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def _readme(cases: int) -> bytes:
    text = files("belot_conformance").joinpath("export_readme.md").read_text(encoding="utf-8")
    return text.replace("{{cases}}", str(cases)).replace("{{suite}}", suite_version()).encode()


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _check_place(place: Path, named: Path) -> None:
    """Raise ``ExportError`` for a folder in which something stands that an export did not put there."""
    if not place.exists():
        if not place.parent.is_dir():
            raise ExportError(f"{named}: there is no folder {named.parent}; make it first")
        return
    if not place.is_dir():
        raise ExportError(f"{named}: this is a file; name a folder")
    found = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_symlink() or not path.is_dir()}
    if place in (here := Path.cwd(), *here.parents):
        raise ExportError(f"{named}: you are in this folder; go elsewhere, because it is replaced as a whole")
    if not found:
        return
    known = _earlier_files(place)
    if known is None:
        raise ExportError(f"{named}: the folder is not empty and holds no earlier export; name a new folder")
    strange = sorted(found - known)
    if strange:
        raise ExportError(f"{named}: {strange[0]} is not part of the export there; move it away or name a new folder")


def _earlier_files(place: Path) -> frozenset[str] | None:
    """Return the names of the files of an export that stands in a folder; ``None`` if none does."""
    try:
        manifest = json.loads((place / MANIFEST).read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    if not is_valid(manifest, "export"):
        return None
    return frozenset((MANIFEST, CHECKSUMS, *(one["path"] for one in manifest["files"])))


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
