"""Programs that know nothing: every reply has the right form, and none of them plays belot."""

import json

import pytest

from belot_conformance.programs.protocol import Hello
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.reports.scores import percentage
from belot_conformance.suite.baselines import Baseline, BaselineScore, baseline_scores, baselines, score_of
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import Outcome, Planned, Verdict
from belot_spec.load.schemas import is_valid
from belot_spec.profile_name import ProfileName
from suite_testing import Belot

IDS = ["all-legal", "first-card", "no-declarations", "always-accept", "always-refuse", "random"]


@pytest.fixture(scope="module")
def plan(cases: list[Case]) -> list[Planned]:
    return [Planned(case, case.profile) for case in cases if case.origin != "derived"]


@pytest.mark.parametrize("baseline", baselines(), ids=lambda one: one.id)
def test_replies_of_baselines_have_their_form(baseline: Baseline, cases: list[Case], reference: Reference) -> None:
    assert baseline.replies.keys() == OPERATIONS.keys()
    for case in cases[::3]:
        reply = baseline.replies[case.operation](reference.ruleset(case.profile), case.input)
        assert is_valid({"id": case.id, **reply}, "protocol-reply"), (case.id, reply)
        if "result" in reply:
            assert is_valid(reply["result"], "protocol-operations", f"{case.operation}-result"), (case.id, reply)


def test_no_baseline_plays_belot_and_only_what_a_program_declares_is_counted(plan: list[Planned]) -> None:
    scores = baseline_scores(plan)
    assert [*scores] == IDS
    for score in scores.values():
        assert sum(score.asked.values()) == len(plan)
        assert 0 < score.share() < 0.3
        assert all(score.share(operation) < 0.6 for operation in score.asked)
    few = plan[:300]
    assert baseline_scores(few, seed=1) == baseline_scores(few, seed=1)
    assert baseline_scores(few, seed=1)["random"] != baseline_scores(few, seed=2)["random"]
    hello = Hello(1, "small", "1", "C", (ProfileName("bela-4"),), ("trick-winner",))
    number = sum(one.profile == "bela-4" and one.case.operation == "trick-winner" for one in plan)
    declared = baseline_scores(plan, hello=hello).values()
    assert {tuple(score.asked.items()) for score in declared} == {(("trick-winner", number),)}


def test_a_baseline_says_what_it_is_named_after(cases: list[Case], reference: Reference) -> None:
    replies = {one.id: one.replies for one in baselines()}
    rules = reference.ruleset("bela-4")
    question = next(case.input for case in cases if case.operation == "legal-cards" and len(case.input["hand"]) > 2)
    assert replies["all-legal"]["legal-cards"](rules, question) == {"result": {"cards": question["hand"]}}
    assert replies["first-card"]["legal-cards"](rules, question) == {"result": {"cards": question["hand"][:1]}}
    hand = {"hand": ["7S", "8S", "9S", "AH"]}
    assert replies["no-declarations"]["declarations"](rules, hand) == {"result": {"sets": [], "best_points": 0}}
    refusable = ("belote", "bidding", "deal", "match", "penalty", "replay")
    for operation in refusable:
        asked = next(case.input for case in cases if case.operation == operation and case.profile == "bela-4")
        assert "rejected" in replies["always-refuse"][operation](rules, asked)
        assert "result" in replies["always-accept"][operation](rules, asked)


def test_skipped_cases_count_as_not_passed_and_undeclared_ones_not_at_all(plan: list[Planned]) -> None:
    outcomes: tuple[Outcome, ...] = ("passed", "passed", "skipped", "failed", "unsupported", "crashed")
    operation = plan[0].case.operation
    score = score_of(Verdict(plan[0], outcome) for outcome in outcomes)
    assert score == BaselineScore({operation: 2}, {operation: 5})
    assert score.share() == score.share(operation) == 0.4
    assert BaselineScore({}, {}).share() == 0
    assert [percentage(share) for share in (1.0, 0.9999, 0.5, 0.0)] == ["100.0%", "99.9%", "50.0%", "0.0%"]


def test_the_command_prints_a_table_and_data(belot: Belot, cases: list[Case]) -> None:
    done = belot("baselines", "--operation", "legal-cards", "--operation", "bidding")
    assert done.returncode == 0, done.stderr
    assert all(len(line) <= 80 for line in done.stdout.splitlines())
    assert "operation" in done.stdout
    assert "always always" in done.stdout
    found = json.loads(belot("baselines", "--operation", "bidding", "--format", "json").stdout)
    assert found["planned"] == sum(case.operation == "bidding" for case in cases)
    assert [*found["baselines"]] == IDS
