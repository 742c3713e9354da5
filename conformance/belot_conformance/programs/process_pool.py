"""Work shared among processes: results in order, progress as it is made, and no process left behind."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Share = TypeVar("Share")
Done = TypeVar("Done")


def in_processes(
    work: Callable[[Share], Done],
    shares: Sequence[Share],
    jobs: int,
    prepare: Callable[..., None] | None = None,
    given: Iterable[Any] = (),
) -> Iterator[Done]:
    """Yield what ``work`` returns for each share, in order; ``prepare`` is called with what is given, once a process.

    With one job, or one share, all of it happens in this process. What is left is cancelled when the caller stops.
    """
    given = tuple(given)
    if jobs == 1 or len(shares) < 2:
        if prepare is not None:
            prepare(*given)
        yield from map(work, shares)
        return
    with ProcessPoolExecutor(jobs, initializer=prepare, initargs=given) as pool:
        try:
            yield from pool.map(work, shares)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
