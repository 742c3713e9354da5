"""Questions made beforehand by processes of their own: the same ones in the same order, however many there are.

Each process makes the questions of some profiles, whole rounds at a time, and waits while nobody takes them.
"""

import os
import pickle
import signal
import sys
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from multiprocessing import get_context
from multiprocessing.connection import Connection
from queue import Queue
from threading import Thread
from typing import Any, Final, Self

from belot_conformance.fuzz.coverage import Reached
from belot_conformance.fuzz.stream import Drawn, Stream
from belot_spec.errors import BelotError

# So many questions are handed over at once, and so many times as many are made ahead.
_AT_ONCE: Final = 200
_AHEAD: Final = 8
# Fewer questions are made sooner than a process starts; a program is not asked faster than so many make them.
_FEW: Final = 5000
_MOST: Final = 4

# The questions of a round, and what was reached with them if that is more than before.
Made = tuple[list[Drawn], Reached | None]


class MakerEndedError(BelotError):
    """A process that makes questions was ended from outside."""


def makers_for(questions: int | None) -> int:
    """Return how many processes are worth starting: none where few questions are asked, or on one processor."""
    processors = os.cpu_count() or 1
    few = questions is not None and questions < _FEW
    return 0 if few or processors == 1 else min(processors, _MOST)


def made_here(streams: Sequence[Stream]) -> Iterator[tuple[Stream, list[Drawn]]]:
    """Yield a round of each stream in turn, made in this process."""
    for stream in cycle(streams):
        yield stream, stream.round()


class Makers:
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rounds(self, streams: Sequence[Stream]) -> Iterator[tuple[Stream, list[Drawn]]]:
        """Yield what ``made_here`` yields, and keep what each stream has reached up to date."""
        makers = self._ends[: len(streams)]
        if not makers:
            yield from made_here(streams)
        waiting: list[deque[Made]] = [deque() for _ in makers]
        for place, maker in enumerate(makers):
            with suppress(OSError):
                # One that was ended is found out when its questions are wanted.
                maker.send_bytes(pickle.dumps(streams[place :: len(makers)]))
        for place, stream in cycle(enumerate(streams)):
            here = place % len(makers)
            if not waiting[here]:
                waiting[here].extend(_received(makers[here]))
            drawn, reached = waiting[here].popleft()
            if reached is not None:
                stream.coverage.reached = reached
            yield stream, drawn

    def close(self) -> None:
        """End the processes; more calls do nothing."""
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            process.join()
        for end in self._ends:
            end.close()
        self._processes, self._ends = [], []


def _received(maker: Connection) -> Iterable[Made]:
    try:
        made: Iterable[Made] | Exception = pickle.loads(maker.recv_bytes())
    except (EOFError, OSError):
        raise MakerEndedError("a process that makes questions was ended from outside") from None
    if isinstance(made, Exception):
        raise made
    return made


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


def _chunks(streams: Sequence[Stream]) -> Iterator[list[Made]]:
    chunk: list[Made] = []
    number = 0
    for stream, drawn in made_here(streams):
        chunk.append((drawn, stream.coverage.news()))
        number += len(drawn)
        if number >= _AT_ONCE:
            yield chunk
            chunk, number = [], 0


def _hand_over(theirs: Connection, ready: "Queue[bytes]") -> None:
    """Hand over what is ready, while the next questions are made."""
    try:
        while True:
            theirs.send_bytes(ready.get())
            ready.task_done()
    except OSError:
        # Nobody is there any more, and the questions being made are for nobody.
        os._exit(0)
