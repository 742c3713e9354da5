"""Several copies of one program, each asked a share of the questions at the same time."""

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from functools import partial
from threading import Lock
from time import sleep
from typing import Final, TypeVar

from belot_conformance.programs.ending import SESSIONS, end_sessions, not_to_be_divided
from belot_conformance.programs.pipe import CommandTarget
from belot_conformance.programs.protocol import Question
from belot_conformance.programs.target import Answer, Closing, Progress, StartError, Target, distinct

Done = TypeVar("Done")

# Seconds after which an interrupt is heard, and work that is being stopped, and may just be starting anew, told again.
_LOOK_AGAIN: Final = 0.05


class JobsTarget(Closing):
    """Copies of a program, of which each answers every so manieth question.

    Each copy has its own limits, so that of faults counts for each apart: which questions are asked does not hang on
    which copy is faster. StartError when one cannot be started, or says something else in the handshake than another.
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

    def ask(self, questions: Sequence[Question], progress: Progress | None = None) -> dict[str, Answer]:
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


def at_once(works: Sequence[Callable[[], Done]], stop: Callable[[], None] = lambda: None) -> list[Done]:
    """Return what each work returns, in order, when all have been done, each in a thread of its own.

    Whatever is raised, in one of them or here, is raised once the others are over; ``stop`` is called until they are.
    """
    running: list[Future[Done]] = []
    with ThreadPoolExecutor(len(works) or 1) as pool:
        try:
            # An interrupt in the middle of the library would leave a lock of its closed.
            with not_to_be_divided():
                running += [pool.submit(work) for work in works]
            left = {*running}
            while left:
                with not_to_be_divided():
                    ended, left = wait(left, _LOOK_AGAIN, FIRST_EXCEPTION)
                for one in ended:
                    one.result()
        except BaseException:
            while not all(one.cancel() or one.done() for one in running):
                stop()
                sleep(_LOOK_AGAIN)
            raise
    return [one.result() for one in running]
