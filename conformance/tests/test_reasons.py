"""Asserted reasons: the rule behind a refusal, compared only where that is asked for."""

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from belot_conformance.programs.protocol import Hello, Reply
from belot_conformance.programs.reference import Reference, reference_target
from belot_conformance.programs.target import FunctionTarget
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Expectation, differences
from belot_conformance.suite.verdicts import Planned, judge_all, with_reasons
from belot_spec.profile_name import ProfileName
from suite_testing import Belot

REFUSED = Expectation("rejected", {"at": 2, "reason": "illegal-card"}, "play.follow.unruffed")


LEGAL = Expectation("result", {"cards": ["KH", "9H"], "illegal": {"7D": "play.void.partner-winning"}})
FEW, ILLEGAL = {"cards": ["9H", "KH"]}, {"at": 2, "reason": "illegal-card"}


@pytest.mark.parametrize(("expected", "came", "asked_for", "not_asked_for"), [
    (REFUSED, {**ILLEGAL, "rule": "play.follow.unruffed"}, [], []),
    (REFUSED, {**ILLEGAL, "rule": "play.void.partner-winning"}, ["rule"], []),
    (REFUSED, {**ILLEGAL, "rule": None}, ["rule"], []),
    (REFUSED, ILLEGAL, ["rule"], []),
    (REFUSED, {**ILLEGAL, "at": 3}, ["at", "rule"], ["at"]),
    (replace(REFUSED, rule=None), ILLEGAL, [], []),
    (LEGAL, {**FEW, "illegal": {"7D": "play.void.partner-winning"}}, [], []),
    (LEGAL, {**FEW, "illegal": {"7D": "play.void.opponent-winning"}}, ["illegal"], []),
    (LEGAL, {**FEW, "illegal": {}}, ["illegal"], []),
    (LEGAL, FEW, ["illegal"], []),
    (LEGAL, {"cards": ["9H"], "illegal": {}}, ["cards", "illegal"], ["cards"]),
])  # fmt: skip
def test_the_rule_is_compared_only_where_reasons_are_asked_for(
    expected: Expectation, came: dict[str, Any], asked_for: list[str], not_asked_for: list[str]
) -> None:
    operation = "legal-cards" if expected is LEGAL else "replay"
    for reasons, fields in ((True, asked_for), (False, not_asked_for)):
        found = differences(operation, [expected], Reply("x", expected.kind, came), reasons)
        assert [difference.field for difference in found] == fields


def test_the_reference_gives_the_rules_where_cases_state_none(cases: list[Case], reference: Reference) -> None:
    refused = [Planned(case, case.profile) for case in cases if case.expected[0].kind == "rejected"]
    completed = with_reasons(refused, reference)
    rules = {
        planned.case.expected[0].rule
        for planned in completed
        if dict(planned.case.expected[0].fields).get("reason") == "illegal-card"
    }
    assert {"play.follow.unruffed", "play.void.opponent-winning", "declarations.belote.order"} <= rules
    held = [one.case.expected[0] for one in completed if one.case.expected[0].fields["reason"] == "card-not-held"]
    assert held
    assert {expected.rule for expected in held} == {None}
    assert [planned.case.id for planned in completed] == [planned.case.id for planned in refused]


def test_a_case_keeps_what_it_states_and_gets_the_reference_s_own_rule(cases: list[Case], reference: Reference) -> None:
    def completed(case: Case, *expected: Expectation) -> tuple[Expectation, ...]:
        ((one,)) = with_reasons([Planned(replace(case, expected=expected), case.profile)], reference)
        return tuple(one.case.expected)

    refused = next(case for case in cases if case.expected[0].kind == "rejected")
    (own,) = refused.expected
    assert completed(refused, replace(own, rule="play.lead"))[0].rule == "play.lead"
    other, right = completed(refused, Expectation("rejected", {"at": 0, "reason": "unfinished"}), own)
    assert other.rule is None
    assert right.rule is not None
    legal = next(case for case in cases if case.id == "bc-0072")
    wrong = Expectation("result", {"cards": ["KH", "9H"], "illegal": {"7D": "no.rule"}})
    assert completed(legal, wrong) == (wrong,)


def test_the_reference_gives_every_reason_it_asserts(cases: list[Case], reference: Reference) -> None:
    plan = with_reasons([Planned(case, case.profile) for case in cases if case.origin != "derived"][::9], reference)
    assert {verdict.outcome for verdict in judge_all(reference_target(), plan, reasons=True)} == {"passed"}


def test_a_program_that_gives_no_reasons_fails_only_with_the_option(
    belot: Belot, reference: Reference, monkeypatch: pytest.MonkeyPatch
) -> None:
    def silent(*asked: Any) -> Mapping[str, Any]:
        reply = dict(reference.reply(*asked))
        if "rejected" in reply:
            reply["rejected"] = {name: value for name, value in reply["rejected"].items() if name != "rule"}
        return reply

    hello = Hello(1, "silent", "1", "Python", (ProfileName("bela-4"),), ("replay", "belote"))
    monkeypatch.setattr("belot_conformance.programs.targets.open_target", lambda *_: FunctionTarget(hello, silent))
    asked = ("--case", "bc-02*", "--format", "json", "--", "./silent")
    assert belot("check", *asked).returncode == 0
    done = belot("check", "--reasons", *asked)
    assert done.returncode == 1
    failed = [case for case in json.loads(done.stdout)["cases"] if case["outcome"] == "failed"]
    assert failed
    told = {(one["field"], one["came"]) for case in failed for one in case["differences"]}
    assert told == {("rule", "(missing)")}


def test_every_case_of_legal_cards_gets_its_reasons(cases: list[Case], reference: Reference) -> None:
    own = [Planned(case, case.profile) for case in cases if case.operation == "legal-cards"]
    for planned in with_reasons(own, reference):
        [expected] = planned.case.expected
        illegal = set(planned.case.input["hand"]) - set(expected.fields["cards"])
        assert expected.fields["illegal"].keys() == illegal
        settings = reference.ruleset(planned.profile).profile.settings
        assert all(rule in settings for rule in expected.fields["illegal"].values())
