"""What holds of every command, whatever it is given: a known exit code, few words, no traceback, nothing left."""

import json
import os
import signal
import time
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from click.testing import CliRunner
from psutil import STATUS_ZOMBIE, Error, Process

from belot_conformance.cli.main import main
from belot_conformance.programs import descendants

# Right, wrong, usage, not started, in part, and ended by a signal.
EXIT_CODES: Final = frozenset({0, 1, 2, 3, 4, *(128 + number for number in (1, 2, 3, 10, 12, 14, 15))})
MOST_LINES: Final = 20
# In seconds of this machine's work; by the clock a busy machine may take longer.
# Four seconds may be spent on what explains wrong answers, and two on reading the cases.
MOST_WORK: Final = 7.0
_HANGS_AFTER: Final = 60
_FINE: Final = (".json", ".xml", ".html")


class Misbehaved(AssertionError):
    """Something that should hold of every command does not hold of this one."""


@dataclass
class Try:
    """One attempt: its number, what is drawn by lot for it, and a folder of its own in which it happens."""

    number: int
    random: Random
    folder: Path
    said: str = ""


@dataclass(frozen=True)
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    seconds: float


@contextmanager
def attempt(door: str, seed: int, number: int) -> Iterator[Try]:
    """Give a try its folder, in which it is at work; raises ``Misbehaved`` if it leaves a process behind."""
    before, here = _running(), Path.cwd()
    with TemporaryDirectory(prefix="belot-hostile-") as name:
        os.chdir(name)
        try:
            one = Try(number, Random(f"{seed} {door} {number}"), Path(name))
            yield one
        finally:
            os.chdir(here)
            for path in Path(name).rglob("*"):
                if path.is_dir() and not path.is_symlink():
                    path.chmod(0o700)
    if left := _running() - before:
        raise Misbehaved(f"left running: {left}")


def run(one: Try, words: Sequence[str], stdin: bytes = b"") -> Ended:
    """Run a command in this process, and hold of it what holds of every command."""
    one.said = f"belot {' '.join(map(repr, words))[:1000]}"
    began, work = time.monotonic(), time.process_time()
    signal.alarm(_HANGS_AFTER)
    try:
        done = CliRunner().invoke(main, list(words), input=stdin, env={"COLUMNS": "80", "NO_COLOR": "1"})
    finally:
        signal.alarm(0)
    if time.monotonic() - began > _HANGS_AFTER - 1:
        raise Misbehaved("it hangs")
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise Misbehaved(f"{type(done.exception).__name__}: {done.exception}") from done.exception
    ended = Ended(done.exit_code, done.stdout, done.stderr, time.process_time() - work)
    judge(one, ended)
    return ended


def judge(one: Try, ended: Ended) -> None:
    """Raise ``Misbehaved`` for what must not be."""
    if ended.code not in EXIT_CODES:
        raise Misbehaved(f"exit code {ended.code}: {ended.err[-500:]}")
    if "Traceback (most recent" in ended.err + ended.out:
        raise Misbehaved(f"a traceback: {ended.err[-800:]}")
    if ended.code in (2, 3) and not ended.err.strip() and not ended.out.strip():
        raise Misbehaved(f"exit code {ended.code} without a word")
    if len(ended.err.splitlines()) > MOST_LINES:
        raise Misbehaved(f"{len(ended.err.splitlines())} lines of complaint: {ended.err[:300]}")
    if acting := {char for char in ended.out + ended.err if char not in "\n\t" and not char.isprintable()}:
        raise Misbehaved(f"characters that act: {acting!r}")
    if ended.seconds > MOST_WORK:
        raise Misbehaved(f"{ended.seconds:.1f} s of work")
    for path in one.folder.rglob("*"):
        if path.name.endswith((".tmp", ".part", ".old")):
            raise Misbehaved(f"left behind: {path.name}")
        if path.name.startswith("report.") and path.suffix in _FINE and path.is_file():
            _hold_whole(path)


def _hold_whole(path: Path) -> None:
    text = path.read_text("utf-8")
    try:
        if path.suffix == ".json":
            json.loads(text)
        elif path.suffix == ".xml":
            ET.fromstring(text)
    except (ValueError, ET.ParseError) as error:
        raise Misbehaved(f"{path.name} is no whole report: {error}") from error
    if path.suffix == ".html" and not text.endswith("</html>\n"):
        raise Misbehaved(f"{path.name} is no whole page")


def _running() -> set[Process]:
    return {one for one in descendants.below(os.getpid()) if one.pid != os.getpid() and _runs(one)}


def _runs(one: Process) -> bool:
    """Say whether a process runs: one that has ended and waits for its parent to look does not."""
    with suppress(Error):
        return bool(one.is_running() and one.status() != STATUS_ZOMBIE)
    return False


TEXTS: Final = (
    "", " ", "\x1b[2J\x1b]0;pwned\x07", "\u202etxet", "\u200b", "\xa0", "\x9b2J", "..", "/", "~", "-", "--", "@", "*", "[", "%s", "{0}",
    "a" * 5000, "ë" * 300, "\ud800", "\udcff", "bc-0001", "belote", "bela-4+pass", "belote+", "+", "a+b+c", "nan", "inf", "1e999", "-1",
    "0", "999999999999999999999", "1.5", "BL-074..073", "BL-1..BL-99999999", "x.yaml", "/dev/zero", "/dev/full", "/proc/self/mem", "http://",
    "http://[", "http://localhost:99999", "http://xn--a/", "https://\x00", "python:", "python:os:system", "python:a.b:c", "reference",
    "junit:", "json:/dev/full", "x.pdf", "HEAD", "1.2.3", "null", "true", "no", "{}", "<script>", "$(id)", "; id", "\n", "a\nb", "🂡", "\ufeff",
)  # fmt: skip
NUMBERS: Final = (0, -1, 1, 2**31, 2**63, 2**64, 10**400, 0.5, -0.0, 1e308)


def text(random: Random) -> str:
    """Return a text that is no plain name."""
    if random.random() < 0.7:
        return random.choice(TEXTS)
    return "".join(chr(random.choice((random.randrange(1, 0x100), random.randrange(1, 0xD800)))) for _ in range(9))


def value(random: Random, depth: int = 3) -> Any:
    """Return a value of JSON of any shape."""
    kinds: list[Callable[[], Any]] = [
        lambda: text(random), lambda: random.choice(NUMBERS), lambda: random.choice((None, True, False)),
    ]  # fmt: skip
    if depth:
        kinds += [
            lambda: [value(random, depth - 1) for _ in range(random.randrange(4))],
            lambda: {text(random): value(random, depth - 1) for _ in range(random.randrange(4))},
        ]
    return random.choice(kinds)()


def changed(original: Any, random: Random) -> Any:
    """Return a value with something in it replaced, left out, put in or repeated."""
    if isinstance(original, dict) and original and random.random() < 0.85:
        key = random.choice(list(original))
        kind = random.random()
        if kind < 0.6:
            return {**original, key: changed(original[key], random)}
        if kind < 0.8:
            return {name: one for name, one in original.items() if name != key}
        return {**original, text(random): value(random)}
    if isinstance(original, list) and original and random.random() < 0.85:
        place = random.randrange(len(original))
        kind = random.random()
        if kind < 0.6:
            return [*original[:place], changed(original[place], random), *original[place + 1 :]]
        return original[:place] + original[place + 1 :] if kind < 0.8 else [*original, original[place]]
    return value(random)


def as_json(something: Any, random: Random) -> bytes:
    """Return a value as JSON, sometimes with a key twice or half a character."""
    found = json.dumps(something, ensure_ascii=random.random() < 0.8)
    if random.random() < 0.1:
        found = found.replace("{", '{"id": 1, "id": 2, ', 1)
    return found.encode("utf-8", "surrogatepass")


def damaged(data: bytes, random: Random) -> bytes:
    """Return bytes with a piece cut out, doubled, overwritten or moved; sometimes something else altogether."""
    if not data or random.random() < 0.1:
        return random.choice(
            (b"", b"\0" * 50, b"[" * 50_000, b'{"a":' * 50_000, b"\xff\xfe", b"- " * 9000, b"\n" * 9000)
        )
    start, length = random.randrange(len(data)), random.choice((1, 1, 1, 5, 200))
    piece = data[start : start + length]
    put = random.choice(
        (b"", piece * 2, random.randbytes(length), b"\x1b[2J", b"\xe2\x80\xae", b"\xc2\xa0", b"&a *a", b"!!x ", b": ")
    )
    return data[:start] + put + data[start + length :]
