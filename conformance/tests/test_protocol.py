"""Lines and messages: what is a reply, what is said about all else, and corners that the document tells of."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.programs import protocol
from suite_testing import run

JSON_TEXT = st.text(st.characters(codec="utf-8"))
JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | JSON_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(JSON_TEXT, inner, max_size=4),
    max_leaves=20,
)
OBJECTS = st.dictionaries(JSON_TEXT, JSON_VALUES, max_size=4)
REJECTIONS = st.fixed_dictionaries({"reason": JSON_TEXT}, optional={"at": st.integers(min_value=0)})
ANSWERS = (
    st.tuples(st.just("result"), OBJECTS)
    | st.tuples(st.just("rejected"), REJECTIONS)
    | st.tuples(st.just("unsupported"), JSON_TEXT | st.just(True))
    | st.tuples(st.just("error"), JSON_TEXT)
)

HELLO_FIELDS: dict[str, Any] = {
    "protocol": 1, "name": "my-bela", "version": "2.3", "language": "Rust", "profiles": ["bela-4"],
    "operations": ["trick-winner", "card-points"], "window": 8,
}  # fmt: skip


def hello_reply(**changes: object) -> protocol.Reply:
    return protocol.Reply("hello", "result", HELLO_FIELDS | changes)


@given(JSON_TEXT, ANSWERS)
def test_reply_survives_the_wire(question_id: str, answer: tuple[str, Any]) -> None:
    kind, value = answer
    reply = protocol.parse_reply(protocol.encode_line({"id": question_id, kind: value}))
    assert (reply.id, reply.kind, reply.value) == (question_id, kind, value)


@given(OBJECTS, st.booleans(), st.sampled_from([(",", ":"), (", ", ": "), (" ,\t", " :  ")]))
def test_reply_is_read_as_json_is_read(value: dict[str, Any], escaped: bool, separators: tuple[str, str]) -> None:
    text = json.dumps({"id": "x", "result": value}, ensure_ascii=escaped, separators=separators)
    assert repr(protocol.parse_reply(f" {text}\r".encode()).value) == repr(json.loads(text)["result"])


@pytest.mark.parametrize("number", [
    "9223372036854775807", "-9223372036854775809", "18446744073709551616", "1" * 40, "1e300", "-0", "-0.0", "0.1",
    "123456789.12345678901234567890",
])  # fmt: skip
def test_numbers_of_any_length_are_read_exactly(number: str) -> None:
    value = protocol.parse_reply(f'{{"id":"x","result":{{"n":{number}}}}}'.encode()).value["n"]
    assert repr(value) == repr(json.loads(number))


@given(JSON_TEXT, JSON_TEXT, JSON_TEXT, OBJECTS)
def test_request_is_one_line_that_holds_it_all(question_id: str, op: str, profile: str, value: dict[str, Any]) -> None:
    line = protocol.encode_request(protocol.Request(question_id, op, profile, value))
    assert line.endswith(b"\n")
    assert line.count(b"\n") == 1
    assert json.loads(line) == {"id": question_id, "op": op, "profile": profile, "input": value}


NAMES = st.sampled_from(["id", "result", "rejected", "unsupported", "error", "reason", "at"])
LINES = st.binary() | (JSON_VALUES | st.dictionaries(NAMES, JSON_VALUES)).map(lambda value: json.dumps(value).encode())


@given(LINES)
def test_any_line_is_a_reply_or_a_violation(line: bytes) -> None:
    message = ""
    try:
        protocol.parse_reply(line)
    except protocol.ProtocolViolation as violation:
        message = str(violation)
    assert message.isprintable()
    assert len(message) < 400


@given(st.dictionaries(st.sampled_from([*HELLO_FIELDS]), JSON_VALUES))
def test_any_answer_to_hello_is_understood_or_a_violation(changes: dict[str, Any]) -> None:
    message = ""
    try:
        protocol.parse_hello(hello_reply(**changes))
    except protocol.ProtocolViolation as violation:
        message = str(violation)
    assert message.isprintable()


@pytest.mark.parametrize(("line", "message"), [
    (b"", "the line is empty; a reply is one JSON object on one line of UTF-8"),
    (b" \t\r", "the line is empty"),
    (b"Welcome!", "the line is not JSON (Expecting value at column 1): Welcome!; "),
    (b'{"id":"a","result":{}} {}', "not JSON (Extra data at column 24)"),
    (b'\xef\xbb\xbf{"id":"a","result":{}}', "byte order mark"),
    (b'{"id":"a"\x1b[2J', r"\x1b[2J"),
    (b"\x80abc", r"not UTF-8 (byte 0x80 at position 0): \x80abc"),
    ('{"id":"a","error":"Trümpfe"}'.encode("utf-16"), "not UTF-8"),
    (b"[]", "JSON but not an object: []"),
    (b'{"id":"a","result":{"n":NaN}}', "NaN is not JSON"),
    (b'{"id":"a","result":{"n":-Infinity}}', "-Infinity is not JSON"),
    (b'{"id":"a","result":{"n":1e999}}', "1e999 is too large"),
    (b'{"id":"a","result":{"n":' + b"9" * 5000 + b"}}", "an integer of more than 4300 digits"),
    (b'{"id":"a","result":' + b'{"a":' * 100 + b"1" + b"}" * 101, "nested deeper than 64 levels"),
    (b"[" * 1_000_000, "nested deeper than 64 levels"),
    (b'{"id":"\\ud800","result":{}}', "half a surrogate pair"),
    (b'{"id":"a","result":{"points":20,"points":30}}', "the key points stands twice in one object"),
    (b'{"id":"a","id":"b","result":{}}', "the key id stands twice in one object"),
    (b'{"id":"a","result":{"a":"\\u003a","a":1}}', "the key a stands twice in one object"),
    (b'{"result":{}}', "no `id` that is a string"),
])  # fmt: skip
def test_line_that_cannot_be_read_is_explained(line: bytes, message: str) -> None:
    with pytest.raises(protocol.ProtocolViolation) as caught:
        protocol.parse_reply(line)
    assert message in str(caught.value)
    assert caught.value.question_id is None


@pytest.mark.parametrize(("fields", "message"), [
    ({}, "holds no `result`"),
    ({"result": {}, "rejected": {"reason": "r"}}, "holds `result` and `rejected`"),
    ({"result": None}, "holds no `result`"),
    ({"result": [1]}, "`result` has the wrong form: [1]"),
    ({"rejected": "illegal-card"}, "`rejected` has the wrong form"),
    ({"rejected": {"at": 3}}, "`rejected` has the wrong form"),
    ({"rejected": {"reason": 3}}, "`rejected` has the wrong form"),
    ({"rejected": {"reason": "r", "at": -1}}, "`rejected` has the wrong form"),
    ({"rejected": {"reason": "r", "at": True}}, "`rejected` has the wrong form"),
    ({"unsupported": False}, "`unsupported` has the wrong form"),
    ({"error": {"message": "no"}}, "`error` has the wrong form"),
])  # fmt: skip
def test_wrong_reply_is_explained_and_names_its_question(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(protocol.ProtocolViolation) as caught:
        protocol.parse_reply(protocol.encode_line({"id": "bc-1", **fields}))
    assert message in str(caught.value)
    assert caught.value.question_id == "bc-1"


@pytest.mark.parametrize(("fields", "kind"), [
    ({"result": {}, "rejected": None, "unsupported": None, "error": None}, "result"),
    ({"result": None, "rejected": {"at": None, "reason": "bad-cut"}}, "rejected"),
    ({"result": {}, "took": 3, "trace": [{}]}, "result"),
])  # fmt: skip
def test_null_counts_as_left_out_and_unknown_fields_are_ignored(fields: dict[str, Any], kind: str) -> None:
    assert protocol.parse_reply(protocol.encode_line({"id": "bc-1", **fields})).kind == kind


def test_depth_has_a_limit_which_many_brackets_do_not_reach() -> None:
    def deep(depth: int) -> protocol.Reply:
        # The message and its result are the two outer levels.
        return protocol.parse_reply(b'{"id":"a","result":{"a":' + b"[" * (depth - 2) + b"]" * (depth - 2) + b"}}")

    assert deep(protocol.MAX_DEPTH).kind == "result"
    with pytest.raises(protocol.ProtocolViolation, match="nested deeper"):
        deep(protocol.MAX_DEPTH + 1)
    value = {"cards": [["7S"]] * 1000, "text": "[{" * 1000}
    assert protocol.parse_reply(protocol.encode_line({"id": "a", "result": value})).value == value


@pytest.mark.parametrize("name", HELLO_FIELDS)
def test_the_window_alone_may_be_left_out(name: str) -> None:
    reply = protocol.Reply("hello", "result", {key: value for key, value in HELLO_FIELDS.items() if key != name})
    if name == "window":
        assert protocol.parse_hello(reply).window == 1
    else:
        with pytest.raises(protocol.ProtocolViolation, match=f"`{name}` is missing"):
            protocol.parse_hello(reply)


WRONG_HELLO: list[tuple[dict[str, Any], str]] = [
    ({"protocol": 2}, "another protocol: 2; offered was 1"),
    ({"protocol": "1"}, "`protocol` in the answer to `hello` has the wrong form"),
    ({"protocol": True}, "it is an integer"),
    ({"name": None}, "it is a string"),
    ({"version": 2.3}, "`version` in the answer to `hello` has the wrong form: 2.3; it is a string"),
    ({"profiles": "bela-4"}, "it is a list of strings"),
    ({"operations": [1]}, "it is a list of strings"),
    ({"window": 0}, "it is 1 or more"),
    ({"window": True}, "it is an integer"),
]


@pytest.mark.parametrize(("reply", "message"), [
    *((hello_reply(**changes), message) for changes, message in WRONG_HELLO),
    (protocol.Reply("q0", "result", HELLO_FIELDS), "the first reply is not to `hello`"),
    (protocol.Reply("hello", "error", "what?"), '`hello` was answered with `error`: "what?"'),
])  # fmt: skip
def test_a_wrong_answer_to_hello_is_explained(reply: protocol.Reply, message: str) -> None:
    with pytest.raises(protocol.ProtocolViolation) as caught:
        protocol.parse_hello(reply)
    assert message in str(caught.value)


@given(st.binary() | st.text())
def test_what_came_is_shown_short_and_safe(came: bytes | str) -> None:
    shown = protocol.shorten(came)
    assert shown.isprintable()
    assert len(shown) <= 120
    assert protocol.shorten(b"x" * 120) == "x" * 120
    assert protocol.shorten(b"x" * 121) == "x" * 119 + "…"


HANDS: Final = [
    ["JH", "QD", "9D", "8D", "KC", "QC", "JC", "8C"],
    ["JS", "AS", "KS", "QS", "AH", "7H", "10D", "9C"],
    ["10S", "8S", "10H", "QH", "8H", "KD", "7D", "AC"],
    ["9S", "7S", "KH", "9H", "AD", "JD", "10C", "7C"],
]


def asked(operation: str, profile: str, question: Any) -> Any:
    line = json.dumps({"id": "1", "op": operation, "profile": profile, "input": question})
    return json.loads(run("answer", stdin=line.encode() + b"\n").stdout)


@pytest.mark.parametrize(("profile", "action", "reason"), [
    ("belote+tournament", {"play": "JS", "announce": [["QS", "KS", "10C"]]}, "card-not-held"),
    ("belote+tournament", {"play": "JS", "announce": [["QS", "KS", "AS"]]}, "not-a-declaration"),
    ("belote+tournament", {"announce": [["QS", "KS", "AS"]]}, "wrong-phase"),
    ("belote", {"discard": ["9C"]}, "wrong-phase"),
])  # fmt: skip
def test_an_action_that_has_no_place_is_refused_as_the_protocol_says(profile: str, action: Any, reason: str) -> None:
    actions = [{"seat": 1, "bid": "S"}, {"seat": 1, **action}]
    reply = asked("replay", profile, {"dealer": 0, "hands": HANDS, "turn_up": "JS", "actions": actions})
    assert (reply["rejected"]["at"], reply["rejected"]["reason"]) == (1, reason)


def patterns(schema: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(schema, dict) and isinstance(schema.get("pattern"), str):
        yield schema
    for inner in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        yield from patterns(inner)


def test_a_form_of_text_that_a_message_asks_for_is_said_in_words(root: Path) -> None:
    """A pattern without words would itself stand in the message, which nobody reads."""
    for name in ("protocol-operations", "values"):
        schema = json.loads((root / "spec" / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
        assert [*patterns(schema)]
        assert [one["pattern"] for one in patterns(schema) if "description" not in one] == []
    error = asked("bidding", "contree", {"dealer": 3, "bids": ["9H0"]})["error"]
    assert "or a number or capot and what is trump, as 90H or capotN or a mapping, is the text" in error
    assert "^" not in error
