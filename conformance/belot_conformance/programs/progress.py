"""A progress bar on stderr for runs that a person waits for; nothing where stderr is not a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from belot_conformance.programs.target import Progress

if TYPE_CHECKING:
    from rich import progress

Advance = Callable[[int], None]


def unseen(number: int) -> None:
    """Hear how many more are done, and show nobody."""


@contextmanager
def counting_bar(label: str, total: int) -> Iterator[Advance]:
    """Show a bar that advances by the number it is told and disappears at the end."""
    if not sys.stderr.isatty():
        yield unseen
        return
    from rich.progress import MofNCompleteColumn

    with _bar(label, MofNCompleteColumn()) as bar:
        task = bar.add_task(label, total=total)
        yield lambda number: bar.advance(task, number)


@contextmanager
def asking(questions: int | None, seconds: float | None) -> Iterator[Advance]:
    """Show how many questions were put, of how many or in how much of the time."""
    if not sys.stderr.isatty():
        yield unseen
        return
    from rich.progress import TextColumn

    with _bar("asking", TextColumn("{task.fields[asked]}")) as bar:
        task = bar.add_task("asking", total=questions if seconds is None else seconds, asked=0)
        asked = 0

        def advance(number: int) -> None:
            nonlocal asked
            asked += number
            bar.update(task, completed=asked if seconds is None else bar.tasks[0].elapsed, asked=asked)

        yield advance


def _bar(label: str, told: "progress.ProgressColumn") -> "progress.Progress":
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    return Progress(TextColumn(label), BarColumn(), told, console=Console(stderr=True), transient=True)


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Say on stderr, until it is over, what is being waited for; nothing where stderr is not a terminal."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console
    from rich.text import Text

    with Console(stderr=True).status(Text(label)):
        yield


@contextmanager
def progress_bar(label: str, total: int) -> Iterator[Progress]:
    """Show a bar that advances with each answer."""
    with counting_bar(label, total) as advance:
        yield lambda _question, _answer: advance(1)
