"""What ``belot smoke`` found, for people at a terminal."""

from collections.abc import Iterator
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text as RichText

from belot_conformance.table.smoke import Finding, SmokeReport
from belot_conformance.text.brief import brief
from belot_spec.catalogue import Language
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "smoke-page")
_MARKS: Final = {"right": ("✓", "green"), "wrong": ("✗", "bold red"), "missing": ("·", "dim")}


def print_smoke(report: SmokeReport, language: Language) -> None:
    """Print each finding with its mark, and what to do next."""
    console = Console(highlight=False)
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for finding in report.findings:
        mark, style = _MARKS[finding.level]
        about = _WORDS.say(finding.about, language) if finding.about in _WORDS else finding.about
        grid.add_row(RichText(mark, style=style), RichText(about), RichText(finding.said.in_language(language)))
        for line in _details(finding, language):
            grid.add_row("", "", RichText(line))
    console.print(grid)
    if report.advice:
        console.print(f"\n{_WORDS.say('next', language)}")
    for text in report.advice:
        said, _, command = text.in_language(language).partition("\n")
        console.print(f"- {said}", markup=False)
        if command:
            # A command is for copying, so it is not broken into lines.
            console.print(f"    {command}", markup=False, soft_wrap=True)


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
