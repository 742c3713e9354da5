"""A failing program is told which mistake its failures look like."""

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.diagnosis.diagnosis import (
    LEAST_LIKENESS,
    Seen,
    diagnose,
    diagnose_verdicts,
    plays_when_asked,
    seen_in,
)
from belot_conformance.diagnosis.killing import Row, hand_written
from belot_conformance.diagnosis.likeness import likenesses
from belot_conformance.diagnosis.matrix import load_matrix
from belot_conformance.diagnosis.mistakes import Mistake, load_mistakes, mistake_problems
from belot_conformance.diagnosis.wrong_player import WrongPlayer
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.suite.cases import Case
from belot_conformance.suite.reasons import with_reasons
from belot_conformance.suite.verdicts import Planned, Verdict, judge, judge_all
from belot_spec.spec import Spec

Belot = Callable[..., CompletedProcess[str]]
ROWS = [row for row in load_matrix().rows.values() if len(row.killed_by) > 1]


@pytest.fixture(scope="module")
def consulting(cases: list[Case], reference: Reference) -> list[tuple[Case, frozenset[str]]]:
    return [(case, reference.consulted(case.operation, case.profile, case.input)) for case in hand_written(cases)]


def verdicts_of(mistake: Mistake, consulting: list[tuple[Case, frozenset[str]]]) -> Iterator[Verdict]:
    """Yield the verdicts on a program that makes a mistake; cases that do not consult its rules cannot tell."""
    player = WrongPlayer(mistake.name, mistake.values)
    asked = [Planned(case, case.profile) for case, rules in consulting if not rules.isdisjoint(mistake.values)]
    yield from judge_all(FunctionTarget(player.hello(), player.reply), asked)
    yield from (
        Verdict(Planned(case, case.profile), "passed") for case, rules in consulting if rules.isdisjoint(mistake.values)
    )


def test_at_least_forty_mistakes_are_listed_with_values_that_exist(spec: Spec) -> None:
    assert len(load_mistakes()) >= 40
    assert mistake_problems(spec) == []


@pytest.mark.parametrize("name", load_mistakes())
def test_each_common_mistake_is_caught_and_named_first(
    name: str, consulting: list[tuple[Case, frozenset[str]]]
) -> None:
    mistake = load_mistakes()[name]
    verdicts = list(verdicts_of(mistake, consulting))
    assert any(verdict.outcome != "passed" for verdict in verdicts)
    first = diagnose(seen_in(verdicts), load_matrix().rows.values())[0]
    assert first.mistake == mistake
    assert first.likeness > 0.9


@given(st.sampled_from(ROWS), st.sets(st.sampled_from(range(8)), min_size=3))
def test_whatever_part_of_its_cases_is_asked_a_mutant_is_found(row: Row, kept: set[int]) -> None:
    asked = {case: found for number, (case, found) in enumerate(sorted(row.killed_by.items())) if number % 8 in kept}
    if not asked:
        return
    seen = Seen({(case, row.mutant.profile): found for case, found in asked.items()})
    found = diagnose(seen, load_matrix().rows.values())
    assert found[0].likeness == 1
    assert any(row.mutant in (*one.mutants, *one.alike) for one in found if one.likeness == 1)


def test_a_program_without_failures_looks_like_nothing(cases: list[Case]) -> None:
    verdicts = [Verdict(Planned(case, case.profile), "passed") for case in cases]
    assert diagnose(seen_in(verdicts), load_matrix().rows.values()) == []


def test_faults_and_recorded_deals_say_nothing_about_the_rules(cases: list[Case]) -> None:
    recorded = next(case for case in cases if case.origin == "derived")
    by_hand = next(case for case in cases if case.origin == "by-hand")
    wrong = judge(Planned(recorded, recorded.profile), Reply(recorded.id, "result", {}))
    crashed = Verdict(Planned(by_hand, by_hand.profile), "crashed")
    assert wrong.outcome == "failed"
    assert seen_in([wrong, crashed]).signatures == {}


def test_right_answers_without_their_reasons_look_like_no_mistake(cases: list[Case], reference: Reference) -> None:
    refused = [case for case in hand_written(cases) if case.expected[0].kind == "rejected"]
    plan = with_reasons([Planned(case, case.profile) for case in refused], reference)
    silent = [judge(one, _without_reason(one, reference), reasons=True) for one in plan]
    assert "failed" in {verdict.outcome for verdict in silent}
    assert seen_in(silent).wrong == {}
    assert diagnose_verdicts(silent) == []


def _without_reason(planned: Planned, reference: Reference) -> Reply:
    fields = reference.reply(planned.case.operation, planned.profile, planned.case.input)["rejected"]
    return Reply(planned.case.id, "rejected", {key: value for key, value in fields.items() if key != "rule"})


def test_scattered_nonsense_is_not_explained(cases: list[Case]) -> None:
    chosen = hand_written(cases)[::23]
    verdicts = [
        judge(Planned(case, case.profile), Reply(case.id, "rejected", {"reason": "nonsense"})) for case in chosen
    ]
    found = diagnose(seen_in(verdicts), load_matrix().rows.values())
    assert all(one.likeness < 0.5 for one in found)
    assert all(one.likeness >= LEAST_LIKENESS for one in found)


@pytest.mark.parametrize(
    ("own", "asked", "plays"),
    [
        ("belote", "belote", True), ("belote", "belote+target-301", True), ("belote+target-301", "belote", False),
        ("belote+target-301", "belote+no-undertrump+target-301", True), ("bela-4", "bela-3", False),
    ],
)  # fmt: skip
def test_a_mutant_answers_for_its_profile_with_more_options(own: str, asked: str, plays: bool) -> None:
    assert plays_when_asked(own, asked) is plays


def test_mistakes_that_are_made_together_are_each_named(consulting: list[tuple[Case, frozenset[str]]]) -> None:
    names = ["no-heading-in-plain-suits", "run-of-three-30", "tie-falls"]
    values = {rule: value for name in names for rule, value in load_mistakes()[name].values.items()}
    verdicts = list(verdicts_of(Mistake("three", values, load_mistakes()[names[0]].title), consulting))
    found = diagnose_verdicts(verdicts)
    assert all(one.one_of_several for one in found)
    assert {one.mistake.name for one in found if one.mistake} >= set(names)
    assert sum(one.explained for one in found) > 0.9 * found[0].failed


HOUSE = """\
id: our-table
base: belotten
rules:
  match.target: {value: 51}
"""


def test_under_house_rules_the_mistake_is_named_too(tmp_path: Path, spec: Spec, cases: list[Case]) -> None:
    from belot_conformance.suite.applicability import plan_for

    path = tmp_path / "house.yaml"
    path.write_text(HOUSE, encoding="utf-8")
    reference = Reference(spec, [str(path)])
    plan = plan_for(hand_written(cases), str(path), reference)
    player = WrongPlayer("no-last-trick", {"scoring.last-trick": 0}, [str(path)])
    verdicts = list(judge_all(FunctionTarget(player.hello(), player.reply), plan))
    first = likenesses(verdicts, str(path), reference)[0]
    assert first.found.rule == "scoring.last-trick"
    assert first.sentence.en == (
        "Plays as if the last trick adds nothing (scoring.last-trick), where the rules say: "
        "Winning the last trick adds 10 card points."
    )


def first_line(completed: CompletedProcess[str]) -> str:
    return " ".join(completed.stdout.split("\n\n")[0].split())


def test_check_says_first_of_all_what_the_program_plays(belot: Belot) -> None:
    answering = ("--", sys.executable, "-m", "belot_conformance", "answer", "--mistake", "no-undertrumping")
    english = belot("check", "--operation", "legal-cards", *answering)
    assert english.returncode == 1
    assert first_line(english).startswith(
        "Plays as if a player who cannot beat an opponent's ruff need not play a lower trump "
        "(play.void.opponent-ruffed), where the rules say: If you cannot follow the plain suit led and somebody has ruffed"
    )
    dutch = belot("check", "--operation", "legal-cards", "--lang", "nl", *answering)
    assert first_line(dutch).startswith(
        "Speelt alsof je niet moet ondertroeven als je de koop van een tegenspeler niet kunt kloppen"
    )


def test_the_json_report_holds_the_diagnosis(belot: Belot) -> None:
    answering = ("--", sys.executable, "-m", "belot_conformance", "answer", "--mistake", "tie-shared")
    found = belot("check", "--operation", "score-deal", "--format", "json", *answering)
    diagnosis = json.loads(found.stdout)["diagnosis"]
    assert 1 <= len(diagnosis) <= 3
    assert diagnosis[0]["mistake"] == "tie-shared"
    assert diagnosis[0]["rules"] == {"scoring.tie": "each-keeps-own"}
    assert diagnosis[0]["explained"] == diagnosis[0]["failed"] > 5


def test_an_unknown_mistake_is_refused_with_the_nearest_name(belot: Belot) -> None:
    found = belot("answer", "--mistake", "no-undertrumpng")
    assert (found.returncode, found.stderr) == (
        2, "belot: there is no mistake no-undertrumpng; did you mean no-undertrumping?\n",
    )  # fmt: skip


def test_mistakes_are_listed_in_both_languages_and_as_json(belot: Belot) -> None:
    listed = json.loads(belot("mistakes", "--format", "json").stdout)
    assert [one["name"] for one in listed] == list(load_mistakes())
    assert "a discard of another suit can win the trick" in " ".join(belot("mistakes").stdout.split())
    assert "een bijgegooide kaart" in " ".join(belot("mistakes", "--lang", "nl").stdout.split())
