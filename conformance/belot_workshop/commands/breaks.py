"""The command ``belot lab breaks``: whether the tests notice small breaks of the product that are drawn by lot."""

import os
import sys
from pathlib import Path
from typing import Any, Final

import click
import yaml

from belot_conformance.cli.common import EXIT_FAILED
from belot_spec.data import refuse_installed
from belot_spec.whole_file import write_whole
from belot_workshop.breaks.drawing import draw
from belot_workshop.breaks.recording import ROOT
from belot_workshop.breaks.running import ALL_TESTS, Trials, read_choice, record

_KEPT: Final = Path(ROOT) / "conformance" / "mutation" / "breaks.yaml"
_MINUTE: Final = 60


@click.command()
@click.argument("tests", nargs=-1, metavar="[TESTS …]")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the lot.")
@click.option("--count", type=click.IntRange(min=1), default=60, show_default=True, help="Breaks to draw.")
@click.option("--jobs", type=click.IntRange(1, 64), default=os.cpu_count() or 1, help="Breaks that are tried at once.")
@click.option("--minutes", type=click.IntRange(min=1), default=6, show_default=True, help="Of the processor, for each.")
@click.option(
    "--record", "recording", is_flag=True, help="Run TESTS, by default all, to record what each runs and reads."
)
@click.option("--resume", is_flag=True, help="Try only those that are not in the list yet.")
@click.option("--list", "showing", is_flag=True, help="Print what is drawn and how many tests are chosen; try nothing.")
def breaks(tests: tuple[str, ...], seed: int, count: int, jobs: int, minutes: int, **given: bool) -> None:
    """Break the product in small ways, and see what tests notice.

    Rules, engine, suite, reports and site.

    Each break is put to the tests that run its line or read its file, cheapest first, until one fails. The list is
    kept in conformance/mutation/breaks.yaml. Exit code: 0 if all are noticed or have a reason there why not, else 1.
    """
    refuse_installed("what is broken")
    if given["recording"]:
        number, said = record(tests or ALL_TESTS, jobs)
        click.echo(f"{number} tests recorded; {said}")
        return
    choice = read_choice()
    drawn = draw(choice.root, choice.names, seed, count)
    if given["showing"]:
        for one in drawn:
            chosen = choice.tests(one)
            click.echo(yaml.safe_dump([{**one.told(), "tests": len(chosen), "first": chosen[:1]}], sort_keys=False))
        return
    kept: list[dict[str, Any]] = []
    if given["resume"] and _KEPT.exists():
        kept = yaml.safe_load(_KEPT.read_text())["breaks"]
    told = [one.told() for one in drawn]

    def place(entry: dict[str, Any]) -> int:
        same = {name: entry[name] for name in told[0]}
        return told.index(same) if same in told else -1

    kept = [entry for entry in kept if place(entry) >= 0]
    known = [place(entry) for entry in kept]
    left = [one for number, one in enumerate(drawn) if number not in known]
    for one, fate in Trials(choice, jobs, minutes * _MINUTE).run(left):
        kept = sorted([*kept, {**one.told(), **fate}], key=place)
        click.echo(f"{one.file}:{one.line} {one.kind}: {' '.join(f'{name} {said}' for name, said in fate.items())}")
        write_whole(_KEPT, _as_text(seed, kept))
    missed = [one for one in kept if "survived" in one]
    click.echo(f"{len(kept)} breaks, {len(kept) - len(missed)} caught, {len(missed)} survived")
    sys.exit(EXIT_FAILED if any("why" not in one for one in missed) else 0)


def _as_text(seed: int, kept: list[dict[str, Any]]) -> str:
    title = (
        "# Breaks drawn by lot, as `make breaks` tells them; `why` says of one that survived why that is no matter.\n"
    )
    return title + yaml.safe_dump({"seed": seed, "breaks": kept}, allow_unicode=True, sort_keys=False, width=120)
