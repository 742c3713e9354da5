"""Work shared among processes: results in order, progress as it is made, and no process left behind."""

import gc
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from multiprocessing import active_children
from typing import Final, TypeVar

Share = TypeVar("Share")
Done = TypeVar("Done")

_WAITING_PER_PROCESS: Final = 3


def in_processes(
    work: Callable[..., Done], shares: Iterable[Share], jobs: int, make: Callable[[], object] | None = None
) -> Generator[Done, None, None]:
    """Yield what ``work`` returns for each share, in order.

    What ``make`` makes, once a process, is given to the work before the share. Shares may come without end: only a few
    are drawn ahead. With one job, or one share, all of it happens in this process. Whoever stops early (Ctrl-C, an
    error, ``close``) ends every process at once, whatever it is at.
    """
    coming = iter(shares)
    first = list(islice(coming, 2))
    if jobs == 1 or len(first) < 2:
        yield from map(work if make is None else partial(work, make()), chain(first, coming))
        return
    strangers, doing, drawn = active_children(), partial(_with_what_was_made, work), chain(first, coming)
    with ProcessPoolExecutor(jobs, initializer=_begin, initargs=(make,)) as pool:
        try:
            ahead = islice(drawn, _WAITING_PER_PROCESS * jobs)
            waiting: deque[Future[Done]] = deque(pool.submit(doing, share) for share in ahead)
            while waiting:
                yield waiting.popleft().result()
                waiting.extend(pool.submit(doing, share) for share in islice(drawn, 1))
        except BaseException:
            for process in active_children():
                if process not in strangers:
                    # Any other signal is lost to Python that comes as a process begins.
                    process.kill()
            pool.shutdown(cancel_futures=True)
            raise


# What was made for the work of this process.
_MADE: Final[list[object]] = []


def _begin(make: Callable[[], object] | None) -> None:
    """Prepare a process: only the one that people talk to hears of an interrupt, and ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _MADE[:] = [] if make is None else [make()]


def _with_what_was_made(work: Callable[..., Done], share: object) -> Done:
    return work(*_MADE, share)


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Keep what was made before out of the garbage collector's rounds; it goes on collecting what is made now.

    Where something is kept out already it stays so, to the end of whoever did that.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
