"""Answers one question with an id that was never asked."""

from miniature import right, send, serve_but  # type: ignore[import-not-found]

serve_but(lambda request: send(right(request) | {"id": "nobody"}))
