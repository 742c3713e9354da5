"""Answers one question long after the deadline."""

import time

from miniature import Request, right, send, serve_but  # type: ignore[import-not-found]


def answer_late(request: Request) -> None:
    time.sleep(2)
    send(right(request))


serve_but(answer_late)
