"""An impact for people in English or Dutch: at a terminal, within 80 columns, or as Markdown for a review."""

from typing import Final

from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_workshop.changes.worth import worth_sentence
from belot_workshop.impact.impact import ChangedCase, ChangedRule, Impact, figures
from belot_workshop.impact.simulation import MOST_DEALS
from belot_workshop.impact.smallest_position import Position
from belot_workshop.impact.words import (
    answers_words,
    cases_line,
    cases_of,
    columns,
    mean_rows,
    notes,
    players_line,
    points_title,
    share_rows,
    title,
    unshown_line,
    value_sentence,
    word,
)

_SHOWN: Final = 10
# Where they are folded away.
_SHOWN_FOLDED: Final = 100
_LABEL: Final = 10


def print_impact(page: Page, found: Impact, language: Language) -> None:
    """Print the rules that differ with their smallest positions, the cases, and what was simulated."""
    page.title(title(found, language))
    if found.interrupted:
        page.line(word("interrupted", language), style="bold red")
    if not found.rules:
        page.line(word("same", language))
        return
    page.heading(f"{word('rules', language)} ({len(found.rules)})")
    for rule in found.rules:
        page.blank()
        _print_rule(page, rule, found, language)
    _print_cases(page, found, language)
    _print_simulation(page, found, language)


def _print_rule(page: Page, rule: ChangedRule, found: Impact, language: Language) -> None:
    before, after = rule.rule["values"]
    page.line(f"{rule.rule['title'][language]} ({rule.id})", indent=2, hang=2, style="bold")
    page.labelled(word("before", language), value_sentence(before, language), indent=4, width=_LABEL)
    page.labelled(word("after", language), value_sentence(after, language), indent=4, width=_LABEL)
    number = cases_of(found, rule.id)
    if number:
        page.line(cases_line(number, language), indent=4)
    for worth in found.worth.get(rule.id, ()):
        page.line(worth_sentence(worth, language), indent=4, hang=2)
    if rule.alone is None:
        page.line(word("with_others", language), indent=4, hang=2)
    shown = (found.shown or {}).get(rule.id)
    if shown is None:
        page.line(f"{word('shows', language)}: {word('not_done', language)}", indent=4)
    elif shown.position is None:
        page.line(unshown_line(shown.tried, language), indent=4, hang=2)
    else:
        _print_position(page, shown.position, language)


def _print_position(page: Page, position: Position, language: Language) -> None:
    page.line(f"{word('shows', language)} ({position.operation}):", indent=4)
    page.labelled(word("asked", language), brief(position.question), indent=6, width=_LABEL)
    before, after = answers_words(position.before, position.after, language)
    page.labelled(word("before", language), before, indent=6, width=_LABEL)
    page.labelled(word("after", language), after, indent=6, width=_LABEL)


def _print_cases(page: Page, found: Impact, language: Language) -> None:
    if found.cases is None:
        page.heading(f"{word('cases', language)} {word('not_done', language)}")
        return
    counted = word("of", language, n=len(found.cases), all=found.cases_asked)
    page.heading(f"{word('cases', language)} ({counted})", fold="closed")
    if not found.cases:
        page.line(word("no_case", language), indent=2)
    shown = _SHOWN_FOLDED if page.folds else _SHOWN
    for one in found.cases[:shown]:
        _print_case(page, one, language)
    if len(found.cases) > shown:
        page.line(word("more", language, n=len(found.cases) - shown), indent=2)


def _print_case(page: Page, one: ChangedCase, language: Language) -> None:
    page.line(f"{one.case.id} {one.case.title.in_language(language)}", indent=2, hang=2)
    before, after = answers_words(one.before, one.after, language)
    page.labelled(word("before", language), before, indent=6, width=_LABEL)
    page.labelled(word("after", language), after, indent=6, width=_LABEL)
    page.labelled(word("by", language), ", ".join(one.rules), indent=6, width=_LABEL)


def _print_simulation(page: Page, found: Impact, language: Language) -> None:
    if found.simulated is None:
        page.heading(f"{word('simulation', language)} {word('not_done', language)}")
        return
    page.heading(word("simulation", language))
    page.line(players_line(found, language), indent=2)
    page.blank()
    known = figures(found.simulated.sums)
    headings = [word(name, language) for name in ("share", "interval", "number")]
    page.table([word("otherwise", language), *headings], columns(share_rows(known, language)), indent=2)
    page.blank()
    headings[0] = word("mean", language)
    page.line(points_title(found, language), indent=2, style="bold")
    page.table(["", *headings], columns(mean_rows(known, language)), indent=2)
    page.blank()
    for note in (*notes(found, known, language, MOST_DEALS), word("defined", language)):
        page.line(note, indent=2, hang=2, style="dim")
