"""Answers another request than the handshake."""

from miniature import hang, send  # type: ignore[import-not-found]

send({"id": "q0", "result": {}})
hang()
