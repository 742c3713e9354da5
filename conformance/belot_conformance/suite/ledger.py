"""The ledger of released cases: every id that a release ever held, and what it asked and expected."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from belot_conformance.suite.cases import Case
from belot_conformance.suite.export import sha256
from belot_conformance.suite.judge import Expectation, in_fixed_order
from belot_spec.document import Document
from belot_spec.errors import BelotError, Problem, SpecError
from belot_spec.files import canonical
from belot_spec.load.documents import read_text
from belot_spec.load.schemas import check_document

LEDGER: Final = "released.json"
LEDGER_VERSION: Final = 1
_LENGTH: Final = 32
_LARGEST: Final = 9999


class RetireError(BelotError):
    """An id cannot be retired."""


@dataclass(frozen=True, slots=True)
class Retired:
    """Why an id is no longer asked, which id asks in its place, and the release without it (``None`` until then)."""

    reason: str
    by: str | None
    release: str | None


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """A case as it was released: digests of its question and its expectation, and the first release that held it."""

    question: str
    expectation: str
    release: str
    retired: Retired | None = None


@dataclass(frozen=True, slots=True)
class Release:
    """A release that was made: its version, the digest of its spec, and a checksum of the entries it added."""

    version: str
    spec_sha256: str
    entries_sha256: str


@dataclass(frozen=True, slots=True)
class Ledger:
    """All releases, the oldest first, and every case that one of them held."""

    path: Path
    releases: tuple[Release, ...] = ()
    entries: Mapping[str, LedgerEntry] = field(default_factory=dict)

    @property
    def last(self) -> Release | None:
        """The last release, if there was one."""
        return self.releases[-1] if self.releases else None

    def retire(self, case_id: str, reason: str, by: str | None = None) -> "Ledger":
        """Return the ledger with an id retired; raises ``RetireError`` for one that is not there or is already."""
        entry = self.entries.get(case_id)
        if entry is None:
            raise RetireError(f"{case_id} was never released, so there is nothing to retire; it may just go or change")
        if entry.retired is not None:
            raise RetireError(f"{case_id} is retired already: {entry.retired.reason}")
        if not reason.strip():
            raise RetireError(f"{case_id} needs a reason; say why it goes: --reason TEXT")
        return self._with({case_id: replace(entry, retired=Retired(reason.strip(), by, None))})

    def released(self, version: str, spec_sha256: str, cases: Iterable[Case]) -> "Ledger":
        """Return the ledger after a release: new cases are in it, and what was retired since is retired in it."""
        added = {case.id: LedgerEntry(*digests(case), version) for case in cases if case.id not in self.entries}
        gone = {
            case_id: replace(entry, retired=replace(entry.retired, release=version))
            for case_id, entry in self.entries.items()
            if entry.retired is not None and entry.retired.release is None
        }
        release = Release(version, spec_sha256, _checksum(added))
        return replace(self._with({**added, **gone}), releases=(*self.releases, release))

    def _with(self, entries: Mapping[str, LedgerEntry]) -> "Ledger":
        return replace(self, entries={**self.entries, **entries})

    def free_ids(self, cases: Iterable[Case]) -> Iterator[str]:
        """Yield ids that no case has or ever had, from the one after the highest written by hand on."""
        taken = {case.id for case in cases} | self.entries.keys()
        recorded = {case.id for case in cases if case.path.suffix != ".yaml"}
        highest = max((int(case_id[3:]) for case_id in taken - recorded), default=0)
        for number in range(highest + 1, _LARGEST + 1):
            if f"bc-{number:04d}" not in taken:
                yield f"bc-{number:04d}"

    def text(self) -> str:
        """Return the ledger as it stands in its file: one line a release and one a case, by id."""
        releases = [_line(asdict(one)) for one in self.releases]
        entries = [f"{json.dumps(key)}: {_line(_entry_json(self.entries[key]))}" for key in sorted(self.entries)]
        lists = (_block("[", releases, "]"), _block("{", entries, "}"))
        return f'{{\n"ledger": {LEDGER_VERSION},\n"releases": {lists[0]},\n"cases": {lists[1]}\n}}\n'


def digests(case: Case) -> tuple[str, str]:
    """Return digests of a case's question and of its expectation; sets in another order make no difference."""
    return digests_of(case.operation, case.profile, case.input, case.expected)


def digests_of(
    operation: str, profile: str, question: Mapping[str, Any], expected: Iterable[Expectation]
) -> tuple[str, str]:
    """Return digests of what is asked and of what is expected, as ``digests`` does for a case."""
    answers = [
        [one.kind, {key: in_fixed_order(operation, key, value) for key, value in one.fields.items()}, one.rule]
        for one in expected
    ]
    parts = [operation, profile, question], sorted(answers, key=canonical)
    question_digest, expectation_digest = (sha256(canonical(one).encode())[:_LENGTH] for one in parts)
    return question_digest, expectation_digest


def read_ledger(folder: Path) -> Ledger:
    """Read the ledger of a folder of cases, an empty one if it has none; raises ``SpecError`` for a faulty one."""
    path = folder / LEDGER
    if not path.exists():
        return Ledger(path)
    try:
        data = json.loads(read_text(path))
    except ValueError as error:
        raise SpecError([Problem(path, getattr(error, "lineno", 1), "", f"this is not JSON: {error}")]) from None
    check_document(Document(path, data, {}), "released")
    releases = tuple(Release(**one) for one in data["releases"])
    return Ledger(path, releases, {case_id: _entry(entry) for case_id, entry in data["cases"].items()})


def ledger_problems(ledger: Ledger, cases: Sequence[Case]) -> list[Problem]:
    """Return where the cases do not fit the ledger: changed, gone or an id used again; and what was written by hand."""
    present = {case.id: case for case in cases}
    free = next(ledger.free_ids(cases), "none")
    problems = [Problem(ledger.path, 1, key, message) for key, message in _own_problems(ledger, present)]
    for case_id, entry in sorted(ledger.entries.items()):
        case, retire = present.get(case_id), f'belot cases retire {case_id} --reason "…"'
        path, line = (case.path, case.line) if case else (ledger.path, 1)
        if case is None and entry.retired is None:
            message = f"it was released in {entry.release} and is gone; put it back, or {retire}"
        elif case is not None and entry.retired is not None:
            message = f"this id is retired ({entry.retired.reason}) and never used again; the next free id is {free}"
        elif case is not None and (changed := _changed(case, entry)):
            message = (
                f"{changed} changed since it was released in {entry.release}; put it back, or retire it and give the "
                f"changed case a new id: {retire} --renew"
            )
        else:
            continue
        problems.append(Problem(path, line, case_id, message))
    return problems


def _own_problems(ledger: Ledger, present: Mapping[str, Case]) -> Iterator[tuple[str, str]]:
    """Yield what is wrong inside the ledger: entries that no longer give the checksum, and names of nothing."""
    versions = {release.version for release in ledger.releases}
    for release in ledger.releases:
        own = {key: entry for key, entry in ledger.entries.items() if entry.release == release.version}
        if _checksum(own) != release.entries_sha256:
            message = "its entries are not those of the release; restore the file, which only belot writes"
            yield release.version, message
    for case_id, entry in ledger.entries.items():
        retired = entry.retired
        named = {entry.release, *([retired.release] if retired and retired.release else [])}
        for version in sorted(named - versions):
            yield case_id, f"there was no release {version}"
        if retired and retired.by and retired.by not in present and retired.by not in ledger.entries:
            yield case_id, f"it is replaced by {retired.by}, which is no case"


def _changed(case: Case, entry: LedgerEntry) -> str:
    pairs = zip(("the question", "the expectation"), digests(case), (entry.question, entry.expectation), strict=True)
    return " and ".join(name for name, own, released in pairs if own != released)


def _entry(data: Mapping[str, Any]) -> LedgerEntry:
    retired = {"by": None, **data["retired"]} if "retired" in data else None
    return LedgerEntry(**{**data, "retired": retired and Retired(**retired)})


def _entry_json(entry: LedgerEntry) -> dict[str, Any]:
    data = asdict(entry)
    if entry.retired is None:
        del data["retired"]
    elif entry.retired.by is None:
        del data["retired"]["by"]
    return data


def _checksum(entries: Mapping[str, LedgerEntry]) -> str:
    lines = (f"{key} {entry.question} {entry.expectation}\n" for key, entry in sorted(entries.items()))
    return sha256("".join(lines).encode())


def _line(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False)


def _block(start: str, lines: Sequence[str], end: str) -> str:
    return f"{start}\n" + ",\n".join(lines) + f"\n{end}" if lines else f"{start}{end}"
