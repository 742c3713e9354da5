"""What can be asked, and what comes of a question: a reply or a fault."""

import re
import time
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Protocol, Self

from belot_conformance.programs.protocol import Hello, ProtocolViolation, Reply, Request, encode_line, parse_reply
from belot_conformance.text.printable import printable
from belot_spec.errors import BelotError

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


_MISSING_MODULE: Final = re.compile(r"(?:ModuleNotFoundError|ImportError): No module named '([^']{1,80})'")


class StartError(BelotError):
    """The program could not be started or shook hands wrongly.

    The message is for people and ends with the end of its stderr; `reason` is one sentence, without it.
    """

    exit_code = 3

    def __init__(self, reason: str, stderr: str = "") -> None:
        missing = _MISSING_MODULE.search(stderr)
        self.missing_module = missing[1] if missing else None
        message = f"{reason}: its Python has no module {self.missing_module}" if missing else reason
        super().__init__(f"{message}\nThe end of its stderr:\n{stderr}" if stderr else message)
        self.reason = reason
        self.stderr = stderr


class Target(AbstractContextManager["Target"], Protocol):
    """Something that answers questions: a program, or a function in this process."""

    @property
    def hello(self) -> Hello:
        """What the target says about itself."""

    @property
    def incidents(self) -> Sequence[str]:
        """Faults that no question could be blamed for, one sentence each."""

    def ask(self, questions: Sequence[Request], progress: Progress | None = None) -> dict[str, Answer]:
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

    def ask(self, questions: Sequence[Request], progress: Progress | None = None) -> dict[str, Answer]:
        """Call the function once per question; see `Target.ask`."""
        answers: dict[str, Answer] = {}
        for question in distinct(questions).values():
            answers[question.id] = answer = self._ask_one(question)
            if progress is not None:
                progress(question.id, answer)
        return answers

    def _ask_one(self, question: Request) -> Answer:
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


def distinct(questions: Iterable[Request]) -> dict[str, Request]:
    """Return questions by their ids, in their order; raises ``ValueError`` when two share one."""
    by_id: dict[str, Request] = {}
    for question in questions:
        if by_id.setdefault(question.id, question) is not question:
            raise ValueError(f"two questions have the id {question.id!r}")
    return by_id


def _describe(error: BaseException) -> str:
    return printable("".join(traceback.format_exception_only(error)).strip())
