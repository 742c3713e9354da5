"""Files that are written whole or stay as they were."""

import os
from contextlib import suppress
from pathlib import Path
from secrets import token_hex


def why_unwritable(path: Path) -> str | None:
    """Return why no text could be written to a file, to be said before the work is done; ``None`` if nothing speaks."""
    place = path.resolve()
    if place.is_dir():
        return "this is a folder; name a file in it"
    if place.exists() and not place.is_file():
        return "this is no ordinary file; nothing is written over it"
    if not place.parent.is_dir():
        return f"there is no folder {path.parent}; make it first"
    if not os.access(place.parent, os.W_OK | os.X_OK):
        return f"nothing may be written in the folder {path.parent}"
    return None


def write_whole(path: Path, text: str) -> None:
    """Write a text so that the file holds it whole or stays as it was; raises ``OSError`` if that is impossible."""
    place = path.resolve()
    data = text.encode("utf-8", errors="replace")
    draft = place.with_name(f".{place.name}.{token_hex(4)}.tmp")
    try:
        with draft.open("xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(place)
    finally:
        draft.unlink(missing_ok=True)
    _settle(place.parent)


def keep_whole(path: Path, text: str) -> None:
    """Write a text whole into a cache, whose folder is made; a cache that cannot be written is done without."""
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text)


def _settle(folder: Path) -> None:
    """Have the new name on disk too, as far as the file system knows how."""
    try:
        descriptor = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    try:
        os.fsync(descriptor)
    except OSError:
        return
    finally:
        os.close(descriptor)
