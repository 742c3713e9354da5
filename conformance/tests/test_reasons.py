"""Asserted reasons: the rule behind a refusal, compared only where that is asked for."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference, reference_target
from belot_conformance.suite.cases import Case, read_cases
from belot_conformance.suite.judge import Expectation, differences
from belot_conformance.suite.lint import lint_cases
from belot_conformance.suite.verdicts import Planned, judge_all, with_reasons
from belot_spec.spec import Spec

REFUSED = Expectation("rejected", {"at": 2, "reason": "illegal-card"}, "play.follow.unruffed")


@pytest.mark.parametrize(
    ("came", "reasons", "fields"),
    [
        ({"at": 2, "reason": "illegal-card", "rule": "play.follow.unruffed"}, True, []),
        ({"at": 2, "reason": "illegal-card", "rule": "play.void.partner-winning"}, True, ["rule"]),
        ({"at": 2, "reason": "illegal-card", "rule": None}, True, ["rule"]),
        ({"at": 2, "reason": "illegal-card"}, True, ["rule"]),
        ({"at": 3, "reason": "illegal-card"}, True, ["at", "rule"]),
        ({"at": 2, "reason": "illegal-card"}, False, []),
        ({"at": 2, "reason": "illegal-card", "rule": "play.void.partner-winning"}, False, []),
    ],
)
def test_the_rule_is_compared_only_where_reasons_are_asked_for(
    came: dict[str, Any], reasons: bool, fields: list[str]
) -> None:
    found = differences("replay", [REFUSED], Reply("x", "rejected", came), reasons)
    assert [difference.field for difference in found] == fields


def test_a_refusal_that_no_rule_makes_asks_for_no_rule() -> None:
    expected = [replace(REFUSED, rule=None)]
    assert differences("replay", expected, Reply("x", "rejected", dict(REFUSED.fields)), reasons=True) == []


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


def test_a_case_that_states_a_rule_keeps_it(cases: list[Case], reference: Reference) -> None:
    case = next(case for case in cases if case.expected[0].kind == "rejected")
    stated = replace(case, expected=(replace(case.expected[0], rule="play.lead"),))
    (completed,) = with_reasons([Planned(stated, case.profile)], reference)
    assert completed.case.expected[0].rule == "play.lead"


def test_where_several_answers_are_right_only_the_reference_s_own_gets_its_rule(
    cases: list[Case], reference: Reference
) -> None:
    case = next(case for case in cases if case.expected[0].kind == "rejected")
    other = Expectation("rejected", {"at": 0, "reason": "unfinished"})
    (completed,) = with_reasons([Planned(replace(case, expected=(other, *case.expected)), case.profile)], reference)
    assert completed.case.expected[0].rule is None
    assert completed.case.expected[1].rule is not None


def test_the_reference_gives_every_reason_it_asserts(cases: list[Case], reference: Reference) -> None:
    plan = with_reasons([Planned(case, case.profile) for case in cases if case.origin != "derived"], reference)
    assert {verdict.outcome for verdict in judge_all(reference_target(), plan, reasons=True)} == {"passed"}


SILENT = """
import json, sys
from belot_conformance.programs.reference import Reference
reference = Reference()
for line in sys.stdin:
    request = json.loads(line)
    if request["op"] == "hello":
        reply = {"result": {"protocol": 1, "name": "silent", "version": "1", "language": "Python",
                            "profiles": ["bela-4"], "operations": ["replay", "belote"]}}
    else:
        reply = reference.reply(request["op"], request["profile"], request["input"])
        reply.get("rejected", {}).pop("rule", None)
    print(json.dumps({"id": request["id"], **reply}), flush=True)
"""


def test_a_program_that_gives_no_reasons_fails_only_with_the_option(belot: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "silent.py").write_text(SILENT, encoding="utf-8")
    asked = ("--case", "bc-02*", "--format", "json", "--", sys.executable, str(tmp_path / "silent.py"))
    assert belot("check", *asked).returncode == 0
    done = belot("check", "--reasons", *asked)
    assert done.returncode == 1
    failed = [case for case in json.loads(done.stdout)["cases"] if case["outcome"] == "failed"]
    assert failed
    assert {difference["field"] for case in failed for difference in case["differences"]} == {"rule"}
    assert {difference["came"] for case in failed for difference in case["differences"]} == {"(missing)"}


def test_a_case_may_state_the_rule_and_it_must_exist(tmp_path: Path, spec: Spec) -> None:
    folder = tmp_path / "belote"
    folder.mkdir()
    text = """\
operation: belote
profile: bela-4
behaviour: {en: Something., nl: Iets.}
why: {en: Something., nl: Iets.}
cases:
  - id: bc-9990
    title: {en: The queen is said first, nl: De dame wordt eerst gezegd}
    input: {trump: H, hand: [KH, AS], plays: [{card: KH, call: true}]}
    expect: {rejected: {at: 0, reason: no-belote, rule: declarations.belote.cals}}
    rules: []
    statements: []
    origin: by-hand
"""
    (folder / "one.yaml").write_text(text, encoding="utf-8")
    cases = read_cases([folder / "one.yaml"])
    assert cases[0].expected == (Expectation("rejected", {"at": 0, "reason": "no-belote"}, "declarations.belote.cals"),)
    (problem,) = lint_cases(cases, spec)
    assert "there is no rule declarations.belote.cals; did you mean declarations.belote.calls?" in problem.message


LEGAL = Expectation("result", {"cards": ["KH", "9H"], "illegal": {"7D": "play.void.partner-winning"}})


@pytest.mark.parametrize(
    ("came", "reasons", "fields"),
    [
        ({"cards": ["9H", "KH"], "illegal": {"7D": "play.void.partner-winning"}}, True, []),
        ({"cards": ["9H", "KH"], "illegal": {"7D": "play.void.opponent-winning"}}, True, ["illegal"]),
        ({"cards": ["9H", "KH"], "illegal": {}}, True, ["illegal"]),
        ({"cards": ["9H", "KH"]}, True, ["illegal"]),
        ({"cards": ["9H", "KH"]}, False, []),
        ({"cards": ["9H", "KH"], "illegal": {"7D": "play.void.opponent-winning"}}, False, []),
        ({"cards": ["9H"], "illegal": {}}, False, ["cards"]),
    ],
)
def test_why_a_card_is_illegal_is_compared_only_where_reasons_are_asked_for(
    came: dict[str, Any], reasons: bool, fields: list[str]
) -> None:
    found = differences("legal-cards", [LEGAL], Reply("x", "result", came), reasons)
    assert [difference.field for difference in found] == fields


def test_every_case_of_legal_cards_gets_its_reasons(cases: list[Case], reference: Reference) -> None:
    own = [Planned(case, case.profile) for case in cases if case.operation == "legal-cards"]
    for planned in with_reasons(own, reference):
        [expected] = planned.case.expected
        illegal = set(planned.case.input["hand"]) - set(expected.fields["cards"])
        assert expected.fields["illegal"].keys() == illegal
        settings = reference.ruleset(planned.profile).profile.settings
        assert all(rule in settings for rule in expected.fields["illegal"].values())


def test_a_case_keeps_the_reasons_that_it_states(cases: list[Case], reference: Reference) -> None:
    stated = next(case for case in cases if case.id == "bc-0072")
    wrong = replace(stated, expected=(Expectation("result", {"cards": ["KH", "9H"], "illegal": {"7D": "no.rule"}}),))
    [planned] = with_reasons([Planned(wrong, wrong.profile)], reference)
    assert planned.case.expected == wrong.expected
