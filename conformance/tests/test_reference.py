"""The reference as a program: it answers everything, sense or nonsense, and never stops."""

import io
import json
from copy import deepcopy
from random import Random
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from belot_conformance.programs.protocol import REPLY_KINDS, encode_request, parse_reply
from belot_conformance.programs.reference import Reference, ServedReference
from belot_conformance.programs.serving import serve
from belot_conformance.suite.cases import Case

NONSENSE: list[Any] = [None, True, -1, 0, 1, 3, 7, 99, "", "S", "7S", "10H", "ZZ", "pass", [], ["7S", "7S"], {}, [[]]]


def spoiled(value: Any, rng: Random) -> Any:
    copy = deepcopy(value)
    places: list[tuple[Any, Any]] = []

    def collect(inside: Any) -> None:
        for key in inside if isinstance(inside, dict) else range(len(inside)):
            places.append((inside, key))
            if isinstance(inside[key], (dict, list)):
                collect(inside[key])

    collect(copy)
    inside, key = rng.choice(places)
    match rng.randrange(3):
        case 0:
            inside[key] = rng.choice(NONSENSE)
        case 1:
            del inside[key]
        case _:
            other, place = rng.choice(places)
            inside[key] = deepcopy(other[place])
    return copy


@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(seed=st.integers(0, 2**32))
def test_a_spoiled_question_gets_an_answer_not_an_exception(seed: int, cases: list[Case], reference: Reference) -> None:
    rng = Random(seed)
    case = rng.choice(cases)
    reply = reference.reply(case.operation, case.profile, spoiled(dict(case.input), rng))
    assert sum(kind in reply for kind in REPLY_KINDS) == 1
    assert parse_reply(json.dumps({"id": "x", **reply}).encode())


def served(reference: Reference, *lines: bytes) -> list[dict[str, Any]]:
    replies = io.BytesIO()
    serve(ServedReference(reference), io.BytesIO(b"".join(lines)), replies)
    return [json.loads(line) for line in replies.getvalue().splitlines()]


def test_every_request_is_answered_by_its_id_whatever_stands_beside_it(reference: Reference, cases: list[Case]) -> None:
    question = encode_request(cases[0].request())
    nonsense = [b"\n", b"null\n", b"{}\n", b"[" * 5000 + b"\n", b"\xff\n", b'{"id":"a","op":7,"input":{}}\n']
    nonsense += [b'{"id":"b","op":"legal-card","profile":"bela-4","input":{}}\n']
    nonsense += [b'{"id":"c","op":"deal","profile":"x","input":{}}\n']
    replies = served(reference, question, *nonsense, question)
    assert [reply["id"] for reply in replies] == [cases[0].id, "a", "b", "c", cases[0].id]
    assert replies[0] == replies[-1]
    by_id = {reply["id"]: reply for reply in replies}
    assert "did you mean legal-cards?" in by_id["b"]["error"]
    assert "there is no variant x" in by_id["c"]["error"]


def test_fields_that_it_does_not_know_are_ignored_and_another_protocol_refused(reference: Reference) -> None:
    question = b'{"trump":"H","leader":0,"cards":["AS","7S","7H","10S"],"hint":"later versions only add fields"}'
    request = b'{"id":"x","op":"trick-winner","profile":"bela-4","mood":1,"input":' + question + b"}\n"
    assert served(reference, request) == [{"id": "x", "result": {"winner": 2}}]
    (reply,) = served(reference, b'{"id":"hello","op":"hello","input":{"protocol":[2,3]}}\n')
    assert reply == {"id": "hello", "error": "this program speaks protocol 1 only, and [2, 3] was offered"}
