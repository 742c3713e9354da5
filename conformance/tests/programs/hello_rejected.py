"""Answers the handshake with an error."""

from miniature import hang, send  # type: ignore[import-not-found]

send({"id": "hello", "error": "what is hello?"})
hang()
