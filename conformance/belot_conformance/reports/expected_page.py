"""What a run says about its file of expected failures, for people and as data."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from belot_conformance.reports.expected import UNEXPLAINED, Checked, ExpectedEntry, hold_against, parse_expected
from belot_conformance.suite.case_text import quoted
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language, Text
from belot_spec.errors import MOST_TOLD, SpecError
from belot_spec.whole_file import write_whole
from belot_spec.words import Words

_KINDS: Final = Words(__name__, "expected-kinds")
_WORDS: Final = Words(__name__, "expected")


def print_expected(page: Page, checked: Checked, language: Language, narrowed: bool) -> None:
    """Print how many failures were expected, every entry that no longer fits, and the text of a file that does."""
    file = str(checked.file.path)
    page.blank()
    if checked.excused:
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
    return _WORDS.both("excused", n=checked.excused, file=checked.file.path)


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
        "excused": checked.excused,
        "unexplained": checked.unexplained,
        "findings": [{**asdict(finding), "message": finding.message.as_json()} for finding in checked.findings],
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
    if not file.entries or not all(_ITEM.match(lines[number - 1]) for number in file.lines):
        return None
    if not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    indent = _ITEM.match(lines[file.lines[0] - 1])[1]  # type: ignore[index]
    ends = [
        _end(lines, begin, after) for begin, after in zip(file.lines, [*file.lines[1:], len(lines) + 1], strict=True)
    ]
    # From the last entry to the first, so that the numbers of the lines above stay true.
    lines[ends[-1] : ends[-1]] = [render(entry, indent) for entry in checked.added]
    for number in sorted(checked.corrections, reverse=True):
        old, new = file.entries[number], checked.corrections[number]
        begin, end = file.lines[number] - 1, ends[number]
        if len(new) == 1 and new[0].case == old.case:
            place = file.outcome_lines[number] - 1
            lines[place] = _OUTCOME.sub(rf"\g<1>{new[0].outcome}", lines[place], count=1)
        else:
            lines[begin:end] = [render(entry, indent) for entry in new]
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
