"""Cases as plain JSON files: complete, the same bytes every time, and nobody's files overwritten."""

import hashlib
import json
import shutil
import subprocess
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.house_suite.planning import plan_profile
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite import export
from belot_conformance.suite.cases import Case
from belot_conformance.suite.export import CHECKSUMS, MANIFEST, ExportError, export_cases, exported_files
from belot_conformance.suite.selection import Selection
from belot_conformance.suite.verdicts import Planned
from belot_spec.data import schema
from belot_spec.load.schemas import is_valid
from suite_testing import Belot, files_in

SOME = Selection(operations=("trick-winner", "belote"), profile="bela-4")
OTHER = Selection(cases=("bc-000*",))


@cache
def planned(selection: Selection) -> list[Planned]:
    return plan_profile(selection)


def exported(selection: Selection) -> dict[str, bytes]:
    return exported_files(planned(selection), selection)


def _without_reasons(case: Case, fields: Mapping[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in fields.items() if field != OPERATIONS[case.operation].reasons}


def test_every_case_has_a_file_that_says_what_the_case_says(cases: list[Case]) -> None:
    found = exported(Selection())
    for case in cases:
        data = json.loads(found[f"cases/{case.operation}/{case.id}.json"])
        assert data["title"] == {"en": case.title.en, "nl": case.title.nl}
        assert data["request"] == {"id": case.id, "op": case.operation, "profile": case.profile, "input": data["input"]}
        assert data["input"] == case.input
        expected = [{key: value for key, value in one.items() if not key.endswith("_by")} for one in data["expected"]]
        assert expected == [{one.kind: _without_reasons(case, one.fields)} for one in case.expected]
        assert (data["rules"], data["origin"]) == ([*case.rules], case.origin)
    asked = [json.loads(line)["id"] for line in found["requests.jsonl"].splitlines()]
    assert asked == [case.id for case in cases]
    assert len(found) == len(cases) + 4
    for line in found["requests.jsonl"].splitlines()[::20]:
        assert is_valid(json.loads(line), "protocol-request")


def test_the_manifest_names_every_file_with_its_checksum(tmp_path: Path) -> None:
    manifest = export_cases(tmp_path / "out", planned(SOME), SOME)
    assert is_valid(manifest, "export")
    found = files_in(tmp_path / "out")
    assert json.loads(found[MANIFEST]) == manifest
    listed = {one["path"]: (one["bytes"], one["sha256"]) for one in manifest["files"]}
    assert listed.keys() == found.keys() - {MANIFEST, CHECKSUMS}
    for name, (size, digest) in listed.items():
        assert (len(found[name]), hashlib.sha256(found[name]).hexdigest()) == (size, digest)
    assert manifest["cases"] == sum(manifest["operations"].values()) == sum(manifest["profiles"].values())
    assert manifest["selection"] == "--profile bela-4 --operation trick-winner --operation belote"
    for key in schema("export")["required"]:
        assert not is_valid({name: value for name, value in manifest.items() if name != key}, "export"), key
    command = ["sha256sum", "--check", "--quiet", CHECKSUMS]
    if shutil.which(command[0]):
        assert subprocess.run(command, cwd=tmp_path / "out", check=False).returncode == 0
        (tmp_path / "out" / "requests.jsonl").write_text("{}\n", encoding="utf-8")
        assert subprocess.run(command, cwd=tmp_path / "out", check=False, capture_output=True).returncode == 1


def test_an_empty_folder_is_filled_and_an_earlier_export_replaced_whole_with_the_same_bytes(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    export_cases(tmp_path / "out", planned(SOME), SOME)
    assert files_in(tmp_path / "out") == exported(SOME)
    export_cases(tmp_path / "out", planned(OTHER), OTHER)
    assert files_in(tmp_path / "out") == exported(OTHER)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize(("name", "message"), [
    ("thesis.txt", "the folder is not empty and holds no earlier export"),
    ("cases/thesis.txt", "cases/thesis.txt is not part of the export there"),
    ("link", "link is not part of the export there"),
    (MANIFEST, "holds no earlier export"),
    (".", "this is a file; name a folder"),
    ("..", "there is no folder"),
])  # fmt: skip
def test_nobody_s_files_are_overwritten(tmp_path: Path, name: str, message: str) -> None:
    folder = tmp_path / "in" / "out"
    if name != "..":
        folder.parent.mkdir()
    if name in ("cases/thesis.txt", "link", MANIFEST):
        export_cases(folder, planned(OTHER), OTHER)
    elif name == "thesis.txt":
        folder.mkdir()
    if name == "link":
        (folder / name).symlink_to(tmp_path)
    elif name != "..":
        (folder / name).write_text("years of work", encoding="utf-8")
    before = files_in(tmp_path)
    with pytest.raises(ExportError, match=message):
        export_cases(folder, planned(SOME), SOME)
    assert files_in(tmp_path) == before


def test_the_folder_that_one_is_in_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "out" / "sub").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "out")
    for name in (".", "..", "sub/.."):
        with pytest.raises(ExportError, match="you are in this folder"):
            export_cases(Path(name), planned(OTHER), OTHER)


def test_the_command_exports_and_refuses(belot: Belot, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = belot("cases", "export", str(out), "--operation", "trick-winner", "--sample", "5", "--format", "json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads((out / MANIFEST).read_bytes())
    assert len([*out.glob("cases/trick-winner/*.json")]) == 5
    (out / "mine.txt").touch()
    refused = belot("cases", "export", str(out))
    assert refused.returncode == 2
    assert "mine.txt is not part of the export there" in refused.stderr


def test_an_export_that_breaks_off_leaves_the_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    export_cases(tmp_path / "out", planned(OTHER), OTHER)
    before = files_in(tmp_path)
    write = export.write_whole  # type: ignore[attr-defined]

    def full_disk(path: Path, data: bytes, durable: bool) -> None:
        if path.name == CHECKSUMS:
            raise OSError(28, "No space left on device", str(path))
        write(path, data, durable)

    monkeypatch.setattr(export, "write_whole", full_disk)
    with pytest.raises(OSError, match="No space left"):
        export_cases(tmp_path / "out", planned(SOME), SOME)
    assert files_in(tmp_path) == before
