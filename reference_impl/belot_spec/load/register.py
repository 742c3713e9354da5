"""The source documents and the register of rulings read from their files, and what is wrong in them."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from belot_spec.catalogue import text_of
from belot_spec.document import Document, KeyPath
from belot_spec.errors import Problem, nearest, refuse
from belot_spec.load.schemas import check_document, valid_documents
from belot_spec.load.translations import read_translated
from belot_spec.register import (
    CollectedDocument,
    Home,
    Refused,
    Ruling,
    Source,
    Statement,
    expand_statements,
    reversed_run,
    unknown_statement,
)


def load_sources(folder: Path) -> dict[str, Source]:
    """Load ``spec/sources``; raise ``SpecError`` for a file that does not fit its schema."""
    sources: dict[str, Source] = {}
    problems: list[Problem] = []
    for document in valid_documents(folder, "source", problems):
        data = document.data
        told = data["statements"] if isinstance(data["statements"], dict) else {}
        if data["id"] in sources:
            problems.append(document.problem(("id",), f"there is already a source {data['id']}"))
        problems += _collection_problems(document, told)
        sources[data["id"]] = Source(
            id=data["id"],
            title=text_of(data["title"]),
            region=text_of(data["region"]),
            language=data["language"],
            statements=len(told) or data["statements"],
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
            documents={
                name: CollectedDocument(one["title"], text_of(one["about"]), one["where"], one["read"])
                for name, one in data.get("documents", {}).items()
            },
            told={
                name: Statement(text_of(one["text"]), tuple(one["documents"]), tuple(one.get("differs", ())))
                for name, one in told.items()
            },
            path=document.path,
        )
    if not sources and not problems:
        problems.append(Problem(folder, 1, "", "there are no source documents here"))
    refuse(problems)
    return sources


def _number_of_statements(document: Document) -> int:
    told: int | dict[str, Any] = document.data["statements"]
    return told if isinstance(told, int) else len(told)


def _collection_problems(document: Document, told: Mapping[str, Any]) -> Iterator[Problem]:
    """Check that a collection numbers its statements without a gap, and names documents and statements that it has."""
    documents = document.data.get("documents", {})
    for number, (name, one) in enumerate(told.items(), 1):
        at = ("statements", name)
        wanted = f"{document.data['id']}-{number:03d}"
        if name != wanted:
            yield document.problem(at, f"the statements are numbered one after the other, and {wanted} comes here")
        for index, used in enumerate(one["documents"]):
            if used not in documents:
                message = f"there is no document {used}{nearest(used, documents)}"
                yield document.problem((*at, "documents", index), message)
        for index, other in enumerate(one.get("differs", ())):
            if other == name or other not in told:
                yield document.problem((*at, "differs", index), f"{other} is no other statement of this source")
    used_ones = {used for one in told.values() for used in one["documents"]}
    for name in documents:
        if name not in used_ones:
            yield document.problem(("documents", name), "no statement rests on this document")


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
            if not statement.startswith(document.data["id"]) or not 1 <= number <= _number_of_statements(document):
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
    document = read_translated(path)
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


def basis_problems(
    document: Document,
    at: KeyPath,
    setting: Mapping[str, Any],
    sources: Mapping[str, Source],
    rulings: Mapping[str, Ruling],
) -> Iterator[Problem]:
    """Yield what is wrong with the names of statements and rulings that a value rests on."""
    yield from citation_problems(document, (*at, "cite"), setting.get("cite", ()), sources)
    if (ruling := setting.get("ruling", "")) and ruling not in rulings:
        yield document.problem((*at, "ruling"), f"there is no ruling {ruling}{nearest(ruling, rulings)}")


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
