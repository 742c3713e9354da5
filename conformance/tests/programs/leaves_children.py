"""Starts a child at each question, and one that ignores SIGTERM; crashes on one question."""

import os

from miniature import CULPRIT, Request, right, send, serve, start_child  # type: ignore[import-not-found]


def answer(request: Request) -> None:
    start_child("stubborn")
    send(right(request))


def crash(_: Request) -> None:
    start_child()
    os._exit(5)


serve(lambda request: crash(request) if request["id"] == CULPRIT else answer(request))
