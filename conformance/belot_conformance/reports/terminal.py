"""The report of a run for people at a terminal, within 80 columns."""

from collections.abc import Iterator, Mapping, Sequence
from shlex import join
from typing import Any, Final

from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_conformance.reports.explained import pasted, tell_explained
from belot_conformance.reports.report import (
    FAULTS,
    Run,
    again,
    differing,
    ending,
    failures,
    notes_of,
    refused_moments,
    rulings_of,
)
from belot_conformance.reports.words import (
    OUTCOME_WORDS,
    PROVENANCE_WORDS,
    ending_mark,
    ending_sentence,
    tell_counts,
    told_of_tables,
)
from belot_conformance.rules.reading import as_runs
from belot_conformance.suite.differing import order_is_free, twice_in
from belot_conformance.suite.export import protocol_lines
from belot_conformance.suite.judge import Difference
from belot_conformance.suite.verdicts import Outcome, Planned, Verdict
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_conformance.text.terminal import TerminalPage, as_text
from belot_spec.card_names import card_meant
from belot_spec.spec import Spec
from belot_spec.wording import card_words
from belot_spec.words import English

_FIELDS_SHOWN: Final = 12
_LABEL: Final = 9
_INCIDENTS: Final = 12
# In characters: after so many, further failures are counted only.
_MOST_PRINTED: Final = 1_000_000


_WORDS: Final = English(__name__, "terminal")
_NEXT: Final = English(__name__, "next-steps")


def print_report(page: TerminalPage, run: Run, spec: Spec, show: int = 0, *, brief: bool = False) -> None:
    """Print a run: each failure with what was asked, expected and got, then the table, the verdict and what to do next.

    In ``brief`` only the rules that are played instead, the table and the verdict.
    """
    if tell_explained(page, run.explained, spec):
        page.blank()
    if not brief:
        _print_failures(page, run, spec, show)
        print_incidents(page, run.incidents)
    _print_table(page, run)
    style = "bold yellow" if ending(run) == "part" else "bold green" if run.passed else "bold red"
    page.verdict(ending_sentence(run), style, ending_mark(run))
    if brief:
        return
    for line in told_of_tables(run):
        page.line(line)
    if overlay := pasted(run.explained, spec):
        page.blank()
        page.line(_WORDS.say("paste"))
        page.verbatim(overlay)
    _print_next(page, run, is_pasted=bool(overlay))


def _print_next(page: Page, run: Run, *, is_pasted: bool) -> None:
    """Print what its author may do next: say by which rules it plays, or have it answer one operation more."""
    file, steps = _NEXT.say("file"), list[tuple[str, list[list[str]]]]()
    check = ["belot", "check", "--profile", file, *run.target]
    otherwise = next((one.asked[0].id for one in run.explained if one.findings), None)
    if is_pasted:
        steps.append((_NEXT.say("play-so"), [check]))
    elif otherwise is not None:
        write = ["belot", "identify", "--profile", otherwise, "--write", file, *run.target]
        steps.append((_NEXT.say("have-written"), [write, check]))
    elif ending(run) == "nothing":
        steps.append((_NEXT.say("name-them"), [check]))
    left = [one for one in EASY_FIRST if one not in run.hello.operations]
    if run.passed and left and not run.narrowed:
        asks = OPERATIONS[left[0]].asks.en
        said = _NEXT.say("declare", operation=left[0], asks=asks[:1].lower() + asks[1:])
        steps.append((said, []))
    if steps and run.target:
        page.blank()
        page.line(_NEXT.say("next"))
        for said, commands in steps:
            page.line(f"- {said}", hang=2)
            for command in commands:
                page.command(join(command), indent=4)


def print_incidents(page: Page, incidents: Sequence[str]) -> None:
    """Print what went wrong at no question in particular; of many the first."""
    for incident in incidents[:_INCIDENTS]:
        page.line(f"{_WORDS.say('incident')}: {incident}", hang=3)
    if len(incidents) > _INCIDENTS:
        page.line(_WORDS.say("incidents", n=len(incidents) - _INCIDENTS))


def _print_failures(page: TerminalPage, run: Run, spec: Spec, show: int) -> None:
    """Print so many failures, or as many as anybody would read of a program that answers at great length."""
    bad, shown = failures(run.told), 0
    told: set[str] = set()
    for verdict in bad[:show]:
        print_failure(page, verdict, spec, run.asked_with, told)
        page.blank()
        shown += 1
        if page.printed > _MOST_PRINTED:
            break
    if len(bad) > shown:
        page.line(_WORDS.say("more" if shown == show else "much", n=len(bad) - shown, all=len(bad)))
        page.blank()


def print_failure(
    page: Page,
    verdict: Verdict,
    spec: Spec,
    asked_with: Sequence[str] | None = (),
    told: set[str] | None = None,
) -> None:
    """Print what was asked, expected and got in one case that went wrong, the rules it pins, and how to ask again.

    ``told`` are the rulings that stand on the page already; those of this case come to it. A question that is no case
    of the suite cannot be asked again by a name: ``asked_with`` is then ``None``.
    """
    words = _WORDS
    case = verdict.planned.case
    outcome = OUTCOME_WORDS[verdict.outcome].upper()
    page.line(f"✗ {outcome} {case.id} {case.title.en}", style="bold red")
    for label, shown in _answered(verdict):
        page.labelled(label, shown, indent=2, width=_LABEL, style="dim")
    fields = differing(verdict)
    if len(fields) > 1:
        _print_fields(page, fields, words)
    for label, shown in _grounds(verdict, spec, told if told is not None else set()):
        page.labelled(label, shown, indent=2, width=_LABEL, style="dim")
    if asked_with is not None:
        page.command(again(verdict, asked_with), words["again"], indent=2)


def print_case(page: Page, planned: Planned, spec: Spec) -> None:
    """Print a case that nobody was asked yet: the question, what is right, what that rests on, and the raw lines."""
    words, case, unasked = _WORDS, planned.case, Verdict(planned, "passed")
    page.line(f"{case.id} {case.title.en}", style="bold")
    told = [*_question(unasked), (words["expected"], wanted(unasked, words["or"]))]
    for label, shown in (*told, *_grounds(unasked, spec, set())):
        page.labelled(label, shown, indent=2, width=_LABEL, style="dim")
    page.command(again(unasked, ("--", "./my-belot")), words["check"], indent=2)
    request, replies = protocol_lines(planned)
    page.heading(words["lines"])
    page.verbatim(f"→ {request}")
    for line in replies:
        page.verbatim(f"← {line}")


def failure_text(verdict: Verdict, spec: Spec, asked_with: Sequence[str] = (), width: int = 80) -> str:
    """Return what ``print_failure`` prints, as plain text."""
    return as_text(lambda page: print_failure(page, verdict, spec, asked_with), width)


def _answered(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Yield what was asked, and what was expected and came: both whole, or the one field that differs."""
    words = _WORDS
    case, came, found = verdict.planned.case, verdict.came, differing(verdict)
    yield from _question(verdict)
    if len(case.expected) > 1 or not found:
        yield words["expected"], wanted(verdict, words["or"])
        yield words["came"], verdict.detail if came is None else brief(came, case.expected[0].message)
    elif len(found) == 1:
        one, other = ({found[0].field: value} for value in (found[0].expected, found[0].came))
        yield words["expected"], brief(one, other)
        yield words["came"], brief(other, one)


def _question(verdict: Verdict) -> Iterator[tuple[str, str]]:
    """Yield what kind of question it is, and what was asked."""
    case = verdict.planned.case
    provenance = PROVENANCE_WORDS[verdict.planned.provenance]
    yield "", f"{case.operation}, {verdict.planned.profile}, {provenance}"
    yield _WORDS.say("asked"), brief(case.input)


def wanted(verdict: Verdict, either: str) -> str:
    """Return the answers that would be right in short, each beside the one that came."""
    return f" {either} ".join(brief(one.message, verdict.came) for one in verdict.planned.case.expected)


def _grounds(verdict: Verdict, spec: Spec, told: set[str]) -> Iterator[tuple[str, str]]:
    """Yield what was refused, the rules with what they rest on, where the case comes from, and what was printed."""
    words, case = _WORDS, verdict.planned.case
    for difference in verdict.differences:
        if order_is_free(case.operation, difference.field, difference.expected) and twice_in(difference.came):
            yield words["twice"], brief(twice_in(difference.came))
    for text, meant in _no_cards([difference.came for difference in verdict.differences]):
        named = card_words(meant, "en", spec.glossary)
        yield words["no_card_label"], words["no_card"].format(text=text, card=named, name=meant)
    for place, action, moment in refused_moments(verdict, spec):
        yield words["refused"].format(at=place), brief(action)
        if moment:
            yield words["moment"], brief(moment)
    for note in notes_of(verdict, spec):
        yield words["rule"], f"{note.sentence.en} ({note.id}; {note.basis})"
    for ruling in rulings_of(verdict, spec):
        title = f"{ruling.id}, {ruling.title.en}"
        reading = words["above"] if ruling.id in told else ruling.reading.en
        told.add(ruling.id)
        yield words["ruling"], f"{title}: {reading}"
    if case.statements:
        yield words["statements"], ", ".join(as_runs(case.statements))
    if case.note is not None:
        yield words["note"], case.note.en
    if verdict.stderr:
        yield words["stderr"], verdict.stderr


def _no_cards(value: Any) -> Iterator[tuple[str, str]]:
    """Yield the texts in an answer that were meant for cards and are none, each once with the card."""
    for text in dict.fromkeys(_texts_in(value)):
        if (meant := card_meant(text)) is not None:
            yield text, meant


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(item)


def _print_fields(page: Page, found: Sequence[Difference], words: Mapping[str, str]) -> None:
    """Print the fields that differ beside what was expected and what came."""
    rows = [(one.field, brief(one.expected, one.came), brief(one.came, one.expected)) for one in found[:_FIELDS_SHOWN]]
    if len(found) > _FIELDS_SHOWN:
        rows.append((words["more_fields"].format(n=len(found) - _FIELDS_SHOWN), "", ""))
    headings = [words[heading] for heading in ("field", "expected", "came")]
    page.table(headings, rows, indent=2, label=words["differs"])


def _print_table(page: Page, run: Run) -> None:
    words = _WORDS
    columns: Mapping[str, Sequence[Outcome]] = {
        words["passed"]: ["passed"],
        words["failed"]: ["failed"],
        words["faults"]: FAULTS,
        words["unsupported"]: ["unsupported"],
    }
    tell_counts(page, run, columns)
    if any(verdict.outcome in FAULTS for verdict in run.verdicts):
        page.line(words["faults_note"], style="dim")
