"""A program under test that listens at an address.

A message goes out as a POST, and its reply comes back in the body of the answer, so a wrong reply is blamed at once. A
broken connection or a reply that stays out may be another question's doing: what was open then is asked again one at a
time, after a new handshake. The asker did not start the server and cannot start it again; it waits for it as long
as for a start, and asks nothing more of one that does not come back.
"""

import asyncio
import socket
import ssl
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from ipaddress import ip_address
from typing import Any, Final

import httpx

from belot_conformance.programs.asker import Asker, Connection, Read
from belot_conformance.programs.protocol import (
    Hello,
    ProtocolViolation,
    Request,
    encode_hello,
    encode_request,
    parse_hello,
    parse_reply,
    read_reply,
    shorten,
    suite_version,
)
from belot_conformance.programs.target import Limits
from belot_conformance.text.printable import printable

# A server that is just starting refuses connections; it is tried this often, in seconds.
_RETRY: Final = 0.1
# A server may close an idle connection at any moment; one that waited longer than this, in seconds, is not trusted.
_KEEP_ALIVE: Final = 1.0
_HEADERS: Final = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}
# What httpx says when the other side hangs up; every other fault of the answer's form breaks the rules of HTTP.
_HUNG_UP: Final = ("disconnected", "closed connection")
# A server may close a connection after an answer, and a question that was on its way then is sent once more on
# another, as HTTP allows. So many connections may be closed at that moment.
_TRIES: Final = 4

LoopFactory = Callable[[], asyncio.AbstractEventLoop]
# The task that asks a question, and its id.
_Piece = tuple["asyncio.Task[Read]", str]


class _BrokenConnectionError(ProtocolViolation):
    """No whole answer came."""

    kind = "crashed"


class _RefusedError(_BrokenConnectionError):
    """Nobody listened at the address."""


class _NotHttpError(ProtocolViolation):
    """What came is no answer of HTTP; it may be what an earlier answer on the same connection had too much."""


class _Server(Connection):
    """A server with the connections to it, from one handshake to the next."""

    def __init__(self, address: str, limits: Limits, loop_factory: LoopFactory | None) -> None:
        self._address = address
        self._limits = limits
        self._connect_within = min(limits.start, limits.answer)
        self._runner = asyncio.Runner(loop_factory=loop_factory)
        self._client: httpx.AsyncClient | None = None
        self._asking: dict[asyncio.Task[Read], str] = {}
        self._answered: set[str] = set()

    def now(self) -> float:
        """Return the seconds of the loop."""
        return self._runner.get_loop().time()

    def send(self, questions: Sequence[Request]) -> None:
        """Begin to post questions."""
        create = self._runner.get_loop().create_task
        self._asking |= {create(self._ask(question)): question.id for question in questions}

    def receive(self, deadline: float) -> Sequence[_Piece]:
        """Wait until a question is answered or failed."""
        return self._waited(deadline, asyncio.FIRST_COMPLETED)

    def read(self, piece: _Piece) -> Read:
        """Return the reply, or what is wrong with it; raises what may be another question's doing."""
        task, question_id = piece
        del self._asking[task]
        try:
            read = task.result()
        except ProtocolViolation as violation:
            another = violation.question_id in self._answered and violation.question_id != question_id
            if another or isinstance(violation, _BrokenConnectionError | _NotHttpError):
                raise
            return question_id, "protocol_violation", str(violation)
        self._answered.add(question_id)
        return read

    def hang_up(self, seconds: float = 0) -> Sequence[_Piece]:
        """Close the connections; return what was answered within some seconds; the server goes on."""
        pieces = self._waited(self.now() + seconds, asyncio.ALL_COMPLETED)
        self._runner.run(self._disconnect())
        self._runner.close()
        return pieces

    async def _disconnect(self) -> None:
        for task in self._asking:
            task.cancel()
        await asyncio.gather(*self._asking, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()

    def _waited(self, deadline: float, until: str) -> Sequence[_Piece]:
        async def wait() -> Sequence[_Piece]:
            done, _ = await asyncio.wait(self._asking, timeout=max(0.0, deadline - self.now()), return_when=until)
            return [(task, self._asking[task]) for task in done]

        return self._runner.run(wait()) if self._asking else ()

    def greet(self, seconds: float) -> Hello:
        """Shake hands, as often as it takes while nobody listens yet."""
        return self._runner.run(self._greet(seconds))

    async def _greet(self, seconds: float) -> Hello:
        self._client = self._made_client()
        refused = ""
        try:
            async with asyncio.timeout(seconds):
                while True:
                    try:
                        return parse_hello(parse_reply(await self._post(encode_hello(suite_version()))))
                    except _RefusedError as error:
                        refused = f"{error}, tried for {seconds:g} s"
                    await asyncio.sleep(_RETRY)
        except TimeoutError:
            raise _BrokenConnectionError(refused or f"no answer to `hello` within {seconds:g} s") from None

    async def _ask(self, question: Request) -> Read:
        body = await self._post(encode_request(question))
        reply = read_reply(body)
        if reply[0] != question.id:
            wrong = f"a reply to another id than the request's {question.id}: {shorten(body)}"
            right = "the reply to a request comes back in the answer to its own POST, once"
            raise ProtocolViolation(f"{wrong}; {right}", reply[0])
        return reply

    def _made_client(self) -> httpx.AsyncClient:
        try:
            return httpx.AsyncClient(
                timeout=httpx.Timeout(None, connect=self._connect_within),
                limits=httpx.Limits(max_connections=None, keepalive_expiry=_KEEP_ALIVE),
                # Proxies of the environment serve the way out, not the way to this machine itself.
                trust_env=not _is_loopback(httpx.URL(self._address).host),
            )
        except (ValueError, ImportError, httpx.InvalidURL, OSError) as error:
            reason = f"what the environment says of proxies or certificates cannot be used: {printable(str(error))}"
            raise _BrokenConnectionError(reason) from None

    async def _post(self, message: bytes) -> bytes:
        """Post one message and return the body of the answer.

        Raises ``_BrokenConnectionError``, and ``ProtocolViolation`` for an answer that is no reply, whatever it says.
        """
        # Whether a connection was made or an answer began.
        began: list[str] = []

        async def watch(event: str, _: Any) -> None:
            if event.startswith("connection.connect_") or event == "http11.receive_response_headers.complete":
                began.append(event)

        for _ in range(_TRIES - 1):
            try:
                return await self._post_once(message, watch)
            except _BrokenConnectionError:
                if began:
                    raise
        return await self._post_once(message, watch)

    async def _post_once(self, message: bytes, watch: Callable[..., Any]) -> bytes:
        assert self._client is not None
        try:
            async with self._client.stream(
                "POST", self._address, content=message, headers=_HEADERS, extensions={"trace": watch}
            ) as response:
                return await self._body(response)
        except httpx.ConnectTimeout:
            raise _BrokenConnectionError(f"no connection within {self._connect_within:g} s") from None
        except httpx.RemoteProtocolError as error:
            if any(words in str(error) for words in _HUNG_UP):
                raise _BrokenConnectionError("the connection was closed before the whole reply had come") from None
            raise _NotHttpError(f"what came back is not HTTP: {shorten(str(error))}") from None
        except httpx.TransportError as error:
            raise _broken(error) from None

    async def _body(self, response: httpx.Response) -> bytes:
        if 300 <= response.status_code < 400:
            goal = shorten(response.headers.get("location", "nowhere"))
            wrong = f"the answer is a redirect (status {response.status_code}) to {goal}"
            raise ProtocolViolation(f"{wrong}; no redirect is followed, so give the address it leads to")
        coding = response.headers.get("content-encoding", "identity")
        if coding != "identity":
            raise ProtocolViolation(f"the reply is packed ({shorten(coding)}), which was not asked for")
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self._limits.line:
                raise ProtocolViolation(f"the reply is longer than {self._limits.line} bytes: {shorten(bytes(body))}")
        if response.status_code != httpx.codes.OK:
            wrong = f"the answer has status {response.status_code}: {shorten(bytes(body))}"
            raise ProtocolViolation(f"{wrong}; a reply of any kind comes with status 200")
        return bytes(body)


class HttpTarget(Asker):
    """A server that answers each POST to its address with one reply; time is that of the loop."""

    def __init__(self, address: str, limits: Limits | None = None, loop_factory: LoopFactory | None = None) -> None:
        limits = limits or Limits()
        connect = partial(_Server, address, limits, loop_factory)
        super().__init__(without_password(address), connect, limits, is_started=False)


def _broken(error: httpx.TransportError) -> _BrokenConnectionError:
    """Explain a connection by the error that caused it, which httpx wraps several times."""
    for cause in _causes(error):
        match cause:
            case ConnectionRefusedError():
                return _RefusedError("nobody listens there (the connection was refused)")
            case socket.gaierror():
                return _BrokenConnectionError(f"its host cannot be found ({cause.strerror})")
            case ssl.SSLCertVerificationError():
                return _BrokenConnectionError(f"its TLS certificate is not trusted ({cause.verify_message})")
            case ssl.SSLError():
                return _BrokenConnectionError(f"TLS failed ({cause.reason or cause})")
            case ConnectionError():
                return _BrokenConnectionError("the connection was broken off")
    return _BrokenConnectionError(f"the connection failed ({printable(str(error)) or type(error).__name__})")


def _causes(error: BaseException) -> Iterator[BaseException]:
    yield error
    inside = error.exceptions[::-1] if isinstance(error, BaseExceptionGroup) else ()
    for cause in (error.__cause__ or error.__context__, *inside):
        if cause is not None:
            yield from _causes(cause)


def problem_with_address(address: str) -> str | None:
    """Say what is wrong with an address of a server, ``None`` when it can be used."""
    try:
        url = httpx.URL(address)
        host = url.host
    except (httpx.InvalidURL, UnicodeError) as error:
        return f"this is no address: {printable(str(error))}"
    if not host:
        return "the address names no host, as http://localhost:8000/ does"
    if url.port is not None and not 0 < url.port < 1 << 16:
        return f"there is no port {url.port}; ports have the numbers 1 to 65535"
    return None


def without_password(address: str) -> str:
    """Return an address without the user and password that it may hold."""
    return str(httpx.URL(address).copy_with(userinfo=b""))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
