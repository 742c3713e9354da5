"""The command ``belot lab identify-bars``: how often `belot identify` is right, with programs drawn by lot."""

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

import click

from belot_conformance.cli.common import EXIT_FAILED, FORMAT, PROCESSES, echo, echo_json
from belot_conformance.programs.progress import counting_bar
from belot_workshop.commands.common import ONE_VARIANT
from belot_workshop.identifying.bars import trials, try_all

if TYPE_CHECKING:
    from belot_workshop.identifying.bars import TrialResult

# The share that has to be reached, of every part of a bar.
_BARS: Final = {"mutants": 0.995, "overlays": 0.99, "settling": 0.99, "mistaken": 1.0, "faulty": 0.99, "right": 1.0}
_TITLES: Final = {
    "mutants": "(a) programs with one other value",
    "overlays": "(b) house rules of 1 to 12 other values",
    "settling": "(c) programs that only settle deals, by rules drawn by lot",
    "mistaken": "(d) the same with 2 of 100 answers wrong",
    "faulty": "(e) programs with faults that are no rules",
    "right": "(f) programs with nothing wrong",
}
_COUNT: Final = click.IntRange(min=0)


@click.command("identify-bars")
@click.option("--mutants", type=_COUNT, default=400, show_default=True, help="Programs with one other value.")
@click.option("--overlays", type=_COUNT, default=200, show_default=True, help="House rules to draw.")
@click.option("--settling", type=_COUNT, default=0, show_default=True, help="Programs that only settle deals.")
@click.option("--mistaken", type=_COUNT, default=0, show_default=True, help="Such programs that make mistakes.")
@click.option("--faulty", type=_COUNT, default=100, show_default=True, help="Programs with faults that are no rules.")
@click.option(
    "--right", type=_COUNT, default=100, show_default=True, help="Profiles of which the right program is tried."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw.")
@click.option(
    "--part",
    type=(click.IntRange(min=1), click.IntRange(min=1)),
    default=(1, 1),
    metavar="K N",
    help="Try only the K-th of N parts of them, so that a long run can be done in pieces.",
)
@ONE_VARIANT
@PROCESSES
@FORMAT
def identify_bars(seed: int, jobs: int, form: str, part: tuple[int, int], variant: str | None, **sizes: int) -> None:
    """Count how often belot identify is right.

    It is asked about programs, drawn by lot, of which it is known what they play.

    Exit code: 0 if every bar is reached, 1 if not.
    """
    number, parts = part
    every = trials(sizes, seed, variant)
    chosen = every[(number - 1) * len(every) // parts : number * len(every) // parts]
    found: list[TrialResult] = []
    with counting_bar("programs", len(chosen)) as advance:
        for tried in try_all(chosen, jobs):
            found.append(tried)
            if form == "text" and not all(tried.good.values()):
                missed = ", ".join(part for part, good in tried.good.items() if not good)
                echo(f"! {tried.bar} {tried.name} ({missed}): {tried.told}")
            advance(1)
    if form == "json":
        echo_json({"seed": seed, "tried": [asdict(tried) for tried in found]})
    reached = [_print_bar(bar, found, form) for bar in _BARS]
    sys.exit(0 if all(reached) else EXIT_FAILED)


def _print_bar(bar: str, found: "list[TrialResult]", form: str) -> bool:
    """Print the table of one bar; return whether it is reached."""
    tried = [one for one in found if one.bar == bar]
    if not tried:
        return True
    parts = list(tried[0].good)
    good = {part: sum(one.good[part] for one in tried) for part in parts}
    if form == "text":
        seconds = sorted(one.seconds for one in tried)
        echo(f"\n{_TITLES[bar]}: {len(tried)} programs")
        for part in parts:
            echo(f"  {part:<26}{good[part]:>6} of {len(tried):>5}{100 * good[part] / len(tried):>8.1f} %")
        middle, most = seconds[len(seconds) // 2], seconds[-1]
        echo(f"  seconds of one processor  {middle:>6.1f} in the middle, {most:.1f} at most")
    return all(count >= _BARS[bar] * len(tried) for count in good.values())
