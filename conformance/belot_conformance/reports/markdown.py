"""The report of a run as a short Markdown summary, such as a CI job shows beside its result."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from belot_conformance.diagnosis.likeness import first_said
from belot_conformance.reports.expected_page import excused_line, finding_lines, skip_lines
from belot_conformance.reports.report import Run, again, by_operation, ending, failures
from belot_conformance.reports.score_table import percentage, score_titles
from belot_conformance.reports.terminal import failure_text
from belot_conformance.reports.words import (
    ENDING_WORDS,
    OUTCOME_WORDS,
    PROVENANCE_WORDS,
    ending_sentence,
    row_title,
    told_of_tables,
)
from belot_conformance.suite.verdicts import Outcome, Verdict, count
from belot_conformance.text.markdown import LONGEST_NAME, escaped, table_row
from belot_conformance.text.printable import document
from belot_spec.catalogue import Language
from belot_spec.spec import Spec
from belot_spec.words import Words

# In bytes of UTF-8. CI systems cut or refuse longer summaries, and people do not read them.
MOST: Final = 60_000
_ROOM_FOR_FAILURES: Final = 34_000
_ROOM_FOR_LIST: Final = 8_000
_IN_FULL: Final = 20
_NOTES: Final = 5
_SIGNS: Final[Mapping[str, str]] = {"passed": "✅", "part": "🟡"}
_LONGEST_FAILURE: Final = 4_000

_WORDS: Final = Words(__name__, "markdown")


def as_markdown(run: Run, spec: Spec, language: Language) -> str:
    """Return the report as Markdown of fewer than ``MOST`` bytes, in one language."""
    lines = [*_head(run, language), *_table(run, language), *_scores(run, language), *_notes(run, language)]
    lines += _failures(run, spec, language)
    return document("\n".join(lines)) + "\n"


def _head(run: Run, language: Language) -> Iterator[str]:
    """Yield the heading, the line like a badge, and the sentence that says how the run ended."""
    how = ending(run)
    counts = count(run.verdicts)
    asked = len(run.verdicts) - counts["unsupported"] - counts["skipped"]
    sign = _SIGNS.get(how, "❌")
    yield f"## {sign} {ENDING_WORDS[how].in_language(language)}: {escaped(f'{run.hello.name} {run.hello.version}')}"
    yield ""
    passed = OUTCOME_WORDS["passed"].in_language(language)
    yield f"**belot-conformance {escaped(run.suite)}** · {counts['passed']}/{asked} {passed}"
    yield ""
    for likeness in (said := first_said(run.likenesses)):
        evidence = likeness.evidence.in_language(language) if likeness is said[-1] else ""
        yield f"> **{escaped(likeness.sentence.in_language(language))}** {escaped(evidence)}".rstrip()
        yield ""
    yield escaped(ending_sentence(run, language))
    yield ""
    for line in told_of_tables(run):
        yield f"- {escaped(line.in_language(language))}"
    yield ""
    yield f"{_word('command', language)}: <code>{escaped(run.command)}</code>"
    yield ""


def _table(run: Run, language: Language) -> Iterator[str]:
    totals = count(run.verdicts)
    shown: list[Outcome] = [outcome for outcome in totals if totals[outcome] or outcome in ("passed", "failed")]
    headings = [_word("operation", language), _word("cases", language)]
    headings += [OUTCOME_WORDS[outcome].in_language(language) for outcome in shown]
    yield table_row(headings)
    yield "|---|" + "---:|" * (len(headings) - 1)
    for operation, counts in by_operation(run).items():
        yield table_row([escaped(row_title(run, operation, language)), *_numbers(counts, shown)])
    yield table_row([f"**{_word('all', language)}**", *_numbers(totals, shown)])
    yield ""


def _numbers(counts: Mapping[Outcome, int], shown: Sequence[Outcome]) -> list[str]:
    return [
        str(number) if number else "·" for number in (sum(counts.values()), *(counts[outcome] for outcome in shown))
    ]


def _scores(run: Run, language: Language) -> Iterator[str]:
    """Yield the table of the program's score beside those of programs that know nothing, if they were asked for."""
    if run.baselines is None:
        return
    titles = score_titles(run.hello.name)
    yield table_row(
        [_word("operation", language), *(escaped(titles[name].in_language(language)) for name in run.baselines)]
    )
    yield "|---|" + "---:|" * len(run.baselines)
    for operation in next(iter(run.baselines.values())).asked:
        yield table_row(
            [
                escaped(operation),
                *(percentage(score.share(operation)) for score in run.baselines.values()),
            ]
        )
    yield table_row([f"**{_word('all', language)}**", *(percentage(score.share()) for score in run.baselines.values())])
    yield ""


def _notes(run: Run, language: Language) -> Iterator[str]:
    """Yield how the run bears out the failures that were expected, and the faults that no case is to blame for."""
    found = []
    if run.expected is not None:
        found += [excused_line(run.expected), *finding_lines(run.expected)]
        found = [*found[:_NOTES], *skip_lines(run.expected)[:_NOTES]]
    lines = [line.in_language(language) for line in found]
    lines += [f"{_word('incident', language)}: {incident}" for incident in run.incidents[:_NOTES]]
    if lines:
        yield from (f"- {escaped(line)}" for line in lines)
        yield ""


def _failures(run: Run, spec: Spec, language: Language) -> list[str]:
    """Return the first failures as at a terminal, folded away, and after them a list of the next ones."""
    bad = failures(run.verdicts)
    if not bad:
        return []
    blocks = list(_blocks(bad, run, spec, language))
    listed = list(_listed(bad[len(blocks) :], language))
    title = _word("every" if len(blocks) == len(bad) else "first", language).format(n=len(blocks), all=len(bad))
    left = len(bad) - len(blocks) - len(listed)
    more = [_word("others", language).format(n=left), ""] if left else []
    return [f"<details><summary>{title}</summary>", "", *blocks, *listed, "", *more, "</details>"]


def _blocks(bad: Sequence[Verdict], run: Run, spec: Spec, language: Language) -> Iterator[str]:
    room = _ROOM_FOR_FAILURES
    for verdict in bad[:_IN_FULL]:
        text = failure_text(verdict, spec, language, run.asked_with)
        if len(text) > _LONGEST_FAILURE:
            text = f"{text[:_LONGEST_FAILURE]}…\n{again(verdict, run.asked_with)[:LONGEST_NAME]}\n"
        block = _fenced(text)
        room -= len(block.encode())
        if room < 0:
            return
        yield block


def _fenced(text: str) -> str:
    """Return a text as a block of code whose fence is longer than any run of backticks in it."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}text\n{text}{fence}\n"


def _listed(bad: Sequence[Verdict], language: Language) -> Iterator[str]:
    room = _ROOM_FOR_LIST
    for verdict in bad:
        case = verdict.planned.case
        outcome = OUTCOME_WORDS[verdict.outcome].in_language(language)
        provenance = PROVENANCE_WORDS[verdict.planned.provenance].in_language(language)
        about = f"{outcome}, {escaped(verdict.planned.profile)}, {provenance}"
        line = f"- {case.id} ({about}): {escaped(case.title.in_language(language))}"
        room -= len(line.encode())
        if room < 0:
            return
        yield line


def _word(name: str, language: Language) -> str:
    return _WORDS[name].in_language(language)
