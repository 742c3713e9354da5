"""A survey of mutants for people at a terminal, in English or Dutch, within 80 columns."""

import json
from collections.abc import Mapping
from typing import Final

from belot_conformance.text.brief import brief
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language
from belot_spec.words import Words
from belot_workshop.mutants.judging import Judged
from belot_workshop.mutants.survey import FATES, Survey, grouped, totals

_WORDS: Final = Words(__name__, "survey")


def print_survey(page: Page, survey: Survey, language: Language, show: int) -> None:
    """Print the survivors, the figures by profile, where the suite is thin, and the verdict."""
    words = _WORDS.in_language(language)
    survivors = survey.survivors
    for one in survivors[:show]:
        _print_survivor(page, one, words)
    if len(survivors) > show:
        page.line(words["more"].format(n=len(survivors) - show, all=len(survivors)))
    _print_table(page, survey, words)
    _print_thin(page, survey, words)
    for problem in survey.problems:
        page.line(problem, style="bold red")
    if survey.stale:
        page.line(words["stale"].format(n=survey.stale), style="bold red")
    counts = words["counts"].format(**totals(survey.judged))
    verdict = words["ok" if survey.passed else "bad"].format(counts=counts, seconds=survey.seconds)
    page.verdict(verdict, "bold green" if survey.passed else "bold red")


def _print_survivor(page: Page, one: Judged, words: Mapping[str, str]) -> None:
    mutant, proof = one.row.mutant, one.proof
    page.line(f"✗ {words['survivor']} {mutant.rule}, {mutant.profile}", style="bold red")
    page.labelled(words["value"], json.dumps(mutant.value, ensure_ascii=False), indent=2, width=9)
    page.labelled(words["change"], mutant.change, indent=2, width=9)
    if proof is not None and proof.difference is not None:
        found = proof.difference
        page.labelled(words["asked"], f"{found.operation}: {brief(found.question)}", indent=2, width=9)
        page.labelled(words["expected"], brief(found.expected), indent=2, width=9)
        page.labelled(words["came"], brief(found.came), indent=2, width=9)
    elif proof is not None:
        unlisted = words["unlisted"].format(n=proof.trials)
        said = unlisted if one.entry is None else words["unproved"].format(check=one.entry.check)
        page.line(said, indent=2)
    page.blank()


def _print_table(page: Page, survey: Survey, words: Mapping[str, str]) -> None:
    rows = [(profile, *_numbers(counts)) for profile, counts in grouped(survey.judged, "profile").items()]
    headings = [words[name] for name in ("profile", "total", *FATES)]
    page.table(headings, rows, total=(words["all"], *_numbers(totals(survey.judged))))


def _numbers(counts: Mapping[str, int]) -> list[str]:
    return [str(counts[key]) if counts[key] else "·" for key in ("total", *FATES)]


def _print_thin(page: Page, survey: Survey, words: Mapping[str, str]) -> None:
    thin = survey.thin
    if thin.single:
        page.heading(words["single"])
        for profile, rule, case in thin.single:
            page.line(f"{rule}, {profile}: {case}", indent=2, hang=2)
    if thin.idle:
        page.heading(words["idle"])
        page.line(" ".join(thin.idle), indent=2)
    if thin.never_alone:
        page.blank()
        page.line(words["alone"].format(n=len(thin.never_alone)))
