"""What a program answered, kept for a while, so that nothing is asked twice of a program that has not changed."""

import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from belot_conformance.diagnosis.mutations import canonical
from belot_conformance.programs.protocol import Hello, Question, Reply, has_its_form
from belot_conformance.programs.target import Answer, Closing, Progress, Target
from belot_conformance.programs.targets import PYTHON, TargetName
from belot_spec.cache import cache_folder, keep, kept

# In seconds: somebody who mends a program asks it again later than this, or has changed a file that is looked at.
KEPT_FOR: Final = 3600
_LENGTH: Final = 24
_FORMAT: Final = 1


class AnswerBook:
    """The answers of one program; ``age`` is how many seconds ago the oldest of them was given, 0 without any.

    ``used`` counts the answers of earlier runs that were not asked for again.
    """

    def __init__(self, path: str | None, stored: Mapping[str, Any], now: float) -> None:
        self._path = path
        self._answers: dict[str, list[Any]] = dict(stored.get("answers", {}))
        self._since: float = stored.get("since", now)
        self.age = max(0.0, now - self._since) if self._answers else 0.0
        self._before = frozenset(self._answers)
        self.used = 0

    @classmethod
    def of(cls, name: TargetName, hello: Hello, clock: Callable[[], float] = time.time) -> "AnswerBook":
        """Return the answers of a program as it introduces itself now; none if its files have changed, or long ago."""
        path, now = _path(name, hello), clock()
        stored = kept(cache_folder(), path, _book)
        is_fresh = stored is not None and 0 <= now - stored["since"] <= KEPT_FOR
        return cls(path, stored if stored is not None and is_fresh else {}, now)

    @classmethod
    def empty(cls, name: TargetName, hello: Hello, clock: Callable[[], float] = time.time) -> "AnswerBook":
        """Return a book to write in, whatever was kept before."""
        return cls(_path(name, hello), {}, clock())

    def get(self, question: Question) -> Reply | None:
        """Return the answer to a question, if the program gave one."""
        key = _key(question)
        kept = self._answers.get(key)
        if kept is None:
            return None
        self.used += key in self._before
        return Reply(question.id, kept[0], kept[1])

    def keep(self, question: Question, answer: Answer) -> None:
        """Keep an answer; what went wrong otherwise is not kept, since it may go well another time."""
        if isinstance(answer, Reply):
            self._answers[_key(question)] = [answer.kind, answer.value]

    def save(self) -> None:
        """Write the book; a cache that cannot be written is done without."""
        if self._path is not None and self._answers:
            keep(cache_folder(), self._path, {"since": self._since, "answers": self._answers})


class BookTarget(Closing):
    """A target of which every answer is kept in a book, and which is not asked again for those that are in it.

    ``answers`` are all that were given here, by the ids of their questions.
    """

    def __init__(self, target: Target, book: AnswerBook) -> None:
        self._target = target
        self._book = book
        self.hello = target.hello
        self.answers: dict[str, Answer] = {}

    @property
    def from_before(self) -> int:
        """How many answers were not asked for, as they were in the book."""
        return self._book.used

    @property
    def incidents(self) -> Sequence[str]:
        """Faults that no question could be blamed for, one sentence each."""
        return self._target.incidents

    def ask(self, questions: Sequence[Question], progress: Progress | None = None) -> dict[str, Answer]:
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

    def close(self) -> None:
        """Keep what was answered, and let go of the target."""
        self._book.save()
        self._target.close()


def _key(question: Question) -> str:
    text = canonical([question.op, question.profile, dict(question.input)])
    return sha256(text.encode()).hexdigest()[:_LENGTH]


def _book(stored: Any) -> dict[str, Any]:
    """Return a book as it was kept; raises ``TypeError`` for what has another shape."""
    if not isinstance(stored["since"], int | float) or not all(
        has_its_form(kind, value) for kind, value in stored["answers"].values()
    ):
        raise TypeError("no book of answers")
    return dict(stored)


def _path(name: TargetName, hello: Hello) -> str:
    told = [_FORMAT, name.kind, name.words, str(Path.cwd()), *map(_stamp, _files(name)), repr(hello)]
    return f"answers/{sha256(canonical(told).encode(errors='surrogatepass')).hexdigest()[:_LENGTH]}.json"


def _files(name: TargetName) -> list[Path]:
    """Return the files that a target names: another version of one is another program."""
    if name.kind == "python":
        found = find_spec(name.words[0].removeprefix(PYTHON).partition(":")[0].partition(".")[0])
        return [Path(found.origin)] if found is not None and found.origin else []
    return [Path(word) for word in name.words if Path(word).is_file()] if name.kind == "command" else []


def _stamp(path: Path) -> list[Any]:
    found = path.stat()
    return [str(path), found.st_size, found.st_mtime_ns]
