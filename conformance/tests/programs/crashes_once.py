"""Exits on one question, but only in its first life."""

import os

from miniature import Request, happens_first_time, right, send, serve_but  # type: ignore[import-not-found]


def crash_once(request: Request) -> None:
    if happens_first_time():
        os._exit(9)
    send(right(request))


serve_but(crash_once)
