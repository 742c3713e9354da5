"""The commands that release the rules and the cases."""

from pathlib import Path
from typing import Any

import click

from belot_conformance.cli.common import FORMAT, LANGUAGE, RenamingCommand, echo, tell_page
from belot_conformance.suite.bundle import MANIFEST
from belot_spec.data import data_folder
from belot_workshop.releases.address import address, write_addresses
from belot_workshop.releases.assets import write_assets
from belot_workshop.releases.release import make_release, print_release


@click.command("release", cls=RenamingCommand, renamed={"--from": "--since"})
@click.argument("version")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--since", "revision", metavar="REVISION", help="The state before; else the tag of the last release.")
@FORMAT
@LANGUAGE
def release(version: str, folder: Path, revision: str | None, form: str, language: Any) -> None:
    """Release the rules, schemas and cases as VERSION.

    All of it goes as JSON into FOLDER, and the cases into the ledger. Refused are a version lower than the changes ask
    for, released cases that have changed or are gone, and cases that wait for review. The same state gives the same
    bytes. What counts as which step is in spec/VERSIONING.md.
    """
    draft, manifest = make_release(version, folder, revision)

    tell_page(form, lambda page: print_release(page, draft, manifest, folder / MANIFEST, language), lambda: manifest)


@click.command()
def addresses() -> None:
    """Write where the project is into every page that says so.

    As pyproject.toml says it.
    """
    for page in write_addresses(data_folder(), address()):
        echo(str(page))


@click.command()
@click.argument("tag")
@click.argument("folder", type=click.Path(path_type=Path, exists=False))
def assets(tag: str, folder: Path) -> None:
    """Write what the release TAG is published as into FOLDER.

    Wheel, sdist, rules and cases, changes, checksums. What is not in the ledger of released cases yet is refused: belot
    lab release comes first.
    """
    for path in write_assets(folder, tag):
        echo(str(path))
