"""What a run says about its file of expected failures, for people and as data."""

from collections import Counter
from typing import Any, Final

from belot_conformance.reports.expected import UNEXPLAINED, Checked
from belot_conformance.reports.expected_text import corrected_text
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language, Text
from belot_spec.errors import MOST_TOLD
from belot_spec.words import Words

_KINDS: Final = Words(__name__, "expected-kinds")
_WORDS: Final = Words(__name__, "expected")


def print_expected(page: Page, checked: Checked, language: Language, narrowed: bool) -> None:
    """Print how many failures were expected, every entry that no longer fits, and the text of a file that does."""
    file = str(checked.file.path)
    excused = sum(bool(verdict.excuse) for verdict in checked.verdicts)
    page.blank()
    if excused:
        page.line(excused_line(checked).in_language(language), whole=True)
    if checked.unexplained:
        page.line(_WORDS.say("unexplained", language, n=checked.unexplained, todo=UNEXPLAINED), whole=True)
    for line in skip_lines(checked):
        page.line(line.in_language(language), whole=True)
    found = finding_lines(checked)
    for line in found[:MOST_TOLD]:
        page.line(f"✗ {line.in_language(language)}", style="bold red", whole=True)
    if len(found) > MOST_TOLD:
        page.line(_WORDS.say("more", language, n=len(found) - MOST_TOLD), whole=True)
    if checked.written == "yes":
        page.line(_WORDS.say("written", language, file=file), whole=True)
    elif checked.written == "refused":
        page.line(_WORDS.say("refused", language, file=file, n=checked.unasked), style="bold red", whole=True)
    elif checked.findings and narrowed:
        page.line(_WORDS.say("mend", language, file=file), whole=True)
    elif checked.findings:
        page.line(_WORDS.say("outdated", language, file=file), whole=True)
        page.blank()
        page.verbatim(corrected_text(checked))


def excused_line(checked: Checked) -> Text:
    """Return how many failures are as the file expects, in both languages."""
    excused = sum(bool(verdict.excuse) for verdict in checked.verdicts)
    return _WORDS.both("excused", n=excused, file=checked.file.path)


def skip_lines(checked: Checked) -> list[Text]:
    """Return a line in both languages for each reason why cases are skipped: how many, and the reason."""
    reasons = Counter(verdict.detail for verdict in checked.verdicts if verdict.outcome == "skipped")
    return [_WORDS.both("skipped", n=number, why=why) for why, number in reasons.items()]


def finding_lines(checked: Checked) -> list[Text]:
    """Return every entry that no longer fits as a line in both languages: where it stands, and what is wrong."""
    return [
        _WORDS.both("finding", file=checked.file.path, line=one.line, kind=_KINDS[one.kind], message=one.message)
        for one in checked.findings
    ]


def expected_json(checked: Checked) -> dict[str, Any]:
    """Return what a run says about its file of expected failures, as JSON values."""
    return {
        "file": str(checked.file.path),
        "excused": sum(bool(verdict.excuse) for verdict in checked.verdicts),
        "unexplained": checked.unexplained,
        "findings": [
            {
                "kind": finding.kind,
                "line": finding.line,
                "case": finding.case,
                "message": finding.message.as_json(),
            }
            for finding in checked.findings
        ],
        "corrected": corrected_text(checked) if checked.findings else None,
    }
