"""Writes on stderr without end on one question."""

import sys

from miniature import Request, serve_but  # type: ignore[import-not-found]


def complain(_: Request) -> None:
    while True:
        sys.stderr.write("I do not know!\n" * 1000)


serve_but(complain)
