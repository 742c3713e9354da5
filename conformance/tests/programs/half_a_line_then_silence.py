"""Stops in the middle of one answer."""

from miniature import Request, hang, serve_but, write  # type: ignore[import-not-found]


def answer_half(_: Request) -> None:
    write(b'{"id": "q3", "resu')
    hang()


serve_but(answer_half)
