"""What is found out once and kept for the next time: in a folder that only its owner can write, or nowhere."""

import hashlib
import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from belot_spec.errors import BelotError
from belot_spec.files import MAX_OF_OURS, read_text
from belot_spec.whole_file import write_whole

Kept = TypeVar("Kept")

_OWNER_ONLY: Final = 0o700
_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def cache_folder() -> Path | None:
    """Return the folder of the cache: ``BELOT_CACHE``, or one in the user's cache folder; ``None`` without a home."""
    if given := os.environ.get("BELOT_CACHE"):
        return Path(given)
    places = (os.environ.get("XDG_CACHE_HOME", ""), os.environ.get("HOME", ""))
    cache, home = (Path(place) if os.path.isabs(place) else None for place in places)  # noqa: PTH117
    if cache is None and home is not None:
        cache = home / ".cache"
    return None if cache is None else cache / "belot-conformance"


def own_folder(name: str) -> Path | None:
    """Return a folder in the cache, made if need be; ``None`` where none can be made that its owner alone can write."""
    cache = cache_folder()
    if cache is None:
        return None
    try:
        for place in (cache, cache / name):
            place.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        return cache / name if _is_ours(cache) and _is_ours(cache / name) else None
    except OSError:
        return None


def keep(folder: Path | None, name: str, value: Any) -> None:
    """Keep a value of JSON under a name; a cache that cannot be written, or that others can, is done without."""
    if folder is None:
        return
    with suppress(OSError, ValueError):
        path = folder / name
        for place in (folder, path.parent):
            place.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        if _is_ours(folder) and _is_ours(path.parent):
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
            write_whole(path, f"{_checksum(text)}\n{text}")


def kept(folder: Path | None, name: str, read: Callable[[Any], Kept]) -> Kept | None:
    """Return what ``read`` makes of the value that is kept under a name.

    ``None`` if there is none, if others than the owner could have put it there, or if ``read`` raises anything at all:
    a file in a cache may hold whatever somebody has put into it.
    """
    if folder is None:
        return None
    path = folder / name
    try:
        if not (_is_ours(folder) and _is_ours(path.parent)):
            return None
        checksum, _, text = read_text(path, MAX_OF_OURS).partition("\n")
        return read(json.loads(text)) if checksum == _checksum(text) else None
    except (BelotError, OSError, ValueError, RecursionError, TypeError, LookupError, AttributeError):
        return None


def _is_ours(folder: Path) -> bool:
    """Say whether a folder belongs to this user, and whether nobody else may write in it."""
    found = folder.stat()
    owner = os.geteuid() if hasattr(os, "geteuid") else found.st_uid
    return stat.S_ISDIR(found.st_mode) and found.st_uid == owner and not found.st_mode & _BY_OTHERS


def _checksum(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()
