"""Answers one question with a line that does not end for 100 MB."""

from miniature import Request, serve_but, write  # type: ignore[import-not-found]


def answer_at_length(_: Request) -> None:
    for _ in range(100):
        write(b"9" * 1_000_000)


serve_but(answer_at_length)
