"""A program under test that listens at an address, and putting the blame for a fault on the right question.

A message goes out as a POST, and its reply comes back in the body of the answer, so a wrong reply is blamed at once. A
broken connection or a reply that stays out may be another question's doing: what was open then is asked again one at a
time, after a new handshake. The runner did not start the server and cannot start it again; it waits for it as long
as for a start, and asks nothing more of one that does not come back.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass, replace
from ipaddress import ip_address
from typing import Any, Final, TypeVar

import httpx

from belot_conformance.programs.process import StartError, suite_version
from belot_conformance.programs.protocol import (
    Hello,
    ProtocolViolation,
    Question,
    Reply,
    encode_hello,
    encode_request,
    parse_hello,
    parse_reply,
    shorten,
)
from belot_conformance.programs.target import OTHER_HELLO, Answer, Asking, Fault, FaultyTarget, Limits, Progress
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

Returned = TypeVar("Returned")


class _BrokenConnectionError(Exception):
    """No whole answer came; ``refused`` says that nobody listened at the address."""

    def __init__(self, message: str, refused: bool = False) -> None:
        super().__init__(message)
        self.refused = refused


class _NotHttpError(ProtocolViolation):
    """What came is no answer of HTTP; it may be what an earlier answer on the same connection had too much."""


class HttpTarget(FaultyTarget):
    """A server that answers each POST to its address with one reply.

    StartError when it cannot be reached, or shakes hands wrongly. The time for an answer runs as for a program:
    from the sending of the question or from the latest answer, whichever is later. Time is that of the loop.
    """

    def __init__(
        self,
        address: str,
        limits: Limits | None = None,
        loop_factory: Callable[[], asyncio.AbstractEventLoop] | None = None,
    ) -> None:
        super().__init__(limits)
        self._address = address
        self._connect_within = min(self.limits.start, self.limits.answer)
        self._loop = asyncio.Runner(loop_factory=loop_factory)
        self._client: httpx.AsyncClient | None = None
        try:
            self.hello = self._run(self._shake_hands())
        except BaseException as error:
            self.close()
            if not isinstance(error, ProtocolViolation | _BrokenConnectionError):
                raise
            raise StartError(f"{without_password(address)} did not shake hands: {error}") from None
        self._greeted = True

    def ask(self, questions: Sequence[Question], progress: Progress | None = None) -> dict[str, Answer]:
        """Ask the server; see `Target.ask`. No fault of the server raises anything here."""
        return self._run(_HttpAsking(self, questions, progress).run())

    def close(self) -> None:
        """Close the connections; the server goes on."""
        if self._client is not None:
            self._run(self._disconnect())
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Returned]) -> Returned:
        return self._loop.run(work)

    async def _shake_hands(self) -> Hello:
        """Greet the server on new connections, as often as it takes while nobody listens yet."""
        await self._disconnect()
        self._client = self._connected()
        refusal: _BrokenConnectionError | None = None
        try:
            async with asyncio.timeout(self.limits.start):
                while True:
                    try:
                        return parse_hello(parse_reply(await self.post(encode_hello(suite_version()))))
                    except _BrokenConnectionError as error:
                        if not error.refused:
                            raise
                        refusal = error
                    await asyncio.sleep(_RETRY)
        except TimeoutError:
            seconds = f"{self.limits.start:g} s"
            waited = f"{refusal}, tried for {seconds}" if refusal else f"no answer to `hello` within {seconds}"
            raise _BrokenConnectionError(waited) from None

    async def _greet_again(self) -> bool:
        """Make sure that the server still shakes hands after a fault; once it does not, nothing more is asked."""
        if not self._greeted and self.given_up is None:
            try:
                if await self._shake_hands() != self.hello:
                    self.given_up = Fault("not_run", OTHER_HELLO)
                self._greeted = True
            except (ProtocolViolation, _BrokenConnectionError) as error:
                self.given_up = Fault("not_run", f"not asked, because the server shook hands no more: {error}")
        return self.given_up is None

    def _connected(self) -> httpx.AsyncClient:
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

    async def _disconnect(self) -> None:
        if self._client is not None:
            await self._client.aclose()
            self._client = None

    async def post(self, message: bytes) -> bytes:
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
                return await self._post(message, watch)
            except _BrokenConnectionError:
                if began:
                    raise
        return await self._post(message, watch)

    async def _post(self, message: bytes, watch: Callable[..., Any]) -> bytes:
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
            if len(body) > self.limits.line:
                raise ProtocolViolation(f"the reply is longer than {self.limits.line} bytes: {shorten(bytes(body))}")
        if response.status_code != httpx.codes.OK:
            wrong = f"the answer has status {response.status_code}: {shorten(bytes(body))}"
            raise ProtocolViolation(f"{wrong}; a reply of any kind comes with status 200")
        return bytes(body)


@dataclass(frozen=True, slots=True)
class _Exchange:
    """What became of one question; where ``certain`` is false, another question may have caused the fault.

    ``named`` is the question of this call that a wrong reply names by its id.
    """

    question: Question
    answer: Answer
    certain: bool = True
    named: str | None = None


class _HttpAsking(Asking[HttpTarget]):
    def __init__(self, target: HttpTarget, questions: Sequence[Question], progress: Progress | None) -> None:
        super().__init__(target, questions, progress)
        self._limits: set[asyncio.Timeout] = set()

    async def run(self) -> dict[str, Answer]:
        while self.queue and await self.target._greet_again():
            if suspects := await self._converse():
                await self._settle(suspects)
        return self.ended()

    async def _converse(self) -> list[_Exchange]:
        """Ask the queue's questions, a window at a time, until all are answered or an exchange fails; return those."""
        suspects: list[_Exchange] = []
        running: set[asyncio.Task[_Exchange]] = set()
        try:
            while True:
                while self._may_go_on(suspects) and len(running) < self.target.window:
                    running.add(asyncio.create_task(self._exchange(self.queue.popleft())))
                if not running:
                    return suspects
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                alone = len(running) == 1 and not suspects
                running -= done
                for exchange in [task.result() for task in done]:
                    if exchange.certain or (alone and exchange.answer.kind == "timed_out"):
                        self.put(exchange.question.id, exchange.answer)
                    else:
                        suspects.append(exchange)
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _may_go_on(self, suspects: list[_Exchange]) -> bool:
        return bool(self.queue) and not suspects and self.target._greeted and self.target.given_up is None

    async def _settle(self, suspects: Sequence[_Exchange]) -> None:
        """Ask again, one at a time and on new connections, what was open when something broke."""
        explained = False
        for suspect in suspects:
            if not await self.target._greet_again():
                break
            again = await self._exchange(suspect.question)
            explained |= isinstance(again.answer, Fault)
            self.put(again.question.id, again.answer)
            if suspect.named is not None and isinstance(again.answer, Reply):
                # The reply was one too many to the question that it names.
                self.put(suspect.named, suspect.answer)
                explained = True
        fault = suspects[0].answer
        if not explained and isinstance(fault, Fault):
            # A server may close a connection between two requests; that is no fault, though it looks like one.
            self.put_unexplained(fault, [one.question.id for one in suspects], counts=fault.kind != "crashed")

    async def _exchange(self, question: Question) -> _Exchange:
        certain, named = False, None
        sent = time.monotonic()
        try:
            async with asyncio.timeout(self.target.limits.answer) as limit:
                self._limits.add(limit)
                body = await self.target.post(encode_request(question))
            certain = True
            answer = self._read(question, body)
        except TimeoutError:
            answer = Fault("timed_out", f"no answer within {self.target.limits.answer:g} s")
        except _BrokenConnectionError as error:
            answer = Fault("crashed", str(error))
        except ProtocolViolation as violation:
            named = violation.question_id if violation.question_id in self.answers else None
            certain = not isinstance(violation, _NotHttpError) and named is None
            answer = Fault("protocol_violation", str(violation))
        finally:
            self._limits.discard(limit)
        if isinstance(answer, Reply):
            # Every open question has its full time again: the server is busy, not silent.
            deadline = asyncio.get_running_loop().time() + self.target.limits.answer
            for other in self._limits:
                if not other.expired():
                    other.reschedule(deadline)
        if not certain:
            # After this the server need not be what it was.
            self.target._greeted = False
        return _Exchange(question, replace(answer, seconds=time.monotonic() - sent), certain, named)

    @staticmethod
    def _read(question: Question, body: bytes) -> Answer:
        reply = parse_reply(body)
        if reply.id != question.id:
            wrong = f"a reply to another id than the request's {question.id}: {shorten(body)}"
            right = "the reply to a request comes back in the answer to its own POST, once"
            raise ProtocolViolation(f"{wrong}; {right}", reply.id)
        return reply


def _broken(error: httpx.TransportError) -> _BrokenConnectionError:
    """Explain a connection by the error that caused it, which httpx wraps several times."""
    for cause in _causes(error):
        match cause:
            case ConnectionRefusedError():
                return _BrokenConnectionError("nobody listens there (the connection was refused)", refused=True)
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
