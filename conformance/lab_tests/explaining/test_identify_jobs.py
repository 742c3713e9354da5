"""A search shared among processes finds the same however many there are, and all of them keep to its seconds."""

import os
from collections.abc import Iterator
from dataclasses import replace
from time import process_time

import pytest

from belot_conformance.identify.budget import BUDGET, IdentifyBudget, clock
from belot_conformance.identify.evidence import Observation
from belot_conformance.identify.hypothesis import Changes, Fit, Scorer
from belot_conformance.identify.identification import Identification, Identified
from belot_conformance.identify.sharing import shared
from belot_conformance.programs.reference import put
from belot_conformance.questions.stream import random_questions
from belot_reference.compile import compile_profile
from belot_spec.shipped import default_spec

SPEC = default_spec()
ASKED = SPEC.profile("bela-4")
HOUSE = {
    "scoring.all-tricks.points": 250,
    "scoring.tie": "each-keeps-own",
    "play.void.opponent-ruffed": ["any"],
    "match.target": 701,
}
JOBS = (1, 2, 3)


def played(deals: int) -> list[Observation]:
    """What a program says that plays house rules, and gets every seventh result wrong in its last number."""
    rules = compile_profile(ASKED.with_values("house", HOUSE, SPEC.rules))
    found = []
    for number, (operation, question) in enumerate(random_questions(compile_profile(ASKED), deals, 3)):
        [(kind, value)] = put(operation, rules, question).message().items()
        if number % 7 == 0 and kind == "result" and "score" in value:
            value = {**value, "score": [one + 1 for one in value["score"]]}
        found.append(Observation(f"q-{number}", operation, question, kind, value))
    return found


@pytest.fixture(scope="module")
def observations() -> list[Observation]:
    return played(3)


def told(found: Identified) -> object:
    rules = [(one.rule, one.value, one.right, one.values, one.alike) for one in found.findings]
    return [one.id for one in found.bases], rules, sorted(found.wrong), found.tried, found.groups


def test_a_search_finds_the_same_after_the_same_work_however_many_share_it(observations: list[Observation]) -> None:
    budget = replace(BUDGET, patience=600, retelling=200, work=20_000)
    each = [
        told(Identification(observations, SPEC, budget=replace(budget, jobs=jobs)).anywhere([SPEC.profile("belotten")]))
        for jobs in JOBS
    ]
    assert each[0] == each[1] == each[2]
    assert set(HOUSE) & {rule for rule, *_ in each[0][1]}  # type: ignore[index]


def charged(of: tuple[Scorer, Changes], places: list[int]) -> tuple[float, int]:
    """What it costs one part to look at some answers, and in which process."""
    scorer, changes = of
    before = scorer.effort
    state = scorer.state({})
    assert state is not None
    fits: Iterator[Fit | None] = (scorer.fit_after(state, changes, place) for place in places)
    assert all(fits)
    spent, scorer.effort = scorer.effort - before, before
    return spent, os.getpid()


@pytest.mark.parametrize("jobs", JOBS)
def test_a_part_is_charged_for_what_another_worked_out_in_the_same_round(
    observations: list[Observation], jobs: int
) -> None:
    scorer = Scorer([ASKED], observations, SPEC, {})
    scorer.state({})
    changes = {scorer.slot(0, "match.target"): 701, scorer.slot(0, "scoring.all-tricks.points"): 250}
    budget = IdentifyBudget(jobs=jobs)
    parts = [[*range(len(scorer.observations))]] * 3
    first = [*shared(charged, (scorer, changes), scorer, parts, budget)]
    assert first[0][0] > 0
    assert {spent for spent, _ in first} == {first[0][0]}
    assert (os.getpid() in {process for _, process in first}) == (jobs == 1)
    # In the next round all of it is known, whoever worked it out.
    assert {spent for spent, _ in shared(charged, (scorer, changes), scorer, parts, budget)} == {0}


def busy(_of: None, seconds: float) -> float:
    ends_at = process_time() + seconds
    while process_time() < ends_at:
        pass
    return clock()


def test_the_seconds_are_those_of_all_processes_together() -> None:
    scorer = Scorer([ASKED], [], SPEC, {})
    budget = IdentifyBudget(seconds=2.0, jobs=2).begun()
    before, own = clock(), process_time()
    [*_] = shared(busy, None, scorer, [0.3, 0.3], budget)
    assert clock() - before >= 0.6 > process_time() - own
    # And what is left is shared out among those that run at once.
    left = budget.ends_at - clock()
    [*clocks] = shared(busy, None, scorer, [0.1, 0.1], budget)
    assert all(budget.ends_at - each <= left / 2 for each in clocks)


def test_what_is_done_for_a_share_that_nobody_waits_for_counts_too() -> None:
    def children() -> float:
        return os.times().children_user + os.times().children_system

    scorer, budget = Scorer([ASKED], [], SPEC, {}), IdentifyBudget(seconds=60.0, jobs=2).begun()
    before, own, others = clock(), process_time(), children()
    coming = shared(busy, None, scorer, [0.3, 30.0], budget)
    next(coming)
    coming.close()
    spent = process_time() - own + children() - others
    assert clock() - before == pytest.approx(spent, abs=0.05)
    assert children() - others > 0.3


def twice(of: Scorer, seconds: float) -> set[float]:
    """The processes of a round within a round."""
    return {*shared(process_of, None, of, [seconds, seconds], IdentifyBudget(jobs=2))}


def process_of(_of: None, _share: float) -> float:
    return os.getpid()


def test_one_that_shares_a_search_shares_no_part_of_it_further() -> None:
    scorer = Scorer([ASKED], [], SPEC, {})
    for processes in shared(twice, scorer, scorer, [0.0, 1.0], IdentifyBudget(jobs=2)):
        assert len(processes) == 1
        assert os.getpid() not in processes


def test_a_search_leaves_half_of_the_seconds_for_what_is_asked_then() -> None:
    budget = IdentifyBudget(seconds=10.0).begun()
    left = budget.ends_at - clock()
    assert budget.half.ends_at - clock() == pytest.approx(left / 2, abs=0.1)
    assert IdentifyBudget().half == IdentifyBudget()
