"""Writes on stderr without end on one question."""

import sys

from miniature import Request, pass_time, serve_but  # type: ignore[import-not-found]


def complain(_: Request) -> None:
    while True:
        pass_time()
        sys.stderr.write("I do not know!\n" * 1000)


serve_but(complain)
