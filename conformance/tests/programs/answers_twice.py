"""Answers one question twice."""

from miniature import Request, right, send, serve_but  # type: ignore[import-not-found]


def answer_twice(request: Request) -> None:
    send(right(request))
    send(right(request))


serve_but(answer_twice)
