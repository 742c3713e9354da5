"""The report of a run for people at a terminal, within 80 columns."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from shlex import join
from typing import Any, Final

from belot_conformance.questions.operations import EASY_FIRST, OPERATIONS
from belot_conformance.reports.explained import pasted, said_first
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
    ENDING_SIGNS,
    ENDING_WORDS,
    counts_told,
    ending_sentence,
    told_of_tables,
)
from belot_conformance.rules.reading import as_runs
from belot_conformance.suite.export import protocol_lines
from belot_conformance.suite.judge import order_is_free, twice_in
from belot_conformance.suite.verdicts import Outcome, Planned, Verdict
from belot_conformance.text.page import Page
from belot_conformance.text.template import filled, tell, tell_lines
from belot_conformance.text.terminal import as_text
from belot_spec.card_names import card_meant
from belot_spec.spec import Spec
from belot_spec.wording import card_words

LABEL: Final = 9
# In characters: after so many, further failures are counted only.
_MOST_PRINTED: Final = 1_000_000
_FILE: Final = "house-rules.yaml"
_COLUMNS: Final[Mapping[str, Collection[Outcome]]] = {
    "passed": ["passed"],
    "failed": ["failed"],
    "faults": FAULTS,
    "unsupp.": ["unsupported"],
}


def print_report(page: Page, run: Run, spec: Spec, show: int = 0, *, brief: bool = False) -> None:
    """Print a run: each failure with what was asked, expected and got, then the table, the verdict and what to do next.

    In ``brief`` only the rules that are played instead, the table and the verdict.
    """
    if tell_lines(page, said_first(run.explained, spec)):
        page.blank()
    if not brief:
        _print_failures(page, run, spec, show)
    how, check = ending(run), ["belot", "check", "--profile", _FILE, *run.target]
    otherwise = next((one.asked[0].id for one in run.explained if one.findings), None)
    left = [one for one in EASY_FIRST if one not in run.hello.operations]
    asks = OPERATIONS[left[0]].asks.en if run.passed and left and not run.narrowed else ""
    tell(
        page,
        "report.j2",
        run=run,
        is_brief=brief,
        incidents=run.incidents,
        has_faults=any(verdict.outcome in FAULTS for verdict in run.verdicts),
        how=how,
        mark=f"{ENDING_SIGNS[how]} {ENDING_WORDS[how]}",
        sentence=ending_sentence(run),
        told=told_of_tables(run),
        overlay=pasted(run.explained, spec),
        otherwise=otherwise,
        write=join(["belot", "identify", "--profile", otherwise or "", "--write", _FILE, *run.target]),
        check=join(check),
        left=left,
        asks=asks[:1].lower() + asks[1:],
        **counts_told(run, _COLUMNS),
    )


def _print_failures(page: Page, run: Run, spec: Spec, show: int) -> None:
    """Print so many failures, or as many as anybody would read of a program that answers at great length."""
    bad, shown, printed = failures(run.told), 0, 0
    told: set[str] = set()
    for verdict in bad[:show]:
        text = filled("failure.j2", **case_told(verdict, spec, run.asked_with, told))
        tell_lines(page, f"{text}\n", LABEL)
        shown, printed = shown + 1, printed + len(text)
        if printed > _MOST_PRINTED:
            break
    if more := len(bad) - shown:
        said = f"… and {more} more; --show {len(bad)} prints them all, --format json everything."
        if shown < show:
            said = f"… and {more} more of {len(bad)}; this is long enough, and --format json has everything."
        page.line(said)
        page.blank()


def case_told(
    verdict: Verdict, spec: Spec, asked_with: Sequence[str] | None, told: set[str] | None = None
) -> dict[str, Any]:
    """Return for ``failure.j2`` what is told of one case.

    ``told`` are the rulings that stand on the page already; those of this case come to it. A question that is no case
    of the suite cannot be asked again by a name: ``asked_with`` is then ``None``.
    """
    case, rulings = verdict.planned.case, rulings_of(verdict, spec)
    free = (one for one in verdict.differences if order_is_free(case.operation, one.field, one.expected))
    known = frozenset(told or ())
    if told is not None:
        told.update(ruling.id for ruling in rulings)
    meant = dict.fromkeys(_texts_in([difference.came for difference in verdict.differences]))
    return {
        "is_asked": True,
        "verdict": verdict,
        "case": case,
        "fields": differing(verdict),
        "twice": [cards for one in free if (cards := twice_in(one.came))],
        "no_cards": [
            (text, card, card_words(card, "en", spec.glossary)) for text in meant if (card := card_meant(text))
        ],
        "moments": refused_moments(verdict, spec),
        "rules": notes_of(verdict, spec),
        "rulings": rulings,
        "told": known,
        "statements": as_runs(case.statements),
        "again": "" if asked_with is None else again(verdict, asked_with),
    }


def _texts_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _texts_in(item)


def print_failure(
    page: Page, verdict: Verdict, spec: Spec, asked_with: Sequence[str] | None = (), told: set[str] | None = None
) -> None:
    """Print what was asked, expected and got in one case that went wrong, the rules it pins, and how to ask again."""
    tell(page, "failure.j2", width=LABEL, **case_told(verdict, spec, asked_with, told))


def print_case(page: Page, planned: Planned, spec: Spec) -> None:
    """Print a case that nobody was asked yet: the question, what is right, what that rests on, and the raw lines."""
    request, replies = protocol_lines(planned)
    told = case_told(Verdict(planned, "passed"), spec, ("--", "./my-belot"))
    lines = {"request": request, "replies": replies}
    tell(page, "failure.j2", width=LABEL, **{**told, "is_asked": False, "lines": lines})


def failure_text(verdict: Verdict, spec: Spec, asked_with: Sequence[str] = (), width: int = 80) -> str:
    """Return what ``print_failure`` prints, as plain text."""
    return as_text(lambda page: print_failure(page, verdict, spec, asked_with), width)
