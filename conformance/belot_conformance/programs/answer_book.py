"""What a program answered, kept for a while, so that nothing is asked twice of a program that has not changed."""

import time
from collections.abc import Callable, Container, Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final

from belot_conformance.programs.protocol import Hello, Reply, Request, has_its_form
from belot_conformance.programs.target import Answer, Closing, Progress, Target
from belot_conformance.programs.targets import PYTHON, TargetName
from belot_spec.cache import cache_folder, keep, kept
from belot_spec.errors import BelotError
from belot_spec.files import canonical

# In seconds: somebody who mends a program asks it again later than this, or has changed a file that is looked at.
KEPT_FOR: Final = 3600
# Of the right answers that were kept: a program that now errs in one of twenty is noticed by these in 95 of 100 cases.
RIGHT_ASKED_AGAIN: Final = 60
_LENGTH: Final = 24
_FORMAT: Final = 2
# An answer as it is kept: its kind, its value, and when it was given.
_GIVEN_AT: Final = 2
_Stored = Mapping[str, Sequence[Any]]
_NOTHING: Final[_Stored] = MappingProxyType({})


class ChangedError(BelotError):
    """The program does not answer as it did within the hour; what it said then is forgotten."""


class AnswerBook:
    """The answers of one program, each with the time at which it was given.

    ``before`` are those of earlier runs; none older than an hour is taken. A book that ``asks_again`` gives none of
    them, and still keeps them for the next time. ``used`` are the questions that those of earlier runs answered.
    """

    def __init__(
        self, path: str | None = None, before: _Stored = _NOTHING, now: float = 0, *, asks_again: bool = False
    ) -> None:
        self._path = path
        self._now = now
        self._before = {key: kept for key, kept in before.items() if 0 <= now - kept[_GIVEN_AT] <= KEPT_FOR}
        self._asks_again = asks_again
        self._answers: dict[str, Sequence[Any]] = {}
        self.used: list[Request] = []

    @classmethod
    def of(
        cls, name: TargetName, hello: Hello, clock: Callable[[], float] = time.time, *, asks_again: bool = False
    ) -> "AnswerBook":
        """Return the answers of a program as it introduces itself now; none if its files have changed, or long ago."""
        path = _path(name, hello)
        return cls(path, kept(cache_folder(), path, _stored) or {}, clock(), asks_again=asks_again)

    def get(self, question: Request) -> Reply | None:
        """Return the answer to a question, if the program gave one."""
        key = _key(question)
        found = self._answers.get(key)
        if found is None and not self._asks_again:
            found = self._before.get(key)
            if found is not None:
                self.used.append(question)
        return None if found is None else Reply(question.id, found[0], found[1])

    def keep(self, question: Request, answer: Answer) -> bool:
        """Keep an answer, and say whether it is the one that was given before, if there was any.

        A program that answers otherwise than before is another one by now, so all that it said before is forgotten.
        What went wrong otherwise is not kept, since it may go well another time.
        """
        key = _key(question)
        before = self._before.get(key)
        given = [answer.kind, answer.value, self._now] if isinstance(answer, Reply) else []
        is_as_before = before is None or canonical(before[:_GIVEN_AT]) == canonical(given[:_GIVEN_AT])
        if not is_as_before:
            self._before.clear()
        if given:
            self._answers[key] = given
        return is_as_before

    def save(self) -> None:
        """Write the book; a cache that cannot be written is done without."""
        if self._path is not None and self._answers:
            keep(cache_folder(), self._path, self._before | self._answers)


class BookTarget(Closing):
    """A target of which every answer is kept in a book, and which is not asked again for those that are in it.

    ``answers`` are all that were given here, by the ids of their questions. Of those of earlier runs, ``confirmed``
    were asked for again.
    """

    def __init__(self, target: Target, book: AnswerBook) -> None:
        self._target = target
        self._book = book
        self.hello = target.hello
        self.answers: dict[str, Answer] = {}
        self.confirmed = 0
        self._counted = 0
        self._unconfirmed: dict[str, Request] = {}

    @property
    def from_before(self) -> int:
        """How many answers of earlier runs were in the book."""
        return len(self._book.used)

    @property
    def incidents(self) -> Sequence[str]:
        """Faults that no question could be blamed for, one sentence each."""
        return self._target.incidents

    def ask(self, questions: Sequence[Request], progress: Progress | None = None) -> dict[str, Answer]:
        """Give exactly one answer per question; see `Target.ask`."""
        known: dict[str, Answer] = {one.id: kept for one in questions if (kept := self._book.get(one)) is not None}
        if progress is not None:
            for name, answer in known.items():
                progress(name, answer)
        unknown = [one for one in questions if one.id not in known]
        came = self._target.ask(unknown, progress) if unknown else {}
        for one in unknown:
            self._book.keep(one, came[one.id])
        answers = {one.id: known.get(one.id) or came[one.id] for one in questions}
        self.answers |= answers
        return answers

    def ask_anew(self, questions: Sequence[Request]) -> dict[str, Answer]:
        """Ask the program itself, whatever it answered to these questions in this run, and keep nothing of it."""
        return self._target.ask(questions)

    def confirm(self, wrong: Container[str]) -> None:
        """Ask again what was answered in earlier runs, before it is believed: all that is wrong, some of what is new.

        The files that a program was named by may be the same, and what it imports or where it is served another.
        Raises ``ChangedError`` at the first difference: the book then holds nothing of earlier runs.
        """
        new = {one.id: one for one in self._book.used[self._counted :]}
        self._counted += len(new)
        self._unconfirmed |= new
        right = [name for name in new if name not in wrong]
        some = Random(0).sample(right, min(len(right), RIGHT_ASKED_AGAIN))
        for names in ([name for name in self._unconfirmed if name in wrong], some):
            questions = [self._unconfirmed.pop(name) for name in names]
            came = self._target.ask(questions) if questions else {}
            if not all(self._book.keep(one, came[one.id]) for one in questions):
                raise ChangedError("the program does not answer as it did within the hour")
            self.confirmed += len(questions)

    def close(self) -> None:
        """Keep what was answered, and let go of the target."""
        self._book.save()
        self._target.close()


def _key(question: Request) -> str:
    text = canonical([question.op, question.profile, dict(question.input)])
    return sha256(text.encode()).hexdigest()[:_LENGTH]


def _stored(stored: Any) -> dict[str, list[Any]]:
    """Return answers as they were kept; raises ``TypeError`` or ``ValueError`` for what has another shape."""
    if not all(has_its_form(kind, value) and isinstance(at, int | float) for kind, value, at in stored.values()):
        raise TypeError("no book of answers")
    return dict(stored)


def _path(name: TargetName, hello: Hello) -> str:
    introduction = [_FORMAT, name.kind, name.words, str(Path.cwd()), *map(_stamp, _files(name)), repr(hello)]
    return f"answers/{sha256(canonical(introduction).encode(errors='surrogatepass')).hexdigest()[:_LENGTH]}.json"


def _files(name: TargetName) -> list[Path]:
    """Return the files that a target names: another version of one is another program."""
    if name.kind == "python":
        found = find_spec(name.words[0].removeprefix(PYTHON).partition(":")[0].partition(".")[0])
        return [Path(found.origin)] if found is not None and found.origin else []
    return [Path(word) for word in name.words if Path(word).is_file()] if name.kind == "command" else []


def _stamp(path: Path) -> list[Any]:
    found = path.stat()
    return [str(path), found.st_size, found.st_mtime_ns]
