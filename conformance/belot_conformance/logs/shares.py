"""A log as shares that whoever has the files reads for itself: ranges of plain JSON Lines, and every other file whole.

The lines of all shares, one share after the other, are those of the files, whatever the size of a share.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

from belot_conformance.logs.noted import is_json
from belot_conformance.logs.records import (
    LOOKED_AT,
    LogLine,
    begins_written_out,
    lines_between,
    lines_of,
    opened_log,
)
from belot_spec.errors import BelotError
from belot_spec.files import opened
from belot_spec.profile_name import ProfileName

# A profile that a record names.
_PROFILE: Final = re.compile(rb'"profile"\s*:\s*"([^"\\]*)"')
# In bytes: some thousand deals, which take a core a second or less.
SHARE_OF_FILE: Final = 2_000_000


@dataclass(frozen=True, slots=True)
class LogShare:
    """A part of a file, by what it is called here and where it is on every machine: all lines that begin in a range.

    A file that cannot be read from its middle is one share, without a range.
    """

    path: Path
    place: Path
    start: int = 0
    end: int | None = None


def files_in(paths: Iterable[Path]) -> Iterator[Path]:
    """Yield the files that are named, and of each folder all that are in it, in order, but for hidden ones."""
    for path in paths:
        if path.is_dir():
            found = sorted(one for one in path.rglob("*") if one.is_file())
            yield from (one for one in found if not any(part.startswith(".") for part in one.relative_to(path).parts))
        else:
            yield path


def shares_of(paths: Iterable[Path], size: int = SHARE_OF_FILE) -> Iterator[LogShare]:
    """Yield the shares of some files, in order; raises what ``lines_of`` does for a file that cannot be read here."""
    for path in paths:
        place = path.resolve()
        if _is_json_lines(path):
            whole = place.stat().st_size
            yield from (LogShare(path, place, start, min(start + size, whole)) for start in range(0, whole, size))
        else:
            yield LogShare(path, place)


def _is_json_lines(path: Path) -> bool:
    """Say whether a file is plain JSON Lines, which can be read from any line on."""
    with opened_log(path) as (file, is_packed):
        begins = file.peek(LOOKED_AT)[:LOOKED_AT]
        if is_packed or not is_json(begins):
            return False
        first = next((text for text in begins.splitlines(keepends=True) if text.strip()), b"")
        return bool(first) and not begins_written_out(first)


def named_in(line: LogLine) -> ProfileName | None:
    """Return the profile that a record names, before it is read."""
    found = _PROFILE.search(line.text)
    return None if found is None else ProfileName(found[1].decode(errors="replace"))


def has_answer(line: LogLine) -> bool:
    """Say whether a record holds an answer, before it is read."""
    return b'"result"' in line.text or b'"rejected"' in line.text


class Answers(NamedTuple):
    """How many records of a share hold an answer, those that name the same profile together, in order."""

    lines: int
    runs: list[tuple[ProfileName | None, int]]


def answers_in(profile: str | None, by_name: bool, share: LogShare) -> Answers:
    """Return the records of a share that hold an answer, told apart by the profile that they name or not at all."""
    lines = ShareLines(share, profile)
    answers = (named_in(line) if by_name else None for line in lines if has_answer(line))
    runs = [(name, sum(1 for _ in same)) for name, same in groupby(answers)]
    return Answers(lines.count, runs)


class ShareLines:
    """The lines of a share as they are read; ``count`` says how many lines of the file have been read by then."""

    def __init__(self, share: LogShare, profile: str | None) -> None:
        self.count = 0
        self._share, self._profile = share, profile

    def __iter__(self) -> Iterator[LogLine]:
        share = self._share
        try:
            if share.end is None:
                yield from lines_of(share.path, self._profile, share.place)
                return
            with opened(share.place) as file:
                if share.place.stat().st_size < share.end:
                    raise BelotError(f"{share.path}: the file is not the same on the machine of a worker")
                for self.count, line in lines_between(share.path, file, share.start, share.end):
                    if line is not None:
                        yield line
        except OSError as error:
            raise BelotError(f"{share.path}: a worker cannot read it: {error.strerror or error}") from None
