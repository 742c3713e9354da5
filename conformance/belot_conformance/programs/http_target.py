"""A program under test that listens at an address, and putting the blame for a fault on the right question.

The reply to a question comes back on that question's own connection, so a wrong reply is blamed at once. A broken
connection or a reply that stays out may be another question's doing: what was open then is asked again one at a
time, after a new handshake. The runner did not start the server and cannot start it again; it waits for it as long
as for a start, and asks nothing more of one that does not come back.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from belot_conformance.programs.http_client import BrokenConnectionError, HttpClient, NotHttpError, without_password
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

# A server that is just starting refuses connections; it is tried this often, in seconds.
_RETRY: Final = 0.1

Returned = TypeVar("Returned")


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
        self._loop = asyncio.Runner(loop_factory=loop_factory)
        self._client: HttpClient | None = None
        try:
            self.hello = self._run(self._shake_hands())
        except (ProtocolViolation, BrokenConnectionError) as error:
            self.close()
            raise StartError(f"{without_password(address)} did not shake hands: {error}") from None
        except BaseException:
            self.close()
            raise
        self._greeted = True
        self._window = max(1, min(self.hello.window, self.limits.window))

    def ask(self, questions: Sequence[Question], progress: Progress | None = None) -> dict[str, Answer]:
        """Ask the server; see `Target.ask`. No fault of the server raises anything here."""
        return self._run(_HttpAsking(self, questions, progress).run())

    def close(self) -> None:
        """Close the connections; the server goes on."""
        if self._client is not None:
            self._run(self._client.close())
            self._client = None
        self._loop.close()

    def _run(self, work: Coroutine[Any, Any, Returned]) -> Returned:
        return self._loop.run(work)

    async def _shake_hands(self) -> Hello:
        """Greet the server on new connections, as often as it takes while nobody listens yet."""
        if self._client is not None:
            await self._client.close()
        self._client = HttpClient(self._address, self.limits.line, min(self.limits.start, self.limits.answer))
        refusal: BrokenConnectionError | None = None
        try:
            async with asyncio.timeout(self.limits.start):
                while True:
                    try:
                        body = await self._client.post(encode_hello(suite_version()))
                        return parse_hello(parse_reply(body))
                    except BrokenConnectionError as error:
                        if not error.refused:
                            raise
                        refusal = error
                    await asyncio.sleep(_RETRY)
        except TimeoutError:
            seconds = f"{self.limits.start:g} s"
            waited = f"{refusal}, tried for {seconds}" if refusal else f"no answer to `hello` within {seconds}"
            raise BrokenConnectionError(waited) from None

    async def _greet_again(self) -> bool:
        """Make sure that the server still shakes hands after a fault; once it does not, nothing more is asked."""
        if not self._greeted and self.given_up is None:
            try:
                if await self._shake_hands() != self.hello:
                    self.given_up = Fault("not_run", OTHER_HELLO)
                self._greeted = True
            except (ProtocolViolation, BrokenConnectionError) as error:
                self.given_up = Fault("not_run", f"not asked, because the server shook hands no more: {error}")
        return self.given_up is None


@dataclass(frozen=True, slots=True)
class _Exchange:
    """What became of one question; where ``certain`` is false, another question may have caused the fault.

    ``named`` is the question of this call that a wrong reply names by its id.
    """

    question: Question
    answer: Answer
    certain: bool = True
    named: str | None = None


class _HttpAsking(Asking):
    """One call of `HttpTarget.ask`: what is still to be asked, and what has been answered."""

    def __init__(self, target: HttpTarget, questions: Sequence[Question], progress: Progress | None) -> None:
        super().__init__(questions, progress)
        self._target = target
        self._queue = deque(self.questions.values())
        self._limits: set[asyncio.Timeout] = set()

    async def run(self) -> dict[str, Answer]:
        while self._queue and await self._target._greet_again():
            suspects = await self._converse()
            if suspects:
                await self._settle(suspects)
        return self.ended(self._target.given_up)

    async def _converse(self) -> list[_Exchange]:
        """Ask the queue's questions, a window at a time, until all are answered or an exchange fails; return those."""
        suspects: list[_Exchange] = []
        running: set[asyncio.Task[_Exchange]] = set()
        try:
            while True:
                while self._may_go_on(suspects) and len(running) < self._target._window:
                    running.add(asyncio.create_task(self._exchange(self._queue.popleft())))
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
        return bool(self._queue) and not suspects and self._target._greeted and self._target.given_up is None

    async def _settle(self, suspects: Sequence[_Exchange]) -> None:
        """Ask again, one at a time and on new connections, what was open when something broke."""
        explained = False
        for suspect in suspects:
            if not await self._target._greet_again():
                break
            again = await self._exchange(suspect.question)
            explained |= isinstance(again.answer, Fault)
            self.put(again.question.id, again.answer)
            if suspect.named is not None and isinstance(again.answer, Reply):
                # The reply was one too many to the question that it names.
                self.put(suspect.named, suspect.answer)
                explained = True
        if not explained:
            self._settle_unexplained(suspects)

    def _settle_unexplained(self, suspects: Sequence[_Exchange]) -> None:
        (first, *others) = suspects
        if not others and first.question.id not in self.answers:
            # The server cannot be asked again, and no other question was open.
            self.put(first.question.id, first.answer)
            return
        assert isinstance(first.answer, Fault)
        if first.answer.kind != "crashed":
            # A server may close a connection between two requests; that is no fault, though it looks like one.
            self._target.count_fault()
        self._target.note_incident(first.answer.detail, [suspect.question.id for suspect in suspects])

    async def _exchange(self, question: Question) -> _Exchange:
        client = self._target._client
        assert client is not None
        certain, named = False, None
        sent = time.monotonic()
        try:
            async with asyncio.timeout(self._target.limits.answer) as limit:
                self._limits.add(limit)
                body = await client.post(encode_request(question))
            certain = True
            answer = self._read(question, body)
        except TimeoutError:
            answer = Fault("timed_out", f"no answer within {self._target.limits.answer:g} s")
        except BrokenConnectionError as error:
            answer = Fault("crashed", str(error))
        except ProtocolViolation as violation:
            named = violation.question_id if violation.question_id in self.answers else None
            certain = not isinstance(violation, NotHttpError) and named is None
            answer = Fault("protocol_violation", str(violation))
        finally:
            self._limits.discard(limit)
        if isinstance(answer, Reply):
            self._extend_limits()
        if not certain:
            # After this the server need not be what it was.
            self._target._greeted = False
        return _Exchange(question, replace(answer, seconds=time.monotonic() - sent), certain, named)

    @staticmethod
    def _read(question: Question, body: bytes) -> Answer:
        reply = parse_reply(body)
        if reply.id != question.id:
            wrong = f"a reply to another id than the request's {question.id}: {shorten(body)}"
            right = "the reply to a request comes back in the answer to its own POST, once"
            raise ProtocolViolation(f"{wrong}; {right}", reply.id)
        return reply

    def _extend_limits(self) -> None:
        """Give every open question its full time again: the server is busy, not silent."""
        now = asyncio.get_running_loop().time()
        for limit in self._limits:
            if not limit.expired():
                limit.reschedule(now + self._target.limits.answer)

    def put(self, question_id: str, answer: Answer) -> None:
        """Take an answer, and count it where it is a fault."""
        if isinstance(answer, Fault) and answer.kind != "not_run":
            self._target.count_fault()
        super().put(question_id, answer)
