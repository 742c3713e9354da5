"""Mistakes that are no value of a rule, against which the check is held."""

from belot_conformance.mistakes.coded import Asked
from belot_conformance.programs.reference import Reference
from laboratory.faults import FAULTS, spoiled

_BY_NAME = {fault.name: fault for fault in FAULTS}


def test_there_are_a_hundred_kinds_of_faults_each_with_a_name_of_its_own() -> None:
    assert len(_BY_NAME) == len(FAULTS) >= 100


def test_a_fault_spoils_only_answers_where_its_condition_holds() -> None:
    asked = [
        Asked(
            "belote", {"trump": trump, "hand": [], "plays": []}, Reference(), "bela-4", {"result": {"points": points}}
        )
        for trump, points in (("D", 20), ("D", 0), ("H", 20))
    ]
    assert list(spoiled(_BY_NAME["belote with trump D"], asked)) == [(0, {"result": {"points": 21}})]


def test_a_fault_of_memory_spoils_the_second_answer_alone() -> None:
    asked = [Asked("card-points", {"trump": "S", "cards": []}, Reference(), "bela-4", {"result": {"points": 0}})] * 2
    assert [place for place, _ in spoiled(_BY_NAME["card-points when asked a second time"], asked)] == [1]
