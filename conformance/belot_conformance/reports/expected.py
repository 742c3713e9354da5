"""Failures that are expected: the file that lists them, and whether it still says what the program does."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import filter as matching
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Final, Literal

from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.selection import is_pattern
from belot_conformance.suite.verdicts import ACCEPTABLE, Outcome, Planned, Verdict
from belot_spec.catalogue import Text
from belot_spec.document import Document
from belot_spec.errors import Problem, SpecError, closest, refuse
from belot_spec.load.documents import parse_document, read_text
from belot_spec.load.schemas import check_document
from belot_spec.whole_file import why_unwritable
from belot_spec.words import Words

UNEXPLAINED: Final = "TODO: say why"
_WORDS: Final = Words(__name__, "expected-findings")

FindingKind = Literal["unexpected_pass", "unmatched", "changed_outcome", "too_broad"]

# So many names that do not exist get the nearest one that does; looking for it takes long.
_HINTS: Final = 20
# An outcome that nobody can promise: what was not asked, and what is a fault of the suite.
_NOT_TO_EXPECT: Final[frozenset[Outcome]] = frozenset(("not_run", "suite_error"))


@dataclass(frozen=True, slots=True)
class ExpectedEntry:
    """One expectation: which cases, for which profile (``None``: any), what becomes of them, and why."""

    case: str
    profile: str | None
    outcome: Outcome
    reason: str
    issue: str | None = None

    def covers(self, planned: Planned) -> bool:
        """Say whether the entry speaks of a case asked for a profile."""
        return self.profile in (None, planned.profile) and fnmatchcase(planned.case.id, self.case)


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A file of expected failures as it stands on disk; ``text`` is empty if it does not exist yet.

    ``lines`` are those on which the entries begin, ``outcome_lines`` those on which their outcomes stand.
    """

    path: Path
    entries: tuple[ExpectedEntry, ...] = ()
    lines: tuple[int, ...] = ()
    outcome_lines: tuple[int, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedFinding:
    """Something that the file says and the run does not bear out; ``line`` is where the entry stands."""

    kind: FindingKind
    line: int
    case: str
    message: Text


@dataclass(frozen=True, slots=True)
class Checked:
    """A run held against its file: the verdicts with their excuses, what no longer fits, and what would.

    ``corrections`` says for the number of an entry what should stand in its place; ``added`` are failures that no
    entry expects. ``unasked`` counts the cases of which the run cannot tell what becomes of them, for which the file
    is not ``written``.
    """

    file: ExpectedFile
    verdicts: Sequence[Verdict]
    findings: tuple[ExpectedFinding, ...]
    corrections: Mapping[int, tuple[ExpectedEntry, ...]] = field(default_factory=dict)
    added: tuple[ExpectedEntry, ...] = ()
    unasked: int = 0
    written: Literal["no", "yes", "refused"] = "no"

    @property
    def excused(self) -> int:
        """How many verdicts are excused, because an entry expects them."""
        return sum(bool(verdict.excuse) for verdict in self.verdicts)

    @property
    def unexplained(self) -> int:
        """How many entries still have the reason that ``--update-expected`` gives them."""
        return sum(entry.reason == UNEXPLAINED for entry in self.file.entries)

    def corrected(self) -> list[ExpectedEntry]:
        """Return the entries of a file that fits this run."""
        kept = [self.corrections.get(number, (entry,)) for number, entry in enumerate(self.file.entries)]
        return [*(entry for entries in kept for entry in entries), *self.added]


def read_expected(path: Path, may_be_missing: bool = False) -> ExpectedFile:
    """Read a file of expected failures; raises ``SpecError`` with every fault, two entries for one case among them.

    One that ``may_be_missing``, because it is to be written, must stand in a folder that exists.
    """
    if may_be_missing and (reason := why_unwritable(path)):
        raise SpecError([Problem(path, 1, "", reason)])
    if may_be_missing and not path.exists():
        return ExpectedFile(path)
    return parse_expected(path, read_text(path))


def parse_expected(path: Path, text: str) -> ExpectedFile:
    """Read the text of a file of expected failures, as ``read_expected`` does."""
    document = parse_document(path, text)
    check_document(document, "expected")
    entries = tuple(
        ExpectedEntry(one["case"], one.get("profile"), one["outcome"], one["reason"].strip(), one.get("issue"))
        for one in document.data["expected"]
    )
    lines = tuple(document.line(("expected", number)) for number in range(len(entries)))
    refuse([*_overlaps(document, entries, lines)])
    outcome_lines = tuple(document.line(("expected", number, "outcome")) for number in range(len(entries)))
    return ExpectedFile(path, entries, lines, outcome_lines, text)


def _overlaps(document: Document, entries: Sequence[ExpectedEntry], lines: Sequence[int]) -> Iterator[Problem]:
    """Yield a problem for each entry that speaks of a case of which an earlier entry speaks."""
    known = _known()
    taken: dict[str, list[int]] = {}
    for number, entry in enumerate(entries):
        spoken_of = _known_as(entry.case, known) or [entry.case]
        for case, earlier in islice(_clashes(entry, spoken_of, taken, entries), 1):
            message = f"the entry on line {lines[earlier]} speaks of {case} already; there can be one for a case"
            yield document.problem(("expected", number, "case"), message)
        for case in spoken_of:
            taken.setdefault(case, []).append(number)


@cache
def _known() -> dict[str, None]:
    """Return the ids of the cases that there are, in their order."""
    return dict.fromkeys(case.id for case in load_cases())


def _known_as(name: str, known: Mapping[str, object]) -> list[str]:
    """Return those of some ids for which a name stands, an id or a pattern."""
    if is_pattern(name):
        return matching(known, name)
    return [name] if name in known else []


def _clashes(
    entry: ExpectedEntry, spoken_of: Iterable[str], taken: Mapping[str, Sequence[int]], entries: Sequence[ExpectedEntry]
) -> Iterator[tuple[str, int]]:
    for case in spoken_of:
        for earlier in taken.get(case, ()):
            if None in (entry.profile, entries[earlier].profile) or entry.profile == entries[earlier].profile:
                yield case, earlier


def with_skips(plan: Iterable[Planned], file: ExpectedFile) -> list[Planned]:
    """Return the plan with the reason why at each case that the file says to skip."""
    skips = _by_case(entry for entry in file.entries if entry.outcome == "skipped")
    reasons = ((planned, next((entry.reason for entry in skips(planned)), "")) for planned in plan)
    return [replace(planned, skip=reason) if reason else planned for planned, reason in reasons]


def _by_case(entries: Iterable[ExpectedEntry]) -> Callable[[Planned], Iterator[ExpectedEntry]]:
    """Return what finds the entries that speak of a case, those that name it first."""
    named: dict[str, list[ExpectedEntry]] = {}
    patterns: list[ExpectedEntry] = []
    for entry in entries:
        (patterns if is_pattern(entry.case) else named.setdefault(entry.case, [])).append(entry)

    def found(planned: Planned) -> Iterator[ExpectedEntry]:
        return (entry for entry in chain(named.get(planned.case.id, ()), patterns) if entry.covers(planned))

    return found


def hold_against(
    file: ExpectedFile, verdicts: Sequence[Verdict], profile: str | None = None, narrowed: bool = False
) -> Checked:
    """Excuse the failures that the file lists, and find what it says that the run does not bear out.

    ``profile`` is the one that the whole run was asked for, if there was one; of a ``narrowed`` run, entries for cases
    that were not chosen say nothing wrong.
    """
    by_id = {verdict.planned.case.id: verdict for verdict in verdicts}
    judges = [_Judged(entry, _covered(entry, by_id)) for entry in file.entries]
    findings: list[ExpectedFinding] = []
    corrections: dict[int, tuple[ExpectedEntry, ...]] = {}
    for number, judged in enumerate(judges):
        if not judged.asked and _is_elsewhere(judged, profile, narrowed):
            continue
        found = _find(judged, by_id, len(findings) < _HINTS)
        if found is not None:
            kind, message = found
            findings.append(ExpectedFinding(kind, file.lines[number], judged.entry.case, message))
            corrections[number] = judged.corrected()
    speaking_of = _by_case(file.entries)
    return Checked(
        file,
        [_excused(verdict, speaking_of) for verdict in verdicts],
        tuple(findings),
        corrections,
        tuple(_new_entries(verdicts, speaking_of)),
        sum(verdict.outcome in _NOT_TO_EXPECT for verdict in verdicts),
    )


def _covered(entry: ExpectedEntry, by_id: Mapping[str, Verdict]) -> list[Verdict]:
    named = (by_id[case] for case in _known_as(entry.case, by_id))
    return [one for one in named if entry.covers(one.planned)]


@dataclass(frozen=True, slots=True)
class _Judged:
    """An entry with the verdicts on the cases of which it speaks."""

    entry: ExpectedEntry
    verdicts: Sequence[Verdict]

    @property
    def asked(self) -> list[Verdict]:
        return [one for one in self.verdicts if one.outcome not in ("unsupported", *_NOT_TO_EXPECT)]

    def corrected(self) -> tuple[ExpectedEntry, ...]:
        """Return what should stand in place of the entry: one entry for each case, where a pattern spoke of several."""
        failed = [one for one in self.asked if one.outcome not in ACCEPTABLE]
        if not is_pattern(self.entry.case):
            return tuple(replace(self.entry, outcome=one.outcome) for one in failed)
        if len(failed) == len(self.asked) and len({one.outcome for one in failed}) == 1:
            return (replace(self.entry, outcome=failed[0].outcome),)
        return tuple(
            replace(self.entry, case=one.planned.case.id, profile=one.planned.profile, outcome=one.outcome)
            for one in failed
        )


def _is_elsewhere(judged: _Judged, profile: str | None, narrowed: bool) -> bool:
    """Say whether this run cannot tell anything about an entry, because it asked for something else."""
    entry = judged.entry
    if any(one.outcome in _NOT_TO_EXPECT for one in judged.verdicts):
        return True
    if not _known_as(entry.case, _known()):
        return False
    return (narrowed and not judged.verdicts) or (profile is not None and entry.profile not in (None, profile))


def _find(judged: _Judged, verdicts: Mapping[str, Verdict], with_hint: bool) -> tuple[FindingKind, Text] | None:
    entry, outcomes = judged.entry, {one.outcome for one in judged.asked}
    if not outcomes:
        return "unmatched", _why_unmatched(judged, verdicts, with_hint)
    if outcomes == {entry.outcome}:
        return None
    if outcomes == {"passed"}:
        return "unexpected_pass", _WORDS.both("passes", case=entry.case)
    if len(outcomes) == 1:
        now = next(iter(outcomes))
        return "changed_outcome", _WORDS.both("otherwise", case=entry.case, outcome=entry.outcome, now=now)
    came = ", ".join(sorted(outcomes))
    return "too_broad", _WORDS.both("several", case=entry.case, came=came)


def _why_unmatched(judged: _Judged, verdicts: Mapping[str, Verdict], with_hint: bool) -> Text:
    entry = judged.entry
    if judged.verdicts:
        return _WORDS.both("undeclared", case=entry.case)
    of_case = sorted({verdicts[case].planned.profile for case in _known_as(entry.case, verdicts)})
    if of_case and entry.profile:
        told = {"case": entry.case, "profile": entry.profile, "asked": ", ".join(of_case)}
        return _WORDS.both("elsewhere", **told, hint=_hint(entry.profile, of_case))
    if _known_as(entry.case, _known()):
        return _WORDS.both("not-here", case=entry.case)
    return _WORDS.both("unknown", case=entry.case, hint=_hint(entry.case, _known() if with_hint else ()))


def _hint(name: str, known: Iterable[str]) -> Text:
    close = closest(name, known)
    return _WORDS.both("hint", name=close) if close else Text("", "")


def _excused(verdict: Verdict, speaking_of: Callable[[Planned], Iterator[ExpectedEntry]]) -> Verdict:
    """Give a verdict its excuse, if an entry expects just this outcome."""
    if verdict.outcome in ACCEPTABLE:
        return verdict
    for entry in speaking_of(verdict.planned):
        if entry.outcome == verdict.outcome:
            return replace(verdict, excuse=entry.reason)
    return verdict


def _new_entries(
    verdicts: Sequence[Verdict], speaking_of: Callable[[Planned], Iterator[ExpectedEntry]]
) -> Iterator[ExpectedEntry]:
    """Yield an entry, its reason still to be written, for each failure of which no entry speaks."""
    for verdict in verdicts:
        planned = verdict.planned
        if verdict.outcome in ACCEPTABLE or verdict.outcome in _NOT_TO_EXPECT:
            continue
        if not any(speaking_of(planned)):
            yield ExpectedEntry(planned.case.id, planned.profile, verdict.outcome, UNEXPLAINED)
