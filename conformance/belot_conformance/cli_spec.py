"""The commands ``belot spec …``: the rules as data."""

from pathlib import Path

import click

from belot_conformance.cli_common import errors_as_messages


@click.group()
def spec() -> None:
    """Look at the rules as data."""


@spec.command("lint")
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@errors_as_messages
def spec_lint(folder: Path | None) -> None:
    """Load and check the spec (or another FOLDER of its layout)."""
    from belot_reference.spec import load_spec

    loaded = load_spec(folder)
    settings = sum(len(loaded.profile(variant).settings) for variant in loaded.playable())
    options = sum(len(loaded.options_of(variant)) for variant in loaded.playable())
    click.echo(
        f"spec: {len(loaded.rules)} rules, {len(loaded.playable())} variants with {settings} values and "
        f"{options} options, {len(loaded.rulings)} rulings; all is well"
    )
