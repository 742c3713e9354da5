"""Programs that are wrong on purpose, each in one way: those of ``ABOUT_ONE`` about q3 alone.

Called with the name of the way, the window to declare, and a folder for marks for a next life.
The right answer to a question is its own input.
"""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

Request = dict[str, Any]
Act = Callable[[Request], object]

NAME, WINDOW, FOLDER = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
CULPRIT = "q3"
HELLO = {"protocol": 1, "name": "miniature", "version": "1", "language": "Python"}
HELLO |= {"profiles": ["bela-4"], "operations": ["echo"], "window": WINDOW}
HALF = b'{"id": "q3", "resu'


def requests() -> Iterator[Request]:
    for line in sys.stdin:
        yield json.loads(line)


def write(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(message: object) -> None:
    write(json.dumps(message).encode() + b"\n")


def complain(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def shake_hands(**changes: object) -> None:
    next(requests())
    send({"id": "hello", "result": HELLO | changes})


def right(request: Request) -> Request:
    return {"id": request["id"], "result": request["input"]}


def answer(request: Request) -> None:
    send(right(request))


def serve(act: Act = answer) -> None:
    shake_hands()
    for request in requests():
        if request["id"] == CULPRIT:
            complain(f"asked {CULPRIT}\n")
        act(request)


def pass_time() -> None:
    """Let ten seconds pass on the clock of the tests, see `ClockOfPrograms`."""
    with (FOLDER / "passed").open("ab") as passed:
        passed.write(b".")


def hang(_: object = None) -> None:
    for _moment in range(6000):
        pass_time()
        time.sleep(0.01)


def start_child(*options: str) -> None:
    code = "import signal, sys, time; 'stubborn' in sys.argv and signal.signal(15, signal.SIG_IGN); time.sleep(60)"
    subprocess.Popen([sys.executable, "-S", "-E", "-c", code, str(FOLDER), *options])


def happens_first_time() -> bool:
    mark = FOLDER / "happened"
    if mark.exists():
        return False
    mark.touch()
    return True


def doing(*acts: Act) -> Act:
    return lambda request: [act(request) for act in acts]


def exits(code: int) -> Act:
    return lambda _: os._exit(code)


def writes(line: bytes) -> Act:
    return lambda _: write(line)


def replies(**changes: object) -> Act:
    return lambda request: send(right(request) | changes)


def floods(_: Request) -> None:
    while True:
        pass_time()
        complain("I do not know!\n" * 1000)


ABOUT_ONE: dict[str, Act] = {
    "answers_late_to_one": doing(hang, answer),
    "answers_twice": doing(answer, answer),
    "answers_unknown_id": replies(id="nobody"),
    "answers_with_previous_id": replies(id="q2"),
    "answers_without_id": writes(b'{"result": {}}\n'),
    "closes_stdout": doing(lambda _: os.close(1), hang),
    "crashes_after_answering_one": doing(answer, exits(3)),
    "crashes_on_one": exits(7),
    "crashes_once": lambda request: os._exit(9) if happens_first_time() else answer(request),
    "exits_holding_stdout": doing(lambda _: start_child(), exits(4)),
    "half_a_line_then_exit": doing(writes(HALF), exits(0)),
    "half_a_line_then_silence": doing(writes(HALF), hang),
    "hangs_flooding_stderr": floods,
    "ignores_sigterm": doing(lambda _: signal.signal(signal.SIGTERM, signal.SIG_IGN), hang),
    "killed_on_one": lambda _: os.kill(os.getpid(), signal.SIGSEGV),
    "long_line": doing(*[writes(b"9" * 1_000_000)] * 100),
    "not_utf8": writes('{"id": "q3", "error": "Fehler: Trümpfe"}\n'.encode("latin-1")),
    "prints_after_answering_one": doing(answer, writes(b"that was easy\n")),
    "stops_reading": hang,
    "two_kinds": replies(error="and yet"),
}
AT_THE_START: dict[str, Callable[[], object]] = {
    "hello_garbage": lambda: write(bytes(range(128, 160)) + b"\n"),
    "hello_rejected": lambda: send({"id": "hello", "error": "what is hello?"}),
    "hello_to_other_id": lambda: send({"id": "q0", "result": {}}),
    "noise_after_handshake": lambda: write(json.dumps({"id": "hello", "result": HELLO}).encode() + b"\nready\n"),
    "wrong_fields": lambda: shake_hands(operations="echo"),
    "wrong_version": lambda: shake_hands(protocol=2),
}
WAITING: list[bytes] = []


def answer_later(request: Request) -> None:
    WAITING.append(json.dumps(right(request)).encode() + b"\n")
    if len(WAITING) == WINDOW or request["id"] == "q9":
        write(b"".join(reversed(WAITING)))
        WAITING.clear()


def leave_a_child(request: Request) -> None:
    start_child("stubborn" if request["id"] != CULPRIT else "")
    answer(request) if request["id"] != CULPRIT else os._exit(5)


def becomes_another() -> None:
    shake_hands(name="one" if happens_first_time() else "another")
    for request in requests():
        if request["id"] == CULPRIT:
            os._exit(1)
        answer(request)


def closes_stdin() -> None:
    shake_hands()
    read = os.read(0, 1 << 20)
    os.close(0)
    for line in read.splitlines():
        answer(json.loads(line))
    hang()


def leaves_daemons() -> None:
    for way in (os.setsid, os.setpgrp, lambda: None):
        child = os.fork()
        if child == 0:
            way()
            start_child("stubborn")
            os._exit(0)
        os.waitpid(child, 0)
    (FOLDER / "left").touch()
    serve()


def noise_before_handshake() -> None:
    write(b"Welcome to Bela 2000!\n")
    serve()


def slow_start() -> None:
    hang()
    serve()


def never_starts_again() -> None:
    if not happens_first_time():
        sys.exit("the database is locked")
    serve(lambda request: os._exit(1) if request["id"] == CULPRIT else answer(request))


WHOLE: dict[str, Callable[[], object]] = {
    "answers_rightly": serve,
    "becomes_another": becomes_another,
    "closes_stdin": closes_stdin,
    "crashes_at_start": lambda: sys.exit("no licence found"),
    "crashes_on_all": lambda: serve(exits(1)),
    "floods_stderr": lambda: serve(doing(lambda _: complain("thinking …\n" * 20_000), answer)),
    "leaves_children": lambda: serve(leave_a_child),
    "leaves_daemons": leaves_daemons,
    "never_shakes_hands": lambda: [*requests()],
    "never_starts_again": never_starts_again,
    "noise_before_handshake": noise_before_handshake,
    "replies_out_of_order": lambda: serve(answer_later),
    "slow_but_steady": lambda: serve(doing(lambda _: pass_time(), answer)),
    "slow_start": slow_start,
}

if NAME in WHOLE:
    WHOLE[NAME]()
elif NAME in AT_THE_START:
    AT_THE_START[NAME]()
    hang()
else:
    serve(lambda request: ABOUT_ONE[NAME](request) if request["id"] == CULPRIT else answer(request))
