"""Questions made beforehand by processes of their own: the same ones in the same order, however many there are.

Each process makes the questions of some profiles, whole rounds at a time, and waits while nobody takes them.
"""

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import cycle, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Queue
from threading import Thread
from typing import Any, Final

from belot_conformance.programs.target import Closing
from belot_conformance.questions.operation import AnsweredQuestion
from belot_conformance.questions.stream import Reached, Stream
from belot_spec.errors import BelotError

# So many questions are handed over at once, and so many times as many are made ahead.
_AT_ONCE: Final = 200
_AHEAD: Final = 8
# Fewer questions are made sooner than a process starts; a program is not asked faster than so many make them.
_FEW: Final = 5000
_MOST: Final = 4

# A question as it is handed over: its rules are a number, for few sets of rules are read for many answers.
_Handed = tuple[str, Mapping[str, Any], Mapping[str, Any], int]
# The questions of a round, and what was reached with them if that is more than before.
_Made = tuple[list[_Handed], Reached | None]
# The sets of rules that were not handed over before, in the order of their numbers, and some rounds.
_Chunk = tuple[list[frozenset[str]], list[_Made]]


class MakerEndedError(BelotError):
    """A process that makes questions was ended from outside."""


def makers_for(questions: int | None) -> int:
    """Return how many processes are worth starting: none where few questions are asked, or on one processor."""
    processors = os.cpu_count() or 1
    few = questions is not None and questions < _FEW
    return 0 if few or processors == 1 else min(processors, _MOST)


def made_here(streams: Sequence[Stream]) -> Iterator[tuple[Stream, list[AnsweredQuestion]]]:
    """Yield a round of each stream in turn, made in this process."""
    for stream in cycle(streams):
        yield stream, stream.round()


class Makers(Closing):
    """Processes that make questions. They are started before any program is, so that they hold none of its pipes.

    Where there are none, questions are made in this process.
    """

    def __init__(self, count: int = 0) -> None:
        forks = sys.platform == "linux"
        # The types of the library name no processes of a context that is chosen.
        context: Any = get_context("fork" if forks else "spawn")
        pipes = [context.Pipe() for _ in range(count)]
        self._ends = [ours for ours, _ in pipes]
        self._processes = []
        for place, (_, theirs) in enumerate(pipes):
            # What is forked off holds every pipe there is by then.
            inherited = [*self._ends, *(other for at, (_, other) in enumerate(pipes) if at > place)] if forks else []
            process = context.Process(target=_make, args=(theirs, inherited), daemon=True)
            process.start()
            theirs.close()
            self._processes.append(process)

    def rounds(self, streams: Sequence[Stream]) -> Iterator[tuple[Stream, list[AnsweredQuestion]]]:
        """Yield what ``made_here`` yields, and keep what each stream has reached up to date."""
        makers = [_Maker(end) for end in self._ends[: len(streams)]]
        if not makers:
            yield from made_here(streams)
        for place, maker in enumerate(makers):
            maker.begin(streams[place :: len(makers)])
        for place, stream in cycle(enumerate(streams)):
            drawn, reached = makers[place % len(makers)].next_round()
            if reached is not None:
                stream.coverage.reached = reached
            yield stream, drawn

    def close(self) -> None:
        """End the processes; more calls do nothing."""
        for process in self._processes:
            # What can be waited for without fail: a signal that comes as a process begins is lost to Python.
            process.kill()
        for process in self._processes:
            process.join()
        for end in self._ends:
            end.close()
        self._processes, self._ends = [], []


class _Maker:
    """One of the processes, as whoever takes its questions sees it."""

    def __init__(self, end: Connection) -> None:
        self._end = end
        self._waiting: deque[_Made] = deque()
        self._rules: list[frozenset[str]] = []

    def begin(self, streams: Sequence[Stream]) -> None:
        """Have it make the questions of these streams."""
        with suppress(OSError):
            # One that was ended is found out when its questions are wanted.
            self._end.send_bytes(pickle.dumps(streams))

    def next_round(self) -> tuple[list[AnsweredQuestion], Reached | None]:
        """Return the next round that it has made, and what was reached with it if that is more than before."""
        if not self._waiting:
            rules, made = self._received()
            self._rules += rules
            self._waiting.extend(made)
        handed, reached = self._waiting.popleft()
        rules = self._rules
        return [AnsweredQuestion(*one[:3], rules[one[3]]) for one in handed], reached

    def _received(self) -> _Chunk:
        try:
            chunk: _Chunk | Exception = pickle.loads(self._end.recv_bytes())
        except (EOFError, OSError):
            raise MakerEndedError("a process that makes questions was ended from outside") from None
        if isinstance(chunk, Exception):
            raise chunk
        return chunk


def _make(theirs: Connection, inherited: Iterable[Connection]) -> None:
    """Make questions until nobody takes them any more; what a process of ``Makers`` does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for other in inherited:
        other.close()
    ready: Queue[bytes] = Queue(_AHEAD)
    with suppress(EOFError, OSError):
        streams: Sequence[Stream] = pickle.loads(theirs.recv_bytes())
        Thread(target=_hand_over, args=(theirs, ready), daemon=True).start()
        try:
            for chunk in _chunks(streams):
                ready.put(pickle.dumps(chunk, pickle.HIGHEST_PROTOCOL))
        except Exception as error:
            ready.put(pickle.dumps(error))
            ready.join()


def _chunks(streams: Sequence[Stream]) -> Iterator[_Chunk]:
    numbers: dict[frozenset[str], int] = {}
    made: list[_Made] = []
    told, ready = 0, 0
    for stream, drawn in made_here(streams):
        handed = [(one.operation, one.input, one.answer, numbers.setdefault(one.rules, len(numbers))) for one in drawn]
        made.append((handed, stream.coverage.news()))
        ready += len(drawn)
        if ready >= _AT_ONCE:
            yield [*islice(numbers, told, None)], made
            made, told, ready = [], len(numbers), 0


def _hand_over(theirs: Connection, ready: "Queue[bytes]") -> None:
    """Hand over what is ready, while the next questions are made."""
    try:
        while True:
            theirs.send_bytes(ready.get())
            ready.task_done()
    except OSError:
        # Nobody is there any more, and the questions being made are for nobody.
        os._exit(0)
