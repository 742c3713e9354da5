"""What the extra ``fast`` brings, asked for only where it is used."""

from importlib.util import find_spec
from typing import Final

from belot_spec.errors import BelotError

HOW: Final = "pip install 'belot_conformance-….whl[fast]', or '.[fast]' in the folder of a clone"


class MissingExtraError(BelotError):
    """A package of an extra is wanted and not installed."""


def is_installed(package: str) -> bool:
    """Say whether a package is installed, without importing it."""
    return find_spec(package) is not None


def need(package: str, purpose: str, extra: str = "fast") -> None:
    """Raise ``MissingExtraError``, with how to get it, where a package of an extra is not installed."""
    if not is_installed(package):
        raise MissingExtraError(f"{purpose} needs {package}, which is not installed: {HOW.replace('fast', extra)}")
