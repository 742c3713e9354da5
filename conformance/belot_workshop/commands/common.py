"""What several commands of the workshop share."""

from typing import Final

import click

from belot_spec.errors import UnknownNameError, nearest
from belot_spec.shipped import default_spec


def _known(_context: click.Context, _option: click.Parameter, variant: str | None) -> str | None:
    """Refuse a variant that nobody can play, with the nearest name that there is."""
    known = default_spec().playable() if variant is not None else ()
    if variant is not None and variant not in known:
        raise UnknownNameError(f"there is no variant {variant}{nearest(variant, known)}")
    return variant


ONE_VARIANT: Final = click.option(
    "--variant", callback=_known, help="Draw only programs that play this variant, with or without options."
)
