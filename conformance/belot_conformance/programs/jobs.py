"""Several copies of one program, each asked a share of the questions at the same time."""

from _thread import start_new_thread
from collections.abc import Callable, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock
from time import sleep
from typing import Final, Generic, TypeVar

from belot_conformance.programs.ending import SESSIONS, end_sessions
from belot_conformance.programs.process import StartError
from belot_conformance.programs.protocol import Question
from belot_conformance.programs.runner import CommandTarget
from belot_conformance.programs.target import Answer, Closing, Progress, Target, distinct


class JobsTarget(Closing):
    """Copies of a program, of which each answers every so manieth question.

    Each copy has its own limits, so that of faults counts for each apart: which questions are asked does not hang on
    which copy is faster. StartError when one cannot be started, or says something else in the handshake than another.
    """

    def __init__(self, open_one: Callable[[], Target], count: int) -> None:
        self._copies: list[Target] = []
        try:
            self._open(open_one, count)
        except BaseException:
            self.close()
            raise
        self.hello = self._copies[0].hello

    @property
    def incidents(self) -> Sequence[str]:
        """Faults that no question could be blamed for, those of every copy."""
        return [incident for copy in self._copies for incident in copy.incidents]

    def ask(self, questions: Sequence[Question], progress: Progress | None = None) -> dict[str, Answer]:
        """Ask every copy its share; see `Target.ask`. Whatever is raised here stops every copy first."""
        by_id = distinct(questions)
        tell = None if progress is None else _one_at_a_time(progress)
        shares = [[*by_id.values()][number :: len(self._copies)] for number in range(len(self._copies))]
        asking = [partial(copy.ask, share, tell) for copy, share in zip(self._copies, shares, strict=True)]
        answers = {key: answer for part in at_once(asking, self._stop) for key, answer in part.items()}
        return {question_id: answers[question_id] for question_id in by_id}

    def close(self) -> None:
        """Close every copy, all at the same time, as each may take a moment to exit."""
        at_once([copy.close for copy in self._copies])

    def _open(self, open_one: Callable[[], Target], count: int) -> None:
        # A copy that was started is known here whatever happens to the others, so that it is closed.
        others = {*SESSIONS}

        def stop() -> None:
            # One that is just starting is no copy yet, and may take its time.
            end_sessions(SESSIONS - others)

        at_once([lambda: self._copies.append(open_one())] * count, stop)
        if any(copy.hello != self._copies[0].hello for copy in self._copies):
            raise StartError("the copies of the program do not all say the same in answer to `hello`")

    def _stop(self) -> None:
        for copy in self._copies:
            if isinstance(copy, CommandTarget):
                copy.interrupt()


def _one_at_a_time(progress: Progress) -> Progress:
    lock = Lock()

    def tell(question_id: str, answer: Answer) -> None:
        with lock:
            progress(question_id, answer)

    return tell


Done = TypeVar("Done")

# Seconds after which an interrupt that came just before the wait is seen.
_LOOK_AGAIN: Final = 0.2
# While work is being stopped, some of it may just be starting anew; it is told again this often, in seconds.
_STOP_AGAIN: Final = 0.05


def at_once(works: Sequence[Callable[[], Done]], stop: Callable[[], None] = lambda: None) -> list[Done]:
    """Return what each work returns, in order, when all have been done, each in a thread of its own.

    Whatever is raised, in one of them or here, is raised once the others are over; ``stop`` is called until they are.
    """
    ended: SimpleQueue[_Work[Done]] = SimpleQueue()
    begun = [_Work(work) for work in works]
    try:
        for one in begun:
            start_new_thread(one.run, (ended,))
        for _ in begun:
            _next(ended).raise_error()
    except BaseException:
        while not all(one.withdrawn() for one in begun):
            stop()
            sleep(_STOP_AGAIN)
        raise
    return [one.done[0] for one in begun]


class _Work(Generic[Done]):
    def __init__(self, work: Callable[[], Done]) -> None:
        self.done: list[Done] = []
        self._work = work
        self._error: BaseException | None = None
        self._taken = Lock()
        self._over = False

    def run(self, ended: "SimpleQueue[_Work[Done]]") -> None:
        if not self._taken.acquire(blocking=False):
            return
        try:
            self.done.append(self._work())
        except BaseException as error:
            self._error = error
        finally:
            self._over = True
            ended.put(self)

    def raise_error(self) -> None:
        if self._error is not None:
            raise self._error

    def withdrawn(self) -> bool:
        """Tell whether the work is over; what has not begun never will."""
        self._over = self._over or self._taken.acquire(blocking=False)
        return self._over


def _next(ended: "SimpleQueue[_Work[Done]]") -> "_Work[Done]":
    while True:
        try:
            return ended.get(timeout=_LOOK_AGAIN)
        except Empty:
            continue
