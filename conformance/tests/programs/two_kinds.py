"""Gives both a result and an error in one reply."""

from miniature import right, send, serve_but  # type: ignore[import-not-found]

serve_but(lambda request: send(right(request) | {"error": "and yet"}))
