"""The one door by which files are read: ordinary files only, none too large, and each fault in words."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import Any, Final, NoReturn

from belot_spec.errors import Problem, SpecError

try:
    import orjson
except ImportError:  # as in a browser
    orjson = None  # type: ignore[assignment]

# Bytes: what somebody writes by hand, and what this project writes for itself.
MAX_BYTES: Final = 4_000_000
MAX_OF_OURS: Final = 1_000_000_000
_HALF: Final = "half a surrogate pair, which is no character"


class TwiceError(ValueError):
    """A key stands twice in one object of JSON; its text is the key."""


def read_bytes(path: Path, most: int = MAX_BYTES) -> bytes:
    """Read one file; raises ``SpecError``, which says why, for one that is missing, too large or no ordinary file."""
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise _problem(path, f"the file has {size} bytes; at most {most} are read")
        data = file.read(most + 1)
    if len(data) > most:
        raise _problem(path, f"the file has more than {most} bytes; no more are read")
    return data


def read_text(path: Path, most: int = MAX_BYTES) -> str:
    """Read the text of one file, as ``read_bytes`` does; raises ``SpecError`` for what is not UTF-8 too."""
    return decoded(path, read_bytes(path, most))


def read_json(path: Path, most: int = MAX_BYTES, wanted: str = "") -> Any:
    """Read a file of JSON, as ``read_text`` does; ``wanted`` says what is right. A key that stands twice is a fault."""
    text = read_text(path, most)
    also = f"; {wanted}" if wanted else ""
    try:
        return strict_json(text)
    except json.JSONDecodeError as error:
        raise _problem(path, f"this is not JSON: {error.msg}{also}", error.lineno) from None
    except TwiceError as error:
        raise _problem(path, f"the key {error} stands twice in one object{also}") from None
    except ValueError as error:
        raise _problem(path, f"this is not JSON: {error}{also}") from None


def strict_json(text: str) -> Any:
    """Return the value of a text in JSON.

    Raises ``ValueError``, of the kind ``TwiceError`` where a key stands twice, for what is not JSON or no characters.
    """
    try:
        value = _DECODER.decode(text)
        if "\\u" in text:
            json.dumps(value, ensure_ascii=False).encode()
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except UnicodeEncodeError:
        raise ValueError(f"it holds {_HALF}") from None
    return value


@contextmanager
def opened(path: Path, pipes: bool = False) -> Iterator[BufferedReader[Any]]:
    """Open an ordinary file for reading, or with ``pipes`` also one into which somebody writes; as ``read_bytes``."""
    try:
        # Without this a pipe into which nobody writes would be waited for.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0))
    except FileNotFoundError:
        raise _problem(path, "the file is missing") from None
    except (OSError, ValueError) as error:
        raise _problem(path, f"the file cannot be read: {getattr(error, 'strerror', None) or error}") from None
    kind = os.fstat(descriptor).st_mode
    if not stat.S_ISREG(kind) and not (pipes and stat.S_ISFIFO(kind)):
        os.close(descriptor)
        raise _problem(path, "this is a folder" if stat.S_ISDIR(kind) else "this is no ordinary file")
    os.set_blocking(descriptor, True)
    with BufferedReader(os.fdopen(descriptor, "rb", 0)) as file:
        try:
            yield file
        except OSError as error:
            raise _problem(path, f"the file cannot be read: {error.strerror or error}") from None


def decoded(path: Path, data: bytes) -> str:
    """Return the text of a file; raises ``SpecError`` with the line of what is not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        message = f"the file is not UTF-8 (byte 0x{data[error.start]:02x}); save it as UTF-8"
        raise _problem(path, message, line) from None


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Return the pairs of an object of JSON as a mapping; raises ``TwiceError`` where a key stands twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        raise TwiceError(next(name for name in names if names.count(name) > 1))
    return found


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number of JSON")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=once, parse_constant=_no_number)


def _problem(path: Path, message: str, line: int = 1) -> SpecError:
    return SpecError([Problem(path, line, "", message)])


# A search makes text of a hundred thousand values, and orjson does so ten times as fast.
_OPTIONS: Final = 0 if orjson is None else orjson.OPT_SORT_KEYS | orjson.OPT_PASSTHROUGH_DATACLASS
_CANONICAL: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode


def canonical(value: Any) -> str:
    """Return a JSON value as text, the same for equal values."""
    if type(value) is int:
        return str(value)
    if orjson is None or type(value) is str:
        return _CANONICAL(value)
    try:
        return orjson.dumps(value, option=_OPTIONS).decode()
    except TypeError:  # what it does not know, such as a key that is a number
        return _CANONICAL(value)
