"""The protocol over HTTP on this machine: one request in each POST, its reply in the body of the answer."""

from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from belot_conformance.programs.serving import Answering, reply_to
from belot_spec.errors import BelotError

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
