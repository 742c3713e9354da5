"""Answers one question with the id of the one before."""

from miniature import right, send, serve_but  # type: ignore[import-not-found]

serve_but(lambda request: send(right(request) | {"id": "q2"}))
