"""A program under test that is started from a command line: its pipes, its end, and the end of everything it started.

One thread and a selector; no call here waits longer than its caller allows. The program runs in its own
session, so that a signal to its process group reaches its children too. POSIX only.
"""

import os
import select
import shlex
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from errno import E2BIG, ENOEXEC
from functools import partial
from pathlib import Path
from typing import Final

from psutil import Process

from belot_conformance.programs import descendants
from belot_conformance.programs.asker import Asker, Connection, Read
from belot_conformance.programs.ending import NOT_ENDED, SESSIONS
from belot_conformance.programs.protocol import (
    Hello,
    ProtocolViolation,
    Request,
    encode_hello,
    encode_request,
    parse_hello,
    parse_reply,
    read_reply,
    shorten,
    suite_version,
)
from belot_conformance.programs.target import Fault, FaultKind, Limits, StartError
from belot_conformance.text.printable import printable
from belot_spec.cache import CACHE_PLACES

STDERR_KEPT: Final = 4096
# Seconds that only go forward, as of `time.monotonic`; tests let them pass faster than they do.
Clock = Callable[[], float]

_CHUNK = 1 << 16
# The time between SIGTERM, or the end of its stdin, and SIGKILL.
_GRACE = 0.3
# A program that closes its stdout is usually just exiting; this long it may take to do so, on a busy machine too.
_EXIT_FOLLOWS_EOF = 2.0
# A program may exit while a child holds its stdout open. No pipe tells that, so it is looked for this often.
_EXIT_CHECK = 0.1
_REAP = 1.0
_NOT_EXECUTED: Final[Mapping[int, str]] = {
    ENOEXEC: "this is no program for this machine, nor does its first line name an interpreter (#!/usr/bin/env …)",
    E2BIG: "its arguments are too long",
}


class Program(Connection):
    """A program started from a command line, with its three pipes.

    OSError or ValueError when it cannot be started. `ended` tells why no more lines will come, once it is so; it is
    `closed` once it was killed. Its pieces are lines.
    """

    def __init__(self, command: Sequence[str], line_limit: int, clock: Clock) -> None:
        self.ended: Fault | None = None
        self._line_limit = line_limit
        self._clock = clock
        self._lines: list[bytes] = []
        self._partial = b""
        self._unsent = bytearray()
        self._stderr = b""
        self._refuses_questions = False
        self.closed = False
        # Once the program is reaped its number may be a stranger's.
        self._reaping = threading.Lock()
        self._process = started = _started(command)
        self._pipes = [pipe for pipe in (started.stdin, started.stdout, started.stderr) if pipe is not None]
        self._stdin, self._stdout, self._errors = (pipe.fileno() for pipe in self._pipes)
        os.set_blocking(self._stdin, False)
        # The pipes that have not come to their end.
        self._reading = [self._stdout, self._errors]

    def now(self) -> float:
        """Return the seconds of the clock."""
        return self._clock()

    def greet(self, seconds: float) -> Hello:
        """Shake hands: the program answers with one line, and says nothing before."""
        self._put(encode_hello(suite_version()))
        lines = self.receive(self._clock() + seconds)
        if not lines:
            raise ProtocolViolation(self.ended.detail if self.ended else f"no answer to `hello` within {seconds:g} s")
        hello = parse_hello(parse_reply(lines[0]))
        if len(lines) > 1:
            raise ProtocolViolation(f"a line after the answer to `hello` that nobody asked for: {shorten(lines[1])}")
        return hello

    def send(self, questions: Sequence[Request]) -> None:
        """Take questions for the program's stdin; they leave as far as it reads them, never blocking."""
        self._put(b"".join(map(encode_request, questions)))

    def receive(self, deadline: float) -> list[bytes]:
        """Wait for complete lines; none when `deadline` (by the clock) or the end came first."""
        while not self._lines and not self.ended:
            left = deadline - self._clock()
            if not self._pump(max(0.0, min(left, _EXIT_CHECK))) or left <= 0:
                self._notice_exit()
            if self._stdout not in self._reading and not self.ended:
                self._explain_end_of("stdout")
            elif self._refuses_questions and not self._lines:
                # What it answers yet to what it has read, it may.
                self._explain_end_of("stdin")
            if left <= 0:
                break
        return self._taken_lines()

    def read(self, piece: bytes) -> Read:
        """Read a line as a reply."""
        return read_reply(piece)

    def stderr(self) -> str:
        """Return the last `STDERR_KEPT` bytes that the program wrote on stderr, made safe to print."""
        text = self._stderr.decode("utf-8", "backslashreplace")
        return "\n".join(printable(line.expandtabs()) for line in text.splitlines())

    def interrupt(self) -> None:
        """Kill the program from another thread than the one that talks to it; that one then sees it end."""
        with self._reaping:
            if not self.closed:
                self._signal_group(signal.SIGKILL)

    def hang_up(self, seconds: float = 0) -> list[bytes]:
        """Close stdin, give the program some seconds to exit, end it, and return the lines left unread."""
        if not self.closed and seconds:
            self._stop_writing()
            self._await_exit(seconds)
        self.kill()
        return self._taken_lines()

    def kill(self) -> None:
        """End the program and everything that it started: SIGTERM to its group, a moment's grace, SIGKILL to all."""
        if self.closed:
            return
        family = descendants.below(self._process.pid)
        self._signal_group(signal.SIGTERM)
        self._await_exit(_GRACE)
        with self._reaping:
            self.closed = True
        family |= descendants.below(self._process.pid)
        self._signal_group(signal.SIGKILL)
        _end_others(self._process.pid, family)
        # Not even SIGKILL ends a process that waits inside the kernel; the runner goes on without it.
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_REAP)
        self._pump(0)
        for pipe in self._pipes:
            pipe.close()

    def _taken_lines(self) -> list[bytes]:
        lines, self._lines = self._lines, []
        return lines

    def _pump(self, seconds: float) -> bool:
        """Move what can be moved through the pipes, waiting at most so long; tell whether anything was."""
        pipes = select.poll()
        for pipe in self._reading:
            pipes.register(pipe, select.POLLIN)
        if self._unsent:
            pipes.register(self._stdin, select.POLLOUT)
        ready = [pipe for pipe, _ in pipes.poll(1000 * seconds)]
        for pipe in ready:
            self._write() if pipe == self._stdin else self._read(pipe)
        return bool(ready)

    def _put(self, data: bytes) -> None:
        if data and not self._pipes[0].closed:
            self._unsent += data
            self._write()

    def _write(self) -> None:
        try:
            del self._unsent[: os.write(self._stdin, self._unsent)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._refuses_questions = True
            self._stop_writing()

    def _stop_writing(self) -> None:
        self._pipes[0].close()
        self._unsent.clear()

    def _read(self, pipe: int) -> None:
        chunk = os.read(pipe, _CHUNK)
        if not chunk:
            self._reading.remove(pipe)
        elif pipe == self._stdout:
            self._take_lines(chunk)
        else:
            self._stderr = (self._stderr + chunk)[-STDERR_KEPT:]

    def _take_lines(self, chunk: bytes) -> None:
        *lines, self._partial = (self._partial + chunk).split(b"\n")
        pieces = (*lines, self._partial)
        wrong = next((place for place, piece in enumerate(pieces) if len(piece) > self._line_limit), None)
        self._lines += lines[:wrong]
        if wrong is not None:
            self._reading.remove(self._stdout)
            detail = f"the line is longer than {self._line_limit} bytes: {shorten(pieces[wrong])}"
            self._end("protocol_violation", detail)

    def _explain_end_of(self, pipe: str) -> None:
        if not self._await_exit(_EXIT_FOLLOWS_EOF) and not self._lines:
            self._end("protocol_violation", f"the program closed its {pipe} and went on running")

    def _await_exit(self, seconds: float) -> bool:
        deadline = self._clock() + seconds
        while not self._notice_exit():
            left = deadline - self._clock()
            if left <= 0:
                return False
            # Reading on lets the program say its last words, and wakes up when its pipes close.
            self._pump(min(left, 0.01))
        return True

    def _notice_exit(self) -> bool:
        code = self._exit_code()
        if code is None:
            return False
        # What it wrote just before its exit is still in the pipes.
        self._pump(0)
        self._pump(0)
        rest = f" in the middle of a line: {shorten(self._partial)}" if self._partial else ""
        self._end("crashed", f"the program {_in_words(code)}{rest}")
        return True

    def _end(self, kind: FaultKind, detail: str) -> None:
        if self.ended is None:
            self.ended = Fault(kind, detail)

    def _exit_code(self) -> int | None:
        """Look whether the program has exited, and leave it unreaped.

        As long as it is unreaped no other process can get its number, so that a signal cannot hit a stranger.
        """
        if self._process.returncode is not None or not hasattr(os, "waitid"):
            return self._process.poll()
        try:
            status = os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return self._process.poll()
        if status is None:
            return None
        return status.si_status if status.si_code == os.CLD_EXITED else -status.si_status

    def _signal_group(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, number)


# Held while a program is started or what others left behind is ended, so that neither is taken for the other.
_STARTING: Final = threading.Lock()
# What ran in other sessions below this process before it started any program.
_STRANGERS: Final[set[Process]] = set()


def _started(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    with _STARTING:
        descendants.adopt()
        if not SESSIONS:
            _STRANGERS.clear()
            _STRANGERS.update(descendants.of_programs())
        process = subprocess.Popen(
            list(command),
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={name: value for name, value in os.environ.items() if name not in CACHE_PLACES},
        )
        SESSIONS.add(process.pid)
        return process


def _end_others(program: int, family: frozenset[Process]) -> None:
    """End what left a program's group; what left its family altogether is known once no other program runs."""
    left = descendants.end([one for one in family if one.pid != program])
    with _STARTING:
        SESSIONS.discard(program)
        if not SESSIONS:
            left += descendants.end_adopted(_STRANGERS)
    NOT_ENDED.update(left)


def _launch(command: Sequence[str], line_limit: int, clock: Clock) -> Program:
    """Start a program; StartError when that fails."""
    if os.name != "posix":
        raise StartError("programs can be run under Linux, macOS and other POSIX systems only")
    if not command:
        raise StartError("no command was given")
    try:
        return Program(command, line_limit, clock)
    except FileNotFoundError:
        why = "no such program was found, nor perhaps the interpreter that its first line names"
    except PermissionError:
        why = "this is a folder" if Path(command[0]).is_dir() else "the file is not executable"
    except OSError as error:
        why = _NOT_EXECUTED.get(error.errno or 0, error.strerror or str(error))
    except ValueError as error:
        why = str(error)
    raise StartError(f"{shlex.join(command)} could not be started: {why}")


def _in_words(exit_code: int) -> str:
    if exit_code >= 0:
        return f"exited with code {exit_code}"
    names = {one.value: one.name for one in signal.Signals}
    return f"was ended by {names.get(-exit_code, f'signal {-exit_code}')}"


class CommandTarget(Asker):
    """A program started from a command line and asked over its stdin and stdout."""

    def __init__(self, command: Sequence[str], limits: Limits | None = None, clock: Clock = time.monotonic) -> None:
        limits = limits or Limits()
        super().__init__(shlex.join(command), partial(_launch, command, limits.line, clock), limits, is_started=True)

    def interrupt(self) -> None:
        """Make `ask`, running in another thread, return soon; what is open and all that follows is not run."""
        self.given_up = Fault("not_run", "not asked, because the run was interrupted")
        if isinstance(program := self._connection, Program):
            program.interrupt()
