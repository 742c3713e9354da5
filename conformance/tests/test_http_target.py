"""Programs behind an address: right ones, and servers that are wrong on purpose about one question of ten."""

import asyncio
import json
import selectors
import socket
import ssl
import struct
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from math import inf
from typing import Any, Self

import httpx
import pytest

from belot_conformance.programs.asker import OTHER_HELLO
from belot_conformance.programs.http_target import HttpTarget, _broken, without_password
from belot_conformance.programs.protocol import Request
from belot_conformance.programs.reference import Reference, ServedReference
from belot_conformance.programs.serving import make_server
from belot_conformance.programs.target import Answer, Limits, StartError
from process_testing import LIMITS, PATIENCE, until
from suite_testing import PLAN, Belot, assert_right_but_for, faults

CULPRIT = "q3"
ALL_OF_THEM = " ".join(question.id for question in PLAN)
LOOK_AGAIN = 0.02
TLS_HANDSHAKE = b"\x16"

Spoil = Callable[["WrongServer", socket.socket, dict[str, Any]], None]


def ok(body: bytes, headers: str = "Content-Type: application/json\r\n") -> bytes:
    return f"HTTP/1.1 200 OK\r\n{headers}Content-Length: {len(body)}\r\n\r\n".encode() + body


def right(request: Mapping[str, Any]) -> bytes:
    return json.dumps({"id": request["id"], "result": request["input"]}).encode()


class TimeSelector(selectors.DefaultSelector):
    """Where nothing can come, waits for nothing: lets the time pass at once for which it would have waited."""

    def __init__(self, to_pass: Callable[[], float], pass_by: Callable[[float], None]) -> None:
        super().__init__()
        self.passed = 0.0
        self._to_pass = to_pass
        self._pass_by = pass_by

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        # What was sent before it was asked whether time may pass is seen by the look that follows.
        passing = min(timeout or 0.0, self._to_pass())
        found = super().select(0)
        if found or timeout == 0:
            return found
        if passing > 0:
            self._pass_by(passing)
            self.passed += passing
            return []
        # An empty look only makes the loop look again.
        return super().select(LOOK_AGAIN if timeout is None else min(timeout, LOOK_AGAIN))


class TimeLoop(asyncio.SelectorEventLoop):
    """An event loop whose time may pass faster than it does."""

    def __init__(
        self, to_pass: Callable[[], float] = lambda: inf, pass_by: Callable[[float], None] = lambda _: None
    ) -> None:
        self._selector_of_time = TimeSelector(to_pass, pass_by)
        super().__init__(self._selector_of_time)

    def time(self) -> float:
        return super().time() + self._selector_of_time.passed


class WrongServer:
    """A server written on bare sockets, so that it can break every rule; right but for what ``spoil`` does to q3."""

    def __init__(
        self, spoil: Spoil | None = None, window: int = 1, hello: bytes | None = None, culprits: str = CULPRIT
    ):
        self.asked: Counter[str] = Counter()
        self.paths: set[str] = set()
        self.open = self.most_open = 0
        self._hanging = 0
        self._seconds_to_pass = 0.0
        self._spoil = spoil
        self._culprits = culprits
        self._hello = hello or ok(self.hello(window=window))
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._stopped = False
        self._connections: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}/belot?table=1"

    @staticmethod
    def hello(**changes: Any) -> bytes:
        fields = {"protocol": 1, "name": "server", "version": "1", "language": "Python"}
        fields |= {"profiles": ["bela-4"], "operations": ["echo"], "window": 1}
        return json.dumps({"id": "hello", "result": fields | changes}).encode()

    def __enter__(self) -> Self:
        self._run(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self.stop_listening()
        for thread in self._threads:
            thread.join(5)
            assert not thread.is_alive()

    def stop_listening(self) -> None:
        """Die as far as the outside can see."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        with self._lock:
            self._stopped = True
            connections = [*self._connections]
        for connection in connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def target(self, limits: Limits = LIMITS) -> HttpTarget:
        """Open this server as a target, for which time passes at once while all that was asked hangs."""
        return HttpTarget(self.address, limits, lambda: TimeLoop(self._to_pass, self._pass_by))

    def _to_pass(self) -> float:
        with self._lock:
            if self._stopped:
                return inf
            return self._seconds_to_pass if 0 < self.open <= self._hanging else 0.0

    def _pass_by(self, seconds: float) -> None:
        with self._lock:
            self._seconds_to_pass -= seconds

    def hang(self, seconds: float = PATIENCE + 1) -> bool:
        """Let so many seconds pass for the target once nothing else is being answered; say whether to go on."""
        with self._lock:
            self._seconds_to_pass = seconds
        with self.hanging():
            while self._seconds_to_pass > 0:
                if not self.pause(LOOK_AGAIN):
                    return False
        return True

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Answer nothing as long as this lasts."""
        with self._lock:
            self._hanging += 1
        try:
            yield
        finally:
            with self._lock:
                self._hanging -= 1

    def pause(self, seconds: float) -> bool:
        return not self._closing.wait(seconds)

    def _run(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if self._stopped:
                    connection.close()
                    return
                self._connections.add(connection)
            self._run(self._converse, connection)

    def _converse(self, connection: socket.socket) -> None:
        with connection, suppress(OSError):
            while request := self._request(connection):
                with self._lock:
                    self.asked[request["id"]] += 1
                    self.open += 1
                    self.most_open = max(self.most_open, self.open)
                try:
                    self._answer(connection, request)
                finally:
                    with self._lock:
                        self.open -= 1
        with self._lock:
            self._connections.discard(connection)

    def _answer(self, connection: socket.socket, request: dict[str, Any]) -> None:
        if request["op"] == "hello":
            connection.sendall(self._hello)
        elif self._spoil is not None and request["id"] in self._culprits:
            self._spoil(self, connection, request)
        else:
            connection.sendall(ok(right(request)))

    def _request(self, connection: socket.socket) -> dict[str, Any] | None:
        data = b""
        while b"\r\n\r\n" not in data:
            chunk = connection.recv(65536)
            if chunk.startswith(TLS_HANDSHAKE):
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
            if not chunk or chunk.startswith(TLS_HANDSHAKE):
                return None
            data += chunk
        head, _, body = data.partition(b"\r\n\r\n")
        lines = head.decode().lower().split("\r\n")
        self.paths.add(head.decode().split(" ")[1])
        assert lines[0].startswith("post ")
        assert "content-type: application/json" in lines
        length = next(int(line.partition(":")[2]) for line in lines if line.startswith("content-length:"))
        while len(body) < length:
            chunk = connection.recv(65536)
            if not chunk:
                return None
            body += chunk
        found: dict[str, Any] = json.loads(body)
        return found


def sends(data: bytes | Callable[[dict[str, Any]], bytes], *, closing: bool = False) -> Spoil:
    def spoil(_: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
        connection.sendall(data if isinstance(data, bytes) else data(request))
        if closing:
            connection.shutdown(socket.SHUT_RDWR)

    return spoil


sends_and_closes = partial(sends, closing=True)


def never_answers(server: WrongServer, *_: Any) -> None:
    with server.hanging():
        server.hang()
        server.pause(PATIENCE)


def resets(_: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def drips(before: bytes) -> Spoil:
    def spoil(server: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
        connection.sendall(before)
        while server.hang(10):
            connection.sendall(b"x")

    return spoil


def floods(before: bytes, chunk: bytes) -> Spoil:
    def spoil(_: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
        connection.sendall(before)
        for _number in range(100):
            connection.sendall(chunk)

    return spoil


def dies(server: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
    if request["id"] < CULPRIT:
        connection.sendall(ok(right(request)))
    elif request["id"] > CULPRIT:
        server.pause(PATIENCE)
    else:
        server.stop_listening()


MEGABYTE = b" " * 1_000_000
TOLERATED = {
    "more than was announced": sends(lambda request: ok(right(request)) + b"</body>"),
    "text/html as its type": sends(lambda request: ok(right(request), "Content-Type: text/html\r\n")),
    "no type": sends(lambda request: ok(right(request), "")),
    "blanks and lines around the reply": sends(lambda request: ok(b"\n\n " + right(request) + b"\r\n\n")),
    "in chunks": sends(
        lambda request: (
            b"HTTP/1.1 200 Fine\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n" % len(right(request))
            + right(request)
            + b"\r\n0\r\n\r\n"
        )
    ),
    "an end by closing": sends_and_closes(lambda request: b"HTTP/1.0 200 OK\r\n\r\n" + right(request)),
}
WRONG = {
    "never answers": (never_answers, "timed_out", "no answer within 60 s"),
    "drips its body": (drips(b"HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n"), "timed_out", "no answer within"),
    "closes before an answer": (sends_and_closes(b""), "crashed", "closed before the whole reply"),
    "closes in a chunk": (
        sends_and_closes(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n99\r\n{"), "crashed", "closed before",
    ),
    "resets": (resets, "crashed", "the connection was broken off"),
    "redirects": (
        sends(b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n"),
        "protocol_violation", "a redirect (status 302) to http://127.0.0.1:1/",
    ),
    "redirects nowhere": (
        sends(b"HTTP/1.1 304 Not Modified\r\n\r\n"), "protocol_violation", "a redirect (status 304) to nowhere",
    ),
    "status 500": (
        sends(b"HTTP/1.1 500 Oops\r\nContent-Length: 14\r\n\r\n<html>\x1b</html>"),
        "protocol_violation", "status 500: <html>\\x1b</html>",
    ),
    "huge body": (
        floods(b"HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n", MEGABYTE),
        "protocol_violation", "longer than 1048576 bytes",
    ),
    "huge body without a length": (
        floods(b"HTTP/1.1 200 OK\r\n\r\n", MEGABYTE), "protocol_violation", "longer than 1048576 bytes",
    ),
    "huge page with status 500": (
        floods(b"HTTP/1.1 500 Oops\r\n\r\n", MEGABYTE), "protocol_violation", "longer than 1048576 bytes",
    ),
    "huge head": (floods(b"HTTP/1.1 200 OK\r\nX-Flood: ", MEGABYTE), "protocol_violation", "is not HTTP"),
    "not HTTP": (sends(b"well, let me think\r\n\r\n"), "protocol_violation", "is not HTTP"),
    "packed": (sends(ok(b"\x1f\x8b", "Content-Encoding: gzip\r\n")), "protocol_violation", "packed (gzip)"),
    "wrong id": (sends(ok(b'{"id": "q2", "result": {}}')), "protocol_violation", "another id than the request's q3"),
    "not JSON": (sends(ok(b"<html>")), "protocol_violation", "not JSON"),
}  # fmt: skip


@pytest.fixture(autouse=True)
def proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")


@pytest.mark.parametrize("window", [1, 8])
def test_right_answers_are_taken(window: int) -> None:
    def answers_in_company(server: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
        until(lambda: server.most_open > 1 or window == 1)
        connection.sendall(ok(right(request)))

    with WrongServer(answers_in_company, window, culprits=ALL_OF_THEM) as server, server.target() as target:
        answers = target.ask(PLAN)
        again = target.ask(PLAN)
    assert_right_but_for(set(), answers)
    assert_right_but_for(set(), again)
    assert target.incidents == []
    assert set(server.asked.values()) == {1, 2}
    assert server.most_open <= window
    assert server.most_open > 1 or window == 1
    assert server.paths == {"/belot?table=1"}


@pytest.mark.parametrize("name", TOLERATED)
def test_what_the_protocol_leaves_open_is_tolerated(name: str) -> None:
    with WrongServer(TOLERATED[name]) as server, server.target() as target:
        assert_right_but_for(set(), target.ask(PLAN))
    assert all("more" in name and "is not HTTP" in incident for incident in target.incidents)


@pytest.mark.parametrize("window", [1, 8])
@pytest.mark.parametrize("name", WRONG)
def test_only_the_culprit_is_blamed(name: str, window: int) -> None:
    spoil, kind, detail = WRONG[name]
    with WrongServer(spoil, window) as server, server.target() as target:
        answers = target.ask(PLAN)
    blamed = faults(answers)
    assert [*blamed] == [CULPRIT]
    assert blamed[CULPRIT].kind == kind
    assert detail in blamed[CULPRIT].detail
    assert blamed[CULPRIT].detail.isprintable()
    assert_right_but_for({CULPRIT}, answers)
    assert target.incidents == []


@pytest.mark.parametrize(("window", "crashed", "incidents"), [(1, [CULPRIT], 0), (8, [], 1)])
def test_a_server_that_dies_leaves_the_rest_not_run(window: int, crashed: list[str], incidents: int) -> None:
    server = WrongServer(dies, window, culprits=ALL_OF_THEM)
    with server, server.target(replace(LIMITS, start=10)) as target:
        answers = target.ask(PLAN)
    blamed = faults(answers)
    assert [name for name, fault in blamed.items() if fault.kind == "crashed"] == crashed
    rest = [fault for fault in blamed.values() if fault.kind == "not_run"]
    assert len(rest) + len(crashed) == len(blamed) >= 7
    assert all("shook hands no more: nobody listens there" in fault.detail for fault in rest)
    assert len(target.incidents) == incidents


@pytest.mark.parametrize(("window", "half"), [(1, True), (8, True), (1, False)])
def test_what_does_not_happen_again_is_an_incident_unless_a_connection_was_only_closed(window: int, half: bool) -> None:
    def closes_once(server: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
        if server.asked[CULPRIT] == 1:
            connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{" if half else b"")
            connection.shutdown(socket.SHUT_RDWR)
        else:
            connection.sendall(ok(right(request)))

    with WrongServer(closes_once, window) as server, server.target() as target:
        assert_right_but_for(set(), target.ask(PLAN))
    assert len(target.incidents) == half
    assert all("closed before the whole reply" in one and CULPRIT in one for one in target.incidents)


def test_an_answer_too_many_is_blamed_on_the_question_that_it_names_though_another_reads_it() -> None:
    """The second copy comes in place of the answer to the next question."""

    before: list[bytes] = []

    def answers_twice(server: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
        before.append(right(request))
        is_next = request["id"] == "q4" and server.asked["q4"] == 1
        connection.sendall(ok(before[-2] if is_next else before[-1]))

    with WrongServer(answers_twice, 1, culprits=f"{CULPRIT} q4") as server, server.target() as target:
        answers = target.ask(PLAN)
    assert [*faults(answers)] == [CULPRIT]
    assert "once" in faults(answers)[CULPRIT].detail
    assert target.incidents == []


def test_a_server_that_says_something_else_of_itself_afterwards_is_asked_no_more() -> None:
    def another_name(server: WrongServer, connection: socket.socket, request: dict[str, Any]) -> None:
        server._hello = ok(server.hello(window=7))
        connection.sendall(b"nothing of the kind\r\n\r\n")

    with WrongServer(another_name, 1) as server, server.target() as target:
        blamed = faults(target.ask(PLAN))
    assert {fault.detail for name, fault in blamed.items() if name != CULPRIT} == {OTHER_HELLO}


@pytest.mark.parametrize("window", [1, 8])
def test_a_server_may_close_each_connection_after_its_answer(window: int) -> None:
    plan = [Request(f"q{n}", "echo", "bela-4", {"n": n}) for n in range(60)]
    spoiled = " ".join(question.id for question in plan)
    closes = sends_and_closes(lambda request: ok(right(request)))
    limits = replace(LIMITS, faults=1)
    with WrongServer(closes, window, culprits=spoiled) as server, server.target(limits) as target:
        answers = target.ask(plan)
    assert {answer.kind for answer in answers.values()} == {"result"}


@pytest.mark.parametrize(("window", "name"), [
    (1, "closes before an answer"), (8, "closes before an answer"), (1, "status 500"),
])  # fmt: skip
def test_after_too_many_faults_the_rest_is_not_run(window: int, name: str) -> None:
    limits = replace(LIMITS, faults=3)
    server = WrongServer(WRONG[name][0], window, culprits=ALL_OF_THEM)
    with server, server.target(limits) as target:
        kinds = Counter(answer.kind for answer in target.ask(PLAN).values())
    assert kinds == {WRONG[name][1]: 3, "not_run": 7}


@pytest.mark.parametrize(("hello", "message"), [
    (b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n", "status 500"),
    (b"HTTP/1.1 301 Moved\r\nLocation: /b/\r\nContent-Length: 0\r\n\r\n", "redirect (status 301) to /b/"),
    (b"Welcome to Bela 2000!\r\n\r\n", "not HTTP"),
    (ok(WrongServer.hello(protocol=2)), "another protocol: 2"),
    (ok(b'{"id":"hello","error":"not today"}'), "not today"),
    (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", "no answer to `hello` within 0.3 s"),
])  # fmt: skip
def test_a_wrong_handshake_says_why(hello: bytes, message: str) -> None:
    with WrongServer(hello=hello) as server, pytest.raises(StartError) as caught:
        server.target(Limits(start=0.3 if "0.3 s" in message else PATIENCE))
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{server.address} did not shake hands")


def test_a_server_that_nobody_started_is_waited_for_and_named() -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        with pytest.raises(StartError, match=r"nobody listens there .* tried for 10 s"):
            HttpTarget(f"http://127.0.0.1:{held.getsockname()[1]}", Limits(start=10), TimeLoop)


def test_a_server_that_starts_late_is_found() -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    servers: list[Any] = []

    def start() -> None:
        servers.append(make_server(ServedReference(Reference()), port))
        servers[0].serve_forever()

    late = threading.Timer(0.3, start)
    late.start()
    with HttpTarget(f"http://127.0.0.1:{port}", LIMITS) as target:
        assert target.hello.name == "belot-reference"
    servers[0].shutdown()
    servers[0].server_close()
    late.join()


def test_what_is_wrong_with_tls_is_named() -> None:
    with WrongServer() as server, pytest.raises(StartError, match="TLS failed"):
        HttpTarget(server.address.replace("http:", "https:"), LIMITS)
    cause = ssl.SSLCertVerificationError()
    cause.verify_message = "self-signed certificate"
    error = httpx.ConnectError("")
    error.__cause__ = ExceptionGroup("all attempts", [OSError(), cause])
    assert str(_broken(error)) == "its TLS certificate is not trusted (self-signed certificate)"


def test_progress_tells_every_question_once_and_leaves_a_target_that_works_when_it_fails() -> None:
    def fail(question_id: str, _: Answer) -> None:
        if question_id == "q1":
            raise KeyboardInterrupt

    with WrongServer(window=4) as server, server.target() as target:
        with pytest.raises(KeyboardInterrupt):
            target.ask(PLAN, fail)
        assert_right_but_for(set(), target.ask(PLAN))
        told: list[str] = []
        target.ask(PLAN, lambda question_id, _: told.append(question_id))
        with pytest.raises(ValueError, match="'q0'"):
            target.ask([PLAN[0], Request("q0", "echo", "bela-4", {"n": 7})])
        assert target.ask([]) == {}
        target.close()
    assert sorted(told) == [question.id for question in PLAN]


@pytest.fixture
def reference_address() -> Iterator[str]:
    with make_server(ServedReference(Reference()), 0) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_an_address_is_checked_from_the_command_line_and_one_where_nobody_listens_exits_with_3(
    belot: Belot, reference_address: str
) -> None:
    done = belot("check", reference_address, "--operation", "trick-winner", "--format", "json")
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert report["target"]["command"] == reference_address
    assert report["totals"]["passed"] == report["totals"]["planned"] > 10
    taken = belot("answer", "--http", reference_address.rstrip("/").rpartition(":")[2])
    assert taken.returncode == 2
    assert "cannot be listened at: Address already in use" in taken.stderr
    assert without_password("http://me:secret@localhost:80/x?y=1") == "http://localhost/x?y=1"
    # Held, so that nobody else takes it meanwhile, but nobody listens.
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        done = belot("check", f"http://me:secret@127.0.0.1:{held.getsockname()[1]}", "--start", "0.5")
    assert (done.returncode, done.stdout) == (3, "")
    assert "nobody listens there" in done.stderr
    assert "secret" not in done.stderr


@pytest.mark.parametrize(("request_line", "status"), [
    (b"POST / HTTP/1.1\r\nContent-Length: 2\r\n\r\n{}", 400),
    (b"POST / HTTP/1.1\r\nContent-Length: -2\r\n\r\n{}", 411),
    (b"POST / HTTP/1.1\r\n\r\n", 411),
    (b"POST / HTTP/1.1\r\nContent-Length: 99999999\r\n\r\n", 413),
    (b"GET / HTTP/1.1\r\n\r\n", 501),
])  # fmt: skip
def test_the_reference_refuses_what_is_no_request(reference_address: str, request_line: bytes, status: int) -> None:
    port = int(reference_address.rstrip("/").rpartition(":")[2])
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(request_line)
        answer = connection.recv(65536)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
