"""The changelog of a release as Markdown: the rules in words, and the cases by id."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from belot_conformance.text.markdown import MarkdownPage
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words
from belot_workshop.changes.diff import SpecDiff
from belot_workshop.changes.diff_page import print_changes, step_sentence, summary
from belot_workshop.changes.version import Step, Version
from belot_workshop.releases.case_changes import CaseChanges

_WORDS: Final = Words(__name__, "changelog")


def changelog(version: Version, step: Step, diff: SpecDiff | None, cases: CaseChanges, language: Language) -> str:
    """Return what a release changed; without a diff it is the first one."""
    page = MarkdownPage(level=1)
    page.title(str(version))
    if diff is None:
        page.line(_word("first", language))
    else:
        page.line(f"{summary(diff, language)} {step_sentence(step, language)}")
        print_changes(page, diff, language)
    page.heading(_word("cases", language))
    _print_cases(page, cases, language)
    return page.text()


def _print_cases(page: Page, cases: CaseChanges, language: Language) -> None:
    if not (cases.added or cases.retired):
        page.line(_word("same", language))
    if cases.new:
        page.labelled(_word("new", language).format(n=len(cases.new)), ", ".join(_runs(cases.new)), indent=2)
    for name, changes in (("changed", cases.changed), ("dropped", cases.dropped)):
        if changes:
            page.line(f"{_word(name, language).format(n=len(changes))}:", indent=2)
        for case_id, one in changes:
            page.labelled(f"{case_id} → {one.by}" if name == "changed" else case_id, one.reason, indent=4)


def _runs(ids: Sequence[str]) -> list[str]:
    """Return ids with those that follow one another written as a run: ``bc-0001..0255``."""
    numbers = [int(case_id[3:]) for case_id in ids]
    starts = [0, *(place + 1 for place, (one, other) in enumerate(pairwise(numbers)) if other != one + 1), len(ids)]
    return [ids[begin] if end == begin + 1 else f"{ids[begin]}..{ids[end - 1][3:]}" for begin, end in pairwise(starts)]


def _word(name: str, language: Language) -> str:
    return _WORDS[name].in_language(language)
