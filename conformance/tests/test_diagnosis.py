"""A failing program is told which mistake its failures look like."""

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from belot_conformance.explain.asking import explain_checked
from belot_conformance.explain.explanation import Explanation
from belot_conformance.house_suite.questions import table_questions
from belot_conformance.mistakes.coded import KINDS
from belot_conformance.mistakes.faulty_player import FAULTS, FaultyPlayer, WrongPlayer
from belot_conformance.mistakes.mutations import load_faults, load_mistakes
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference, reply_of
from belot_conformance.programs.target import Answer
from belot_conformance.reports.explained import first_lines
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import Planned, Verdict, judge, with_reasons
from belot_spec.spec import Spec
from suite_testing import Belot, flat, house_rules

pytestmark = pytest.mark.long


def hand_written(cases: list[Case]) -> list[Case]:
    return [case for case in cases if case.origin != "derived"]


def judged(plan: Sequence[Planned], answering: Callable[[Case, str], Reply]) -> tuple[list[Verdict], dict[str, Answer]]:
    answers: dict[str, Answer] = {one.case.id: answering(one.case, one.profile) for one in plan}
    return [judge(one, answers[one.case.id]) for one in plan], answers


def wrong_player(values: Mapping[str, Any], *files: str) -> Callable[[Case, str], Reply]:
    player = WrongPlayer("wrong", values, files)

    return partial(replied, player)


def explained(plan: Sequence[Planned], values: Mapping[str, Any], reference: Reference) -> list[Explanation]:
    return explain_checked(*judged(plan, wrong_player(values)), reference)


@pytest.fixture(scope="module")
def by_variant(cases: list[Case], reference: Reference) -> Mapping[str, list[tuple[Case, frozenset[str]]]]:
    found: dict[str, list[tuple[Case, frozenset[str]]]] = {}
    for case in hand_written(cases):
        rules = reference.consulted(case.operation, case.profile, case.input)
        found.setdefault(case.profile.partition("+")[0], []).append((case, rules))
    return found


@pytest.mark.parametrize("number", range(0, 60, 6))
def test_a_common_mistake_is_caught_and_explains_all_that_is_wrong(
    number: int, by_variant: Mapping[str, list[tuple[Case, frozenset[str]]]], reference: Reference
) -> None:
    """In the variant of which most cases consult its rules; all of them are among those of the kill matrix."""
    values = [*load_mistakes().values()][number].values
    consulting = [[one for one in told if not one[1].isdisjoint(values)] for told in by_variant.values()]
    for told in sorted(consulting, key=len, reverse=True):
        plan = [Planned(case, case.profile) for case, _ in told]
        if found := explained(plan, values, reference):
            break
    assert not found[0].groups
    assert {one.rule for one in found[0].findings} <= set(values) or len(found[0].findings) == 1
    assert found[0].findings[0].wrong == 0


def replied(player: Reference, case: Case, profile: str) -> Reply:
    return reply_of(case.id, player.reply(case.operation, profile, case.input))


def test_a_mistake_that_is_no_value_is_made_and_no_rule_named_for_it(cases: list[Case], reference: Reference) -> None:
    plan = [Planned(case, case.profile) for case in hand_written(cases) if case.profile == "belotten"]
    for name in FAULTS:
        player = FaultyPlayer(name)
        told = judged(plan, partial(replied, player))
        assert {"failed", "errored"} & {verdict.outcome for verdict in told[0]}
        assert [one.findings for one in explain_checked(*told, reference)] == [[]]


def test_every_coded_mistake_fails_its_case_which_the_right_answer_passes(cases: list[Case]) -> None:
    by_id, right = {case.id: case for case in cases}, Reference()
    assert [*load_faults()] == [*FAULTS, *KINDS]
    for name in KINDS:
        one, players = by_id[load_faults()[name].case], (right, FaultyPlayer(name))
        told = [judge(Planned(one, one.profile), replied(player, one, one.profile)) for player in players]
        assert [verdict.outcome for verdict in told] == ["passed", "failed"], name


def test_a_right_program_is_not_explained(cases: list[Case], reference: Reference) -> None:
    plan = [Planned(case, case.profile) for case in hand_written(cases)[::9]]
    assert explained(plan, {}, reference) == []


def test_right_answers_without_their_reasons_are_explained_by_no_rule(cases: list[Case], reference: Reference) -> None:
    refused = [case for case in hand_written(cases) if case.expected[0].kind == "rejected"][::3]
    plan = with_reasons([Planned(case, case.profile) for case in refused], reference)
    answers: dict[str, Answer] = {one.case.id: _without_reason(one, reference) for one in plan}
    silent = [judge(one, answers[one.case.id], reasons=True) for one in plan]
    assert "failed" in {verdict.outcome for verdict in silent}
    found = explain_checked(silent, answers, reference)
    assert not any(one.findings or one.groups for one in found)


def _without_reason(planned: Planned, reference: Reference) -> Reply:
    fields = reference.reply(planned.case.operation, planned.profile, planned.case.input)["rejected"]
    return Reply(planned.case.id, "rejected", {key: value for key, value in fields.items() if key != "rule"})


def test_mistakes_that_are_made_together_are_each_said(cases: list[Case], reference: Reference) -> None:
    names = ["no-heading-in-plain-suits", "run-of-three-30", "tie-falls"]
    values = {rule: value for name in names for rule, value in load_mistakes()[name].values.items()}
    plan = table_questions(hand_written(cases), reference.ruleset("belotten"), reference).asked
    found = explained(plan, values, reference)
    said = [line for line, is_said in first_lines(found, reference.spec) if is_said]
    changed = {rule for rule, value in values.items() if reference.profile("belotten").value(rule) != value}
    assert all(any(f"({rule})" in line for line in said) for rule in changed)
    assert found[0].explained == len(found[0].asked_wrong)


def test_under_house_rules_the_other_value_is_said_too(tmp_path: Path, spec: Spec, cases: list[Case]) -> None:
    path = house_rules(tmp_path, {"match.target": 51}, "belotten")
    reference = Reference(spec, [str(path)])
    plan = table_questions(hand_written(cases), reference.ruleset("our-table"), reference).asked
    told = judged(plan, wrong_player({"scoring.last-trick": 0}, str(path)))
    ((first, _), *_) = first_lines(explain_checked(*told, reference), spec)
    assert first == (
        "Plays as if the last trick adds nothing (scoring.last-trick), where the rules say: "
        "Winning the last trick adds 10 card points."
    )


def first_line(completed: CompletedProcess[str]) -> str:
    return " ".join(completed.stdout.split("\n\n")[0].split())


def test_check_says_first_of_all_what_the_program_plays_unless_that_is_left_out(belot: Belot, tmp_path: Path) -> None:
    answering = ("--", sys.executable, "-m", "belot_conformance", "answer", "--mistake", "no-undertrumping")
    asked = ("check", "--profile", "belote", "--operation", "legal-cards", "--drawn", "0")
    kept = tmp_path / "report.json"
    english = belot(*asked, "--report", str(kept), *answering)
    assert english.returncode == 1
    assert first_line(english).startswith(
        "Plays as if a player who cannot beat an opponent's ruff need not play a lower trump "
        "(play.void.opponent-ruffed), where the rules say: If you cannot follow"
    )
    (diagnosis,) = json.loads(kept.read_text(encoding="utf-8"))["diagnosis"]
    assert diagnosis["rules"].keys() == {"play.void.opponent-ruffed"}
    assert diagnosis["right"] == diagnosis["wrong"] > 5
    left_out, cut = (belot(*asked, *words, *answering) for words in (("--no-search",), ("--seconds", "0.01")))
    assert left_out.returncode == cut.returncode == 1
    assert "Plays as if" not in left_out.stdout
    assert "FAILED" in left_out.stdout
    assert "they were not found in 0.0 s" in flat(cut.stdout)


def test_mistakes_are_listed_and_as_json_and_an_unknown_is_refused(belot: Belot, spec: Spec) -> None:
    listed = json.loads(belot("mistakes", "--format", "json").stdout)
    assert [one["name"] for one in listed] == [*load_mistakes(), *load_faults()]
    assert [one["name"] for one in listed if not one["rules"]] == list(load_faults())
    assert "a discard of another suit can win the trick" in flat(belot("mistakes").stdout)
    refused = belot("answer", "--mistake", "no-undertrumpng")
    told = "belot: there is no mistake no-undertrumpng; did you mean no-undertrumping?\n"
    assert (refused.returncode, refused.stderr) == (2, told)
    assert len(load_mistakes()) >= 40
    values = [one for mistake in load_mistakes().values() for one in mistake.values.items()]
    assert [one for one in values if not spec.rules[one[0]].allows(one[1])] == []
