"""The command ``belot lab fuzz-bar``: how soon `belot fuzz` finds wrong programs, and how small its examples are."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

import click

from belot_conformance.cli.common import EXIT_FAILED, FORMAT, PROCESSES, echo, echo_json
from belot_conformance.programs.progress import counting_bar
from belot_workshop.fuzzing.bar import observable, serve_all, shares, try_all

if TYPE_CHECKING:
    from belot_workshop.fuzzing.bar import BarResult

# The share that has to be found within few questions, and how many more cards or actions an example may have.
_SHARE: Final = 0.95
_MORE: Final = 1
_NAMED: Final = 40


@click.command("fuzz-bar")
@click.option("--profile", "profiles", multiple=True, help="Only wrong programs of this profile; may be repeated.")
@click.option("--questions", type=click.IntRange(min=2001), default=20_000, show_default=True, help="At most so many.")
@click.option("--shrink", type=click.IntRange(min=0), default=200, show_default=True, help="Examples to make smaller.")
@click.option("--served", is_flag=True, help="Serve the common mistakes as programs instead.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw.")
@PROCESSES
@FORMAT
def fuzz_bar(form: str, *, served: bool, **given: Any) -> None:
    """Say how soon belot fuzz finds wrong programs.

    Its questions are put to every mutant that a case notices, common mistakes among them. With --served the common
    mistakes are programs, those that belot answer --mistake serves, and are asked as such.

    Exit code: 0 if all are found, 95 of 100 within 2,000 questions, and no example has more than one card or action
    more than the smallest case that notices the same; 1 if not.
    """
    found = _tried(served, **given)
    if form == "json":
        echo_json({"seed": given["seed"], "tried": [asdict(one) for one in found]})
    else:
        _print(found)
    sys.exit(0 if _reached(found) else EXIT_FAILED)


def _tried(
    served: bool, profiles: tuple[str, ...], questions: int, shrink: int, seed: int, jobs: int
) -> "list[BarResult]":

    if served:
        mistakes = observable(profiles)
        number, tried = len(mistakes), serve_all(mistakes, seed, questions)
    else:
        chosen = shares(profiles, seed, questions, shrink)
        number, tried = len(chosen), try_all(chosen, jobs)
    found: list[BarResult] = []
    with counting_bar("mistakes" if served else "profiles", number) as advance:
        for some in tried:
            found += some
            advance(1)
    return found


def _reached(found: "list[BarResult]") -> bool:
    soon = sum(one.first is not None and one.first <= 2_000 for one in found)
    missed = any(one.first is None for one in found)
    return not missed and soon >= _SHARE * len(found) and not _large(found)


def _large(found: "list[BarResult]") -> "list[BarResult]":
    return [one for one in found if one.pieces is not None and one.known is not None and one.pieces > one.known + _MORE]


def _print(found: "list[BarResult]") -> None:
    numbers = sorted(one.first for one in found if one.first is not None)
    missed = [one for one in found if one.first is None]
    soon = sum(number <= 2_000 for number in numbers)
    echo(f"wrong programs                {len(found):>6}")
    echo(f"found                         {len(numbers):>6}{100 * len(numbers) / len(found):>8.1f} %")
    echo(f"found within 2,000 questions  {soon:>6}{100 * soon / len(found):>8.1f} %")
    if numbers:
        echo(f"questions, in the middle      {numbers[len(numbers) // 2]:>6}")
        echo(f"questions, at most            {numbers[-1]:>6}")
    shrunk = [one for one in found if one.pieces is not None and one.known is not None]
    large = _large(found)
    if shrunk:
        good = len(shrunk) - len(large)
        echo(f"examples made smaller         {len(shrunk):>6}")
        echo("at most one piece larger than")
        echo(f"  the smallest case           {good:>6}{100 * good / len(shrunk):>8.1f} %")
    for one in missed[:_NAMED]:
        echo(f"! not found: {one.profile} {one.rule}: {one.change}")
    for one in large[:_NAMED]:
        echo(f"! large: {one.profile} {one.rule}: {one.change} ({one.operation}: {one.pieces}, case {one.known})")
