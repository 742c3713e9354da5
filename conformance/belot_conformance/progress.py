"""A progress bar on stderr for runs that a person waits for."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from belot_conformance.runner import Answer
from belot_conformance.runner import Progress as Callback


@contextmanager
def progress_bar(total: int) -> Iterator[Callback]:
    """Show a bar that advances with each answer and disappears at the end."""
    columns = (TextColumn("asking"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("asking", total=total)

        def advance(_question: str, _answer: Answer) -> None:
            bar.advance(task)

        yield advance
