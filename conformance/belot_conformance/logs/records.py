"""Records of deals and matches that were really played: JSON Lines from a server's log or a database, or a text.

A record is a request of the protocol with its reply, in one object: what was dealt and done, and what the program made
of it. Fields that a log does not have may be left out.
"""

import json
import re
import sys
import zlib
from codecs import BOM_UTF8
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from gzip import BadGzipFile, GzipFile
from io import BufferedReader
from pathlib import Path
from typing import Any, Final, cast

import orjson

from belot_conformance.logs.noted import LONGEST_TEXT, is_json, transcript_of
from belot_conformance.programs.protocol import Reply, ReplyKind
from belot_conformance.questions.operation import Question
from belot_conformance.questions.operations import OPERATIONS
from belot_conformance.text.brief import brief
from belot_spec.errors import Problem, SpecError, nearest
from belot_spec.files import decoded, opened
from belot_spec.load.schemas import explain, is_valid
from belot_spec.profile_name import ProfileName

STDIN: Final = "-"
# In bytes: a whole match takes far less.
_LONGEST_LINE: Final = 4_000_000
# As many bytes say whether a file is JSON: blank lines may come first.
LOOKED_AT: Final = 4096
_GZIP: Final = b"\x1f\x8b"
_BETWEEN: Final = re.compile(r"[\s,]*")
_DECODER: Final = json.JSONDecoder()


@dataclass(frozen=True, slots=True)
class Record(Question):
    """One record: its place, the question, and as much of the program's answer as was kept.

    ``match`` names the match that the deal belongs to, ``totals`` are what stood on the sheet after the deal.
    """

    path: Path
    line: int
    profile: ProfileName | None
    came: Reply | None
    match: str | None = None
    totals: tuple[int, ...] | None = None

    @property
    def id(self) -> str:
        """The name of this record: its file and line."""
        return f"{self.path.name}:{self.line}"


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of a file of records, not read yet, or what is ``wrong`` where it could not be."""

    path: Path
    number: int
    text: bytes
    wrong: str = ""

    def fault(self, text: str, key: str = "") -> SpecError:
        """Return the error of a line that is no record."""
        return SpecError([Problem(self.path, self.number, key, text)])


def lines_of(path: Path, profile: str | None = None, place: Path | None = None) -> Iterator[LogLine]:
    """Yield the lines of a file that are not empty, as they come; of a text in the notation a line for each deal.

    ``profile`` are the rules of deals in the notation that name none. The file is at a ``place`` on this machine, if
    that is not where it is called to be.
    """
    with opened_log(path, place) as (file, _):
        begins = file.peek(LOOKED_AT)[:LOOKED_AT]
        if b"\0" in begins:
            raise SpecError([Problem(path, 1, "", "this is not text; a log is text in UTF-8")])
        if begins.strip() and not is_json(begins):
            for deal in transcript_of(path, _whole(path, file), profile).deals:
                yield LogLine(path, deal.places["start"].line, orjson.dumps(deal.to_json()))
            return
        is_first = True
        for number, text in enumerate(iter(lambda: file.readline(_LONGEST_LINE + 1), b""), start=1):
            if is_first and begins_written_out(text):
                yield from _written_out(path, number, text + _whole(path, file))
                return
            if (line := _line(path, number, text, file)) is not None:
                is_first = is_first and bool(line.wrong)
                yield line


def lines_between(path: Path, file: BufferedReader, start: int, end: int) -> Iterator[tuple[int, LogLine | None]]:
    """Yield the number of each line of JSON Lines that begins in a range, from 1, with the line if it is not empty."""
    file.seek(max(0, start - 1))
    if start:
        # What begins before the range is of whoever reads the range before it.
        while (text := file.readline(_LONGEST_LINE)) and not text.endswith(b"\n"):
            pass
    elif file.peek(len(BOM_UTF8)).startswith(BOM_UTF8):
        file.read(len(BOM_UTF8))
    number = 0
    while file.tell() < end and (text := file.readline(_LONGEST_LINE + 1)):
        number += 1
        yield number, _line(path, number, text, file)


def _line(path: Path, number: int, text: bytes, file: BufferedReader | GzipFile) -> LogLine | None:
    """Return a line of which the beginning has been read, and pass over the rest of one that is too long."""
    if len(text) > _LONGEST_LINE:
        while file.readline(_LONGEST_LINE)[-1:] not in (b"\n", b""):
            pass
        return LogLine(path, number, b"", f"the line is longer than {_LONGEST_LINE} bytes")
    return LogLine(path, number, text) if text.strip() else None


def begins_written_out(first: bytes) -> bool:
    """Say whether a file whose first line is this one holds an array of records, or each over several lines."""
    return first.strip() == b"{" or first.lstrip()[:1] == b"["


def _written_out(path: Path, number: int, data: bytes) -> Iterator[LogLine]:
    """Yield the records of a file that holds an array of them, or each over several lines, by the line it begins on.

    Of several that begin on one line each has the number after the last one's.
    """
    text, first = decoded(path, data).strip(), number
    is_array, last, at = text[0] == "[", number - 1, int(text[0] == "[")
    while True:
        number += text.count("\n", at, begins := cast("re.Match[str]", _BETWEEN.match(text, at)).end())
        if begins == len(text) - is_array and (not is_array or text[-1] == "]"):
            return
        last = max(last + 1, number)
        try:
            at = _DECODER.raw_decode(text, begins)[1]
        except (json.JSONDecodeError, RecursionError) as error:
            said = "a record stands on one line, or all of them in one array"
            wrong, line = (error.msg, error.lineno - 1) if isinstance(error, json.JSONDecodeError) else (str(error), 0)
            yield LogLine(path, first + line, b"", f"this is not JSON: {wrong}; {said}")
            at = text.find("\n{", begins + 1)
            if is_array or at < 0:
                return
        else:
            yield LogLine(path, last, text[begins:at].encode())
        number += text.count("\n", begins, at)


def read_whole(path: Path) -> bytes:
    """Return what a file or stdin holds, unpacked; raises ``SpecError`` where it is too long for a text."""
    with opened_log(path) as (file, _):
        return _whole(path, file)


def _whole(path: Path, file: BufferedReader | GzipFile) -> bytes:
    data = file.read(LONGEST_TEXT + 1)
    if len(data) > LONGEST_TEXT:
        raise SpecError([Problem(path, 1, "", f"the text is longer than {LONGEST_TEXT} bytes")])
    return data


@contextmanager
def opened_log(path: Path, place: Path | None = None) -> Iterator[tuple[BufferedReader | GzipFile, bool]]:
    """Open a file, unpacked if it is packed with gzip, which is told too; after the mark that it may begin with."""
    with _raw(place or path) as raw:
        packed = raw.peek(2)[:2] == _GZIP
        try:
            file = GzipFile(fileobj=raw) if packed else raw
            if file.peek(len(BOM_UTF8)).startswith(BOM_UTF8):
                file.read(len(BOM_UTF8))
            yield file, packed
        except (BadGzipFile, EOFError, zlib.error) as error:
            raise SpecError([Problem(path, 1, "", f"the packed file cannot be read: {error}")]) from None


def _raw(path: Path) -> AbstractContextManager[BufferedReader]:
    if str(path) == STDIN:
        # What comes from stdin can be looked into as well, without taking anything away from it.
        return BufferedReader(cast("Any", sys.stdin.buffer))
    return opened(path, pipes=True)


def record_of(line: LogLine, *, names_later: bool = False) -> Record:
    """Read one line; raises ``SpecError`` for one that is no record. A field that is null is one that is left out.

    Whoever calls ``check_names`` for those records that differ from the rules may leave that for ``later``.
    """
    if line.wrong:
        raise line.fault(line.wrong)
    try:
        data = orjson.loads(line.text)
    except orjson.JSONDecodeError as error:
        raise line.fault(f"this is not JSON: {error.msg} at character {error.colno}") from None
    if not isinstance(data, Mapping):
        raise line.fault(f'a record is an object of JSON, such as {{"input": …}}, and this is {brief(data)}')
    if None in data.values():
        data = {name: value for name, value in data.items() if value is not None}
    if not is_valid(data, "record"):
        keys, text = explain(data, "record")[0]
        raise line.fault(text, ".".join(map(str, keys)))
    operation = data.get("op", "replay")
    kind: ReplyKind | None = "result" if "result" in data else "rejected" if "rejected" in data else None
    record = Record(
        operation,
        data["input"],
        line.path,
        line.number,
        ProfileName(data["profile"]) if "profile" in data else None,
        Reply(f"{line.path.name}:{line.number}", kind, data[kind]) if kind else None,
        str(data["match"]) if "match" in data else None,
        tuple(data["totals"]) if "totals" in data else None,
    )
    if not names_later:
        check_names(line, record)
    return record


def check_names(line: LogLine, record: Record) -> None:
    """Raise ``SpecError`` where a record tells of a field that no result of its operation has."""
    if record.came is None or record.came.kind != "result":
        return
    for place, given, fields in OPERATIONS[record.operation].objects_in(record.came.value):
        for name in given:
            if name not in fields:
                wrong = f"no result of {record.operation} has this field{nearest(name, fields)}"
                raise line.fault(wrong, f"{place}.{name}")
