"""A progress bar on stderr for runs that a person waits for; nothing where stderr is not a terminal."""

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from belot_conformance.programs.target import Progress

Advance = Callable[[int], None]


def unseen(number: int) -> None:
    """Hear how many more are done, and show nobody."""


def counting_bar(label: str, total: int) -> AbstractContextManager[Advance]:
    """Show a bar that advances by the number it is told and disappears at the end."""
    return _bar(label, total, None, of_total=True)


def asking(questions: int | None, seconds: float | None) -> AbstractContextManager[Advance]:
    """Show how many questions were put, of how many or in how much of the time."""
    return _bar("asking", questions, seconds, of_total=False)


@contextmanager
def _bar(label: str, total: int | None, seconds: float | None, of_total: bool) -> Iterator[Advance]:
    if not sys.stderr.isatty():
        yield unseen
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    told = MofNCompleteColumn() if of_total else TextColumn("{task.fields[done]}")
    with Progress(TextColumn(label), BarColumn(), told, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=total if seconds is None else seconds, done=0)

        def advance(number: int) -> None:
            done = bar.tasks[0].fields["done"] + number
            bar.update(task, completed=done if seconds is None else bar.tasks[0].elapsed, done=done)

        yield advance


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
