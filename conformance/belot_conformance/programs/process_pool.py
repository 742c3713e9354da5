"""Work shared among processes, threads or machines: results in order, and no process left behind."""

import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from functools import partial
from itertools import chain, islice
from multiprocessing import active_children
from socket import create_connection
from time import sleep
from typing import Any, Final, TypeVar

from belot_conformance.programs.collector import collect_seldom
from belot_conformance.programs.ending import not_to_be_divided
from belot_spec.errors import BelotError

Share = TypeVar("Share")
Done = TypeVar("Done")

_WAITING_PER_PROCESS: Final = 3
# Seconds after which an interrupt is heard, and work that is to stop, and may just be starting anew, is stopped again.
_LOOK_AGAIN: Final = 0.05


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
    collect_seldom()
    _MADE[:] = [] if make is None else [make()]


def _with_what_was_made(work: Callable[..., Done], share: object) -> Done:
    return work(*_MADE, share)


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


# Work shared among the machines of a Dask cluster, with results in order; needs the extra ``cluster``.
# Shares are pure functions of rules and numbers, so that the answer is the same for any number of workers. A worker
# that is lost takes its shares with it, and others do them again.


_WAITING_PER_CORE: Final = 3
# So often a share may be on a worker that is lost before the work is given up.
_MOST_LOSSES: Final = 10
_SECONDS_TO_CONNECT: Final = 15


class NoClusterError(BelotError):
    """No scheduler answers at an address."""


def on_cluster(address: str, work: Callable[[Share], Done], shares: Iterable[Share]) -> Generator[Done, None, None]:
    """Yield what ``work`` returns for each share, in order; shares may come without end.

    Whoever stops early (Ctrl-C, an error, ``close``) takes back what waits. Raises ``NoClusterError``.
    """
    from distributed import Client
    from distributed.comm import get_address_host_port

    try:
        # A client that finds nobody takes its time to end, and complains.
        with create_connection(get_address_host_port(address), _SECONDS_TO_CONNECT):
            pass
        client: Any = Client(address, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
    except (OSError, ValueError) as error:
        raise NoClusterError(f"--scheduler {address}: nothing answers there ({type(error).__name__})") from error
    coming = iter(shares)
    with client:
        most = _WAITING_PER_CORE * max(1, sum(client.ncores().values()))

        def submit(share: Share) -> Any:
            return client.submit(work, share, pure=False, retries=_MOST_LOSSES)

        waiting = deque(submit(share) for share in islice(coming, most))
        # What still waits when this ends is taken back as the client is closed.
        while waiting:
            yield waiting.popleft().result()
            waiting.extend(submit(share) for share in islice(coming, 1))
