"""Being told to end: by SIGTERM, as `kill`, `timeout` and a cancelled CI job do, or by a terminal that goes away.

The programs under test run in sessions of their own and hear nothing of it; only what ends them here does.
"""

import os
import signal
from _thread import start_new_thread
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Lock, current_thread, main_thread
from types import FrameType
from typing import Final

_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))
# Seconds that the work may take to end what it started.
_TIDYING_UP: Final = 20.0
# The sessions of programs that run and have not been reaped, by the process that leads each.
SESSIONS: Final[set[int]] = set()


class ToldToEndError(KeyboardInterrupt):
    """The process was told to end: an interrupt, as far as the work is concerned."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = signal.Signals(number)


@contextmanager
def heeding_signals(patience: float = _TIDYING_UP) -> Iterator[None]:
    """Make a signal that tells the process to end interrupt the work, so that what was started is ended too.

    An interrupt is an exception, and one raised in the wrong place is lost or leaves a lock closed: work that is not
    over within ``patience`` seconds is ended without more ado, and with it all that runs.
    A signal that whoever started the process had ignored stays ignored: SIGHUP under `nohup`, and SIGINT in the
    background job of a script, where Ctrl-C is meant for somebody else.
    """
    # Only the main thread may set handlers; within another command they are set already.
    ours = current_thread() is main_thread()
    heeded = [one for one in _SIGNALS if ours and signal.getsignal(one) is signal.SIG_DFL]
    process = os.getpid()
    told = Lock()
    working = Lock()

    def end(number: int, _: FrameType | None) -> None:
        if os.getpid() != process:
            # A process that was forked off has nothing to tidy up.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        # Tidying up is not to be interrupted in its turn.
        elif told.acquire(blocking=False):
            start_new_thread(_end_anyway, (number, working, patience))
            raise ToldToEndError(number)

    for one in heeded:
        signal.signal(one, end)
    try:
        with working:
            yield
    finally:
        for one in heeded:
            signal.signal(one, signal.SIG_DFL)


def _end_anyway(number: int, working: Lock, patience: float) -> None:
    if working.acquire(timeout=patience):
        return
    for session in [*SESSIONS]:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(session, signal.SIGKILL)
    # Imported only here, as every command would have to wait for it.
    from multiprocessing import active_children

    for child in active_children():
        child.kill()
    os.write(2, f"belot: ended by {signal.Signals(number).name}\n".encode())
    os._exit(128 + number)
