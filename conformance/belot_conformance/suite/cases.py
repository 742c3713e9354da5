"""Golden cases: loading them, and the files they come from: YAML, and JSON Lines for recorded ones."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal

from belot_conformance.programs.protocol import Request
from belot_conformance.questions.operation import Question
from belot_conformance.suite.judge import Expectation
from belot_spec.cache import cache_folder, keep, kept
from belot_spec.catalogue import Text, text_of
from belot_spec.data import cases_folder, data_folder, files_digest, schema_folder
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem, SpecError, UnknownNameError, nearest, refuse
from belot_spec.files import TwiceError, read_text, strict_json
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import check_document
from belot_spec.profile_name import ProfileName
from belot_spec.register import expand_statements
from belot_spec.whole_file import write_whole

Origin = Literal["source-example", "by-hand", "derived"]

# What is kept of the files of cases.
_KEPT: Final = "cases.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Case(Question):
    """One question about belot and the answers that the rules allow; one in no file is derived from them."""

    id: str
    title: Text
    profile: ProfileName
    expected: tuple[Expectation, ...]
    rules: tuple[str, ...] = ()
    statements: tuple[str, ...] = ()
    rulings: tuple[str, ...] = ()
    origin: Origin = "derived"
    note: Text | None = None
    printed: Mapping[str, Any] | None = None
    tags: tuple[str, ...] = ()
    behaviour: Text
    why: Text
    figures: tuple[str | float, ...] = ()
    path: Path = Path()
    line: int = 0
    review: str | None = None

    def named(self) -> dict[str, Any]:
        """Return what names the case, as JSON values."""
        return {"id": self.id, "title": self.title.as_json(), "operation": self.operation}

    def request(self, profile: str | None = None) -> Request:
        """Return what a program is asked, for the case's own profile or for another that it applies to."""
        return Request(self.id, self.operation, profile or self.profile, self.input)


def load_cases(folder: Path | None = None) -> list[Case]:
    """Load every case of a folder (the one that ships with this package if none is given), in the order of ids.

    Raises ``SpecError`` for files that do not fit the schema and for an id that stands twice.
    """
    return list(_shipped_cases()) if folder is None else read_cases(case_files(folder))


def case_named(name: str) -> Case:
    """Return the case of this id; raises ``UnknownNameError`` with the nearest id if there is none."""
    found = {case.id: case for case in load_cases()}
    if name not in found:
        # Of numbers that differ in length, the nearest is the same number.
        meant = f"bc-{name.removeprefix('bc-'):0>4}"
        raise UnknownNameError(f"there is no case {name}{nearest(meant, found)}")
    return found[name]


def case_files(folder: Path) -> list[Path]:
    """Return the files of cases below a folder, in a fixed order: hand-written ones, and recorded ones beside them."""
    return sorted([*folder.glob("*/*.yaml"), *folder.glob(f"*/*{SUFFIX}")])


@cache
def _shipped_cases() -> tuple[Case, ...]:
    """Return the cases that ship; while their files stay as they are, from what is kept of them.

    To read that takes 0.2 seconds, and to read the YAML 0.9, of every command that asks cases.
    """
    folder = cases_folder()
    paths = case_files(folder)
    digest = files_digest(data_folder(), [*paths, schema_folder() / "cases.schema.json"])

    def documents_in(stored: Any) -> list[Document] | None:
        if stored["digest"] != digest:
            return None
        return [
            Document(folder / name, data, {("cases", index): line for index, line in enumerate(lines)})
            for name, data, lines in stored["files"]
        ]

    documents = kept(cache_folder(), _KEPT, documents_in)
    if documents is not None:
        return tuple(_cases_in(documents, []))
    documents, problems = _documents(paths)
    if not problems:
        files = [
            (
                one.path.relative_to(folder).as_posix(),
                one.data,
                [one.line(("cases", index)) for index in range(len(one.data["cases"]))],
            )
            for one in documents
        ]
        keep(cache_folder(), _KEPT, {"digest": digest, "files": files})
    return tuple(_cases_in(documents, problems))


def read_cases(paths: Iterable[Path]) -> list[Case]:
    """Read files of cases; raises ``SpecError`` with every problem found in them."""
    return _cases_in(*_documents(paths))


def _documents(paths: Iterable[Path]) -> tuple[list[Document], list[Problem]]:
    """Return files of cases as far as they fit the schema, and what is wrong with the others."""
    documents: list[Document] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            document = read_case_file(path)
            check_document(document, "cases")
            documents.append(document)
        except SpecError as error:
            problems += error.problems
    return documents, problems


def _cases_in(documents: Iterable[Document], problems: list[Problem]) -> list[Case]:
    cases: dict[str, Case] = {}
    for document in documents:
        for index, data in enumerate(document.data["cases"]):
            case = _case(document, index, data)
            if case.id in cases:
                first = cases[case.id]
                where = f"{first.path.parent.name}/{first.path.name}:{first.line}"
                problems.append(document.problem(("cases", index, "id"), f"{case.id} is already the id of {where}"))
            cases[case.id] = case
    refuse(problems)
    return [cases[case_id] for case_id in sorted(cases)]


def _case(document: Document, index: int, data: Mapping[str, Any]) -> Case:
    head = document.data
    expect = data["expect"]
    return Case(
        id=data["id"],
        title=text_of(data["title"]),
        operation=head["operation"],
        profile=ProfileName(data.get("profile", head["profile"])),
        input=data["input"],
        expected=tuple(Expectation.whole(one) for one in expect.get("one_of", [expect])),
        rules=tuple(data["rules"]),
        statements=expand_statements(data["statements"]),
        rulings=tuple(data.get("rulings", ())),
        origin=data["origin"],
        note=text_of(data["note"]) if "note" in data else None,
        printed=data.get("printed"),
        tags=tuple(data.get("tags", ())),
        behaviour=text_of(head["behaviour"]),
        why=text_of(head["why"]),
        figures=tuple(head.get("figures", ())),
        path=document.path,
        line=document.line(("cases", index)),
        review=data.get("review"),
    )


SUFFIX: Final = ".jsonl"


def read_case_file(path: Path) -> Document:
    """Read a file of cases, hand-written or recorded; raises ``SpecError`` where it is none."""
    return read_json_lines(path) if path.suffix == SUFFIX else read_document(path)


def read_json_lines(path: Path) -> Document:
    """Read recorded cases as the document that a YAML file with the same cases would be.

    Raises ``SpecError`` with a problem for every line that is no JSON object with each key once.
    """
    problems: list[Problem] = []
    header: dict[str, Any] = {}
    cases: list[Any] = []
    numbers: dict[KeyPath, int] = {(): 1, ("cases",): 2}
    for number, line in enumerate(read_text(path).removesuffix("\n").split("\n"), start=1):
        try:
            value = strict_json(line)
        except ValueError as error:
            problems.append(Problem(path, number, "", _wrong_line(line, error)))
            continue
        if number > 1:
            numbers["cases", len(cases)] = number
            cases.append(value)
        elif not isinstance(value, dict):
            message = "the first line is an object with operation, profile, behaviour and why"
            problems.append(Problem(path, 1, "", message))
        elif "cases" in value:
            problems.append(Problem(path, 1, "cases", "unknown key; the cases follow, one a line"))
        else:
            header = value
    refuse(problems)
    return Document(path, {**header, "cases": cases}, numbers)


def _wrong_line(line: str, error: Exception) -> str:
    if not line.strip():
        return "the line is empty; each line holds one object"
    if isinstance(error, TwiceError):
        return f"the key {error} stands here twice"
    if isinstance(error, json.JSONDecodeError):
        return f"this is not JSON: {error.msg} at character {error.colno}"
    return f"this is not JSON: {error}"


def write_json_lines(path: Path, header: Mapping[str, Any], cases: Iterable[Mapping[str, Any]]) -> None:
    """Write a header and cases, one compact object a line."""
    lines = [json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in (header, *cases)]
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "".join(lines))
