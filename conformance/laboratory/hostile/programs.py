"""The doors of ``belot`` through which programs speak: stdin and stdout, HTTP, and the signals of those who stop it."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

import psutil

from laboratory.hostile.judging import Ended, Misbehaved, Try, as_json, changed, damaged, judge, run, text, value

_ASK: Final = [
    "check", "--operation", "card-points", "--sample", "4", "--max-faults", "2", "--deadline", "0.4", "--start", "3",
]  # fmt: skip
_HELLO: Final = {
    "protocol": 1, "name": "hostile", "version": "1", "language": "x", "profiles": ["bela-4"], "operations": ["card-points"], "window": 3,
}  # fmt: skip
# A program that says the lines of a file, one for each it is told, and does what they begin with a word for.
_PROGRAM: Final = """
import json, os, signal, sys, time
sys.excepthook = lambda *_: os._exit(1)
acts = json.load(open(sys.argv[1]))
for act in acts:
    line = sys.stdin.buffer.readline()
    if not line:
        break
    asked = json.loads(line)["id"]
    kind, said = act
    if kind == "daemon":
        if os.fork() == 0:
            os.setsid()
            if os.fork() == 0:
                time.sleep(300)
            os._exit(0)
    if kind == "exit": os._exit(len(said) % 256)
    if kind == "kill": os.kill(os.getpid(), signal.SIGSEGV)
    if kind == "sleep": time.sleep(300)
    if kind == "deaf": os.close(0)
    if kind == "mute": os.close(1); time.sleep(300)
    if kind == "stubborn": signal.signal(15, signal.SIG_IGN)
    if kind == "stderr": sys.stderr.buffer.write(said.encode("latin-1") * 3000); sys.stderr.flush()
    if kind == "flood":
        while True: os.write(1, said.encode("latin-1") * 3000)
    out = said.encode("latin-1").replace(b"ASKED", asked.encode())
    os.write(1, out + b"\\n" * (kind != "half") + (out + b"\\n") * (kind == "twice"))
sys.stdin.read()
"""
_KINDS: Final = ("say",) * 8 + (
    "daemon", "exit", "kill", "sleep", "deaf", "mute", "stubborn", "stderr", "flood", "half", "twice",
)  # fmt: skip
_SIGNALS: Final = ("SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR1")


def _saying(one: Try, first: bool) -> bytes:
    """Return a reply that is right in form, or changed, or damaged."""
    told: Any = {"id": "hello" if first else "ASKED", "result": _HELLO if first else {"points": 20}}
    random = one.random
    if first and random.random() < 0.7:
        return json.dumps(told).encode()
    kind = random.random()
    if kind < 0.3:
        told = {"id": "ASKED", random.choice(("error", "unsupported", "rejected", "result")): value(random)}
    elif kind < 0.8:
        told = changed(told, random)
    found = as_json(told, random)
    return damaged(found, random) if random.random() < 0.3 else found


def _reports(one: Try) -> list[str]:
    names = ["report.json", "report.xml", "report.html", "report.md"]
    return [word for name in one.random.sample(names, 2) for word in ("--report", str(one.folder / name))]


def _program(one: Try, kinds: tuple[str, ...] = _KINDS) -> list[str]:
    acts = [
        (one.random.choice(kinds) if place else "say", _saying(one, not place).decode("latin-1")) for place in range(9)
    ]
    (one.folder / "acts").write_text(json.dumps(acts), "utf-8")
    (one.folder / "program.py").write_text(_PROGRAM, "utf-8")
    return [sys.executable, "-S", "-E", str(one.folder / "program.py"), str(one.folder / "acts")]


def stdio(one: Try) -> None:
    """Ask a program that says and does anything."""
    form = one.random.choice(("text", "json"))
    command = one.random.choice(([*_ASK, *_reports(one)], ["smoke", "--start", "2", "--deadline", "0.4"]))
    run(one, [*command, "--format", form, "--", *_program(one)])


def http(one: Try) -> None:
    """Ask a server that says anything."""
    with _server(one) as address:
        run(one, [*_ASK, *_reports(one), address])


@contextmanager
def _server(one: Try) -> Iterator[str]:
    listener = socket.create_server(("127.0.0.1", 0))
    stopped = threading.Event()
    greeted = json.dumps({"id": "hello", "result": _HELLO}).encode()

    def answer(connection: socket.socket) -> None:
        with connection, suppress(OSError, ValueError):
            connection.settimeout(20)
            while not stopped.is_set():
                asked = connection.recv(1 << 16)
                if not asked:
                    return
                body = json.loads(asked.partition(b"\r\n\r\n")[2] or b'{"id": "hello"}')
                first = body["id"] == "hello"
                said = greeted if first and one.random.random() < 0.8 else _saying(one, first)
                _say(connection, said.replace(b"ASKED", body["id"].encode()), one, first)

    def serve() -> None:
        with suppress(OSError):
            while True:
                threading.Thread(target=answer, args=(listener.accept()[0],), daemon=True).start()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"
    finally:
        stopped.set()
        with suppress(OSError):
            listener.shutdown(socket.SHUT_RDWR)
        listener.close()


def _say(connection: socket.socket, said: bytes, one: Try, first: bool) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(said)
    kind = 0.0 if first else one.random.random()
    if kind < 0.5:
        connection.sendall(head + said)
    elif kind < 0.6:
        connection.sendall(2 * (head + said))
    elif kind < 0.7:
        connection.sendall(damaged(head, one.random) + said)
    elif kind < 0.8:
        connection.sendall(head + said[:5])
        connection.shutdown(socket.SHUT_RDWR)
    elif kind < 0.85:
        connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n" * 5000)
    elif kind < 0.9:
        status = one.random.choice(
            (b"204 x", b"301 x\r\nLocation: " + text(one.random).encode("latin-1", "replace"), b"999 x", b"500 x")
        )
        connection.sendall(b"HTTP/1.1 " + status + b"\r\nContent-Length: 0\r\n\r\n")
    else:
        connection.shutdown(socket.SHUT_RDWR)


def signals(one: Try) -> None:
    """Stop a run at any moment, once or several times."""
    random = one.random
    words = ["check", "--copies", str(random.choice((1, 3))), "--deadline", "60", "--start", "60", *_reports(one), "--"]
    program = _program(one, ("say", "sleep", "daemon", "stubborn"))
    sent = [random.choice(_SIGNALS) for _ in range(random.choice((1, 1, 3)))]
    one.said = f"belot {' '.join(words)} {program}, then {sent}"
    errors = one.folder / "errors"
    with errors.open("wb") as stderr:
        command = [sys.executable, "-m", "belot_conformance", *words, *program]
        # What is called in the child does nothing but set handlers, so no thread can hold it up.
        hearing = _hearing_signals
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=stderr, preexec_fn=hearing)  # noqa: PLW1509
    # Before this Python itself is still starting, which nobody can make quiet.
    time.sleep(random.choice((0.15, 0.3, 0.6, 1.2)))
    for name in sent:
        with suppress(ProcessLookupError):
            process.send_signal(signal.Signals[name])
        time.sleep(0.05)
    try:
        code = process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Misbehaved("it does not end") from None
    said = errors.read_text("utf-8", "replace")
    if code < 0 and process.returncode == -signal.Signals[sent[0]] and not said:
        return  # it came before the first line of belot
    judge(one, Ended(code, "", said, 0.0))
    told = ((other.pid, " ".join(other.info["cmdline"] or ())) for other in psutil.process_iter(["cmdline"]))
    left = [number for number, words in told if str(one.folder) in words and "belot_conformance" not in words]
    if left:
        raise Misbehaved(f"left running: {left}")
    made = sorted(path.name for path in one.folder.glob("report.*"))
    if len(made) not in (0, 2):
        raise Misbehaved(f"of two reports these are there: {made}")


def _hearing_signals() -> None:
    for name in _SIGNALS:
        signal.signal(signal.Signals[name], signal.SIG_DFL if name != "SIGINT" else signal.default_int_handler)


DOORS: Final[dict[str, Callable[[Try], None]]] = {"stdio": stdio, "http": http, "signals": signals}
