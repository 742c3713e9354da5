"""Takes longer for a full window than for one answer is allowed, but keeps answering."""

from miniature import Request, pass_time, right, send, serve  # type: ignore[import-not-found]


def answer_slowly(request: Request) -> None:
    pass_time()
    send(right(request))


serve(answer_slowly)
