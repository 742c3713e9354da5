"""Scores: what a program passes, beside programs that know nothing."""

from collections.abc import Mapping
from typing import Any

from belot_conformance.suite.baselines import OWN, BaselineScore, baselines


def scores_told(scores: Mapping[str, BaselineScore], own: str = "") -> dict[str, Any]:
    """Return for ``scores.j2`` one column of percentages for each score.

    Where the program is called by its ``own`` name, the number of cases and what a score is stand elsewhere.
    """
    asked = next((score.asked for score in scores.values()), {})
    rows: list[tuple[str, int, str | None]] = [(name, n, name) for name, n in asked.items()]
    return {
        "scores": scores,
        "own": own,
        "titles": score_titles(own or "yours"),
        "score_rows": [
            (title, n, [percentage(score.share(name)) for score in scores.values()])
            for title, n, name in [*rows, ("all", sum(asked.values()), None)]
        ],
    }


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
