"""Asking a program under test, and putting the blame for a fault on the question that caused it.

A question is blamed at once when nothing else can be the cause: the bad line carries its id, it was the only open
question of a program that had answered nothing before, or it was the only open question when the time ran out.
Otherwise the program is started anew and the open questions are asked one at a time. If none of them reproduces the
fault, the question answered last before it is asked once more and watched. What nothing reproduces is an incident.
"""

import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from belot_conformance.programs.process import Clock, Program, StartError, start
from belot_conformance.programs.protocol import ProtocolViolation, Question, Reply, encode_request, read_reply, shorten
from belot_conformance.programs.target import OTHER_HELLO, Answer, Asking, Fault, FaultyTarget, Limits, Progress

# A question suspected of trouble after its answer is watched this long, in seconds.
_WATCH: Final = 1.0


class CommandTarget(FaultyTarget):
    """A program started from a command line and asked over its stdin and stdout.

    Its window is the smaller of what it declared and `limits.window`. The time for an answer runs from the
    sending of the question or from the program's latest answer, whichever is later: a program that works
    through its queue slowly but steadily is not punished for the length of the queue. StartError when it cannot
    be started or shakes hands wrongly.
    """

    def __init__(self, command: Sequence[str], limits: Limits | None = None, clock: Clock = time.monotonic) -> None:
        super().__init__(limits)
        self._clock = clock
        self._start = partial(start, tuple(command), self.limits.line, self.limits.start, clock)
        # When each open question was sent, and which one this run of the program answered last.
        self._open: dict[str, float] = {}
        self._previous: str | None = None
        self._program: Program | None = None
        self._program, self.hello = self._start()

    def ask(self, questions: Sequence[Question], progress: Progress | None = None) -> dict[str, Answer]:
        """Ask the program; see `Target.ask`. No fault of the program raises anything here."""
        asking = _Asking(self, questions, progress)
        try:
            return asking.run()
        except BaseException:
            # Replies to this call's questions must not be there when the next call listens.
            self.stop()
            raise

    def close(self) -> None:
        """Close the program's stdin, and end its process group if it does not exit by itself."""
        if self._program is not None and not self._program.closed and (late := self._program.finish()):
            self.incidents.append(f"after its last answer the program went on to print: {shorten(late[0])}")
        self._program = None

    def interrupt(self) -> None:
        """Make `ask`, running in another thread, return soon; what is open and all that follows is not run."""
        self.given_up = Fault("not_run", "not asked, because the run was interrupted")
        if (program := self._program) is not None:
            program.interrupt()

    def converse(self, queue: deque[Question], window: int, record: Callable[[Reply], None]) -> "_Trouble | None":
        """Ask the queue's questions, a window at a time, until all are answered or there is trouble.

        The program is started if it does not run; raises ``_GivenUpError`` where it is not asked any more.
        """
        program = self._running()
        self._open = {}
        progress = self._clock()
        while queue or self._open:
            # Topping up only a half-empty window writes and reads many lines at a time.
            if len(self._open) <= window // 2:
                batch = [queue.popleft() for _ in range(min(window - len(self._open), len(queue)))]
                self._open |= dict.fromkeys((question.id for question in batch), self._clock())
                program.send(b"".join(map(encode_request, batch)))
            oldest = next(iter(self._open.values()))
            lines = program.receive(max(oldest, progress) + self.limits.answer)
            progress = self._clock() if lines else progress
            try:
                for line in lines:
                    record(self._match(line, progress))
            except ProtocolViolation as violation:
                return self._trouble(Fault("protocol_violation", str(violation)), violation.question_id)
            if not lines or (program.ended and (queue or self._open)):
                return self._trouble(program.ended or Fault("timed_out", f"no answer within {self.limits.answer:g} s"))
        return None

    def linger(self, seconds: float) -> "_Trouble | None":
        """Watch the program that has nothing to do; whatever it does is trouble."""
        program = self._running()
        lines = program.receive(self._clock() + seconds)
        try:
            for line in lines:
                self._match(line, self._clock())
        except ProtocolViolation as violation:
            return self._trouble(Fault("protocol_violation", str(violation)))
        return self._trouble(program.ended) if program.ended else None

    def stop(self) -> None:
        """End the program; whatever is asked next starts it anew."""
        if self._program is not None:
            self._program.kill()
            self._program = None

    def _running(self) -> Program:
        if self.given_up is None and (self._program is None or self._program.closed):
            self._previous = None
            try:
                self._program, hello = self._start()
            except StartError as error:
                reason = f"not asked, because the program could not be started again: {error.reason}"
                self.given_up = Fault("not_run", reason, error.stderr)
            else:
                if hello != self.hello:
                    self.stop()
                    self.given_up = Fault("not_run", OTHER_HELLO)
        if self.given_up is not None or self._program is None:
            raise _GivenUpError
        return self._program

    def _match(self, line: bytes, now: float) -> Reply:
        question_id, kind, value = read_reply(line)
        sent = self._open.pop(question_id, None)
        if sent is None:
            wrong = f"a reply to an id that is not open: {shorten(line)}"
            raise ProtocolViolation(f"{wrong}; each request is answered once, by its own id", question_id)
        self._previous = question_id
        return Reply(question_id, kind, value, now - sent)

    def _trouble(self, fault: Fault, named: str | None = None) -> "_Trouble":
        assert self._program is not None
        at = self._clock()
        self._program.kill()
        is_open = named in self._open
        suspects = [named] if is_open else [*self._open]
        alone = is_open or self._previous is None or fault.kind == "timed_out"
        culprit = suspects[0] if alone and len(suspects) == 1 else None
        seconds = at - next(iter(self._open.values()), at)
        seen = replace(fault, stderr=self._program.stderr_tail(), seconds=seconds)
        return _Trouble(seen, at, self._open, culprit, None if is_open else named, self._previous)


class _GivenUpError(Exception):
    """The program is not asked any more; the target knows why."""


@dataclass(frozen=True, slots=True)
class _Trouble:
    """A fault as it was seen, before it is clear which question caused it; the program is already dead.

    ``open`` says when each open question was sent, and ``at`` when there was the trouble.
    """

    fault: Fault
    at: float
    open: Mapping[str, float]
    culprit: str | None
    repeated: str | None
    previous: str | None


class _Asking(Asking[CommandTarget]):
    _blamed = 0

    def run(self) -> dict[str, Answer]:
        with suppress(_GivenUpError):
            while self.queue:
                if trouble := self.target.converse(self.queue, self.target.window, self._record):
                    self._settle(trouble)
        return self.ended()

    def _settle(self, trouble: _Trouble) -> None:
        """Find out who caused the trouble, and get an answer to every question that was open."""
        before = self._blamed
        try:
            self._reproduce(trouble)
            if self._blamed == before and trouble.previous != trouble.repeated:
                self._watch(trouble.previous)
        finally:
            if self._blamed == before:
                self.put_unexplained(trouble.fault, [*trouble.open])

    def _reproduce(self, trouble: _Trouble) -> None:
        if trouble.culprit is not None:
            self._blame(trouble.culprit, trouble)
        else:
            self._watch(trouble.repeated)
        for question_id in trouble.open:
            is_open = question_id not in self.answers
            if is_open and (again := self.target.converse(self._only(question_id), 1, self._record)):
                self._settle(again)

    def _watch(self, question_id: str | None) -> None:
        """Ask an answered question again in a program of its own, and see what follows the answer."""
        if question_id is None or not isinstance(self.answers.get(question_id), Reply):
            return
        self.target.stop()
        trouble = self.target.converse(self._only(question_id), 1, lambda _: None) or self.target.linger(_WATCH)
        # The next question must find a program that has answered nothing, or it could not be blamed for sure.
        self.target.stop()
        if trouble is not None:
            self._blame(question_id, trouble)

    def _blame(self, question_id: str, trouble: _Trouble) -> None:
        self._blamed += 1
        earlier, sent = self.answers.get(question_id), trouble.open.get(question_id)
        seconds = trouble.at - sent if sent is not None else earlier.seconds if earlier else 0.0
        self.put(question_id, replace(trouble.fault, seconds=seconds))

    def _only(self, question_id: str) -> deque[Question]:
        return deque([self.questions[question_id]])

    def _record(self, reply: Reply) -> None:
        self.put(reply.id, reply)
