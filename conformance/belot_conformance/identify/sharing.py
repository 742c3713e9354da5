"""Parts of one search that need not know of each other, shared among processes: however many, the same is found.

What one part works out is known to the others once all that come before are done. In one process it is at hand sooner,
and saves the work; but a part that comes upon it is charged for it all the same, so that none looks any further.
"""

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from functools import partial
from math import inf
from multiprocessing import get_all_start_methods
from typing import Any, Final, TypeVar

from belot_conformance.identify.budget import IdentifyBudget, clock, set_clock
from belot_conformance.identify.hypothesis import Entry, Scorer
from belot_conformance.programs.process_pool import in_processes

Share = TypeVar("Share")
Done = TypeVar("Done")

# What is shared, what knows its answers, and what every part of the round has been charged for.
_Made = tuple[Any, Scorer, frozenset[int]]

# Whether this is one of the processes that share a search: it shares no part of it further.
_IS_ONE_OF_THEM: Final[list[bool]] = []


def shared(
    work: Callable[[Any, Share], Done], of: Any, scorer: Scorer, shares: Sequence[Share], budget: IdentifyBudget
) -> Generator[Done, None, None]:
    """Yield what ``work`` returns for something and each share of it, in order.

    The work is to leave what it is given as it was, but for what the scorer knows. Where processes cannot be forked,
    all of it happens in this one.
    """
    jobs = 1 if _IS_ONE_OF_THEM or "fork" not in get_all_start_methods() else min(budget.jobs, len(shares))
    # Those that run at once have what is left together.
    left = 0.0 if budget.ends_at == inf else (budget.ends_at - clock()) / max(1, jobs)
    told, before = 0.0, _of_ended_processes()
    with scorer.ledger.round() as paid:
        make = partial(_made, of, scorer, paid, os.getpid(), budget.ends_at - left)
        try:
            with closing(in_processes(partial(_share, work), shares, jobs, make)) as coming:
                for done, news, process, seconds in coming:
                    if process != os.getpid():
                        told += seconds
                        set_clock(clock() + seconds)
                    scorer.learn(news)
                    yield done
        finally:
            # What they did beside their shares, and for shares that nobody waited for.
            set_clock(clock() - told + _of_ended_processes() - before)


def _of_ended_processes() -> float:
    """Return for how many seconds processors worked for processes that this one started and that ended."""
    times = os.times()
    return times.children_user + times.children_system


def _made(of: Any, scorer: Scorer, paid: frozenset[int], asking: int, begins_at: float) -> _Made:
    """Return what every part of a round is done with; the clock of another process begins so that all end in time."""
    if os.getpid() != asking:
        _IS_ONE_OF_THEM.append(True)
        if begins_at < inf:
            set_clock(begins_at)
    return of, scorer, paid


def _share(work: Callable[[Any, Share], Done], made: _Made, share: Share) -> tuple[Done, list[Entry], int, float]:
    of, scorer, paid = made
    begun = time.process_time()
    with scorer.ledger.share(paid) as news:
        done = work(of, share)
    return done, news, os.getpid(), time.process_time() - begun
