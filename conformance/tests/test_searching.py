"""Searching for questions that tell other values: the same ones whoever searches, and no more deals than can show them."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from belot_conformance.house_suite.questions import TableBudget
from belot_conformance.house_suite.table import Rounds, Sought, fewest
from belot_conformance.mistakes.mutations import Mutant
from belot_conformance.programs.shape import Shape
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.questions.stream import random_questions
from belot_spec.profile_name import ProfileName
from belot_spec.spec import Spec

LAST_TRICK = Mutant(ProfileName("bela-4"), "scoring.last-trick", 20, "")
TARGET = Mutant(ProfileName("bela-4"), "match.target", 900, "")
UNSEEN = Mutant(ProfileName("bela-4"), "presentation.direction", "clockwise", "")


FEW_DEALS = TableBudget(first=12, further=4, by_the_other=2, a_share=4)


def searched(
    spec: Spec, sought: Sequence[Sought], jobs: int = 1, operations: Sequence[str] = tuple(OPERATIONS)
) -> list[Sought]:
    return Rounds(spec.profile("bela-4"), frozenset(operations), Shape(), jobs, FEW_DEALS).all(sought)


def test_the_same_questions_are_found_by_one_process_and_by_two(spec: Spec) -> None:
    sought = [Sought(one) for one in (LAST_TRICK, TARGET, UNSEEN)]
    alone, together = (searched(spec, sought, jobs) for jobs in (1, 2))
    assert alone == together
    assert [one.found is not None for one in alone] == [True, True, False]
    assert alone[2].tried == 0


def test_one_question_serves_for_every_value_that_it_tells(spec: Spec) -> None:
    other = Mutant(ProfileName("bela-4"), "scoring.last-trick", 11, "")
    first, second = fewest(searched(spec, [Sought(LAST_TRICK), Sought(other)]), spec.profile("bela-4"))
    assert first.found is not None
    assert first.found == second.found
    assert first.found.id.startswith("found-")


def test_what_is_known_to_need_another_operation_is_sought_only_in_those_that_are_declared(
    spec: Spec, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[frozenset[str]] = []

    def noted(rules: Any, deals: int, seed: int, wanted: frozenset[str]) -> Iterator[Question]:
        drawn.append(wanted)
        return random_questions(rules, deals, seed, wanted)

    monkeypatch.setattr("belot_conformance.contrast.probe.random_questions", noted)
    (one,) = searched(spec, [Sought(TARGET, undeclared="match")], operations=("card-points", "bidding"))
    assert (one.found, one.undeclared) == (None, "match")
    # Neither operation consults the target, so that nothing is drawn after the first deals.
    assert drawn == [frozenset(("card-points", "bidding"))] * 3
