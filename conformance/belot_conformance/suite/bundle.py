"""A folder of files with a manifest and checksums, written whole or not at all."""

import hashlib
import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from belot_spec.errors import BelotError, SpecError
from belot_spec.files import MAX_OF_OURS, read_json
from belot_spec.load.schemas import is_valid
from belot_spec.whole_file import real, write_whole

MANIFEST: Final = "manifest.json"
CHECKSUMS: Final = "SHA256SUMS"


class ExportError(BelotError):
    """The files cannot be written into this folder."""


def sealed(contents: Mapping[str, bytes], manifest: Mapping[str, Any]) -> dict[str, bytes]:
    """Return files by name with a manifest that lists them and their checksums, in one order."""
    found = dict(sorted(contents.items()))
    files = [{"path": name, "bytes": len(data), "sha256": sha256(data)} for name, data in found.items()]
    found[MANIFEST] = json_bytes({**manifest, "files": files})
    found[CHECKSUMS] = "".join(f"{sha256(data)}  {name}\n" for name, data in sorted(found.items())).encode()
    return found


def write_bundle(folder: Path, contents: Mapping[str, bytes], kind: str) -> dict[str, Any]:
    """Write sealed files into a folder, whole or not at all; return the manifest.

    A folder that holds an earlier bundle of this kind (the name of its manifest's schema) and nothing else is
    replaced. Raises ``ExportError`` for any other folder that is not empty.
    """
    place = real(folder)
    check_place(folder, kind)
    draft = place.with_name(f".{place.name}.{os.getpid()}.tmp")
    try:
        for name, data in contents.items():
            (draft / name).parent.mkdir(parents=True, exist_ok=True)
            write_whole(draft / name, data, durable=False)
        # Looked at again, because writing took a while.
        check_place(folder, kind)
        _put(draft, place)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    manifest: dict[str, Any] = json.loads(contents[MANIFEST])
    return manifest


def check_place(folder: Path, kind: str) -> None:
    """Raise ``ExportError`` for a folder in which something stands that no bundle of this kind put there."""
    place = real(folder)
    if not place.exists():
        if not place.parent.is_dir():
            raise ExportError(f"{folder}: there is no folder {folder.parent}; make it first")
        return
    if not place.is_dir():
        raise ExportError(f"{folder}: this is a file; name a folder")
    found = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_symlink() or not path.is_dir()}
    if place in (here := Path.cwd(), *here.parents):
        raise ExportError(f"{folder}: you are in this folder; go elsewhere, because it is replaced as a whole")
    known = _earlier_files(place, kind) if found else found
    if known is None:
        raise ExportError(f"{folder}: the folder is not empty and holds no earlier {kind}; name a new folder")
    for strange in sorted(found - known)[:1]:
        raise ExportError(f"{folder}: {strange} is not part of the {kind} there; move it away or name a new folder")


def json_bytes(value: Any) -> bytes:
    """Return a value as indented JSON."""
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def sha256(data: bytes) -> str:
    """Return the SHA-256 of bytes in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def _earlier_files(place: Path, kind: str) -> set[str] | None:
    """Return the names of the files of a bundle that stands in a folder; ``None`` if none does."""
    try:
        manifest = read_json(place / MANIFEST, MAX_OF_OURS)
    except SpecError:
        return None
    return {MANIFEST, CHECKSUMS, *(one["path"] for one in manifest["files"])} if is_valid(manifest, kind) else None


def _put(draft: Path, place: Path) -> None:
    """Give a finished folder its name; what stood there before goes only once the new one is in its place."""
    if not place.exists():
        draft.rename(place)
        return
    old = place.with_name(f".{place.name}.{os.getpid()}.old")
    place.rename(old)
    try:
        draft.rename(place)
    except BaseException:
        old.rename(place)
        raise
    shutil.rmtree(old)
