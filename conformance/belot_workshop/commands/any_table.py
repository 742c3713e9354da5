"""The command ``belot lab any-table``: whether the suite works for house rules that nobody has seen."""

import sys
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

import click

from belot_conformance.cli.common import EXIT_FAILED, FORMAT, echo_json
from belot_conformance.text.terminal import TerminalPage
from belot_workshop.commands.common import ONE_VARIANT
from belot_workshop.tables.any_table import try_tables

if TYPE_CHECKING:
    from belot_conformance.text.page import Page
    from belot_workshop.tables.any_table import TableResult

_HEADING: Final = "table        rules  right   wrong: failed passed  first s  later s  w. out/derived/found"


@click.command("any-table")
@click.option("--tables", type=click.IntRange(min=1), default=60, show_default=True, help="House rules to draw.")
@click.option("--mutants", type=click.IntRange(min=0), default=40, show_default=True, help="Wrong programs for each.")
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the draw.")
@click.option("--keep", type=click.Path(path_type=Path, file_okay=False, exists=True), help="Keep the rules here.")
@ONE_VARIANT
@FORMAT
def any_table(tables: int, mutants: int, seed: int, keep: Path | None, variant: str | None, form: str) -> None:
    """Try the suite with house rules that are drawn by lot.

    Under each the right program must pass and all programs with one other value fail.

    Exit code: 0 if that is so everywhere, 1 if not.
    """
    page, found = TerminalPage(), list["TableResult"]()
    with TemporaryDirectory() as scratch:
        if form == "text":
            page.verbatim(_HEADING)
        for tried in try_tables(keep or Path(scratch), tables, mutants, seed, variant):
            found.append(tried)
            if form == "text":
                _print(page, tried)
    if form == "json":
        echo_json({"seed": seed, "tables": [_as_json(tried) for tried in found]})
    else:
        _print_totals(page, found)
    sys.exit(EXIT_FAILED if any(tried.missed or not tried.right_passes for tried in found) else 0)


def _print(page: "Page", tried: "TableResult") -> None:
    counts = tried.checked.provenances
    answers = f"{counts['worked-out']}/{counts['derived']}/{counts['found']}"
    page.verbatim(
        f"{tried.table.path.stem:<13}{len(tried.table.values):>5}  {'passes' if tried.right_passes else 'FAILS':<6}"
        f"{tried.caught:>15}{len(tried.missed):>7}{tried.seconds:>9.1f}{tried.again:>9.1f}  {answers}"
    )
    for missed in tried.missed:
        page.line(f"  passed with {missed.rule} {missed.value!r}; {missed.operation} shows it: {missed.input}")


def _print_totals(page: "Page", found: "list[TableResult]") -> None:
    caught, missed = sum(tried.caught for tried in found), sum(len(tried.missed) for tried in found)
    page.line(f"the right program passed at {sum(tried.right_passes for tried in found)} of {len(found)} tables")
    page.line(f"{caught} of {caught + missed} wrong programs failed")
    alike, unseen = sum(tried.proved for tried in found), sum(tried.unobservable for tried in found)
    page.line(f"{alike} more play the same game, as was proved; of {unseen} more no question was found that tells them")


def _as_json(tried: "TableResult") -> dict[str, Any]:
    return {
        "base": tried.table.base,
        "rules": dict(tried.table.values),
        "right_passes": tried.right_passes,
        "caught": tried.caught,
        "missed": [asdict(one) for one in tried.missed],
        "alike": tried.proved,
        "not_shown": tried.unobservable,
        "answers": dict(tried.checked.provenances),
        "seconds": {"first": round(tried.seconds, 2), "later": round(tried.again, 2)},
    }
