"""Several copies of one program, each asked a share of the questions at the same time."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait

from belot_conformance.programs.process import StartError
from belot_conformance.programs.protocol import Question
from belot_conformance.programs.runner import CommandTarget
from belot_conformance.programs.target import Answer, Closing, Progress, Target, distinct

# While copies are being stopped, one may just be starting its program anew; it is looked for this often, in seconds.
_STOP_AGAIN = 0.05


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
        with ThreadPoolExecutor(len(self._copies)) as pool:
            asked = [pool.submit(copy.ask, share, tell) for copy, share in zip(self._copies, shares, strict=True)]
            try:
                wait(asked, return_when=FIRST_EXCEPTION)
                answers = _gather(asked)
            except BaseException:
                self._stop(asked)
                raise
        return {question_id: answers[question_id] for question_id in by_id}

    def close(self) -> None:
        """Close every copy, all at the same time, as each may take a moment to exit."""
        if self._copies:
            with ThreadPoolExecutor(len(self._copies)) as pool:
                list(pool.map(lambda copy: copy.close(), self._copies))

    def _open(self, open_one: Callable[[], Target], count: int) -> None:
        pool = ThreadPoolExecutor(count)
        starting = [pool.submit(open_one) for _ in range(count)]
        try:
            wait(starting)
        finally:
            # A copy that was started is known here whatever happens, so that it is closed.
            pool.shutdown()
            self._copies = [one.result() for one in starting if one.exception() is None]
        failed = next((error for one in starting if (error := one.exception()) is not None), None)
        if failed is not None:
            raise failed
        if any(copy.hello != self._copies[0].hello for copy in self._copies):
            raise StartError("the copies of the program do not all say the same in answer to `hello`")

    def _stop(self, asked: Sequence["Future[dict[str, Answer]]"]) -> None:
        while not all(share.done() for share in asked):
            for copy in self._copies:
                if isinstance(copy, CommandTarget):
                    copy.interrupt()
            wait(asked, timeout=_STOP_AGAIN)


def _gather(asked: Sequence["Future[dict[str, Answer]]"]) -> Mapping[str, Answer]:
    """Return the answers of all shares; what one share raised is raised before the others are waited for."""
    for share in asked:
        if share.done():
            share.result()
    answers: dict[str, Answer] = {}
    for share in asked:
        answers.update(share.result())
    return answers


def _one_at_a_time(progress: Progress) -> Progress:
    lock = threading.Lock()

    def tell(question_id: str, answer: Answer) -> None:
        with lock:
            progress(question_id, answer)

    return tell
