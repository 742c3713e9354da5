"""The other side of the protocol: something that answers, as a program that reads requests and writes replies."""

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import IO, Any, Protocol

from belot_conformance.programs.protocol import HELLO_ID, PROTOCOL_VERSION, Hello, encode_line
from belot_conformance.text.printable import printable
from belot_spec.files import strict_json


class Answering(Protocol):
    """Whatever can say what it is, and answer a question with the fields of a reply."""

    def hello(self) -> Hello:
        """Return what is said in the handshake."""

    def reply(self, operation: str, profile: str, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the fields of the reply to one question."""


def serve(answering: Answering, requests: IO[bytes], replies: IO[bytes]) -> None:
    """Answer protocol requests, one a line, until there are no more."""
    for line in requests:
        if (reply := reply_to(answering, line)) is not None:
            replies.write(reply)
            replies.flush()


def reply_to(answering: Answering, message: bytes) -> bytes | None:
    """Return the reply to a request as a line, ``None`` to one without an id that can be read."""
    try:
        request = json.loads(message)
        own = {"id": request["id"]}
        request["id"].encode()
    except (ValueError, RecursionError, TypeError, LookupError, AttributeError):
        return None
    try:
        strict_json(message.decode("utf-8"))
    except ValueError as error:
        return encode_line(own | {"error": f"the request cannot be read: {printable(str(error))}"})
    try:
        return encode_line(own | _answer_to(answering, request) | own)
    except Exception as error:  # a fault of ours must cost one answer, not the whole conversation
        return encode_line(own | {"error": f"no reply could be made: {type(error).__name__}: {error}"})


def _answer_to(answering: Answering, request: Mapping[str, Any]) -> dict[str, Any]:
    operation, question = request.get("op"), request.get("input")
    if not isinstance(operation, str) or not isinstance(question, dict):
        return {"error": "a request has an op (a string) and an input (an object)"}
    if operation == HELLO_ID:
        return _answer_to_hello(answering.hello(), question)
    profile = request.get("profile")
    if not isinstance(profile, str):
        return {"error": "a request has a profile (a string)"}
    return answering.reply(operation, profile, question)


def _answer_to_hello(hello: Hello, question: Mapping[str, Any]) -> dict[str, Any]:
    offered = question.get("protocol")
    if not isinstance(offered, list) or PROTOCOL_VERSION not in offered:
        return {"error": f"this program speaks protocol {PROTOCOL_VERSION} only, and {offered} was offered"}
    fields = asdict(hello)
    del fields["shape"], fields["_names"]
    return {"result": {**fields, **hello.shape.as_json()}}
