"""The commands ``belot cases …``: the golden cases."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from belot_conformance.cli_common import FORMAT, errors_as_messages
from belot_conformance.cli_selection import selection_options

if TYPE_CHECKING:
    from belot_conformance.selection import Selection


@click.group()
def cases() -> None:
    """Look at the golden cases."""


@cases.command("lint")
@click.argument("folder", required=False, type=click.Path(path_type=Path, exists=True, file_okay=False))
@errors_as_messages
def cases_lint(folder: Path | None) -> None:
    """Check the cases (or another FOLDER of cases): schema, ids, names, style, and that each pins what it says."""
    from belot_conformance.cases import load_cases
    from belot_conformance.lint import lint_cases, unused_files
    from belot_reference.data import cases_folder
    from belot_reference.errors import Problem, SpecError
    from belot_reference.spec import default_spec

    loaded = load_cases(folder)
    if not loaded:
        raise SpecError([Problem(folder or cases_folder(), 1, "", "there are no cases here")])
    stray = unused_files(folder or cases_folder())
    place = "cases stand in cases/<operation>/<behaviour>.yaml, recorded ones in .jsonl beside them"
    problems = [Problem(path, 1, "", place) for path in stray]
    problems += lint_cases(loaded, default_spec())
    if problems:
        raise SpecError(problems)
    click.echo(f"cases: {len(loaded)} cases; all is well")


@cases.command("stats")
@FORMAT
@errors_as_messages
def cases_stats(form: str) -> None:
    """Count the cases by operation, profile and origin, and the rule values that they consult and pin."""
    from belot_conformance.statistics import case_statistics, print_statistics
    from belot_reference.spec import default_spec

    found = case_statistics(default_spec())
    if form == "json":
        click.echo(json.dumps(found, ensure_ascii=False, indent=2))
    else:
        print_statistics(found)


@cases.command("record")
@click.argument("folder", required=False, type=click.Path(path_type=Path, file_okay=False))
@click.option("--profile", "variants", multiple=True, help="Record only this variant; may be repeated.")
@errors_as_messages
def cases_record(folder: Path | None, variants: tuple[str, ...]) -> None:
    """Record the deals and matches of every variant anew, into the cases or another FOLDER: same engine, same files."""
    from belot_conformance.recorder import record_variant, recorded_variants
    from belot_reference.data import cases_folder
    from belot_reference.spec import default_spec

    for variant in recorded_variants(variants):
        for path, number in record_variant(default_spec(), variant, folder or cases_folder()):
            click.echo(f"{path}: {number} cases")


@cases.command("export")
@click.argument("folder", type=click.Path(path_type=Path))
@selection_options
@FORMAT
@errors_as_messages
def cases_export(folder: Path, selection: "Selection", form: str) -> None:
    """Write the cases into FOLDER as plain JSON files, with their requests, a manifest and checksums.

    The folder is new or empty, or holds an earlier export, which is then replaced. The same selection gives the same
    bytes.
    """
    from belot_conformance.export import MANIFEST, export_cases

    manifest = export_cases(folder, selection)
    if form == "json":
        click.echo(json.dumps(manifest, indent=2))
    else:
        click.echo(f"{folder}: {manifest['cases']} cases; {folder / MANIFEST} lists the files")
