"""What several commands of the workshop share."""

from typing import Final

import click

from belot_spec.shipped import default_spec


def _known(_context: click.Context, _option: click.Parameter, variant: str | None) -> str | None:
    """Refuse a variant that nobody can play, with the nearest name that there is."""
    if variant is not None:
        default_spec().options_of(variant)
    return variant


ONE_VARIANT: Final = click.option(
    "--variant", callback=_known, help="Draw only programs that play this variant, with or without options."
)
