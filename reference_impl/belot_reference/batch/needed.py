"""What the extra ``fast`` brings, asked for only where it is used."""

from importlib.util import find_spec

from belot_spec.errors import BelotError

HOW: str = "pip install 'belot-conformance[fast]'"


class MissingExtraError(BelotError):
    """A package of an extra is wanted and not installed."""


def need(package: str, purpose: str) -> None:
    """Raise ``MissingExtraError``, with how to get it, where a package of the extra ``fast`` is not installed."""
    if find_spec(package) is None:
        raise MissingExtraError(f"{purpose} needs {package}, which is not installed: {HOW}")
