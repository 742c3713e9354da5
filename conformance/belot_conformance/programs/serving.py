"""The other side of the protocol: something that answers, as a program that reads requests or as a server."""

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import IO, Any, Final, Protocol

from belot_conformance.programs.protocol import HELLO_ID, PROTOCOL_VERSION, Hello, encode_line
from belot_conformance.text.printable import printable
from belot_spec.errors import BelotError
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


LOOPBACK: Final = "127.0.0.1"
MAX_REQUEST: Final = 1 << 20


class PortError(BelotError):
    """The port cannot be listened at."""


def make_server(answering: Answering, port: int) -> ThreadingHTTPServer:
    """Return a server that listens on this machine only, at any free port for 0; raises `PortError`."""
    handler = type("Handler", (_Handler,), {"answering": answering})
    try:
        return _Server((LOOPBACK, port), handler)
    except OSError as error:
        raise PortError(f"port {port} cannot be listened at: {error.strerror}; choose another, or 0 for any") from None


def serve_http(answering: Answering, port: int, announce: Callable[[str], None]) -> None:
    """Serve until Ctrl-C; `announce` is called with the address once somebody may ask there."""
    with make_server(answering, port) as server:
        announce(f"http://{LOOPBACK}:{server.server_port}/")
        with suppress(KeyboardInterrupt):
            server.serve_forever()


class _Server(ThreadingHTTPServer):
    # As many may want to connect at the same moment as the window of the reference allows.
    request_queue_size = 128


class _Handler(BaseHTTPRequestHandler):
    answering: Answering
    protocol_version = "HTTP/1.1"
    # Header and body of an answer leave together; otherwise the second waits for news of the first.
    wbufsize = -1
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Answer one request of the protocol."""
        length = self.headers.get("content-length", "")
        if not (length.isascii() and length.isdigit() and len(length) < 10):
            self._refuse(HTTPStatus.LENGTH_REQUIRED, "say the length of the request in Content-Length")
        elif int(length) > MAX_REQUEST:
            self._refuse(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a request has at most {MAX_REQUEST} bytes")
        elif reply := reply_to(self.answering, self.rfile.read(int(length))):
            self._send(HTTPStatus.OK, "application/json", reply)
        else:
            self._refuse(HTTPStatus.BAD_REQUEST, "a request is one JSON object with an id that is a string")

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002, the name that the base class has
        """Say nothing of each request."""

    def _refuse(self, status: HTTPStatus, why: str) -> None:
        # What was not read would be taken for the next request.
        self.close_connection = True
        self._send(status, "text/plain; charset=utf-8", f"{why}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
