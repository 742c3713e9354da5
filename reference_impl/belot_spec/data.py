"""Where the spec and the cases are: inside the installed package, or in the checkout beside it."""

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

from belot_spec.errors import BelotError
from belot_spec.files import read_bytes, read_json


class NotOursError(BelotError):
    """Something would be changed that belongs to an installed package."""


_PACKAGE = Path(__file__).resolve().parent


def data_folder() -> Path:
    """Return the folder that holds ``spec`` and ``cases``."""
    packaged = _PACKAGE / "_data"
    return packaged if packaged.is_dir() else _PACKAGE.parents[1]


def refuse_installed(what: str) -> None:
    """Raise ``NotOursError`` where the spec and the cases are those of an installed package, which nobody changes."""
    if (_PACKAGE / "_data").is_dir():
        raise NotOursError(
            f"{what} stands in an installed package, which is not changed; work in a clone of the project"
        )


def spec_folder() -> Path:
    """Return the folder of the spec that ships with this package."""
    return data_folder() / "spec"


def spec_digest(folder: Path) -> str:
    """Return the SHA-256, in hexadecimal, of every file of a spec with its name: another spec has another.

    What rules are worth (``worth/``) is measured, and is no part of them.
    """
    paths = (path for path in (*folder.rglob("*.yaml"), *folder.rglob("*.json")) if path.parent != folder / "worth")
    return files_digest(folder, sorted(paths))


def files_digest(folder: Path, paths: Iterable[Path]) -> str:
    """Return the SHA-256, in hexadecimal, of files below a folder, each with its name."""
    digest = hashlib.sha256()
    for path in paths:
        digest.update(path.relative_to(folder).as_posix().encode() + b"\0" + read_bytes(path) + b"\0")
    return digest.hexdigest()


def cases_folder() -> Path:
    """Return the folder of the cases that ship with this package."""
    return data_folder() / "cases"


def ledger_folder() -> Path:
    """Return the folder of the ledger of published programs."""
    packaged = _PACKAGE / "_data" / "ledger"
    return packaged if packaged.is_dir() else _PACKAGE.parents[1] / "conformance" / "ledger"


def schema_folder() -> Path:
    """Return the folder that holds the project's JSON Schemas."""
    return spec_folder() / "schema"


def schema_files() -> list[Path]:
    """Return the files of the project's JSON Schemas."""
    return sorted(schema_folder().glob("*.schema.json"))


@cache
def schema(name: str) -> dict[str, Any]:
    """Return the schema ``spec/schema/<name>.schema.json``."""
    loaded: dict[str, Any] = read_json(schema_folder() / f"{name}.schema.json")
    return loaded
