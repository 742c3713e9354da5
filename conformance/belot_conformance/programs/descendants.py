"""The processes that programs under test started, found even when they left their group, session and parent.

On Linux this process adopts what its descendants leave behind, so that everything a program started stays below it;
elsewhere those are found whose parents still live. Nothing that belot itself starts leaves belot's session, so whatever
is below it in another session comes from a program.
"""

import ctypes
import os
import sys
import time
from collections.abc import Collection
from contextlib import suppress
from functools import cache
from typing import Final

from psutil import Error, Process, process_iter, wait_procs

_PR_SET_CHILD_SUBREAPER: Final = 36
# Seconds that killed processes may take to be gone.
_GONE_WITHIN: Final = 1.0
_LOOK_AGAIN: Final = 0.02


@cache
def adopt() -> bool:
    """Become the parent of what descendants leave behind, where the system knows how; say whether it does."""
    if sys.platform != "linux":
        return False
    with suppress(OSError, AttributeError):
        return bool(ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0)
    return False


def of_programs() -> frozenset[Process]:
    """Return every descendant of this process in another session than its own."""
    own = os.getsid(0)
    return frozenset(one for one in _descendants(os.getpid()) if _session(one) not in (None, own))


def work_of_programs() -> float:
    """Return for how many seconds processors worked for the programs that run."""
    total = 0.0
    for one in of_programs():
        with suppress(Error):
            times = one.cpu_times()
            total += times.user + times.system
    return total


def below(program: int) -> frozenset[Process]:
    """Return a program, which leads a session, with all its descendants and whatever else is in that session."""
    return _descendants(program) | {one for one in process_iter() if program in (one.pid, _session(one))}


def end(victims: Collection[Process]) -> list[Process]:
    """Kill processes, and return those that are still there after a moment."""
    for one in victims:
        with suppress(Error):
            one.kill()
    deadline, left = time.monotonic() + _GONE_WITHIN, [*victims]
    # One that ended before its parent did is adopted, and can be waited for, only when that has ended too.
    while (left := wait_procs(left, _LOOK_AGAIN)[1]) and time.monotonic() < deadline:
        pass
    return left


def end_adopted(spared: Collection[Process]) -> list[Process]:
    """Kill what programs left behind, and what that starts meanwhile, apart from what was there before them."""
    deadline = time.monotonic() + _GONE_WITHIN
    while found := of_programs().difference(spared):
        left = end(found)
        if left or time.monotonic() > deadline:
            return left
    return []


def _descendants(root: int) -> frozenset[Process]:
    with suppress(Error):
        return frozenset(Process(root).children(recursive=True))
    return frozenset()


def _session(one: Process) -> int | None:
    with suppress(ProcessLookupError, PermissionError):
        return os.getsid(one.pid)
    return None
