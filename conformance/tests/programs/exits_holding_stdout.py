"""Exits on one question, while a child holds its stdout open."""

import os

from miniature import Request, serve_but, start_child  # type: ignore[import-not-found]


def exit_early(_: Request) -> None:
    start_child()
    os._exit(4)


serve_but(exit_early)
