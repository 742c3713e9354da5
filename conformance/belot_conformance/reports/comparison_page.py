"""What changed between two reports, for people: at a terminal, and as Markdown."""

from collections.abc import Iterator
from typing import Final

from belot_conformance.reports.comparison import Change, Changed, ChangedRule, Comparison, Report
from belot_conformance.reports.words import OUTCOME_WORDS
from belot_conformance.suite.verdicts import Outcome
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words

_MOST_LISTED: Final = 200
_WORDS: Final = Words(__name__, "comparison")
_CHANGES: Final[tuple[Change, ...]] = ("worse", "better", "other")


def print_comparison(page: Page, found: Comparison, language: Language) -> None:
    """Tell what got worse first, then what got better, the rules, and the cases in one report only."""
    page.title(f"{_run(found.old)} → {_run(found.new)}")
    for line in _unlike(found, language):
        page.line(f"! {line}", hang=2)
    for name, lines in _sections(found, language):
        title = f"{_WORDS.say(name, language)} ({len(lines)})"
        page.heading(title, fold="open" if name == "worse" else "closed")
        for line in lines[:_MOST_LISTED]:
            page.line(line, indent=2, hang=2)
        if len(lines) > _MOST_LISTED:
            page.line(_WORDS.say("more", language, n=len(lines) - _MOST_LISTED), indent=2)
    page.verdict(_sum(found, language), "bold red" if found.of("worse") else "bold")


def _sections(found: Comparison, language: Language) -> Iterator[tuple[str, list[str]]]:
    """Yield the parts that hold anything: their name and their lines."""
    parts: dict[str, list[str]] = {change: [_changed(one, language) for one in found.of(change)] for change in _CHANGES}
    parts |= {"rules": [_rule(rule, language) for rule in found.rules]}
    parts |= {"appeared": [_alone(case, language) for case in found.appeared]}
    parts |= {"gone": [_alone(case, language) for case in found.gone]}
    for name, lines in parts.items():
        if lines:
            yield name, lines


def _run(report: Report) -> str:
    return f"{report['target']['name']} {report['target']['version']} (suite {report['suite']})"


def _unlike(found: Comparison, language: Language) -> Iterator[str]:
    for key, old, new in found.unlike:
        yield f"{_WORDS[key].in_language(language)}: {old} → {new}"


def _changed(one: Changed, language: Language) -> str:
    return f"{_case(one.case, language)}: {_outcome(one.before, language)} → {_outcome(one.after, language)}"


def _alone(case: Report, language: Language) -> str:
    return f"{_case(case, language)}: {_outcome(case['outcome'], language)}"


def _case(case: Report, language: Language) -> str:
    return f"{case['id']} {case['title'][language]} ({case['operation']}, {case['profile']})"


def _outcome(name: Outcome, language: Language) -> str:
    return OUTCOME_WORDS[name].in_language(language)


def _rule(rule: ChangedRule, language: Language) -> str:
    sign = "▲" if rule.after > rule.before else "▼"
    passed = _WORDS["passed"].in_language(language)
    return f"{sign} {rule.id}: {passed.format(before=rule.before, cases=rule.cases, after=rule.after)}"


def _sum(found: Comparison, language: Language) -> str:
    worse, better = len(found.of("worse")), len(found.of("better"))
    sign = "✗" if worse else "✓"
    if not found.both:
        return f"! {_WORDS['none'].in_language(language)}"
    if not worse and not better:
        return f"{sign} {_WORDS['same'].in_language(language)}"
    return f"{sign} {_WORDS.say('sum', language, worse=worse, better=better, both=found.both)}"
