"""Random questions can be drawn for any table."""

import pytest

from belot_conformance.diagnosis.mutations import compile_changed
from belot_conformance.recording.random_questions import random_questions
from belot_spec.spec import default_spec

SPEC = default_spec()


@pytest.mark.parametrize("fault", ["innocent-gets-all", "other-side-gains", "guilty-side-loses"])
def test_only_accusations_that_end_a_deal_stand_in_a_match(fault: str) -> None:
    free = {"penalties.fault": fault, "penalties.wrong-accusation": "free", "penalties.points": 25}
    rules = compile_changed(SPEC.profile("denderbelot"), free, SPEC)
    matches = [asked for operation, asked in random_questions(rules, 30, seed=4) if operation == "match"]
    told = [deal["accusation"]["proved"] for asked in matches for deal in asked["deals"] if "accusation" in deal]
    assert told
    assert all(told)
