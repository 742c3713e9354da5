"""What ``belot smoke`` found, for people at a terminal."""

from collections.abc import Iterator
from typing import Final

from belot_conformance.table.smoke import Finding, SmokeReport
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "smoke-page")
_MARKS: Final = {"right": ("✓", "green"), "wrong": ("✗", "bold red"), "missing": ("·", "dim")}


def print_smoke(page: Page, report: SmokeReport, language: Language) -> None:
    """Print each finding with its mark, and what to do next."""
    names = {one.about: one.about for one in report.findings}
    names |= {about: _WORDS.say(about, language) for about in names if about in _WORDS}
    width = 2 + max(map(len, names.values()), default=0)
    for finding in report.findings:
        mark, style = _MARKS[finding.level]
        said = finding.said.in_language(language)
        page.labelled(f"{mark} {names[finding.about]}", said, width=width, style=style)
        for line in _details(finding, language):
            page.labelled("", line, width=width)
    if report.advice:
        page.blank()
        page.line(_WORDS.say("next", language))
    for text in report.advice:
        said, _, command = text.in_language(language).partition("\n")
        page.line(f"- {said}", hang=2)
        if command:
            # A command is for copying, so it is not broken into lines.
            page.verbatim(f"    {command}")


def _details(finding: Finding, language: Language) -> Iterator[str]:
    yield from finding.details.splitlines()
    if finding.verdict is None or finding.level != "wrong":
        return
    words = _WORDS.in_language(language)
    case, came = finding.verdict.planned.case, finding.verdict.came
    expected = f" {words['or']} ".join(brief({one.kind: one.fields}) for one in case.expected)
    yield f"{words['asked']} ({case.id}): {brief(case.input)}"
    yield f"{words['expected']}: {expected}"
    if came is not None:
        yield f"{words['came']}: {brief(came)}"
