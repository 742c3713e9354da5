"""``python -m belot_conformance.programs.python_program MODULE:NAME``: a Python object that speaks the protocol.

It runs in a process of its own, so that an endless loop, a crash or a flood of output costs it what it costs any
other program. What the object prints goes to stderr, and it finds nothing on stdin.
"""

import os
import sys
from typing import IO

from belot_conformance.programs.python_object import PythonObjectError, load_object
from belot_conformance.programs.serving import serve

EXIT_NOT_STARTED = 3
COMPLAINT = "belot: "


def main(name: str) -> None:
    """Serve the object of that name; exits with 3, and one message on stderr, when it cannot be asked."""
    requests, replies = _take_pipes()
    try:
        found = load_object(name)
        found.hello()
    except PythonObjectError as error:
        sys.stderr.write(f"\n{COMPLAINT}{error}\n")
        sys.exit(EXIT_NOT_STARTED)
    serve(found, requests, replies)


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Keep stdin and stdout for the protocol, and leave the object an empty stdin and the way to stderr."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, replies


if __name__ == "__main__":
    main(sys.argv.pop())
