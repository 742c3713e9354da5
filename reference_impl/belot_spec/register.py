"""The source documents and the register of rulings: what a rule's value may cite."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import Text, text_of
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.load.documents import Document, KeyPath, read_document
from belot_spec.load.schemas import check_document, valid_documents

_RUN: Final = re.compile(r"([A-Z]{2})-(\d{3})(?:\.\.(\d{3}))?\Z")


@dataclass(frozen=True, slots=True)
class Home:
    """Where a statement went: the rules it feeds (as a worked example or not), or why it feeds none.

    ``terms`` are those of the glossary that say what it says, ``note`` tells what no rule makes use of.
    """

    rules: tuple[str, ...]
    example: bool
    reason: str | None
    see: str | None
    ruling: str | None
    terms: tuple[str, ...]
    note: Text | None
    line: int


@dataclass(frozen=True, slots=True)
class Source:
    """A source document with numbered statements, each with its home once the trace is written.

    ``parts`` says which variants a statement speaks for.
    """

    id: str
    title: Text
    region: Text
    language: str
    statements: int
    homes: Mapping[str, Home]
    parts: Mapping[str, tuple[str, ...]]
    path: Path

    def statement_ids(self) -> tuple[str, ...]:
        """Return the ids of all its statements, in order."""
        return expand_statements([f"{self.id}-001..{self.statements:03d}"])


@dataclass(frozen=True, slots=True)
class Refused:
    """A reading that a ruling refuses, and what it would change at the table."""

    reading: Text
    changes: Text


@dataclass(frozen=True, slots=True)
class Ruling:
    """How an ambiguous or mistaken statement is read; ``kind`` is principle, ruling or erratum.

    ``rules`` are those it touches beside the rules whose values name it; ``figures`` are examples in its texts.
    """

    id: str
    kind: str
    title: Text
    reading: Text
    printed: Text | None
    variants: tuple[str, ...]
    statements: tuple[str, ...]
    rules: tuple[str, ...]
    refused: tuple[Refused, ...]
    options: tuple[str, ...]
    figures: tuple[str | float, ...]


def expand_statements(runs: Iterable[str]) -> tuple[str, ...]:
    """Return the statement ids that a list of ids and runs (``BN-044..053``) stands for.

    What is neither, and a run that ends before it starts, stays as it is: no source has such a statement.
    """
    found: list[str] = []
    for run in runs:
        match = _RUN.match(run)
        if match is None or reversed_run(run):
            found.append(run)
            continue
        source, first, last = match.groups()
        found += [f"{source}-{number:03d}" for number in range(int(first), int(last or first) + 1)]
    return tuple(found)


def reversed_run(run: str) -> str | None:
    """Return what is wrong with a run that ends before it starts, and how to write it; ``None`` for anything else."""
    match = _RUN.match(run)
    if match is None or match[3] is None or match[2] <= match[3]:
        return None
    source, first, last = match.groups()
    return f"the run {run} ends before it starts; write {source}-{last}..{first}"


def unknown_statement(statement: str, sources: Mapping[str, Source]) -> str:
    """Return that a statement does not exist, and the nearest one, or which ones its source has."""
    name, _, number = statement.partition("-")
    source = sources.get(name)
    if source is None or not number.isdecimal():
        known = [one for each in sources.values() for one in each.statement_ids()]
        return f"there is no statement {statement}{nearest(statement.upper(), known)}"
    if 1 <= int(number) <= source.statements:
        return f"there is no statement {statement}; did you mean {name}-{int(number):03d}?"
    return f"there is no statement {statement}; {name} has {name}-001 to {name}-{source.statements:03d}"


def load_sources(folder: Path) -> dict[str, Source]:
    """Load ``spec/sources``; raise ``SpecError`` for a file that does not fit its schema."""
    sources: dict[str, Source] = {}
    problems: list[Problem] = []
    for document in valid_documents(folder, "source", problems):
        data = document.data
        if data["id"] in sources:
            problems.append(document.problem(("id",), f"there is already a source {data['id']}"))
        sources[data["id"]] = Source(
            id=data["id"],
            title=text_of(data["title"]),
            region=text_of(data["region"]),
            language=data["language"],
            statements=data["statements"],
            homes={
                statement: _home(told, line)
                for statement, told, line in _statements(
                    document, "trace", "has a home already, on line {line}", problems
                )
            },
            parts={
                statement: tuple(variants)
                for statement, variants, _ in _statements(document, "parts", "stands in another part already", problems)
            },
            path=document.path,
        )
    if not sources and not problems:
        problems.append(Problem(folder, 1, "", "there are no source documents here"))
    refuse(problems)
    return sources


def _statements(document: Document, key: str, taken: str, problems: list[Problem]) -> Iterator[tuple[str, Any, int]]:
    """Yield each statement of the runs under a key, with what is told of it there and the line.

    What stands there a second time (``taken`` says so) or is none of this source's is added to the problems.
    """
    lines: dict[str, int] = {}
    for run, told in document.data.get(key, {}).items():
        if wrong := reversed_run(run):
            problems.append(document.problem((key, run), wrong))
            continue
        for statement in expand_statements([run]):
            number = int(statement[-3:])
            if not statement.startswith(document.data["id"]) or not 1 <= number <= document.data["statements"]:
                problems.append(document.problem((key, run), f"this source has no statement {statement}"))
            elif statement in lines:
                message = f"{statement} {taken.format(line=lines[statement])}"
                problems.append(document.problem((key, run), message))
            lines[statement] = document.line((key, run))
            yield statement, told, lines[statement]


def _home(told: Mapping[str, Any], line: int) -> Home:
    return Home(
        rules=tuple(told.get("rules", ())),
        example=told.get("example", False),
        reason=told.get("reason"),
        see=told.get("see"),
        ruling=told.get("ruling"),
        terms=tuple(told.get("terms", ())),
        note=text_of(told["note"]) if "note" in told else None,
        line=line,
    )


def load_rulings(path: Path, sources: Mapping[str, Source]) -> dict[str, Ruling]:
    """Load ``spec/rulings.yaml``; raise ``SpecError`` for what is wrong in it, unknown statements included."""
    document = read_document(path)
    check_document(document, "rulings")
    rulings: dict[str, Ruling] = {}
    problems: list[Problem] = []
    for ruling_id, data in document.data["rulings"].items():
        at = ("rulings", ruling_id, "statements")
        problems += citation_problems(document, at, data.get("statements", []), sources)
        rulings[ruling_id] = _ruling(ruling_id, data)
    refuse(problems)
    return rulings


def _ruling(ruling_id: str, data: Mapping[str, Any]) -> Ruling:
    return Ruling(
        id=ruling_id,
        kind=data["kind"],
        title=text_of(data["title"]),
        reading=text_of(data["reading"]),
        printed=text_of(data["printed"]) if "printed" in data else None,
        variants=tuple(data.get("variants", ())),
        statements=expand_statements(data.get("statements", ())),
        rules=tuple(data.get("rules", ())),
        refused=tuple(Refused(text_of(item["reading"]), text_of(item["changes"])) for item in data.get("refused", ())),
        options=tuple(data.get("options", ())),
        figures=tuple(data.get("figures", ())),
    )


def citation_problems(
    document: Document, at: KeyPath, runs: Iterable[str], sources: Mapping[str, Source]
) -> Iterator[Problem]:
    """Yield a problem for each cited statement that no source has."""
    for index, run in enumerate(runs):
        if wrong := reversed_run(run):
            yield document.problem((*at, index), wrong)
            continue
        for statement in expand_statements([run]):
            source, _, number = statement.partition("-")
            if source not in sources:
                yield document.problem((*at, index), f"there is no source {source}; known are {', '.join(sources)}")
                break
            if not 1 <= int(number) <= sources[source].statements:
                yield document.problem((*at, index), unknown_statement(statement, sources))
                break
