"""Exits in the middle of one answer."""

import os

from miniature import Request, serve_but, write  # type: ignore[import-not-found]


def answer_half(_: Request) -> None:
    write(b'{"id": "q3", "resu')
    os._exit(0)


serve_but(answer_half)
