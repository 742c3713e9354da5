"""The processes that programs under test started, found even when they left their group, session and parent.

On Linux this process adopts what its descendants leave behind, so that everything a program started stays below it;
elsewhere those are found whose parents still live. Nothing that belot itself starts leaves belot's session, so whatever
is below it in another session comes from a program.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_PR_SET_CHILD_SUBREAPER: Final = 36
# Seconds that killed processes may take to be gone.
_GONE_WITHIN: Final = 1.0
_LOOK_AGAIN: Final = 0.01


class Process(NamedTuple):
    """A process, known for good by its number and when it was started."""

    number: int
    started: str


class _Entry(NamedTuple):
    process: Process
    parent: int
    session: int
    is_zombie: bool


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
    return frozenset(entry.process for entry in _below(os.getpid(), _table()))


def below(program: int) -> frozenset[Process]:
    """Return a program, which leads a session, with all its descendants and whatever else is in that session."""
    table = _table()
    found = {entry.process for entry in _below(program, table, other_sessions=False)}
    return frozenset(found | {entry.process for entry in table if program in (entry.session, entry.process.number)})


def end(victims: Collection[Process]) -> list[Process]:
    """Kill processes, and return those that are still there after a moment."""
    if not victims:
        return []
    deadline = time.monotonic() + _GONE_WITHIN
    while True:
        left = {entry.process for entry in _table() if not entry.is_zombie}.intersection(victims)
        for one in left:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(one.number, signal.SIGKILL)
        if not left or time.monotonic() > deadline:
            break
        time.sleep(_LOOK_AGAIN)
    for one in victims:
        # What was adopted is reaped here; of anything else another parent takes care.
        with suppress(ChildProcessError):
            os.waitpid(one.number, os.WNOHANG)
    return sorted(left)


def end_adopted(spared: Collection[Process]) -> list[Process]:
    """Kill what programs left behind, and what that starts meanwhile, apart from what was there before them."""
    deadline = time.monotonic() + _GONE_WITHIN
    while found := of_programs().difference(spared):
        left = end(found)
        if left or time.monotonic() > deadline:
            return left
    return []


def _below(root: int, table: list[_Entry], other_sessions: bool = True) -> Iterator[_Entry]:
    """Yield the descendants of a process; with ``other_sessions`` those alone that are not in its session."""
    children: dict[int, list[_Entry]] = {}
    for entry in table:
        children.setdefault(entry.parent, []).append(entry)
    own = os.getsid(0)
    todo = [root]
    while todo:
        for entry in children.get(todo.pop(), ()):
            todo.append(entry.process.number)
            if not (other_sessions and entry.session == own):
                yield entry


def _table() -> list[_Entry]:
    """Return every process that can be seen."""
    if sys.platform == "linux":
        return [entry for name in os.listdir("/proc") if name.isdigit() and (entry := _of_linux(name))]  # noqa: PTH208
    return _of_ps()


def _of_linux(number: str) -> _Entry | None:
    try:
        stat = Path("/proc", number, "stat").read_bytes()
    except OSError:
        return None
    # The name of the program, in brackets, may hold anything.
    state, parent, _, session, *others = stat.rpartition(b")")[2].split()
    return _Entry(Process(int(number), others[15].decode()), int(parent), int(session), state == b"Z")


def _of_ps() -> list[_Entry]:
    """Ask ``ps``, which every POSIX system has; a session is known by the process that leads it."""
    command = ["ps", "-A", "-o", "pid=", "-o", "ppid=", "-o", "stat=", "-o", "lstart="]
    try:
        said = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False).stdout
    except (OSError, subprocess.TimeoutExpired):
        return []
    found = []
    for line in said.splitlines():
        number, parent, state, started = line.split(maxsplit=3)
        with suppress(ProcessLookupError, PermissionError):
            session = os.getsid(int(number))
            found.append(_Entry(Process(int(number), started), int(parent), session, state.startswith("Z")))
    return found
