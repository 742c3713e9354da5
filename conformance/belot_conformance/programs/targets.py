"""What can be put under test: how each is named in a command, and how it is opened, in several copies too."""

import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, Final, Literal

from belot_conformance.programs.ending import SESSIONS, end_sessions
from belot_conformance.programs.pipe import CommandTarget
from belot_conformance.programs.process_pool import at_once
from belot_conformance.programs.protocol import Request
from belot_conformance.programs.target import Answer, Closing, Limits, Progress, StartError, Target, distinct
from belot_spec.errors import BelotError, nearest

if TYPE_CHECKING:
    from belot_conformance.programs.reference import Reference

Kind = Literal["reference", "command", "http", "python"]

REFERENCE: Final = "reference"
HTTP: Final = ("http://", "https://")
PYTHON: Final = "python:"
WAYS_IN: Final = 'reference, http://…, https://…, python:MODULE:NAME, or "--" and the command of a program'


class TargetNameError(BelotError):
    """The text that should name a target names none."""


@dataclass(frozen=True, slots=True)
class TargetName:
    """A target as it was named: ``words`` are those of a command; every other kind has one word."""

    kind: Kind
    words: tuple[str, ...]

    @property
    def text(self) -> str:
        """The name on one line, as reports show it; an address is without its user and password."""
        if self.kind == "http":
            from belot_conformance.programs.http_target import without_password

            return without_password(self.words[0])
        return shlex.join(self.words)

    @property
    def arguments(self) -> tuple[str, ...]:
        """The words after ``belot check`` that name this target again; a command's come last, after ``--``."""
        return ("--", *self.words) if self.kind == "command" else (self.text,)


def read_target(target: str | None, command: Sequence[str] | None) -> TargetName:
    """Read a target from the two places of a command line: a word, and what stands after ``--``.

    Raises ``TargetNameError`` when there is none, when there are two, and for a word that names no target.
    """
    if target is None and command:
        return TargetName("command", tuple(command))
    if target is None or command is not None:
        raise TargetNameError(f"say what to check, one of: {WAYS_IN}")
    if target == REFERENCE:
        return TargetName("reference", (target,))
    if target.startswith(HTTP):
        from belot_conformance.programs.http_target import problem_with_address

        if problem := problem_with_address(target):
            raise TargetNameError(f"{target}: {problem}")
        return TargetName("http", (target,))
    if target.startswith(PYTHON):
        module, _, name = target.removeprefix(PYTHON).partition(":")
        if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
            raise TargetNameError(f"{target}: write python:MODULE:NAME, such as python:my_belot.adapter:Adapter")
        return TargetName("python", (target,))
    if "://" in target:
        raise TargetNameError(f"{target}: an address begins with http:// or https://")
    if meant := nearest(target, (REFERENCE,)):
        raise TargetNameError(f"there is no target {target}{meant}")
    raise TargetNameError(f'a program\'s command stands after "--": -- {target} …; the other targets are {WAYS_IN}')


def read_target_text(text: str) -> TargetName:
    """Read a target from one text, in which a command is written as in a shell.

    Raises ``TargetNameError`` for an empty text and for one whose quotes do not match.
    """
    if text == REFERENCE or text.startswith((*HTTP, PYTHON)):
        return read_target(text, None)
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise TargetNameError(f"{text}: this is no command: {error}") from None
    return read_target(None, words)


def open_target(name: TargetName, limits: Limits, reference: "Reference | None" = None) -> Target:
    """Open a target; ``reference`` is the one of this command, which answers where it is the target.

    Raises ``StartError`` for a target that cannot be started, reached or imported, or that shakes hands wrongly.
    """
    match name.kind:
        case "command":
            return CommandTarget(name.words, limits)
        case "http":
            from belot_conformance.programs.http_target import HttpTarget

            return HttpTarget(name.words[0], limits)
        case "python":
            return open_python(name.words[0].removeprefix(PYTHON), limits)
        case "reference":
            from belot_conformance.programs.reference import reference_target

            return reference_target(reference)


def open_python(name: str, limits: Limits) -> CommandTarget:
    """Open the object ``module:name``; StartError when it cannot be imported, found, made or asked."""
    from belot_conformance.programs.python_object import COMPLAINT

    # Without -P a file of the current folder could stand in for a module that the suite itself needs.
    command = [sys.executable, "-P", "-m", "belot_conformance.programs.python_object", name]
    try:
        return CommandTarget(command, limits)
    except StartError as error:
        before, found, complaint = error.stderr.rpartition(f"\n{COMPLAINT}")
        why = complaint if found else error.reason.rpartition(" did not shake hands: ")[2]
        raise StartError(f"python:{name} cannot be asked: {why}", before.strip() if found else error.stderr) from None


class JobsTarget(Closing):
    """Copies of a program, which answer the questions in turn.

    Each copy has its own limits, also of faults: which questions are asked does not depend on which copy is faster.
    StartError when one cannot be started, or says something else in the handshake than another.
    """

    def __init__(self, open_one: Callable[[], Target], count: int) -> None:
        self._copies: list[Target] = []
        others = {*SESSIONS}
        try:
            # A copy that was started is known here whatever happens to the others; one that is just starting is not
            # yet, and may take its time.
            opening = [lambda: self._copies.append(open_one())] * count
            at_once(opening, lambda: end_sessions(SESSIONS - others))
            if any(copy.hello != self._copies[0].hello for copy in self._copies):
                raise StartError("the copies of the program do not all say the same in answer to `hello`")
        except BaseException:
            self.close()
            raise
        self.hello = self._copies[0].hello

    @property
    def incidents(self) -> Sequence[str]:
        """Faults that no question could be blamed for, those of every copy."""
        return [incident for copy in self._copies for incident in copy.incidents]

    def ask(self, questions: Sequence[Request], progress: Progress | None = None) -> dict[str, Answer]:
        """Ask every copy its share; see `Target.ask`. Whatever is raised here stops every copy first."""
        by_id, one_at_a_time = distinct(questions), Lock()

        def tell(question_id: str, answer: Answer) -> None:
            if progress is not None:
                with one_at_a_time:
                    progress(question_id, answer)

        asked, count = [*by_id.values()], len(self._copies)
        asking = [partial(copy.ask, asked[number::count], tell) for number, copy in enumerate(self._copies)]
        answers = {key: answer for part in at_once(asking, self._stop) for key, answer in part.items()}
        return {question_id: answers[question_id] for question_id in by_id}

    def close(self) -> None:
        """Close every copy, all at the same time, as each may take a moment to exit."""
        at_once([copy.close for copy in self._copies])

    def _stop(self) -> None:
        for copy in self._copies:
            if isinstance(copy, CommandTarget):
                copy.interrupt()
