"""Work done at the same time in threads, which an interrupt ends wherever it arrives.

An interrupt is an exception that appears anywhere in the main thread. Inside a lock that is written in Python (those
of `threading.Condition`, futures and executors are) it would leave the lock closed for good, and just before a wait
without end it would only be seen after it. So the main thread waits here for a queue written in C, never for long.
"""

from _thread import start_new_thread
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Lock
from time import sleep
from typing import Final, Generic, TypeVar

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
