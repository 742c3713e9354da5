"""What is found out once and kept for the next time: in a folder that only its owner can write, or nowhere.

Whatever is read back was written here: each file is signed, with its name, by a key of this user that lies elsewhere.
"""

import hmac
import json
import os
import re
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, TypeVar

from belot_spec.errors import BelotError
from belot_spec.files import MAX_OF_OURS, read_text
from belot_spec.whole_file import write_whole

Kept = TypeVar("Kept")

# What says where the cache and its key lie, if not below the home: programs under test are not told.
CACHE_PLACES: Final = ("BELOT_CACHE", "XDG_CACHE_HOME", "XDG_STATE_HOME")
_CACHE, _USERS_CACHE, _USERS_STATE = CACHE_PLACES
_OWNER_ONLY: Final = 0o700
_KEY_BYTES: Final = 32
_KEY: Final = re.compile("[0-9a-f]{64}")
_BY_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH


def cache_folder() -> Path | None:
    """Return the folder of the cache: ``BELOT_CACHE``, or one in the user's cache folder; ``None`` without a home."""
    if given := os.environ.get(_CACHE):
        return Path(given)
    return _home(_USERS_CACHE, ".cache")


def _home(variable: str, below_home: str) -> Path | None:
    """Return our folder where a variable says, or below the home; ``None`` where neither is told."""
    places = (os.environ.get(variable, ""), os.environ.get("HOME", ""))
    given, home = (Path(place) if os.path.isabs(place) else None for place in places)  # noqa: PTH117
    if given is None and home is not None:
        given = home / below_home
    return None if given is None else given / "belot-conformance"


def _key() -> bytes | None:
    """Return the key by which this user's files are signed, made if need be; ``None`` where it cannot be kept."""
    folder = _home(_USERS_STATE, ".local/state")
    if folder is None:
        return None
    path = folder / "cache-key"
    with suppress(OSError, BelotError):
        # Nobody else may look into the folder; of two keys that are made at once the second one counts.
        folder.mkdir(mode=_OWNER_ONLY, parents=True, exist_ok=True)
        if _is_ours(folder) and stat.S_IMODE(folder.stat().st_mode) == _OWNER_ONLY:
            if not _KEY.fullmatch(_text(path)):
                write_whole(path, token_hex(_KEY_BYTES))
            return _text(path).encode() or None
    return None


def _text(path: Path) -> str:
    """Return what a file holds; nothing where there is none, or no text."""
    with suppress(OSError, BelotError):
        return read_text(path, MAX_OF_OURS)
    return ""


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
            if (key := _key()) is not None:
                write_whole(path, f"{_signature(key, name, text)}\n{text}")


def kept(folder: Path | None, name: str, read: Callable[[Any], Kept]) -> Kept | None:
    """Return what ``read`` makes of the value that is kept under a name.

    ``None`` if there is none, if it was not signed here, if others than the owner could have put it there, or if
    ``read`` raises anything at all: a file in a cache may hold whatever somebody has put into it.
    """
    if folder is None:
        return None
    path = folder / name
    try:
        if not (_is_ours(folder) and _is_ours(path.parent)):
            return None
        signature, _, text = read_text(path, MAX_OF_OURS).partition("\n")
        key = _key()
        is_signed = key is not None and hmac.compare_digest(signature.encode(), _signature(key, name, text).encode())
        return read(json.loads(text)) if is_signed else None
    except (BelotError, OSError, ValueError, RecursionError, TypeError, LookupError, AttributeError):
        return None


def _is_ours(folder: Path) -> bool:
    """Say whether a folder belongs to this user, and whether nobody else may write in it."""
    found = folder.stat()
    owner = os.geteuid() if hasattr(os, "geteuid") else found.st_uid
    return stat.S_ISDIR(found.st_mode) and found.st_uid == owner and not found.st_mode & _BY_OTHERS


def _signature(key: bytes, name: str, text: str) -> str:
    return hmac.digest(key, f"{name}\0{text}".encode(errors="surrogatepass"), "sha256").hex()
