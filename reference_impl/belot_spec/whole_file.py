"""Files that are written whole or stay as they were."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EEXIST
from pathlib import Path
from secrets import token_hex
from typing import Final

# A draft has a longer name than its file, and must be allowed to have it, in bytes of UTF-8.
_LONGEST_NAME: Final = 50


def real(path: Path) -> Path:
    """Return where a path leads, through every symbolic link; one that leads round in a circle leads to itself."""
    return Path(os.path.realpath(path))


def why_unwritable(path: Path) -> str | None:
    """Return why no text could be written to a file, to be said before the work is done; ``None`` if nothing speaks."""
    place = real(path)
    try:
        if place.is_symlink() or real(place.parent).is_symlink():
            return "this is a symbolic link that leads round in a circle"
        if place.is_dir():
            return "this is a folder; name a file in it"
        if place.exists() and not place.is_file():
            return "this is no ordinary file; nothing is written over it"
        if not place.parent.is_dir():
            return f"there is no folder {path.parent}; make it first"
    except (OSError, ValueError) as error:
        return f"this is no name of a file: {getattr(error, 'strerror', None) or error}"
    if not os.access(place.parent, os.W_OK | os.X_OK):
        return f"nothing may be written in the folder {path.parent}"
    return None


class Draft:
    """A text written beside the file that it is to become; ``OSError``, which names the file, if that is impossible.

    What is ``durable`` is on disk when it gets its name, even if the power fails at that moment.
    """

    def __init__(self, path: Path, data: bytes, durable: bool = True) -> None:
        self._durable = durable
        self._path = path
        self._place = real(path)
        self._draft = self._place.with_name(f".{self._place.name[:_LONGEST_NAME]}.{token_hex(4)}.tmp")
        try:
            with named(path), self._draft.open("xb") as file:
                file.write(data)
                file.flush()
                if durable:
                    os.fsync(file.fileno())
        except BaseException:
            self.discard()
            raise

    def put(self) -> None:
        """Make it the file, whole and at once."""
        with named(self._path):
            self._draft.replace(self._place)
        if self._durable:
            _settle(self._place.parent)

    def discard(self) -> None:
        """Leave nothing of it behind, unless it has become the file."""
        with suppress(OSError):
            self._draft.unlink(missing_ok=True)


def write_whole(path: Path, text: str | bytes, durable: bool = True) -> None:
    """Write a file so that it holds the text whole or stays as it was; raises ``OSError``, which names the file."""
    draft = Draft(path, text if isinstance(text, bytes) else text.encode("utf-8", errors="replace"), durable)
    try:
        draft.put()
    finally:
        draft.discard()


def write_new(path: Path, text: str) -> None:
    """Write a file that is not there yet, whole or not at all; raises ``OSError``, which names the file."""
    with named(path):
        if os.path.lexists(path):
            raise FileExistsError(EEXIST, os.strerror(EEXIST))
    write_whole(path, text)


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Let every ``OSError`` of a piece of work name the file that it is about."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror or str(error), str(path)) from None


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
