"""``make engine-mutants``: mutate the engine, ask every case of each mutant, and compare with the kept list."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click
import yaml

from belot_conformance.cli.common import EXIT_FAILED, EXIT_NOT_STARTED, errors_told
from laboratory.engine_mutants.mutants import (
    EngineMutant,
    MutationRunError,
    Result,
    engine_modules,
    outdated,
    read_survivors,
    run_mutants,
    unexplained,
)

_KEPT: Final = Path(__file__).resolve().parent / "engine-survivors.yaml"


@click.command()
@click.argument("modules", nargs=-1, metavar="[MODULE …]")
@click.option("--jobs", type=click.IntRange(min=1), default=os.cpu_count(), help="How many mutants run at once.")
def main(modules: tuple[str, ...], jobs: int) -> None:
    """Break the engine in every small way, one at a time, and ask the golden cases alone whether they notice.

    Without MODULE every engine module is mutated. Fails for a mutant that survives and is not explained in
    engine-survivors.yaml, and for an entry there that does not survive any more.
    """
    chosen = modules or engine_modules()
    kept = read_survivors(_KEPT)
    started = time.monotonic()
    try:
        results = run_mutants(chosen, jobs)
    except MutationRunError as error:
        click.echo(f"engine mutants: {error}", err=True)
        sys.exit(EXIT_NOT_STARTED)
    seconds = time.monotonic() - started
    click.echo(score_table(results))
    missing = unexplained(results, kept)
    problems = outdated(_KEPT, results, kept, chosen)
    survived = sum(result.fate == "survived" for result in results)
    if missing:
        click.echo("\nThese survive. Write a case that notices, or add them to the list with the reason:\n")
        click.echo(as_entries(missing))
    for problem in problems:
        click.echo(str(problem))
    good = not missing and not problems
    click.echo(
        f"\n{'✓ PASSED' if good else '✗ FAILED'}  {len(results)} mutants in {seconds / 60:.0f} minutes: "
        f"{len(results) - survived} noticed by a case, {survived - len(missing)} explained, "
        f"{len(missing)} not explained, {len(problems)} entries outdated."
    )
    sys.exit(0 if good else EXIT_FAILED)


def score_table(results: Sequence[Result]) -> str:
    """Return the scores by module as a table; the score is the share of the mutants that a case noticed."""
    lines = [f"{'module':<14}{'mutants':>9}{'noticed':>9}{'survived':>10}{'score':>8}"]
    for name in (*sorted({result.mutant.module for result in results}), "together"):
        some = [result for result in results if name in (result.mutant.module, "together")]
        noticed = sum(result.fate == "noticed" for result in some)
        lines.append(f"{name:<14}{len(some):>9}{noticed:>9}{len(some) - noticed:>10}{100 * noticed / len(some):>7.1f}%")
    return "\n".join(lines)


def as_entries(mutants: Sequence[EngineMutant]) -> str:
    """Return mutants as entries of the kept list, those of one line of code together."""
    entries: dict[tuple[str, str], list[str]] = {}
    for mutant in mutants:
        entries.setdefault((mutant.where, mutant.was), []).append(mutant.now)
    told = [{"in": where, "was": was, "now": now} for (where, was), now in entries.items()]
    return yaml.safe_dump(told, allow_unicode=True, sort_keys=False, width=100_000).rstrip()


if __name__ == "__main__":
    with errors_told():
        main(prog_name="engine-mutants")
