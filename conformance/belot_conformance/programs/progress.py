"""What is being done and how long it will take, on stderr: a bar at a terminal, elsewhere a line now and then."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from threading import Timer
from typing import Final

from belot_conformance.programs.target import Progress
from belot_conformance.text.printable import message

Advance = Callable[[int], None]

# Where stderr is no terminal: seconds until the first line, and by what the time grows until each next one.
_FIRST: Final = 10.0
_AGAIN: Final = 1.5


def unseen(number: int) -> None:
    """Show nothing."""


def counting_bar(label: str, total: int) -> AbstractContextManager[Advance]:
    """Show how many of a number are done; the bar disappears at the end."""
    return _bar(label, total, None, of_total=True)


def asking(questions: int | None, seconds: float | None) -> AbstractContextManager[Advance]:
    """Show how many questions were put, of how many or in how much of the time."""
    return _bar("asking", questions, seconds, of_total=False)


@contextmanager
def _bar(label: str, total: int | None, seconds: float | None, of_total: bool) -> Iterator[Advance]:
    if not sys.stderr.isatty():
        lines = _Lines(label, total, seconds)
        with _after_a_while(lines.look):
            yield lines.advance
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    number = MofNCompleteColumn() if of_total else TextColumn("{task.fields[done]}")
    columns = (TextColumn(label), BarColumn(), number, TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total if seconds is None else seconds, done=0)

        def advance(number: int) -> None:
            done = bar.tasks[0].fields["done"] + number
            bar.update(task, completed=done if seconds is None else bar.tasks[0].elapsed, done=done)

        yield advance


class _Lines:
    """Says what is being done in lines, more and more seldom."""

    def __init__(self, label: str, total: int | None, seconds: float | None) -> None:
        self._label, self._total, self._seconds = label, total, seconds
        self._done, self._began, self._due = 0, time.monotonic(), _FIRST

    def advance(self, number: int) -> None:
        """Count more that are done, and say so where it is time to."""
        self._done += number
        self.look()

    def look(self) -> None:
        """Say what is done where it is time to."""
        passed = time.monotonic() - self._began
        if passed < self._due:
            return
        self._due = passed * _AGAIN
        left = None if self._seconds is None else self._seconds - passed
        of = "" if self._total is None else f" of {self._total:,}"
        if self._total is not None and self._done:
            by_rate = (self._total - self._done) * passed / self._done
            left = by_rate if left is None else min(left, by_rate)
        still = "" if left is None else f"; about {_duration(max(left, 0))} more"
        _say(f"{self._label}: {self._done:,}{of} in {_duration(passed)}{still}")


def _duration(seconds: float) -> str:
    for name, length in (("h", 3600), ("min", 60)):
        if seconds >= 1.5 * length:
            return f"{seconds / length:.{int(seconds < 10 * length)}f} {name}"
    return f"{seconds:.0f} s"


@contextmanager
def _after_a_while(look: Callable[[], object]) -> Iterator[Timer]:
    """Look once even if nothing is done by then."""
    timer = Timer(_FIRST, look)
    timer.daemon = True
    timer.start()
    try:
        yield timer
    finally:
        timer.cancel()


def _say(text: str) -> None:
    with suppress(OSError, ValueError):
        print(message(f"belot: {text}"), file=sys.stderr, flush=True)


@contextmanager
def waiting(label: str) -> Iterator[Timer | None]:
    """Say on stderr what is being waited for: at a terminal until it is over, elsewhere once it takes long."""
    if not sys.stderr.isatty():
        with _after_a_while(partial(_say, label)) as timer:
            yield timer
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(label)):
        yield None


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Progress]:
    """Show a bar that advances with each answer."""
    with counting_bar(label, total) as advance:
        yield lambda _question, _answer: advance(1)
