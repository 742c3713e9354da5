"""Gives no answer in one reply."""

from miniature import send, serve_but  # type: ignore[import-not-found]

serve_but(lambda request: send({"id": request["id"], "answer": 7}))
