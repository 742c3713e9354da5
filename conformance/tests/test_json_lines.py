"""Recorded cases in JSON Lines are read as strictly as hand-written ones, and every complaint names the line."""

import json
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.suite.cases import load_cases, read_json_lines, write_json_lines
from belot_conformance.suite.lint import lint_cases, unused_files
from belot_spec.errors import SpecError
from belot_spec.spec import Spec

TEXT = {"en": "Something", "nl": "Iets"}
HEADER = {"operation": "legal-cards", "profile": "bela-4", "behaviour": TEXT, "why": TEXT}
CASE: dict[str, Any] = {
    "id": "bc-9001",
    "title": {"en": "The queen is led", "nl": "De dame ligt er"},
    "input": {"trump": "H", "hand": ["KS", "JS"], "trick": ["QS"]},
    "expect": {"result": {"cards": ["KS"]}},
    "rules": [],
    "statements": [],
    "origin": "derived",
}
LINES = [json.dumps(HEADER), json.dumps(CASE)]


def written(folder: Path, lines: list[str]) -> Path:
    path = folder / "legal-cards" / "recorded.jsonl"
    path.parent.mkdir()
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def test_recorded_cases_are_read_with_their_lines(tmp_path: Path, spec: Spec) -> None:
    second = {**CASE, "id": "bc-9002", "profile": "belote", "title": {"en": "Another one", "nl": "Nog een andere"}}
    written(tmp_path, [*LINES, json.dumps(second)])
    one, other = load_cases(tmp_path)
    assert (one.id, one.operation, one.profile, one.line) == ("bc-9001", "legal-cards", "bela-4", 2)
    assert (other.id, other.profile, other.line) == ("bc-9002", "belote", 3)
    assert lint_cases([one], spec) == []


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "legal-cards" / "recorded.jsonl"
    write_json_lines(path, HEADER, [CASE])
    document = read_json_lines(path)
    assert document.data == {**HEADER, "cases": [CASE]}
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ([], "recorded.jsonl:1: the line is empty"),
        ([LINES[0], "", LINES[1]], "recorded.jsonl:2: the line is empty"),
        ([LINES[0], LINES[1][:-1]], "recorded.jsonl:2: this is not JSON: Expecting ',' delimiter"),
        ([LINES[0], LINES[1].replace('"rules"', '"id"')], "recorded.jsonl:2: the key id stands here twice"),
        ([LINES[0], LINES[1].replace("[]", "NaN", 1)], "recorded.jsonl:2: this is not JSON: NaN is no number"),
        (["[]", LINES[1]], "recorded.jsonl:1: the first line is an object with operation"),
        ([json.dumps({**HEADER, "cases": []}), LINES[1]], "recorded.jsonl:1: cases: unknown key; the cases follow"),
        ([LINES[0]], "recorded.jsonl:2: cases: must have at least 1 item"),
        ([LINES[0], "7"], "recorded.jsonl:2: cases.0: must be a mapping"),
        ([LINES[0], LINES[1], LINES[1]], "cases.1.id: bc-9001 is already the id of legal-cards/recorded.jsonl:2"),
        ([LINES[0], LINES[1].replace("derived", "guessed")], "recorded.jsonl:2: cases.0.origin: must be one of"),
        ([LINES[0].replace("why", "wy"), LINES[1]], "recorded.jsonl:1: wy: unknown key; did you mean why?"),
    ],
)
def test_a_fault_is_named_with_its_line(tmp_path: Path, lines: list[str], message: str) -> None:
    written(tmp_path, lines)
    with pytest.raises(SpecError) as caught:
        load_cases(tmp_path)
    assert message in str(caught.value)


def test_a_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, LINES)
    path.write_bytes(path.read_bytes() + b"\xff\n")
    with pytest.raises(SpecError, match=r"recorded\.jsonl:3: the file is not UTF-8"):
        load_cases(tmp_path)


def test_stray_files_are_found(tmp_path: Path) -> None:
    path = written(tmp_path, LINES)
    for stray in ("legal-cards/a.json", "legal-cards/deep/b.jsonl", "c.yaml", "legal-cards/d.yml"):
        (tmp_path / stray).parent.mkdir(exist_ok=True)
        (tmp_path / stray).write_text("", encoding="utf-8")
    names = [str(one.relative_to(tmp_path)) for one in unused_files(tmp_path)]
    assert path not in unused_files(tmp_path)
    assert names == ["c.yaml", "legal-cards/a.json", "legal-cards/d.yml", "legal-cards/deep/b.jsonl"]
