"""The source documents and the register of rulings: what a rule's value may cite."""

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from belot_spec.catalogue import Text
from belot_spec.errors import nearest

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

    def among(self, rules: Container[str]) -> "Home":
        """Return where a statement goes if there are only these rules: it is background if it feeds none of them."""
        fed = tuple(rule for rule in self.rules if rule in rules)
        return replace(self, rules=fed, reason=self.reason if fed or not self.rules else "background")


@dataclass(frozen=True, slots=True)
class CollectedDocument:
    """One of the documents that a source was collected from; ``read`` is how completely: whole, part or beginning."""

    title: str
    about: Text
    where: str
    read: str


@dataclass(frozen=True, slots=True)
class Statement:
    """What some documents of a collection say, in our own words, and the statements of others that they depart from."""

    text: Text
    documents: tuple[str, ...]
    differs: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A source with numbered statements, each with its home once the trace is written.

    ``parts`` says which variants a statement speaks for. A source is one document, or a collection: then it has
    ``documents``, and ``told`` holds each of its statements.
    """

    id: str
    title: Text
    region: Text
    language: str
    statements: int
    homes: Mapping[str, Home]
    parts: Mapping[str, tuple[str, ...]]
    documents: Mapping[str, CollectedDocument]
    told: Mapping[str, Statement]
    path: Path

    def statement_ids(self) -> tuple[str, ...]:
        """Return the ids of all its statements, in order."""
        return expand_statements([f"{self.id}-001..{self.statements:03d}"])

    def departing(self, statements: Iterable[str], against: Iterable[str] = ()) -> tuple[str, ...]:
        """Return the statements by which some documents depart from what others say in these.

        Some of these may depart themselves: those ``against`` what they are cited for, and whichever differs from
        another that does not differ from it.
        """
        among, told = {*statements} - {*against}, self.told
        among -= {
            one
            for one in among & told.keys()
            if any(one not in told[other].differs for other in among & {*told[one].differs})
        }
        apart = {*against} | {name for name, one in told.items() if not among.isdisjoint(one.differs)}
        return tuple(name for name in told if name in apart - among)


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
