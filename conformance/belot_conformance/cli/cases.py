"""The commands ``belot cases …``: the golden cases."""

from pathlib import Path

import click

from belot_conformance.cli.common import (
    FORMAT,
    SAMPLE_NOW,
    LazyGroup,
    RenamingCommand,
    echo,
    echo_json,
    selection_options,
    tell_page,
)
from belot_conformance.house_suite.planning import plan_profile
from belot_conformance.programs.reference import reference_for
from belot_conformance.reports.terminal import print_case
from belot_conformance.situations.covering import LEAST, case_coverings, situation_problems
from belot_conformance.suite.cases import case_named, load_cases
from belot_conformance.suite.export import MANIFEST, case_json, export_cases, protocol_lines
from belot_conformance.suite.ledger import ledger_problems, read_ledger
from belot_conformance.suite.lint import case_statistics, lint_cases, print_statistics, unused_files
from belot_conformance.suite.selection import Selection, plan_own
from belot_spec.data import cases_folder
from belot_spec.errors import Problem, SpecError, refuse
from belot_spec.shipped import default_spec


@click.group(cls=LazyGroup)
def cases() -> None:
    """Look at the cases: questions with their right answers."""


@cases.command("lint")
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
def cases_lint(folder: Path | None) -> None:
    """Check the cases, or another FOLDER of cases.

    Schema, ids, names, style, that each pins what it says, and that those that ship with this package ask about every
    situation of every variant three times.
    """
    loaded = load_cases(folder)
    if not loaded:
        raise SpecError([Problem(folder or cases_folder(), 1, "", "there are no cases here")])
    stray = unused_files(folder or cases_folder())
    place = "cases stand in cases/<operation>/<behaviour>.yaml, recorded ones in .jsonl beside them"
    problems = [Problem(path, 1, "", place) for path in stray]
    problems += lint_cases(loaded, default_spec())
    ledger = read_ledger(folder or cases_folder())
    problems += ledger_problems(ledger, loaded)
    # Whoever checks cases of their own has no whole suite.
    coverings = case_coverings(loaded, default_spec()) if folder is None and not problems else {}
    problems += situation_problems(coverings) if coverings else ()
    refuse(problems)
    waiting = sum(case.review is not None for case in loaded)
    unchanged = sum(entry.retired is None for entry in ledger.entries.values())
    released = f"{unchanged} of them released unchanged" if ledger.last else "none released yet"
    found = [f"{len(loaded)} cases", released, *([f"{waiting} wait for review"] if waiting else [])]
    if every := [one for operations in coverings.values() for one in operations.values()]:
        often, can_be = sum(len(one.counts) - len(one.seldom) for one in every), sum(len(one.counts) for one in every)
        found.append(f"{LEAST} or more for {often} of the {can_be} situations of {len(coverings)} variants")
    free = next(ledger.free_ids(loaded), "none")
    echo(f"cases: {', '.join(found)}; the next free id is {free}; all is well")


@cases.command("show")
@click.argument("name", metavar="CASE")
@FORMAT
def cases_show(name: str, form: str) -> None:
    """Show one CASE (bc-0072), with its answer and its raw lines.

    What it asks, what is right and why; then the request as it is sent, and the reply as a right answer comes.
    """
    (planned,) = plan_own([case_named(name)])
    request, replies = protocol_lines(planned)
    tell_page(
        form,
        lambda page: print_case(page, planned, default_spec()),
        lambda: case_json(planned) | {"lines": {"request": request, "replies": replies}},
    )


@cases.command("stats")
@FORMAT
def cases_stats(form: str) -> None:
    """Count the cases, and the rule values that they pin.

    By operation, profile and origin; and of every value how many cases consult it.
    """
    found = case_statistics(default_spec())
    tell_page(form, lambda page: print_statistics(page, found), lambda: found)


@cases.command("export", cls=RenamingCommand, renamed=SAMPLE_NOW)
@click.argument("folder", type=click.Path(path_type=Path))
@selection_options
@FORMAT
def cases_export(folder: Path, selection: Selection, form: str) -> None:
    """Write the cases into FOLDER as plain JSON files.

    With their requests, a manifest and checksums. The folder is new or empty, or holds an earlier export, which is then
    replaced. The same selection gives the same bytes.
    """
    reference = reference_for(selection.profile)
    plan = plan_profile(selection, reference)
    manifest = export_cases(folder, plan, selection, reference)
    if form == "json":
        echo_json(manifest)
    else:
        cases = "1 case" if manifest["cases"] == 1 else f"{manifest['cases']} cases"
        echo(f"{folder}: {cases}; {folder / MANIFEST} lists the files")
