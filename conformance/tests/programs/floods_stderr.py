"""Writes more on stderr than any pipe holds, before each answer."""

import sys

from miniature import Request, right, send, serve  # type: ignore[import-not-found]


def answer_noisily(request: Request) -> None:
    sys.stderr.write("thinking …\n" * 20_000)
    send(right(request))


serve(answer_noisily)
