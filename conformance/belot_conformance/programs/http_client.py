"""One exchange over HTTP: a message goes out as a POST, and the body of the answer comes back within a limit.

Nothing here knows of questions or of time; whoever calls cancels what takes too long.
"""

import socket
import ssl
from collections.abc import Awaitable, Callable, Iterator
from ipaddress import ip_address
from typing import Any, Final

import httpx

from belot_conformance.programs.protocol import ProtocolViolation, shorten
from belot_conformance.text.printable import printable

# A server may close an idle connection at any moment; one that waited longer than this, in seconds, is not trusted.
_KEEP_ALIVE: Final = 1.0
_HEADERS: Final = {"content-type": "application/json", "accept": "application/json", "accept-encoding": "identity"}
# What httpx says when the other side hangs up; every other fault of the answer's form breaks the rules of HTTP.
_HUNG_UP: Final = ("disconnected", "closed connection")
# A server may close a connection after an answer, and a question that was on its way then is sent once more on
# another, as HTTP allows. So many connections may be closed at that moment.
_TRIES: Final = 4

Watch = Callable[[str, Any], Awaitable[None]]


class BrokenConnectionError(Exception):
    """No whole answer came; ``refused`` says that nobody listened at the address."""

    def __init__(self, message: str, refused: bool = False) -> None:
        super().__init__(message)
        self.refused = refused


class NotHttpError(ProtocolViolation):
    """What came is no answer of HTTP; it may be what an earlier answer on the same connection had too much."""


class HttpClient:
    """Posts messages to one address; an answer may have ``size`` bytes, and a connection take ``seconds``.

    Raises ``BrokenConnectionError`` where the environment leaves no way out.
    """

    def __init__(self, address: str, size: int, seconds: float) -> None:
        self._address = httpx.URL(address)
        self._size = size
        self._seconds = seconds
        try:
            self._client = httpx.AsyncClient(
                timeout=httpx.Timeout(None, connect=seconds),
                limits=httpx.Limits(max_connections=None, keepalive_expiry=_KEEP_ALIVE),
                # Proxies of the environment serve the way out, not the way to this machine itself.
                trust_env=not _is_loopback(self._address.host),
            )
        except (ValueError, ImportError, httpx.InvalidURL, OSError) as error:
            reason = f"what the environment says of proxies or certificates cannot be used: {printable(str(error))}"
            raise BrokenConnectionError(reason) from None

    async def post(self, message: bytes) -> bytes:
        """Post one message and return the body of the answer.

        Raises ``BrokenConnectionError``, and ``ProtocolViolation`` for an answer that is no reply, whatever it says.
        """
        for tries_left in range(_TRIES)[::-1]:
            seen, watch = _watching()
            try:
                return await self._post(message, watch)
            except BrokenConnectionError:
                if seen or not tries_left:
                    raise
        raise AssertionError("the last try returns or raises")

    async def _post(self, message: bytes, watch: Watch) -> bytes:
        try:
            async with self._client.stream(
                "POST", self._address, content=message, headers=_HEADERS, extensions={"trace": watch}
            ) as response:
                return await self._body(response)
        except httpx.ConnectTimeout:
            raise BrokenConnectionError(f"no connection within {self._seconds:g} s") from None
        except httpx.RemoteProtocolError as error:
            if any(words in str(error) for words in _HUNG_UP):
                raise BrokenConnectionError("the connection was closed before the whole reply had come") from None
            raise NotHttpError(f"what came back is not HTTP: {shorten(str(error))}") from None
        except httpx.TransportError as error:
            raise _broken(error) from None

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def _body(self, response: httpx.Response) -> bytes:
        if response.is_redirect or 300 <= response.status_code < 400:
            goal = shorten(response.headers.get("location", "nowhere"))
            wrong = f"the answer is a redirect (status {response.status_code}) to {goal}"
            raise ProtocolViolation(f"{wrong}; no redirect is followed, so give the address it leads to")
        coding = response.headers.get("content-encoding", "identity")
        if coding != "identity":
            raise ProtocolViolation(f"the reply is packed ({shorten(coding)}), which was not asked for")
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self._size:
                raise ProtocolViolation(f"the reply is longer than {self._size} bytes: {shorten(bytes(body))}")
        if response.status_code != httpx.codes.OK:
            wrong = f"the answer has status {response.status_code}: {shorten(bytes(body))}"
            raise ProtocolViolation(f"{wrong}; a reply of any kind comes with status 200")
        return bytes(body)


def _watching() -> tuple[list[str], Watch]:
    """Return a list that is empty until a connection is made or an answer begins, and what fills it."""
    seen: list[str] = []

    async def watch(event: str, _: Any) -> None:
        if event.startswith("connection.connect_") or event == "http11.receive_response_headers.complete":
            seen.append(event)

    return seen, watch


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


def _broken(error: httpx.TransportError) -> BrokenConnectionError:
    """Explain a connection by the error that caused it, which httpx wraps several times."""
    for cause in _causes(error):
        if isinstance(cause, ConnectionRefusedError):
            return BrokenConnectionError("nobody listens there (the connection was refused)", refused=True)
        if isinstance(cause, socket.gaierror):
            return BrokenConnectionError(f"its host cannot be found ({cause.strerror})")
        if isinstance(cause, ssl.SSLCertVerificationError):
            return BrokenConnectionError(f"its TLS certificate is not trusted ({cause.verify_message})")
        if isinstance(cause, ssl.SSLError):
            return BrokenConnectionError(f"TLS failed ({cause.reason or cause})")
        if isinstance(cause, ConnectionError):
            return BrokenConnectionError("the connection was broken off")
    return BrokenConnectionError(f"the connection failed ({printable(str(error)) or type(error).__name__})")


def _causes(error: BaseException) -> Iterator[BaseException]:
    todo: list[BaseException] = [error]
    while todo:
        yield (cause := todo.pop())
        if isinstance(cause, BaseExceptionGroup):
            todo += cause.exceptions
        if deeper := cause.__cause__ or cause.__context__:
            todo.append(deeper)
