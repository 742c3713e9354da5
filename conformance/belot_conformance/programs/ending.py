"""Being told to end: by Ctrl-C, by SIGTERM, as `kill`, `timeout` and a cancelled CI job do, or by any other signal.

The programs under test run in sessions of their own and hear nothing of it; only what ends them here does.
"""

import os
import signal
import sys
from _thread import start_new_thread
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from threading import Lock, current_thread, main_thread
from time import sleep
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from psutil import Process


def leave_at_once(number: int, _: FrameType | None) -> None:
    """End the process: there is nothing that would have to be tidied up, while it starts or when all is done."""
    said = "interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}"
    os.write(2, f"\nbelot: {said}\n".encode())
    os._exit(128 + number)


_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2", "SIGALRM", "SIGXCPU")
# What tells a process to end.
SIGNALS: Final = tuple(getattr(signal, name) for name in _NAMES if hasattr(signal, name))
# What a signal does where nobody has asked for anything else.
_NOBODYS: Final = (signal.SIG_DFL, signal.default_int_handler, leave_at_once)
# Seconds that the work may take to end what it started.
_TIDYING_UP: Final = 20.0
# Seconds after which whatever forgot an interrupt is over.
_A_MOMENT: Final = 0.02
# The sessions of programs that run and have not been reaped, by the process that leads each.
SESSIONS: Final[set[int]] = set()
# What programs started and could not be ended; the command says so at its end.
NOT_ENDED: Final[set["Process"]] = set()


def heed_from_now_on() -> None:
    """Let a signal end this process at once, until there is work that it interrupts; one that is ignored stays so."""
    for one in SIGNALS:
        handler = signal.getsignal(one)
        if handler is signal.SIG_DFL or (one == signal.SIGINT and handler is not signal.SIG_IGN):
            signal.signal(one, leave_at_once)


class ToldToEndError(KeyboardInterrupt):
    """The process was told to end: an interrupt, as far as the work is concerned."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.signal = signal.Signals(number)


@contextmanager
def heeding_signals(patience: float = _TIDYING_UP) -> Iterator[None]:
    """Make a signal that tells the process to end interrupt the work, so that what was started is ended too.

    An interrupt is an exception, and one raised in the wrong place is lost, leaves a lock closed, or comes out of a
    library as an error of its own. What comes out as another error is raised as the interrupt that it was; one that
    Python would print and forget, in a finalizer or a callback, is raised again; work that is not over within
    ``patience`` seconds is ended without more ado, and with it all that runs. Only the first signal interrupts: a
    second Ctrl-C does not keep the first from being heeded.
    A signal that whoever started the process had ignored stays ignored: SIGHUP under `nohup`, and SIGINT in the
    background job of a script, where Ctrl-C is meant for somebody else.
    """
    interrupt = _Interrupt(patience)
    # Within another command the handlers are set already.
    with _handled(interrupt.end, _NOBODYS.__contains__) as taken, interrupt.working:
        sys.unraisablehook = interrupt.forget if taken else interrupt.print_and_forget
        try:
            yield
        except Exception as error:
            if interrupt.raised is None:
                raise
            raise interrupt.raised from error
        finally:
            sys.unraisablehook = interrupt.print_and_forget


@contextmanager
def not_to_be_divided() -> Iterator[None]:
    """Put a signal that comes meanwhile off to the end, so that a short piece of work is done whole or not begun."""
    heard: list[int] = []
    try:
        with _handled(lambda number, _: heard.append(number), lambda found: found not in (signal.SIG_IGN, None)):
            yield
    finally:
        if heard:
            signal.raise_signal(heard[0])


@contextmanager
def _handled(handler: Callable[[int, FrameType | None], Any], takes: Callable[[Any], bool]) -> Iterator[bool]:
    """Let a handler hear the signals whose own it takes the place of, and say whether it hears any.

    Only the main thread may set handlers; in any other nothing happens.
    """
    ours = current_thread() is main_thread()
    before = {one: found for one in SIGNALS if ours and takes(found := signal.getsignal(one))}
    for one in before:
        signal.signal(one, handler)
    try:
        yield bool(before)
    finally:
        for one, found in before.items():
            signal.signal(one, found)


class _Interrupt:
    """The interrupt of some work: raised once, and again where Python would print it and go on."""

    def __init__(self, patience: float) -> None:
        self.raised: ToldToEndError | None = None
        self.working = Lock()
        self.print_and_forget = sys.unraisablehook
        self._forgotten = False
        self._patience = patience
        self._process = os.getpid()

    def end(self, number: int, _: FrameType | None) -> None:
        """Interrupt the work; a handler of signals."""
        if os.getpid() != self._process:
            # A process that was forked off has nothing to tidy up.
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        # Tidying up is not to be interrupted in its turn.
        elif self.raised is None:
            self.raised = ToldToEndError(number)
            start_new_thread(_end_anyway, (number, self.working, self._patience))
            raise self.raised
        elif self._forgotten:
            self._forgotten = False
            raise self.raised

    def forget(self, unraisable: "sys.UnraisableHookArgs") -> None:
        """Have an interrupt raised again that a finalizer or a callback lost; a hook of Python."""
        if self.raised is not None and unraisable.exc_value is self.raised:
            self._forgotten = True
            start_new_thread(_signal_again, (self.raised.signal,))
        else:
            self.print_and_forget(unraisable)


def end_sessions(sessions: Iterable[int]) -> None:
    """Kill the programs that lead these sessions, with their groups."""
    for session in [*sessions]:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(session, signal.SIGKILL)


def _signal_again(number: signal.Signals) -> None:
    sleep(_A_MOMENT)
    # To this thread, so that it is woken where it waits.
    signal.pthread_kill(main_thread().ident or 0, number)


def _end_anyway(number: int, working: Lock, patience: float) -> None:
    if working.acquire(timeout=patience):
        return
    end_sessions(SESSIONS)
    # Imported only here, as every command would have to wait for it.
    from multiprocessing import active_children

    from belot_conformance.programs.descendants import end_adopted

    for child in active_children():
        child.kill()
    end_adopted(())
    os.write(2, f"belot: ended by {signal.Signals(number).name}\n".encode())
    os._exit(128 + number)
