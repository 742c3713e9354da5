"""Takes longer for a full window than for one answer is allowed, but keeps answering."""

import time

from miniature import Request, right, send, serve  # type: ignore[import-not-found]


def answer_slowly(request: Request) -> None:
    time.sleep(0.1)
    send(right(request))


serve(answer_slowly)
