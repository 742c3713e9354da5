"""Exits on one question, and then at each later start."""

import os
import sys

from miniature import happens_first_time, serve_but  # type: ignore[import-not-found]

if not happens_first_time():
    sys.exit("the database is locked")
serve_but(lambda _: os._exit(1))
