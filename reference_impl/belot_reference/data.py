"""Where the spec and the cases are: inside the installed package, or in the checkout beside it."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def data_folder() -> Path:
    """Return the folder that holds ``spec`` and ``cases``."""
    packaged = _PACKAGE / "_data"
    return packaged if packaged.is_dir() else _PACKAGE.parents[1]


def spec_folder() -> Path:
    """Return the folder of the spec that ships with this package."""
    return data_folder() / "spec"


def cases_folder() -> Path:
    """Return the folder of the cases that ship with this package."""
    return data_folder() / "cases"
