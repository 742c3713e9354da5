"""The command ``belot lab explained``: how well `belot identify` names the rules of programs drawn by lot."""

import sys
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

import click

from belot_conformance.cli.common import EXIT_FAILED, FORMAT, PROCESSES, echo, echo_json
from belot_conformance.programs.progress import counting_bar
from belot_workshop.commands.common import ONE_VARIANT
from belot_workshop.explaining.bars import Trial, Tried, try_all

# The share of the observable rules that is named exactly, the programs of which one may name a rule that is not played,
# and the seconds of the command's own processor, in the middle and at most.
_EXACT: Final = 0.95
_ONE_FALSE_IN: Final = 60
_MIDDLE: Final = 5.0
_MOST: Final = 10.0
_HEADINGS: Final = ("program", "hid", "obs", "exact", "tied", "other", "miss", "false", "wrong", "left", "own", "its")
_ROW: Final = "{:<32}{:>4}{:>4}{:>6}{:>5}{:>6}{:>5}{:>6}{:>6}{:>5}{:>6}{:>6}"


@click.command("explained")
@click.option("--programs", type=click.IntRange(min=1), default=60, show_default=True, help="Programs to draw.")
@click.option(
    "--hidden", "sizes", type=(click.IntRange(min=1), click.IntRange(min=1)), default=(2, 12), metavar="LEAST MOST",
    show_default=True, help="Between how many other values each has, besides those of its options.",
)  # fmt: skip
@click.option("--first", type=click.IntRange(min=0), default=0, show_default=True, help="Number of the first of them.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw.")
@click.option(
    "--here", is_flag=True, help="Let the programs answer in the process that asks: quicker, nearly the same."
)
@ONE_VARIANT
@PROCESSES
@FORMAT
def explained(programs: int, first: int, jobs: int, form: str, **drawn: Any) -> None:
    """Count how often identify names hidden rules.

    They are drawn by lot: house rules of any variant with any options. A third of them give another answer of the same
    operation in two of a hundred, a third answer only some operations. A rule is observable if, without it, an answer
    is another one to a question that the suite asks. Seconds are those of the processor, the command's own from its
    first import, the program's apart.

    Exit code: 0 if every bar is reached, 1 if not.
    """
    found: list[Tried] = []
    if form == "text":
        echo(_ROW.format(*_HEADINGS))
    trials = [Trial(number=number, **drawn) for number in range(first, first + programs)]
    with counting_bar("programs", programs) as advance:
        for tried in try_all(trials, jobs):
            found.append(tried)
            if form == "text":
                _print(tried)
            advance(1)
    met = _met(found)
    if form == "json":
        echo_json({"seed": drawn["seed"], "met": met, "tried": [asdict(one) for one in found]})
    else:
        _print_total(found)
    sys.exit(0 if met else EXIT_FAILED)


def _print(one: Tried) -> None:
    echo(_row(f"{one.number} {one.declared}", [one], (one.seconds, one.program_seconds)))
    for rule, outcome in one.rules.items():
        if outcome != "exact":
            named = f", named {one.named[rule]}" if outcome == "other" else ""
            echo(f"    {outcome}: {rule} is {one.hidden[rule]}{named}")
    for rule, value in one.false.items():
        echo(f"    FALSE: {rule} is not {value}")


def _row(name: str, some: Sequence[Tried], seconds: tuple[float, float]) -> str:
    outcomes = [sum(one.count(outcome) for one in some) for outcome in ("exact", "tied", "other", "missed")]
    numbers = (
        sum(len(one.hidden) for one in some), sum(len(one.rules) for one in some), *outcomes,
        sum(len(one.false) for one in some), sum(one.before for one in some), sum(one.left for one in some),
    )  # fmt: skip
    return _ROW.format(name[:31], *numbers, *(f"{one:.1f}" for one in seconds))


def _middle(some: Sequence[float]) -> float:
    return sorted(some)[len(some) // 2]


def _print_total(found: Sequence[Tried]) -> None:
    own, its = [one.seconds for one in found], [one.program_seconds for one in found]
    echo(_row(f"{len(found)} programs, in the middle", found, (_middle(own), _middle(its))))
    observable = sum(len(one.rules) for one in found)
    exact = sum(one.count("exact") for one in found)
    spoiled = sum(one.spoiled for one in found)
    echo(f"exact: {exact} of {observable} observable ({100 * exact / max(1, observable):.1f} %)")
    echo(f"own seconds: {_middle(own):.1f} in the middle, {max(own):.1f} at most; {spoiled} answers were spoiled")


def _met(found: Sequence[Tried]) -> bool:
    own = [one.seconds for one in found]
    return (
        sum(one.count("exact") for one in found) >= _EXACT * sum(len(one.rules) for one in found)
        and sum(len(one.false) for one in found) <= max(1, len(found) // _ONE_FALSE_IN)
        and _middle(own) <= _MIDDLE
        and max(own) <= _MOST
    )
