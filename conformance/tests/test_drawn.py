"""What a check ends with: questions by lot, cases told otherwise, and some asked a second time."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.cli.main import main
from belot_conformance.house_suite.drawn import drawn_questions, retold_questions, told_otherwise
from belot_conformance.house_suite.planning import plan_run
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.suite.selection import Selection, plan_variants
from belot_spec.load.schemas import is_valid

# A program over the reference; FAULT stands for what it does to its answers.
_PROGRAM = """
import sys
from belot_conformance.programs.reference import Reference, ServedReference
from belot_conformance.programs.serving import serve

class Faulty(Reference):
    asked = {}
    def reply(self, operation, profile, question):
        message = super().reply(operation, profile, question)
        result = message.get("result", {})
        FAULT
        return message

serve(ServedReference(Faulty()), sys.stdin.buffer, sys.stdout.buffer)
"""
_ONE_TRUMP = """if operation == "belote" and question["trump"] == "D" and result.get("points"):
            message = {"result": {**result, "points": result["points"] + 1}}"""
_REMEMBERS = """if operation == "trick-winner":
            times = self.asked[repr(question)] = self.asked.get(repr(question), 0) + 1
            if times > 1:
                message = {"result": {**result, "winner": 1 - result["winner"] % 2}}"""


def _checked(folder: Path, fault: str, *options: str) -> tuple[int, dict[str, Any]]:
    program, report = folder / "program.py", folder / "report.json"
    program.write_text(_PROGRAM.replace("FAULT", fault))
    words = ["check", "--profile", "bela-4", "--report", str(report), *options, "--", sys.executable, str(program)]
    with pytest.raises(SystemExit) as ended:
        main(words)
    code = ended.value.code
    assert isinstance(code, int)
    return code, json.loads(report.read_text())


def test_a_mistake_in_one_trump_suit_passes_the_cases_and_not_the_end_in_every_report(tmp_path: Path) -> None:
    expected = tmp_path / "expected.yaml"
    told = [tmp_path / f"told.{kind}" for kind in ("html", "md", "xml")]
    words = [word for path in told for word in ("--report", str(path))]
    code, report = _checked(tmp_path, _ONE_TRUMP, "--drawn", "300", *words)
    assert code == 1
    assert is_valid(report, "report")
    assert report["totals"]["planned"] == report["totals"]["passed"]
    wrong = report["drawn"]["wrong"]
    assert {one["operation"] for one in wrong} == {"belote"}
    assert {one["provenance"] for one in wrong} <= {"drawn", "retold"}
    for path in told:
        text = path.read_text()
        assert f"{report['drawn']['drawn']['right']} of 300 questions drawn by lot" in text
        assert wrong[0]["id"] in text
    # It is asked again by its id, and can be listed as expected.
    assert f"--case {wrong[0]['id']}" in wrong[0]["again"]
    code, again = _checked(tmp_path, _ONE_TRUMP, "--no-search", "--case", wrong[0]["id"])
    assert (code, [one["id"] for one in again["cases"]]) == (1, [wrong[0]["id"]])
    assert "drawn" not in again
    listing = ("--no-search", "--drawn", "300", "--expected", str(expected))
    _checked(tmp_path, _ONE_TRUMP, *listing, "--update-expected")
    assert "drawn-" in expected.read_text() or "retold-" in expected.read_text()
    assert _checked(tmp_path, _ONE_TRUMP, *listing)[0] == 0


_NO_EIGHT = """if operation == "legal-cards" and "8H" in question["hand"]:
            message = {"result": {"cards": [card for card in result.get("cards", ()) if card != "8H"]}}"""


def test_a_wrong_question_by_lot_is_made_smaller_and_asked_again_by_the_id_of_the_larger(tmp_path: Path) -> None:
    wrong = _checked(tmp_path, _NO_EIGHT)[1]["drawn"]["wrong"]
    smaller = [one for one in wrong if one["title"]["en"].startswith("By lot, then made smaller")]
    assert [(one["asked"]["hand"], one["asked"]["trick"]) for one in smaller] == [(["8H"], [])]
    assert smaller[0]["expected"] == [{"result": {"cards": ["8H"]}}]
    assert smaller[0]["came"] == {"result": {"cards": []}}
    left = _checked(tmp_path, _NO_EIGHT, "--no-search")[1]["drawn"]["wrong"]
    [larger] = [one for one in left if one["id"] == smaller[0]["id"]]
    assert len([*larger["asked"]["hand"], *larger["asked"]["trick"]]) > 1


def test_a_program_that_remembers_is_told_that_it_answers_otherwise_the_second_time(tmp_path: Path) -> None:
    code, report = _checked(tmp_path, _REMEMBERS)
    assert code == 1
    assert {one["provenance"] for one in report["drawn"]["wrong"]} == {"again"}
    assert report["drawn"]["again"]["right"] < report["drawn"]["again"]["asked"] == 20


def test_the_same_rules_are_asked_the_same_questions_each_time_of_what_is_declared() -> None:
    reference = Reference()
    rules = reference.ruleset("bela-4")
    some = drawn_questions(rules, 50, ["trick-winner", "deal"])
    # What is drawn pins no rule; the first that was read decides nothing.
    assert {(one.case.operation, one.case.rules) for one in some} == {("trick-winner", ()), ("deal", ())}
    # Nothing is drawn where a part of the cases is chosen.
    assert not plan_run(Selection(operations=("deal",)), reference.hello(), reference).drawn
    last = plan_run(Selection(), reference.hello(), reference, drawn=0).drawn
    assert {one.provenance for one in last} == {"shared"}
    first, second = ([one.case for one in drawn_questions(rules, 300, OPERATIONS)] for _ in range(2))
    assert first == second
    assert len({one.id for one in first}) == 300


def test_small_questions_are_told_in_other_suits_and_from_the_next_seat_and_none_twice() -> None:
    rules = Reference().ruleset("bela-4")
    question = {"trump": "H", "leader": 3, "cards": ["7S", "AS", "8H", "9C"]}
    told = told_otherwise(rules, "trick-winner", question)
    assert told is not None
    assert told["leader"] == 0
    assert told["trump"] != "H"
    assert [card[0] for card in told["cards"]] == ["7", "A", "8", "9"]
    assert told_otherwise(rules, "match", {"deals": []}) is None
    cases = [one for one in plan_variants(Selection()) if one.profile == "bela-4"]
    retold = list(retold_questions(rules, cases, OPERATIONS))
    asked = {repr((one.case.operation, one.case.input)) for one in cases}
    assert len(retold) > 50
    assert not [one for one in retold if repr((one.case.operation, one.case.input)) in asked]
