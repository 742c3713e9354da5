"""Answers one question long after the deadline."""

from miniature import Request, hang, right, send, serve_but  # type: ignore[import-not-found]


def answer_late(request: Request) -> None:
    hang()
    send(right(request))


serve_but(answer_late)
