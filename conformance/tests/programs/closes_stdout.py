"""Closes its stdout on one question and lives on."""

import os

from miniature import Request, hang, serve_but  # type: ignore[import-not-found]


def close_stdout(_: Request) -> None:
    os.close(1)
    hang()


serve_but(close_stdout)
