"""The report of a run as a short Markdown summary, such as a CI job shows beside its result."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from markupsafe import Markup

from belot_conformance.reports.expected import excused_line, finding_lines, skip_lines
from belot_conformance.reports.explained import said_first
from belot_conformance.reports.report import Run, again, ending, failures, occurring
from belot_conformance.reports.scores import scores_told
from belot_conformance.reports.terminal import failure_text
from belot_conformance.reports.words import (
    ENDING_WORDS,
    OUTCOME_WORDS,
    PROVENANCE_WORDS,
    counts_told,
    ending_sentence,
    told_of_tables,
)
from belot_conformance.suite.verdicts import Verdict, count
from belot_conformance.text.markdown import LONGEST_NAME, MarkdownPage
from belot_conformance.text.template import tell
from belot_spec.spec import Spec

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


def as_markdown(run: Run, spec: Spec) -> str:
    """Return the report as Markdown of fewer than ``MOST`` bytes."""
    how, asked, bad = ending(run), [one.outcome for one in run.verdicts if one.was_asked], failures(run.told)
    blocks = list(_fitting((_block(one, run, spec) for one in bad[:_IN_FULL]), _ROOM_FOR_FAILURES))
    page = MarkdownPage(longest=LONGEST_NAME)
    tell(
        page,
        "summary.j2",
        run=run,
        sign=_SIGNS.get(how, "❌"),
        ending=ENDING_WORDS[how],
        passed=asked.count("passed"),
        asked=len(asked),
        explained=Markup(said_first(run.explained, spec)),
        sentence=ending_sentence(run),
        told=told_of_tables(run),
        notes=_notes(run),
        failed=len(bad),
        blocks=[block.rstrip("\n") for block in blocks],
        listed=list(_fitting((_in_a_line(one) for one in bad[len(blocks) :]), _ROOM_FOR_LIST)),
        **scores_told(run.baselines or {}, run.hello.name),
        **counts_told(run, {OUTCOME_WORDS[outcome]: [outcome] for outcome in occurring(count(run.verdicts))}),
    )
    return page.text()


def _notes(run: Run) -> list[str]:
    """Return how the run bears out the failures that were expected, and the faults that no case is to blame for."""
    found = []
    if run.expected is not None:
        found += [excused_line(run.expected), *finding_lines(run.expected)]
        found = [*found[:_NOTES], *skip_lines(run.expected)[:_NOTES]]
    return found + [f"incident: {incident}" for incident in run.incidents[:_NOTES]]


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
