"""Scores side by side, for people: a program's own beside those of programs that know nothing."""

from collections.abc import Mapping
from typing import Any, Final

from belot_conformance.suite.baselines import OWN, Score, baselines
from belot_conformance.text.page import Page
from belot_spec.catalogue import Language, Text
from belot_spec.words import Words

_WORDS: Final = Words(__name__, "scores")
# As wide as 100.0%.
_WIDTH: Final = 6


def print_scores(page: Page, scores: Mapping[str, Score], language: Language) -> None:
    """Print one column of percentages for each score, narrow enough for seven of them in 80 columns."""
    titles = score_titles("") | {OWN: _WORDS["yours"]}
    first = next(iter(scores.values()))
    words = _WORDS.in_language(language)
    headings = [words["operation"], words["cases"], *(titles[name].in_language(language) for name in scores)]
    rows = [
        (operation, str(number), *(percentage(score.share(operation)) for score in scores.values()))
        for operation, number in first.asked.items()
    ]
    shares = (percentage(score.share()) for score in scores.values())
    page.blank()
    page.table(headings, rows, total=(words["all"], str(sum(first.asked.values())), *shares), width=_WIDTH)
    page.line(words["explained"], style="dim")


def score_titles(own: str) -> dict[str, Text]:
    """Return the heading of each score by its name; ``own`` is that of the program's."""
    return {OWN: Text(own, own), **{baseline.id: baseline.title for baseline in baselines()}}


def percentage(share: float) -> str:
    """Return a part from 0 to 1 as text with one decimal; never 100.0 % for what is not the whole."""
    return f"{min(share * 100, 99.9) if share < 1 else 100:.1f}%"


def scores_json(scores: Mapping[str, Score]) -> dict[str, Any]:
    """Return scores as JSON values: per score the cases passed and asked, of each operation and in all."""
    return {
        name: {
            "passed": sum(score.passed.values()),
            "asked": sum(score.asked.values()),
            "operations": {
                operation: {"passed": score.passed[operation], "asked": asked}
                for operation, asked in score.asked.items()
            },
        }
        for name, score in scores.items()
    }
