"""What a release did to the cases, and its changelog as Markdown: the rules in words, and the cases by id."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from belot_conformance.changes.diff import SpecDiff
from belot_conformance.changes.diff_page import print_changes, step_sentence, summary
from belot_conformance.changes.version import Step, Version
from belot_conformance.suite.ledger import Ledger, Retired
from belot_conformance.text.markdown import MarkdownPage
from belot_conformance.text.page import Page
from belot_spec.languages import Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "changelog")


@dataclass(frozen=True, slots=True)
class CaseChanges:
    """The ids that a release added, and those it retired; a retired case with another in its place was changed."""

    added: tuple[str, ...]
    retired: tuple[tuple[str, Retired], ...]
    first: bool

    @property
    def step(self) -> Step:
        """The step of the version that changes of the cases ask for by themselves; none in the first release."""
        if self.first:
            return "none"
        return "minor" if self.added else "patch" if self.retired else "none"

    @property
    def changed(self) -> tuple[tuple[str, Retired], ...]:
        """The retired ids that another case replaces."""
        return tuple(one for one in self.retired if one[1].by is not None)

    @property
    def dropped(self) -> tuple[tuple[str, Retired], ...]:
        """The retired ids that nothing replaces."""
        return tuple(one for one in self.retired if one[1].by is None)

    @property
    def new(self) -> tuple[str, ...]:
        """The added ids that replace no other."""
        replacing = {retired.by for _, retired in self.changed}
        return tuple(case_id for case_id in self.added if case_id not in replacing)

    def as_json(self) -> dict[str, Any]:
        """Return the changes as JSON."""
        return {
            "added": list(self.new),
            "changed": [{"id": case_id, "by": one.by, "reason": one.reason} for case_id, one in self.changed],
            "retired": [{"id": case_id, "reason": one.reason} for case_id, one in self.dropped],
        }


def changelog(version: Version, step: Step, diff: SpecDiff | None, cases: CaseChanges, language: Language) -> str:
    """Return what a release changed; without a diff it is the first one."""
    page = MarkdownPage(level=1)
    page.title(str(version))
    if diff is None:
        page.line(_WORDS.say("first", language))
    else:
        page.line(f"{summary(diff, language)} {step_sentence(step, language)}")
        print_changes(page, diff, language)
    page.heading(_WORDS.say("cases", language))
    _print_cases(page, cases, language)
    return page.text()


def _print_cases(page: Page, cases: CaseChanges, language: Language) -> None:
    if not (cases.added or cases.retired):
        page.line(_WORDS.say("same", language))
    if cases.new:
        page.labelled(_WORDS.say("new", language, n=len(cases.new)), ", ".join(_runs(cases.new)), indent=2)
    for name, changes in (("changed", cases.changed), ("dropped", cases.dropped)):
        if changes:
            page.line(f"{_WORDS.say(name, language, n=len(changes))}:", indent=2)
        for case_id, one in changes:
            page.labelled(f"{case_id} → {one.by}" if name == "changed" else case_id, one.reason, indent=4)


def _runs(ids: Sequence[str]) -> list[str]:
    """Return ids with those that follow one another written as a run: ``bc-0001..0255``."""
    numbers = [int(case_id[3:]) for case_id in ids]
    starts = [0, *(place + 1 for place, (one, other) in enumerate(pairwise(numbers)) if other != one + 1), len(ids)]
    return [ids[begin] if end == begin + 1 else f"{ids[begin]}..{ids[end - 1][3:]}" for begin, end in pairwise(starts)]


def changes_in(ledger: Ledger, version: str) -> CaseChanges:
    """Return what one release of a ledger did to the cases."""
    entries = sorted(ledger.entries.items())
    return CaseChanges(
        added=tuple(case_id for case_id, entry in entries if entry.release == version),
        retired=tuple(
            (case_id, entry.retired) for case_id, entry in entries if entry.retired and entry.retired.release == version
        ),
        first=bool(ledger.releases) and ledger.releases[0].version == version,
    )
