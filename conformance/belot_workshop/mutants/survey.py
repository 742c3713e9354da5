"""A survey of mutants: what became of each, in figures, and where the suite is thin."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from belot_conformance.diagnosis.killing import Thin
from belot_workshop.mutants.judging import Fate, Judged

SURVEY_VERSION: Final = 1
FATES: Final[tuple[Fate, ...]] = ("killed", "survived", "equivalent")


@dataclass(frozen=True, slots=True)
class Survey:
    """The judged mutants, the thin places of the suite, what is wrong with the list of equivalents, and the time.

    ``stale`` counts the rows in which the kept kill matrix differs, ``None`` where it was not compared.
    """

    judged: Sequence[Judged]
    thin: Thin
    problems: Sequence[str]
    stale: int | None
    seconds: float

    @property
    def passed(self) -> bool:
        """Whether every mutant is killed or proved equivalent, and all that is kept about them is up to date."""
        return not self.survivors and not self.problems and not self.stale

    @property
    def survivors(self) -> list[Judged]:
        """The mutants that no case kills and no check proves equivalent."""
        return [judged for judged in self.judged if judged.fate == "survived"]


def totals(judged: Sequence[Judged]) -> dict[str, int]:
    """Return how many mutants there are, and how many of each fate."""
    found = Counter(one.fate for one in judged)
    return {"total": len(judged), **{fate: found[fate] for fate in FATES}}


def grouped(judged: Sequence[Judged], part: str) -> dict[str, dict[str, int]]:
    """Return the totals by profile or by rule, in the order in which they first occur."""
    groups: dict[str, list[Judged]] = {}
    for one in judged:
        groups.setdefault(getattr(one.row.mutant, part), []).append(one)
    return {name: totals(group) for name, group in groups.items()}


def as_json(survey: Survey) -> dict[str, Any]:
    """Return a survey as JSON values."""
    return {
        "mutants": SURVEY_VERSION,
        "passed": survey.passed,
        "seconds": round(survey.seconds, 1),
        "totals": totals(survey.judged),
        "profiles": grouped(survey.judged, "profile"),
        "rules": grouped(survey.judged, "rule"),
        "survivors": [_survivor(one) for one in survey.survivors],
        "equivalents": [_equivalent(one) for one in survey.judged if one.fate == "equivalent"],
        "rules_of_one_case": [
            {"profile": profile, "rule": rule, "case": case} for profile, rule, case in survey.thin.single
        ],
        "cases_that_kill_nothing": list(survey.thin.idle),
        "cases_never_alone": list(survey.thin.never_alone),
        "problems": list(survey.problems),
        "stale_rows": survey.stale,
    }


def _named(one: Judged) -> dict[str, Any]:
    mutant = one.row.mutant
    return {
        "id": mutant.id,
        "profile": mutant.profile,
        "rule": mutant.rule,
        "value": mutant.value,
        "change": mutant.change,
        **({"also": dict(mutant.also)} if mutant.also else {}),
    }


def _survivor(one: Judged) -> dict[str, Any]:
    difference = None if one.proof is None else one.proof.difference
    found = {
        "operation": difference.operation,
        "input": dict(difference.question),
        "expected": dict(difference.expected),
        "came": dict(difference.came),
    } if difference else None  # fmt: skip
    return {**_named(one), "cases_asked": one.row.asked, "difference": found}


def _equivalent(one: Judged) -> dict[str, Any]:
    assert one.entry is not None
    assert one.proof is not None
    return {**_named(one), "reason": one.entry.reason.as_json(), "check": one.entry.check, "trials": one.proof.trials}
