"""A progress bar on stderr for runs that a person waits for; nothing where stderr is not a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.text import Text

from belot_conformance.programs.target import Answer
from belot_conformance.programs.target import Progress as Callback


class Bar(Protocol):
    """Shows how far long work has come, as ``counting_bar`` does."""

    def __call__(self, label: str, total: int) -> AbstractContextManager[Callable[[int], None] | None]:
        """Return a context that gives what is to be told how many more are done, ``None`` if nobody looks."""
        ...


@contextmanager
def counting_bar(label: str, total: int) -> Iterator[Callable[[int], None] | None]:
    """Show a bar that advances by the number it is told and disappears at the end; give ``None`` without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn(label), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total)
        yield lambda number: bar.advance(task, number)


@contextmanager
def asking(questions: int | None, seconds: float | None) -> Iterator[Callable[[int], None] | None]:
    """Show how many questions were put, of how many or in how much of the time; ``None`` without a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    total = questions if seconds is None else seconds
    columns = (TextColumn("asking"), BarColumn(), TextColumn("{task.fields[asked]}"))
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("asking", total=total, asked=0)
        asked = 0

        def advance(number: int) -> None:
            nonlocal asked
            asked += number
            bar.update(task, completed=asked if seconds is None else bar.tasks[0].elapsed, asked=asked)

        yield advance


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Say on stderr, until it is over, what is being waited for; nothing where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    with Console(stderr=True).status(Text(label)):
        yield


@contextmanager
def progress_bar(total: int) -> Iterator[Callback | None]:
    """Show a bar that advances with each answer."""
    with counting_bar("asking", total) as advance:

        def answered(_question: str, _answer: Answer) -> None:
            if advance is not None:
                advance(1)

        yield answered if advance is not None else None
