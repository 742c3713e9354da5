"""Published programs, as the ledger tells of them: how each is got and asked, and what it was measured to play."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

from belot_spec.catalogue import Text, text_of
from belot_spec.data import ledger_folder
from belot_spec.load.documents import read_document
from belot_spec.load.schemas import check_document
from belot_spec.profile_name import ProfileName

ADAPTERS: Final = "adapters"
PROGRAMS: Final = "programs"


@dataclass(frozen=True, slots=True)
class Bug:
    """A mistake in a program: what it does, the smallest position that shows it, and where and when it was found.

    ``rule`` is the rule of which another value was measured because of it, or "". ``shows`` names the kinds of
    unexplained answers that it brings about.
    """

    says: Text
    position: Text
    found: str
    version: str
    rule: str = ""
    where: str = ""
    shows: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class UnexplainedAnswers:
    """Answers of one kind that no rules explain: how many, and the smallest question with both answers."""

    operation: str
    fields: Sequence[str]
    answers: int
    smallest: Mapping[str, Mapping[str, Any]]

    @property
    def kind(self) -> str:
        """The operation and the fields, as a bug names them."""
        return f"{self.operation}: {', '.join(self.fields)}"


@dataclass(frozen=True, slots=True)
class Measurement:
    """What a program was measured to play: a base with other values, and how many of its answers are wrong by these.

    Of ``untold`` rules any other value gives the same answers; where ``is_cut`` they were not all found. ``seconds``
    are the processor's for all of it, but for ``program_seconds`` of the program where these are counted apart.
    ``explained`` answers are wrong by the base alone; 0 where that was not counted.
    """

    date: str
    suite: str
    declares: Mapping[str, Any]
    base: ProfileName
    rules: Mapping[str, Any]
    untold: Sequence[str]
    unexplained: Sequence[UnexplainedAnswers]
    asked: int
    wrong: int
    seconds: float
    program_seconds: float = 0.0
    explained: int = 0
    is_cut: bool = False

    def overlay(self, name: str) -> dict[str, Any]:
        """Return the rules as a file of house rules holds them; without any other value there is no such file."""
        return {"id": name, "base": self.base, "rules": {rule: {"value": value} for rule, value in self.rules.items()}}


@dataclass(frozen=True, slots=True)
class PublishedProgram:
    """A program of the ledger; ``id`` is the name of its file.

    ``read`` says where its source plays the rules that were measured otherwise; ``shows`` are the kinds of unexplained
    answers that the remark tells of.
    """

    id: str
    name: str
    version: str
    about: Text
    family: Text
    address: str
    licence: str
    language: str
    got: Mapping[str, Any]
    adapter: Mapping[str, str] | None = None
    bugs: Sequence[Bug] = ()
    letter: str = ""
    remark: Text | None = None
    shows: Sequence[str] = ()
    read: Mapping[str, str] = field(default_factory=dict)
    measured: Measurement | None = None

    @property
    def adapter_file(self) -> Path | None:
        """The file that asks it, where one is kept here."""
        return None if self.adapter is None else ledger_folder() / ADAPTERS / self.adapter["file"]

    @property
    def told(self) -> tuple[int, int]:
        """How many unexplained answers are of kinds that bugs name, and how many of others that the remark names."""
        kinds = {one.kind: one.answers for one in (self.measured.unexplained if self.measured else ())}
        of_bugs = {kind for bug in self.bugs for kind in bug.shows}
        others = {*self.shows} - of_bugs
        return sum(kinds.get(kind, 0) for kind in of_bugs), sum(kinds.get(kind, 0) for kind in others)

    @property
    def deliberate(self) -> Mapping[str, Any]:
        """The values of rules that it plays and that are none of its bugs."""
        mistaken = {bug.rule for bug in self.bugs}
        rules = {} if self.measured is None else self.measured.rules
        return {rule: value for rule, value in rules.items() if rule not in mistaken}


def program_files(folder: Path | None = None) -> list[Path]:
    """Return the files of the ledger's programs, or of the entries in another folder, by name."""
    return sorted((folder or ledger_folder() / PROGRAMS).glob("*.yaml"))


@cache
def load_programs(folder: Path | None = None) -> Mapping[str, PublishedProgram]:
    """Load the ledger's programs, or the entries of another folder, by id; raises ``SpecError`` for a faulty one."""
    return {path.stem: load_program(path) for path in program_files(folder)}


def load_program(path: Path) -> PublishedProgram:
    """Load the entry of one program; raises ``SpecError``."""
    document = read_document(path)
    check_document(document, "program")
    data: dict[str, Any] = dict(document.data)
    for key in ("about", "family", "remark"):
        if key in data:
            data[key] = text_of(data[key])
    data["bugs"] = [
        Bug(**{**bug, "says": text_of(bug["says"]), "position": text_of(bug["position"])})
        for bug in data.get("bugs", ())
    ]
    if measured := data.get("measured"):
        data["measured"] = _measurement(measured)
    return PublishedProgram(id=path.stem, **data)


def _measurement(data: Mapping[str, Any]) -> Measurement:
    return Measurement(
        date=data["date"],
        suite=data["suite"],
        declares=data["declares"],
        base=ProfileName(data["base"]),
        rules={rule: setting["value"] for rule, setting in data["rules"].items()},
        untold=data["untold"],
        unexplained=[UnexplainedAnswers(**one) for one in data.get("unexplained", ())],
        is_cut=data.get("cut_short", False),
        **data["answers"],
    )


def load_measured() -> Mapping[str, Mapping[str, Any]]:
    """Return the values of rules that each program plays on purpose; raises ``SpecError`` for a faulty ledger."""
    return {f"{one.name} {one.version}": one.deliberate for one in load_programs().values() if one.deliberate}
