"""What the miniature programs share: a right program, of which each spoils one thing.

Called with two arguments: the window to declare, and a folder where a program may leave marks for its next life.
The right answer to a question is its own input.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Request = dict[str, Any]

WINDOW = int(sys.argv[1])
FOLDER = Path(sys.argv[2])
CULPRIT = "q3"


def requests() -> Iterator[Request]:
    for line in sys.stdin:
        yield json.loads(line)


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(message: object) -> None:
    write(json.dumps(message).encode() + b"\n")


def shake_hands(**changes: object) -> None:
    next(requests())
    fields = {"protocol": 1, "name": "miniature", "version": "1", "language": "Python"}
    fields |= {"profiles": ["bela-4"], "operations": ["echo"], "window": WINDOW}
    send({"id": "hello", "result": fields | changes})


def right(request: Request) -> Request:
    return {"id": request["id"], "result": request["input"]}


def serve(answer: Callable[[Request], None]) -> None:
    shake_hands()
    for request in requests():
        if request["id"] == CULPRIT:
            sys.stderr.write(f"asked {CULPRIT}\n")
            sys.stderr.flush()
        answer(request)


def serve_right() -> None:
    serve(lambda request: send(right(request)))


def serve_but(spoil: Callable[[Request], None]) -> None:
    """Answer every question rightly but one."""
    serve(lambda request: spoil(request) if request["id"] == CULPRIT else send(right(request)))


def write_for_one(line: bytes) -> None:
    serve_but(lambda _: write(line))


def pass_time() -> None:
    """Let ten seconds pass on the clock of the tests, see `ClockOfPrograms`."""
    with (FOLDER / "passed").open("ab") as passed:
        passed.write(b".")


def hang(_: object = None) -> None:
    for _moment in range(6000):
        pass_time()
        time.sleep(0.01)


def start_child(*options: str) -> None:
    """Start a process that would outlive this one, recognisable by the folder in its arguments."""
    code = "import signal, sys, time; 'stubborn' in sys.argv and signal.signal(15, signal.SIG_IGN); time.sleep(60)"
    subprocess.Popen([sys.executable, "-S", "-E", "-c", code, str(FOLDER), *options])


def happens_first_time() -> bool:
    mark = FOLDER / "happened"
    if mark.exists():
        return False
    mark.touch()
    return True
