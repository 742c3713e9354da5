"""Failures that are expected: the file that lists them, whether it still says what the program does, and mending it."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from fnmatch import filter as matching
from fnmatch import fnmatchcase
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final, Literal

from belot_conformance.suite.case_text import quoted
from belot_conformance.suite.cases import load_cases
from belot_conformance.suite.selection import is_pattern
from belot_conformance.suite.verdicts import ACCEPTABLE, Outcome, Planned, Verdict
from belot_conformance.text.page import Page
from belot_conformance.text.template import tell
from belot_spec.document import Document
from belot_spec.errors import MOST_TOLD, Problem, SpecError, nearest, refuse
from belot_spec.load.documents import parse_document, read_text
from belot_spec.load.schemas import check_document
from belot_spec.whole_file import why_unwritable, write_whole

UNEXPLAINED: Final = "TODO: say why"

FindingKind = Literal["unexpected_pass", "unmatched", "changed_outcome", "too_broad"]

# So many names that do not exist get the nearest one that does; looking for it takes long.
_HINTS: Final = 20
# An outcome that nobody can promise: what was not asked, and what is a fault of the suite.
_NOT_TO_EXPECT: Final[frozenset[Outcome]] = frozenset(("not_run", "suite_error"))


@dataclass(frozen=True, slots=True)
class ExpectedEntry:
    """One expectation: which cases, for which profile (``None``: any), what becomes of them, and why.

    It begins on a ``line`` of its file, and its outcome stands on the ``outcome_line``.
    """

    case: str
    profile: str | None
    outcome: Outcome
    reason: str
    issue: str | None = None
    line: int = field(default=0, compare=False)
    outcome_line: int = field(default=0, compare=False)

    def covers(self, planned: Planned) -> bool:
        """Say whether the entry speaks of a case asked for a profile; for one that shares the case only by its name."""
        if self.profile is None:
            return planned.provenance != "shared" and fnmatchcase(planned.case.id, self.case)
        return self.profile == planned.profile and fnmatchcase(planned.case_id, self.case)


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A file of expected failures as it stands on disk; ``text`` is empty if it does not exist yet."""

    path: Path
    entries: tuple[ExpectedEntry, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedFinding:
    """Something that the file says and the run does not bear out; ``line`` is where the entry stands."""

    kind: FindingKind
    line: int
    case: str
    message: str


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
        ExpectedEntry(
            one["case"], one.get("profile"), one["outcome"], one["reason"].strip(), one.get("issue"),
            document.line(("expected", number)), document.line(("expected", number, "outcome")),
        )
        for number, one in enumerate(document.data["expected"])
    )  # fmt: skip
    refuse([*_overlaps(document, entries)])
    return ExpectedFile(path, entries, text)


def _overlaps(document: Document, entries: Sequence[ExpectedEntry]) -> Iterator[Problem]:
    """Yield a problem for each entry that speaks of a case of which an earlier entry speaks.

    One that names no profile speaks of the case's own.
    """
    taken: dict[str, list[ExpectedEntry]] = {}
    for number, entry in enumerate(entries):
        spoken_of = _known_as(entry.case, _known()) or [entry.case]
        clashes = (
            (case, earlier)
            for case in spoken_of
            for earlier in taken.get(case, ())
            if (entry.profile or _known().get(case)) == (earlier.profile or _known().get(case))
        )
        for case, earlier in islice(clashes, 1):
            message = f"the entry on line {earlier.line} speaks of {case} already; there can be one for a case"
            yield document.problem(("expected", number, "case"), message)
        for case in spoken_of:
            taken.setdefault(case, []).append(entry)


@cache
def _known() -> dict[str, str]:
    """Return the ids of the cases that there are, in their order, with the profile of each."""
    return {case.id: case.profile for case in load_cases()}


def _known_as(name: str, known: Mapping[str, object]) -> list[str]:
    """Return those of some ids for which a name stands, an id or a pattern."""
    if is_pattern(name):
        return matching(known, name)
    return [name] if name in known else []


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
        return (entry for entry in chain(named.get(planned.case_id, ()), patterns) if entry.covers(planned))

    return found


def hold_against(
    file: ExpectedFile, verdicts: Sequence[Verdict], profile: str | None = None, narrowed: bool = False
) -> Checked:
    """Excuse the failures that the file lists, and find what it says that the run does not bear out.

    ``profile`` is the one that the whole run was asked for, if there was one; of a ``narrowed`` run, entries for cases
    that were not chosen say nothing wrong.
    """
    by_id: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_id.setdefault(verdict.planned.case_id, []).append(verdict)
    findings: list[ExpectedFinding] = []
    corrections: dict[int, tuple[ExpectedEntry, ...]] = {}
    for number, entry in enumerate(file.entries):
        spoken_of = (one for case in _known_as(entry.case, by_id) for one in by_id[case])
        covered = [one for one in spoken_of if entry.covers(one.planned)]
        asked = [one for one in covered if one.outcome not in ("unsupported", *_NOT_TO_EXPECT)]
        outcomes = {one.outcome for one in asked}
        if outcomes == {entry.outcome} or (not asked and _is_elsewhere(entry, covered, profile, narrowed)):
            continue
        kind, message = _misfit(entry, covered, outcomes, by_id, with_hint=len(findings) < _HINTS)
        findings.append(ExpectedFinding(kind, entry.line, entry.case, message))
        corrections[number] = _corrections(entry, asked)
    speaking_of = _by_case(file.entries)
    excused, added = [], []
    for verdict in verdicts:
        planned, speaking = verdict.planned, []
        if verdict.outcome not in ACCEPTABLE:
            speaking = [*speaking_of(planned)]
            if not speaking and verdict.outcome not in _NOT_TO_EXPECT:
                added.append(ExpectedEntry(planned.case_id, planned.profile, verdict.outcome, UNEXPLAINED))
        reason = next((entry.reason for entry in speaking if entry.outcome == verdict.outcome), "")
        excused.append(replace(verdict, excuse=reason) if reason else verdict)
    unasked = sum(verdict.outcome in _NOT_TO_EXPECT for verdict in verdicts)
    return Checked(file, excused, tuple(findings), corrections, tuple(added), unasked)


def _corrections(entry: ExpectedEntry, asked: Sequence[Verdict]) -> tuple[ExpectedEntry, ...]:
    """Return what should stand in place of an entry: one for each case, where a pattern spoke of several."""
    failed = [one for one in asked if one.outcome not in ACCEPTABLE]
    if not is_pattern(entry.case):
        return tuple(replace(entry, outcome=one.outcome) for one in failed)
    if len(failed) == len(asked) and len({one.outcome for one in failed}) == 1:
        return (replace(entry, outcome=failed[0].outcome),)
    return tuple(
        replace(entry, case=one.planned.case_id, profile=one.planned.profile, outcome=one.outcome) for one in failed
    )


def _is_elsewhere(entry: ExpectedEntry, covered: Sequence[Verdict], profile: str | None, narrowed: bool) -> bool:
    """Say whether this run cannot tell anything about an entry, because it asked for something else."""
    if any(one.outcome in _NOT_TO_EXPECT for one in covered):
        return True
    if not _known_as(entry.case, _known()):
        return False
    return (narrowed and not covered) or (profile is not None and entry.profile not in (None, profile))


def _misfit(
    entry: ExpectedEntry,
    covered: Sequence[Verdict],
    outcomes: Collection[Outcome],
    verdicts: Mapping[str, Sequence[Verdict]],
    *,
    with_hint: bool,
) -> tuple[FindingKind, str]:
    """Return in what way an entry says something else than its cases do."""
    came = ", ".join(sorted(outcomes))
    if not outcomes:
        return "unmatched", _why_unmatched(entry, covered, verdicts, with_hint=with_hint)
    if came == "passed":
        return "unexpected_pass", f"{entry.case} passes now; the entry can go"
    if len(outcomes) == 1:
        return "changed_outcome", f"{entry.case} is expected to be {entry.outcome}, and is {came}"
    return "too_broad", (f"{entry.case} speaks of cases that do not all go the same way ({came}); name them one by one")


def _why_unmatched(
    entry: ExpectedEntry, covered: Sequence[Verdict], verdicts: Mapping[str, Sequence[Verdict]], *, with_hint: bool
) -> str:
    if covered:
        return f"{entry.case} is not asked: the program does not declare this"
    of_case = sorted({one.planned.profile for case in _known_as(entry.case, verdicts) for one in verdicts[case]})
    if of_case and entry.profile:
        hint = nearest(entry.profile, of_case)
        return f"{entry.case} is not asked for {entry.profile}, but for {', '.join(of_case)}{hint}"
    if _known_as(entry.case, _known()):
        return f"{entry.case} is not asked in this run; give the entry the profile it is for, or let it go"
    return f"there is no case {entry.case}{nearest(entry.case, _known() if with_hint else ())}"


def print_expected(page: Page, checked: Checked, narrowed: bool) -> None:
    """Print how many failures were expected, every entry that no longer fits, and the text of a file that does."""
    lines = [excused_line(checked)] if checked.excused else []
    lines += [f"Entries that still say “{UNEXPLAINED}”: {checked.unexplained}."] if checked.unexplained else []
    tell(
        page,
        "expected.j2",
        checked=checked,
        lines=[*lines, *skip_lines(checked)],
        findings=finding_lines(checked),
        most=MOST_TOLD,
        narrowed=narrowed,
        corrected=corrected_text(checked).rstrip("\n") if checked.findings else "",
    )


def excused_line(checked: Checked) -> str:
    """Return how many failures are as the file expects."""
    return f"Wrong as {checked.file.path} expects: {checked.excused}."


def skip_lines(checked: Checked) -> list[str]:
    """Return a line for each reason why cases are skipped: how many, and the reason."""
    reasons = Counter(verdict.detail for verdict in checked.verdicts if verdict.outcome == "skipped")
    return [f"Skipped, {number}: {why}" for why, number in reasons.items()]


def finding_lines(checked: Checked) -> list[str]:
    """Return every entry that no longer fits as a line: where it stands, and what is wrong."""
    return [f"{checked.file.path}:{one.line}: {one.kind.replace('_', ' ')}: {one.message}" for one in checked.findings]


def expected_json(checked: Checked) -> dict[str, Any]:
    """Return what a run says about its file of expected failures, as JSON values."""
    return {
        "file": str(checked.file.path),
        "excused": checked.excused,
        "unexplained": checked.unexplained,
        "findings": [{**asdict(finding), "message": {"en": finding.message}} for finding in checked.findings],
        "corrected": corrected_text(checked) if checked.findings else None,
    }


_HEADER: Final = "# Failures that are expected. Say why at each; belot check fails when one no longer fits.\n"
_OUTCOME: Final = re.compile(r"(?<![\w-])(outcome:\s*)[\"']?\w+[\"']?")
_ITEM: Final = re.compile(r"( *)- ")


def corrected_text(checked: Checked) -> str:
    """Return the text of a file that fits the run, as near to the old text as can be.

    Where the entries are laid out in a way that cannot be mended line by line, they are all written anew, below the
    comments that stand at the top.
    """
    wanted = checked.corrected()
    if wanted:
        mended = _mended(checked)
        if mended is not None and _says(checked, mended, wanted):
            return mended
    return _written_anew(checked.file.text, wanted)


def updated(checked: Checked, profile: str | None = None) -> Checked:
    """Write the corrected file, whole or not at all, and hold the run against it.

    It is not written as long as there are cases of which the run cannot tell what becomes of them. Raises ``OSError``
    where it cannot be.
    """
    if checked.unasked:
        return replace(checked, written="refused")
    text = corrected_text(checked)
    if text != checked.file.text:
        write_whole(checked.file.path, text)
    again = hold_against(parse_expected(checked.file.path, text), checked.verdicts, profile)
    return replace(again, written="yes")


def _says(checked: Checked, text: str, wanted: Sequence[ExpectedEntry]) -> bool:
    try:
        return list(parse_expected(checked.file.path, text).entries) == list(wanted)
    except SpecError:
        return False


def _mended(checked: Checked) -> str | None:
    """Change the lines of the entries that do not fit; ``None`` if the entries do not stand on lines of their own."""
    file = checked.file
    lines = file.text.splitlines(keepends=True)
    if not file.entries or not all(_ITEM.match(lines[entry.line - 1]) for entry in file.entries):
        return None
    if not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    indent = _ITEM.match(lines[file.entries[0].line - 1])[1]  # type: ignore[index]
    after = [*(entry.line for entry in file.entries[1:]), len(lines) + 1]
    ends = [_end(lines, entry.line, line) for entry, line in zip(file.entries, after, strict=True)]
    # From the last entry to the first, so that the numbers of the lines above stay true.
    lines[ends[-1] : ends[-1]] = [render(entry, indent) for entry in checked.added]
    for number in sorted(checked.corrections, reverse=True):
        old, new = file.entries[number], checked.corrections[number]
        if len(new) == 1 and new[0].case == old.case:
            place = old.outcome_line - 1
            lines[place] = _OUTCOME.sub(rf"\g<1>{new[0].outcome}", lines[place], count=1)
        else:
            lines[old.line - 1 : ends[number]] = [render(entry, indent) for entry in new]
    return "".join(lines)


def _end(lines: Sequence[str], begin: int, after: int) -> int:
    """Return the line on which an entry ends; comments and blank lines below it belong to what follows."""
    end = after - 1
    while end > begin and (not lines[end - 1].strip() or lines[end - 1].lstrip().startswith("#")):
        end -= 1
    return end


def _written_anew(old: str, entries: Sequence[ExpectedEntry]) -> str:
    head = _HEADER
    if old:
        lines = old.splitlines(keepends=True)
        told = (number for number, line in enumerate(lines) if line.strip() and not line.startswith("#"))
        first = next(told, len(lines))
        head = "".join(lines[:first])
    if not entries:
        return f"{head}expected: []\n"
    return f"{head}expected:\n{''.join(render(entry, '  ') for entry in entries)}"


def render(entry: ExpectedEntry, indent: str) -> str:
    """Return an entry as lines of YAML."""
    pairs = {"case": entry.case, "profile": entry.profile, "outcome": entry.outcome}
    texts = {"reason": entry.reason, "issue": entry.issue}
    lines = [f"{key}: {_plain(value)}" for key, value in pairs.items() if value is not None]
    lines += [f"{key}: {quoted(value)}" for key, value in texts.items() if value is not None]
    return f"{indent}- " + f"\n{indent}  ".join(lines) + "\n"


def _plain(value: str) -> str:
    """Write an id or a name, in quotes where YAML would read something else (a pattern may hold [ or !)."""
    return value if re.fullmatch(r"[\w+-]+", value) else quoted(value)
