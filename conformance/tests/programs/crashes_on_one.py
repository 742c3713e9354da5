"""Exits on one question, with a word on stderr."""

import os
import sys

from miniature import Request, serve_but  # type: ignore[import-not-found]


def crash(request: Request) -> None:
    sys.stderr.write(f"cannot think about {request['id']}\n")
    sys.stderr.flush()
    os._exit(7)


serve_but(crash)
