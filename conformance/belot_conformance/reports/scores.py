"""Scores: what a program passes, beside programs that know nothing."""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from belot_conformance.suite.baselines import OWN, BaselineScore, baselines
from belot_conformance.text.page import Page
from belot_spec.words import English

_WORDS: Final = English(__name__, "scores")
# As wide as 100.0%.
_WIDTH: Final = 6


def print_scores(page: Page, scores: Mapping[str, BaselineScore], own: str | None = None) -> None:
    """Print one column of percentages for each score, narrow enough for seven of them in 80 columns.

    Where the program is called by its ``own`` name, the number of cases and what a score is stand elsewhere.
    """
    words, asked = _WORDS, next(iter(scores.values())).asked
    titles = score_titles(own or _WORDS["yours"])

    def row(title: str, number: str, shown: Iterable[str]) -> list[str]:
        return [title, *([] if own else [number]), *shown]

    rows = [row(one, str(n), (percentage(score.share(one)) for score in scores.values())) for one, n in asked.items()]
    total = row(words["all"], str(sum(asked.values())), (percentage(score.share()) for score in scores.values()))
    headings = row(words["operation"], words["cases"], (titles[name] for name in scores))
    page.blank()
    page.table(headings, rows, total=total, width=_WIDTH)
    if not own:
        page.line(words["explained"], style="dim")


def score_titles(own: str) -> dict[str, str]:
    """Return the heading of each score by its name; ``own`` is that of the program's."""
    return {OWN: own, **{baseline.id: baseline.title for baseline in baselines()}}


def percentage(share: float) -> str:
    """Return a part from 0 to 1 as text with one decimal; never 100.0 % for what is not the whole."""
    return f"{min(share * 100, 99.9) if share < 1 else 100:.1f}%"


def scores_json(scores: Mapping[str, BaselineScore]) -> dict[str, Any]:
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
