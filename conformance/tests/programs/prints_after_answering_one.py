"""Prints a remark on stdout after the answer to one question."""

from miniature import Request, right, send, serve_but, write  # type: ignore[import-not-found]


def answer_and_remark(request: Request) -> None:
    send(right(request))
    write(b"that was easy\n")


serve_but(answer_and_remark)
