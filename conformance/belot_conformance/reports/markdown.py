"""The report of a run as a short Markdown summary, such as a CI job shows beside its result."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from belot_conformance.reports.expected import excused_line, finding_lines, skip_lines
from belot_conformance.reports.explained import tell_explained
from belot_conformance.reports.report import Run, again, ending, failures, occurring
from belot_conformance.reports.scores import print_scores
from belot_conformance.reports.terminal import failure_text
from belot_conformance.reports.words import (
    ENDING_WORDS,
    OUTCOME_WORDS,
    PROVENANCE_WORDS,
    ending_sentence,
    tell_counts,
    told_of_tables,
)
from belot_conformance.suite.verdicts import Verdict, count
from belot_conformance.text.markdown import LONGEST_NAME, MarkdownPage
from belot_conformance.text.page import Page
from belot_spec.spec import Spec
from belot_spec.words import English

# In bytes of UTF-8. CI systems cut or refuse longer summaries, and people do not read them.
MOST: Final = 60_000
_ROOM_FOR_FAILURES: Final = 34_000
_ROOM_FOR_LIST: Final = 8_000
_IN_FULL: Final = 20
_NOTES: Final = 5
_SIGNS: Final[Mapping[str, str]] = {"passed": "✅", "part": "🟡"}
_LONGEST_FAILURE: Final = 4_000
# What stands around a block, or before a line of a list; a run of backticks makes a fence longer.
_FENCES: Final = 20

_WORDS: Final = English(__name__, "markdown")


def as_markdown(run: Run, spec: Spec) -> str:
    """Return the report as Markdown of fewer than ``MOST`` bytes."""
    page = MarkdownPage(longest=LONGEST_NAME)
    _tell_ending(page, run, spec)
    found = occurring(count(run.verdicts))
    tell_counts(page, run, {OUTCOME_WORDS.say(outcome): [outcome] for outcome in found})
    if run.baselines is not None:
        print_scores(page, run.baselines, run.hello.name)
    for line in _notes(run):
        page.line(line, indent=2)
    _tell_failures(page, run, spec)
    return page.text()


def _tell_ending(page: Page, run: Run, spec: Spec) -> None:
    """Tell how the run ended: the heading, a line like a badge, and the sentence; then how to run it again."""
    how, asked = ending(run), [one.outcome for one in run.verdicts if one.was_asked]
    ended = f"{_SIGNS.get(how, '❌')} {ENDING_WORDS[how]}"
    page.title(f"{ended}: {run.hello.name} {run.hello.version}")
    passed = f"{asked.count('passed')}/{len(asked)} {OUTCOME_WORDS.say('passed')}"
    page.line(f"belot-conformance {run.suite} · {passed}", style="bold")
    tell_explained(page, run.explained, spec)
    page.line(ending_sentence(run))
    for line in told_of_tables(run):
        page.line(line, indent=2)
    page.command(run.command, _WORDS.say("command"))


def _notes(run: Run) -> list[str]:
    """Return how the run bears out the failures that were expected, and the faults that no case is to blame for."""
    found = []
    if run.expected is not None:
        found += [excused_line(run.expected), *finding_lines(run.expected)]
        found = [*found[:_NOTES], *skip_lines(run.expected)[:_NOTES]]
    return found + [f"{_WORDS.say('incident')}: {incident}" for incident in run.incidents[:_NOTES]]


def _tell_failures(page: Page, run: Run, spec: Spec) -> None:
    """Tell the first failures as at a terminal, folded away, and after them a list of the next ones."""
    bad = failures(run.told)
    if not bad:
        return
    blocks = list(_fitting((_block(one, run, spec) for one in bad[:_IN_FULL]), _ROOM_FOR_FAILURES))
    listed = list(_fitting((_in_a_line(one) for one in bad[len(blocks) :]), _ROOM_FOR_LIST))
    title = _WORDS.say("every" if len(blocks) == len(bad) else "first", n=len(blocks), all=len(bad))
    page.heading(title, fold="closed")
    for block in blocks:
        page.verbatim(block)
    for line in listed:
        page.line(line, indent=2)
    if left := len(bad) - len(blocks) - len(listed):
        page.line(_WORDS.say("others", n=left))


def _block(verdict: Verdict, run: Run, spec: Spec) -> str:
    text = failure_text(verdict, spec, run.asked_with)
    if len(text) <= _LONGEST_FAILURE:
        return text
    return f"{text[:_LONGEST_FAILURE]}…\n{again(verdict, run.asked_with)[:LONGEST_NAME]}\n"


def _in_a_line(verdict: Verdict) -> str:
    case = verdict.planned.case
    outcome = OUTCOME_WORDS[verdict.outcome]
    provenance = PROVENANCE_WORDS[verdict.planned.provenance]
    return f"{case.id} ({outcome}, {verdict.planned.profile}, {provenance}): {case.title.en}"


def _fitting(texts: Iterable[str], room: int) -> Iterator[str]:
    """Yield texts as long as they fit into so many bytes."""
    for text in texts:
        room -= len(text.encode()) + _FENCES
        if room < 0:
            return
        yield text
