"""What can be asked, and what comes of a question: a reply or a fault."""

import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Final, Generic, Literal, Protocol, Self, TypeVar

from belot_conformance.programs.protocol import Hello, ProtocolViolation, Question, Reply, encode_line, parse_reply
from belot_conformance.text.printable import printable

# After a fault a program is greeted again, and should be the same.
OTHER_HELLO: Final = "not asked, because the program says something else in answer to `hello` than it did at first"

FaultKind = Literal["timed_out", "crashed", "protocol_violation", "not_run"]


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a question has no reply: `detail` is one sentence for people, `seconds` run from its sending."""

    kind: FaultKind
    detail: str
    stderr: str = ""
    seconds: float = 0.0

    def message(self) -> dict[str, Any]:
        """Return what stands in the place of the fields of a reply."""
        return {self.kind: self.detail}


Answer = Reply | Fault
Progress = Callable[[str, Answer], None]


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may take: seconds to start and per answer, bytes per line, faults, open questions."""

    start: float = 10.0
    answer: float = 5.0
    line: int = 1 << 20
    faults: int = 20
    window: int = 64


class Target(AbstractContextManager["Target"], Protocol):
    """Something that answers questions: a program, or a function in this process."""

    @property
    def hello(self) -> Hello:
        """What the target says about itself."""

    @property
    def incidents(self) -> Sequence[str]:
        """Faults that no question could be blamed for, one sentence each."""

    def ask(self, questions: Sequence[Question], progress: Progress | None = None) -> dict[str, Answer]:
        """Give exactly one answer per question, by id and in their order.

        ValueError when two questions share an id. `progress` is called once per question, when it first has an
        answer; the returned answers are final.
        """

    def close(self) -> None:
        """Let go of the target; more calls do nothing."""


class Closing:
    """What is let go of at the end of a ``with``, such as a target."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the target; more calls do nothing."""


class FunctionTarget(Closing):
    """A function in this process that gets operation, profile and input, and returns the fields of a reply.

    It is held to the same protocol as a program. What it raises becomes a reply of kind `error`.
    """

    def __init__(self, hello: Hello, answer: Callable[[str, str, Mapping[str, Any]], Mapping[str, Any]]) -> None:
        self.hello = hello
        self.incidents: list[str] = []
        self._answer = answer

    def ask(self, questions: Sequence[Question], progress: Progress | None = None) -> dict[str, Answer]:
        """Call the function once per question; see `Target.ask`."""
        answers: dict[str, Answer] = {}
        for question in distinct(questions).values():
            answers[question.id] = answer = self._ask_one(question)
            if progress is not None:
                progress(question.id, answer)
        return answers

    def _ask_one(self, question: Question) -> Answer:
        own_input = deepcopy(question.input)
        sent = time.monotonic()
        try:
            fields = self._answer(question.op, question.profile, own_input)
        except (Exception, SystemExit) as error:
            return Reply(question.id, "error", _describe(error), time.monotonic() - sent)
        seconds = time.monotonic() - sent
        try:
            # Through JSON and back, so that a tuple or a NaN counts for what it would be on a line.
            return replace(parse_reply(encode_line({**fields, "id": question.id})), seconds=seconds)
        except ProtocolViolation as violation:
            detail = str(violation)
        except (TypeError, ValueError, RecursionError) as error:
            detail = f"the function returned what is not a reply in JSON ({_describe(error)})"
        return Fault("protocol_violation", detail, seconds=seconds)


class FaultyTarget(Closing):
    """A program that may have faults, and is asked nothing more after so many of them."""

    hello: Hello

    def __init__(self, limits: Limits | None) -> None:
        self.incidents: list[str] = []
        self.limits = limits or Limits()
        self.given_up: Fault | None = None
        self.faults = 0

    @property
    def window(self) -> int:
        """How many questions may be open: as many as the program declared, and no more than the limits allow."""
        return max(1, min(self.hello.window, self.limits.window))

    def count_fault(self) -> None:
        """Take notice of one more fault."""
        self.faults += 1
        if self.faults >= self.limits.faults and self.given_up is None:
            self.given_up = Fault("not_run", f"not asked, because the program had {self.faults} faults before")


AnyFaulty = TypeVar("AnyFaulty", bound=FaultyTarget)


class Asking(Generic[AnyFaulty]):
    """One call of `Target.ask`: what is asked, what is still to be asked, and what has been answered."""

    def __init__(self, target: AnyFaulty, questions: Iterable[Question], progress: Progress | None) -> None:
        self.target = target
        self.questions = distinct(questions)
        self.queue = deque(self.questions.values())
        self.answers: dict[str, Answer] = {}
        self._progress = progress

    def put(self, question_id: str, answer: Answer) -> None:
        """Take an answer, in place of one that came before; the first to a question is heard of, each fault counts."""
        if isinstance(answer, Fault) and answer.kind != "not_run":
            self.target.count_fault()
        is_first = question_id not in self.answers
        self.answers[question_id] = answer
        if is_first and self._progress is not None:
            self._progress(question_id, answer)

    def put_unexplained(self, fault: Fault, open_ids: Sequence[str], counts: bool = True) -> None:
        """Take a fault that did not happen again: an incident, unless one question alone was open and has no answer."""
        if len(open_ids) == 1 and open_ids[0] not in self.answers:
            # The program cannot be asked again.
            self.put(open_ids[0], fault)
            return
        if counts:
            self.target.count_fault()
        some, number = ", ".join(open_ids[:3]) or "none", len(open_ids)
        told = f"{fault.detail} (open were {number} questions: {some}; it did not happen again)"
        self.target.incidents.append(told)

    def ended(self) -> dict[str, Answer]:
        """Return the answers in the order of the questions; what was not asked any more says why."""
        for question_id in self.questions:
            if question_id not in self.answers:
                assert self.target.given_up is not None
                self.put(question_id, self.target.given_up)
        return {question_id: self.answers[question_id] for question_id in self.questions}


def distinct(questions: Iterable[Question]) -> dict[str, Question]:
    """Return questions by their ids, in their order; raises ``ValueError`` when two share one."""
    by_id: dict[str, Question] = {}
    for question in questions:
        if by_id.setdefault(question.id, question) is not question:
            raise ValueError(f"two questions have the id {question.id!r}")
    return by_id


def _describe(error: BaseException) -> str:
    return printable("".join(traceback.format_exception_only(error)).strip())
