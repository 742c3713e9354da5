"""Which cases of other games hold at a table, seen by what their questions consult there."""

import pytest

from belot_conformance.house_suite.questions import table_questions
from belot_conformance.programs.reference import Reference, put
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.selection import applies
from belot_reference.compile import Ruleset
from belot_reference.possible import why_impossible

OTHERS = ("bela-4+length-counts", "bela-3", "denderbelot-3", "belote+rise-over-partner")


@pytest.mark.parametrize("profile", OTHERS)
def test_a_worked_out_answer_is_taken_over_just_where_the_case_applies(profile: str) -> None:
    reference, cases = Reference(), load_cases()
    asked = {one.case.id: one for one in table_questions(cases, reference.ruleset(profile), reference).asked}
    applying = {case.id for case in cases if applies(case, reference.profile(profile), reference)}
    worked_out = {case.id for case in cases if case.origin != "derived"}
    taken_over = {name for name, one in asked.items() if one.provenance == "worked-out"}
    assert taken_over
    assert taken_over <= applying & worked_out
    # Of several cases that ask the same, one is enough.
    questions = {(one.case.operation, str(one.case.input)) for one in asked.values() if one.provenance == "worked-out"}
    by_id = {case.id: case for case in cases}
    missed = applying & worked_out - taken_over
    assert all((by_id[name].operation, str(by_id[name].input)) in questions for name in missed)


def test_the_questions_of_a_table_put_each_question_to_the_engine_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from belot_conformance.house_suite import questions

    reference, asked, own = Reference(), list[tuple[str, str]](), put

    def counted(operation: str, rules: Ruleset, question: object) -> object:
        asked.append((operation, str(question)))
        return own(operation, rules, question)  # type: ignore[arg-type]

    monkeypatch.setattr(questions, "put", counted)
    monkeypatch.setattr(Reference, "consulted", None)
    table_questions(load_cases(), reference.ruleset("bela-4+length-counts"), reference)
    assert len(asked) == len(set(asked))


@pytest.mark.parametrize("profile", ["contree", "belote+tournament"])
def test_no_question_of_a_table_tells_of_sums_that_no_deal_there_can_give(
    profile: str, cases: list[Case], reference: Reference
) -> None:
    rules = reference.ruleset(profile)
    for one in table_questions(cases, rules, reference).asked:
        assert why_impossible(rules, one.case.operation, one.case.input) is None
