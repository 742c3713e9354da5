"""Being told to end: by SIGTERM, as `kill`, `timeout` and a cancelled CI job do, or by a terminal that goes away.

The programs under test run in sessions of their own and hear nothing of it; only what ends them here does.
"""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_SIGNALS: Final = tuple(getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name))


class ToldToEndError(KeyboardInterrupt):
    """The process was told to end: an interrupt, as far as the work is concerned."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = signal.Signals(number)


@contextmanager
def heeding_signals() -> Iterator[None]:
    """Make a signal that tells the process to end interrupt the work, so that what was started is ended too.

    A signal that whoever started the process had ignored stays ignored: SIGHUP under `nohup`, and SIGINT in the
    background job of a script, where Ctrl-C is meant for somebody else.
    """
    # Only the main thread may set handlers; within another command they are set already.
    ours = threading.current_thread() is threading.main_thread()
    heeded = [one for one in _SIGNALS if ours and signal.getsignal(one) is signal.SIG_DFL]
    process = os.getpid()

    def end(number: int, _: FrameType | None) -> None:
        if os.getpid() != process:
            # A process that was forked off has nothing to tidy up.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
            return
        # Tidying up is not to be interrupted in its turn.
        for one in heeded:
            signal.signal(one, signal.SIG_IGN)
        raise ToldToEndError(number)

    for one in heeded:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one in heeded:
            signal.signal(one, signal.SIG_DFL)
