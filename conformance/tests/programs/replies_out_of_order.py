"""Answers rightly, in the opposite order as far as its window lets it."""

import json

from miniature import WINDOW, Request, right, serve, write  # type: ignore[import-not-found]

waiting: list[bytes] = []


def answer_later(request: Request) -> None:
    waiting.append(json.dumps(right(request)).encode() + b"\n")
    if len(waiting) == WINDOW or request["id"] == "q9":
        write(b"".join(reversed(waiting)))
        waiting.clear()


serve(answer_later)
