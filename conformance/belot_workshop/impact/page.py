"""An impact for people in English or Dutch: at a terminal, within 80 columns, or as Markdown for a review."""

from collections.abc import Mapping
from typing import Any, Final

from belot_conformance.changes.diff_page import worth_sentence
from belot_conformance.contrast.probe import Contrast
from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import text_of
from belot_spec.languages import Language
from belot_workshop.impact.impact import ChangedCase, Impact, RuleImpact
from belot_workshop.impact.words import Telling

_SHOWN: Final = 10
# Where they are folded away.
_SHOWN_FOLDED: Final = 100
_LABEL: Final = 10


def print_impact(page: Page, found: Impact, language: Language) -> None:
    """Print the rules that differ with their smallest positions, the cases, and what was simulated."""
    told = Telling(found, language)
    page.title(told.title())
    if found.interrupted:
        page.line(told.word("interrupted"), style="bold red")
    if not found.rules:
        page.line(told.word("same"))
        return
    page.heading(f"{told.word('rules')} ({len(found.rules)})")
    for rule in found.rules:
        page.blank()
        _print_rule(page, rule, told)
    _print_cases(page, told)
    _print_simulation(page, told)


def _print_rule(page: Page, rule: RuleImpact, told: Telling) -> None:
    before, after = rule.rule["values"]
    page.line(f"{text_of(rule.rule['title']).in_language(told.language)} ({rule.id})", indent=2, hang=2, style="bold")
    page.labelled(told.word("before"), told.value(before), indent=4, width=_LABEL)
    page.labelled(told.word("after"), told.value(after), indent=4, width=_LABEL)
    for line in told.cases_of(rule.id):
        page.line(line, indent=4)
    for worth in told.found.worth.get(rule.id, ()):
        page.line(worth_sentence(worth, told.language), indent=4, hang=2)
    if rule.alone is None:
        page.line(told.word("with_others"), indent=4, hang=2)
    shown = (told.found.shown or {}).get(rule.id)
    if shown is None:
        page.line(f"{told.word('shows')}: {told.word('not_done')}", indent=4)
    elif shown.position is None:
        page.line(told.unshown(shown.tried), indent=4, hang=2)
    else:
        _print_position(page, shown.position, told)


def _print_position(page: Page, position: Contrast, told: Telling) -> None:
    page.line(f"{told.word('shows')} ({position.operation}):", indent=4)
    page.labelled(told.word("asked"), brief(position.input), indent=6, width=_LABEL)
    _print_answers(page, position.before, position.after, told)


def _print_answers(page: Page, before: Mapping[str, Any], after: Mapping[str, Any], told: Telling) -> None:
    for name, text in zip(("before", "after"), told.answers(before, after), strict=True):
        page.labelled(told.word(name), text, indent=6, width=_LABEL)


def _print_cases(page: Page, told: Telling) -> None:
    cases = told.found.cases
    if cases is None:
        page.heading(f"{told.word('cases')} {told.word('not_done')}")
        return
    counted = told.word("of", n=len(cases), all=told.found.cases_asked)
    page.heading(f"{told.word('cases')} ({counted})", fold="closed")
    if not cases:
        page.line(told.word("no_case"), indent=2)
    shown = _SHOWN_FOLDED if page.folds else _SHOWN
    for one in cases[:shown]:
        _print_case(page, one, told)
    if len(cases) > shown:
        page.line(told.word("more", n=len(cases) - shown), indent=2)


def _print_case(page: Page, one: ChangedCase, told: Telling) -> None:
    page.line(f"{one.case.id} {one.case.title.in_language(told.language)}", indent=2, hang=2)
    _print_answers(page, one.before, one.after, told)
    page.labelled(told.word("by"), ", ".join(one.rules), indent=6, width=_LABEL)


def _print_simulation(page: Page, told: Telling) -> None:
    if told.found.simulated is None:
        page.heading(f"{told.word('simulation')} {told.word('not_done')}")
        return
    page.heading(told.word("simulation"))
    page.line(told.players(), indent=2)
    page.blank()
    others = [told.word("interval"), told.word("number")]
    page.table(
        [told.word("otherwise"), told.word("share"), *others], [row.cells for row in told.share_rows()], indent=2
    )
    page.blank()
    page.line(told.points_title(), indent=2, style="bold")
    page.table(["", told.word("mean"), *others], [row.cells for row in told.mean_rows()], indent=2)
    page.blank()
    for note in told.notes():
        page.line(note, indent=2, hang=2, style="dim")
