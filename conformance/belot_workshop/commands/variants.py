"""The variants that somebody names to a command, or all of them."""

from collections.abc import Sequence

import click

from belot_spec.errors import nearest
from belot_spec.shipped import default_spec


def variants_named(option: str, names: Sequence[str]) -> Sequence[str]:
    """Return the variants of these names, or where there are none all that can be played.

    Raises ``click.UsageError`` for a name that no variant has, with the nearest.
    """
    known = default_spec().playable()
    for name in names:
        if name not in known:
            raise click.UsageError(f"{option} {name}: there is no such variant{nearest(name, known)}")
    return names or known
