"""Asking a program under test over any connection, and putting the blame for a fault on the question that caused it.

A question is blamed at once when nothing else can be the cause: what is wrong came in answer to it alone, it was the
only open question of a program that had answered nothing before, or it was the only one when the time ran out.
Otherwise the program is started or greeted anew and the open questions are asked one at a time. If none of them
reproduces the fault, the question answered last before it is asked once more and watched, where the program was
started here. What nothing reproduces is an incident.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeGuard

from belot_conformance.programs.protocol import Hello, ProtocolViolation, Reply, ReplyKind, Request, shorten
from belot_conformance.programs.target import Answer, Closing, Fault, Limits, Progress, StartError, distinct

# A program that was greeted again after a fault should be the same.
OTHER_HELLO: Final = "not asked, because the program says something else in answer to `hello` than it did at first"
# A question suspected of trouble after its answer is watched this long, in seconds.
_WATCH: Final = 1.0
# The seconds between the end of a program's stdin and its own.
_TO_EXIT: Final = 0.3

# The question that is answered, the kind and the value of the reply, or what is wrong with this answer alone.
Read = tuple[str, ReplyKind | Literal["protocol_violation"], Any]


class Connection(ABC):
    """The way to a program, until it is closed or there is a fault; what comes of it are pieces.

    ``ended`` tells why nothing more will come, once that is so.
    """

    ended: Fault | None = None

    @abstractmethod
    def now(self) -> float:
        """Return the seconds of the clock by which it waits."""

    @abstractmethod
    def greet(self, seconds: float) -> Hello:
        """Shake hands within some seconds; raises ``ProtocolViolation`` where that fails."""

    @abstractmethod
    def send(self, questions: Sequence[Request]) -> None:
        """Send questions, without waiting for them to arrive."""

    @abstractmethod
    def receive(self, deadline: float) -> Sequence[Any]:
        """Wait for pieces, each of which may hold a reply; there are none when the deadline or the end came first."""

    @abstractmethod
    def read(self, piece: Any) -> Read:
        """Read a piece; raises ``ProtocolViolation`` for one that may be due to another question."""

    @abstractmethod
    def hang_up(self, seconds: float = 0) -> Sequence[Any]:
        """End it within some seconds, and return the pieces that nobody has received."""

    def stderr(self) -> str:
        """Return the end of what a program wrote there that was started for this connection, safe to print."""
        return ""


@dataclass(frozen=True, slots=True)
class _Trouble:
    """A fault as it was seen, before it is clear which question caused it; the connection has ended by then.

    ``open`` says when each open question was sent, and ``at`` when there was the trouble.
    """

    fault: Fault
    at: float
    open: Mapping[str, float]
    culprit: str | None
    repeated: str | None
    previous: str | None


class _GivenUpError(Exception):
    """The program is not asked any more; the asker knows why."""


class Asker(Closing):
    """A program that is asked over a connection, which ``connect`` makes again after a fault.

    Its window is the smaller of what it declared and `limits.window`. The time for an answer runs from the
    sending of the question or from the program's latest answer, whichever is later: a program that works
    through its queue slowly but steadily is not punished for the length of the queue. One that ``is_started`` for each
    connection has answered nothing before, and ends with it. StartError when it cannot be started or reached, or
    shakes hands wrongly.
    """

    def __init__(self, name: str, connect: Callable[[], Connection], limits: Limits, *, is_started: bool) -> None:
        self.incidents: list[str] = []
        self.limits = limits
        self.given_up: Fault | None = None
        self._faults = self._blamed = 0
        self._name = name
        self._connect = connect
        self._is_started = is_started
        # When each open question was sent, and which one was answered last over this connection.
        self._open: dict[str, float] = {}
        self._previous: str | None = None
        # What is asked in this call, and what has been answered.
        self._questions: dict[str, Request] = {}
        self._answers: dict[str, Answer] = {}
        self._progress: Progress | None = None
        self._connection: Connection | None
        self._connection, self.hello = self._greeted()

    @property
    def window(self) -> int:
        """How many questions may be open: as many as the program declared, and no more than the limits allow."""
        return max(1, min(self.hello.window, self.limits.window))

    def ask(self, questions: Sequence[Request], progress: Progress | None = None) -> dict[str, Answer]:
        """Ask the program; see `Target.ask`. No fault of the program raises anything here."""
        self._questions, self._answers, self._progress = distinct(questions), {}, progress
        queue = deque(self._questions.values())
        try:
            with suppress(_GivenUpError):
                while queue:
                    if trouble := self._converse(queue, self.window):
                        self._settle(trouble)
            for question_id in self._questions:
                if question_id not in self._answers:
                    assert self.given_up is not None
                    self._put(question_id, self.given_up)
        except BaseException:
            # Replies to this call's questions must not be there when the next call listens.
            self._stop()
            raise
        return {question_id: self._answers[question_id] for question_id in self._questions}

    def close(self) -> None:
        """End the connection, and a program that was started for it with all that it started."""
        if self._connection is not None and (late := self._connection.hang_up(_TO_EXIT)):
            self.incidents.append(f"after its last answer the program went on to print: {shorten(late[0])}")
        self._connection = None

    def _stop(self) -> None:
        """End the connection; whatever is asked next makes another."""
        if self._connection is not None:
            self._connection.hang_up()
            self._connection = None

    def _greeted(self) -> tuple[Connection, Hello]:
        connection = self._connect()
        try:
            return connection, connection.greet(self.limits.start)
        except BaseException as error:
            connection.hang_up()
            if not isinstance(error, ProtocolViolation):
                raise
            raise StartError(f"{self._name} did not shake hands: {error}", connection.stderr()) from error

    def _connected(self) -> Connection:
        if self.given_up is None and self._connection is None:
            self._previous = None
            try:
                self._connection, hello = self._greeted()
            except StartError as error:
                lost = f"the program could not be started again: {error.reason}"
                if not self._is_started:
                    lost = f"the server shook hands no more: {error.__cause__}"
                self.given_up = Fault("not_run", f"not asked, because {lost}", error.stderr)
            else:
                if hello != self.hello:
                    self._stop()
                    self.given_up = Fault("not_run", OTHER_HELLO)
        if self.given_up is not None or self._connection is None:
            raise _GivenUpError
        return self._connection

    def _converse(self, queue: deque[Request], window: int, *, watching: bool = False) -> _Trouble | None:
        """Ask the queue's questions, a window at a time, until all are answered or there is trouble.

        Where the program is watched its answers are not taken, and what it does after them is trouble. A connection is
        made if there is none; raises ``_GivenUpError`` where the program is not asked any more.
        """
        connection = self._connected()
        self._open = {}
        # Topping up only a half-empty window writes and reads many lines at a time.
        low = window // 2 if self._is_started else window - 1
        progress = connection.now()
        while (queue and self.given_up is None) or self._open or watching:
            if queue and self.given_up is None and len(self._open) <= low:
                batch = [queue.popleft() for _ in range(min(window - len(self._open), len(queue)))]
                self._open |= dict.fromkeys((question.id for question in batch), connection.now())
                connection.send(batch)
            patience = self.limits.answer if self._open else _WATCH
            deadline = max(next(iter(self._open.values()), progress), progress) + patience
            pieces = connection.receive(deadline)
            progress = connection.now() if pieces else progress
            try:
                for piece in pieces:
                    question_id, answer = self._match(connection, piece, progress)
                    if not watching:
                        self._put(question_id, answer)
            except ProtocolViolation as violation:
                return self._trouble(connection, Fault(violation.kind, str(violation)), deadline, violation.question_id)
            if connection.ended and (queue or self._open or watching):
                return self._trouble(connection, connection.ended, deadline)
            if not pieces and self._open:
                late = Fault("timed_out", f"no answer within {self.limits.answer:g} s")
                return self._trouble(connection, late, deadline)
            if not pieces:
                break
        return None

    def _match(self, connection: Connection, piece: Any, now: float) -> tuple[str, Answer]:
        question_id, kind, value = connection.read(piece)
        sent = self._open.pop(question_id, None)
        if sent is None:
            wrong = f"a reply to an id that is not open: {shorten(piece)}"
            raise ProtocolViolation(f"{wrong}; each request is answered once, by its own id", question_id)
        if kind == "protocol_violation":
            self._blamed += 1
            return question_id, Fault(kind, value, seconds=now - sent)
        self._previous = question_id
        return question_id, Reply(question_id, kind, value, now - sent)

    def _trouble(self, connection: Connection, fault: Fault, deadline: float, named: str | None = None) -> _Trouble:
        at = connection.now()
        late = connection.hang_up(0 if self._is_started else deadline - at)
        for piece in () if self._is_started else late:
            with suppress(ProtocolViolation):
                self._put(*self._match(connection, piece, at))
        self._connection = None
        is_open = named in self._open
        suspects = [named] if is_open else [*self._open]
        alone = is_open or self._previous is None or fault.kind == "timed_out"
        culprit = suspects[0] if alone and len(suspects) == 1 else None
        seen = replace(fault, stderr=connection.stderr(), seconds=at - next(iter(self._open.values()), at))
        return _Trouble(seen, at, self._open, culprit, None if is_open else named, self._previous)

    def _put(self, question_id: str, answer: Answer) -> None:
        """Take an answer, in place of one that came before; the first to a question is heard of, each fault counts."""
        if isinstance(answer, Fault) and answer.kind != "not_run":
            self._count_fault()
        is_first = question_id not in self._answers
        self._answers[question_id] = answer
        if is_first and self._progress is not None:
            self._progress(question_id, answer)

    def _count_fault(self) -> None:
        self._faults += 1
        if self._faults >= self.limits.faults and self.given_up is None:
            self.given_up = Fault("not_run", f"not asked, because the program had {self._faults} faults before")

    def _settle(self, trouble: _Trouble) -> None:
        """Find out who caused the trouble, and get an answer to every question that was open."""
        before = self._blamed
        try:
            if trouble.culprit is not None:
                self._blame(trouble.culprit, trouble)
            elif self._is_started:
                self._watch(trouble.repeated)
            for question_id in trouble.open:
                if question_id not in self._answers and (again := self._converse(self._only(question_id), 1)):
                    self._settle(again)
            if self._blamed == before and self._is_started and trouble.previous != trouble.repeated:
                self._watch(trouble.previous)
            elif self._blamed == before and not self._is_started and self._has_reply(trouble.repeated):
                # Nobody can see what a server does after its answer, but one too many names the question.
                self._blame(trouble.repeated, trouble)
        finally:
            if self._blamed == before:
                self._put_unexplained(trouble)

    def _watch(self, question_id: str | None) -> None:
        """Ask an answered question again in a program of its own, and see what follows the answer."""
        if not self._has_reply(question_id):
            return
        self._stop()
        trouble = self._converse(self._only(question_id), 1, watching=True)
        # The next question must find a program that has answered nothing, or it could not be blamed for sure.
        self._stop()
        if trouble is not None:
            self._blame(question_id, trouble)

    def _blame(self, question_id: str, trouble: _Trouble) -> None:
        self._blamed += 1
        earlier, sent = self._answers.get(question_id), trouble.open.get(question_id)
        seconds = trouble.at - sent if sent is not None else earlier.seconds if earlier else 0.0
        self._put(question_id, replace(trouble.fault, seconds=seconds))

    def _put_unexplained(self, trouble: _Trouble) -> None:
        """Take a fault that did not happen again: an incident, unless one question alone was open and has no answer."""
        fault, open_ids = trouble.fault, [*trouble.open]
        if len(open_ids) == 1 and open_ids[0] not in self._answers:
            # The program cannot be asked again.
            self._put(open_ids[0], fault)
            return
        # A server may close a connection between two requests; that is no fault, though it looks like one.
        if self._is_started or fault.kind != "crashed":
            self._count_fault()
        some, number = ", ".join(open_ids[:3]) or "none", len(open_ids)
        self.incidents.append(f"{fault.detail} (open were {number} questions: {some}; it did not happen again)")

    def _only(self, question_id: str) -> deque[Request]:
        return deque([self._questions[question_id]])

    def _has_reply(self, question_id: str | None) -> TypeGuard[str]:
        return question_id is not None and isinstance(self._answers.get(question_id), Reply)
