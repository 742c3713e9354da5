"""The options that choose cases, the same for every command that takes a part of the suite."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def _repeated(option: str, kind: str, words: str) -> Callable[[Command], Command]:
    return click.option(option, kind, multiple=True, metavar=kind.removesuffix("s").upper(), help=words)


_OPTIONS: Final = (
    click.option("--profile", help="The rules that the program plays (bela-4+length-counts, house-rules.yaml)."),
    _repeated("--operation", "operations", "Only this operation; this option and those below may be repeated."),
    _repeated("--rule", "rules", "Only cases that pin this rule, or one below it (play.void)."),
    _repeated("--consults", "consults", "Only cases whose answer consults this rule, or one below it."),
    _repeated("--statement", "statements", "Only cases from this statement, or a run of them (BL-140..154)."),
    _repeated("--ruling", "rulings", "Only cases that this ruling decides."),
    _repeated("--case", "cases", "Only this case, or cases with such an id (bc-00*)."),
    _repeated("--tag", "tags", "Only cases with this tag."),
    _repeated("--origin", "origins", "Only cases of this origin: source-example, by-hand or derived."),
    click.option("--worked-only", is_flag=True, help="Only answers that somebody worked out, none of the reference's."),
    click.option("--sample", type=click.IntRange(min=1), help="Only so many, drawn by lot from what fits."),
    click.option("--seed", type=int, default=0, show_default=True, help="Seed of the draw: the same cases each time."),
)
_NAMES: Final = (
    "profile", "operations", "rules", "consults", "statements", "rulings", "cases", "tags", "origins",
    "worked_only", "sample", "seed",
)  # fmt: skip


def selection_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that choose cases, and hand them to it as ``selection``."""

    @wraps(command)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        from belot_conformance.suite.selection import Selection

        return command(*args, selection=Selection(**{name: kwargs.pop(name) for name in _NAMES}), **kwargs)

    for option in reversed(_OPTIONS):
        wrapped = option(wrapped)
    return wrapped
