"""Exits just after the right answer to one question."""

import os

from miniature import Request, right, send, serve_but  # type: ignore[import-not-found]


def answer_and_crash(request: Request) -> None:
    send(right(request))
    os._exit(3)


serve_but(answer_and_crash)
