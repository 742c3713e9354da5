"""Answers, and leaves processes behind that are in no group, session or family of its own; see `miniature`."""

import os

from miniature import FOLDER, right, send, serve, start_child  # type: ignore[import-not-found]


def leave(*ways: str) -> None:
    """Start a child that starts a grandchild and ends, with the grandchild gone from the family in these ways."""
    child = os.fork()
    if child == 0:
        for way in ways:
            getattr(os, way)()
        start_child("stubborn")
        os._exit(0)
    os.waitpid(child, 0)


for kinds in (["setsid"], ["setpgrp"], []):
    leave(*kinds)
(FOLDER / "left").touch()
serve(lambda request: send(right(request)))
