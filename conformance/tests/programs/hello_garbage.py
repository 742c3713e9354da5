"""Answers the handshake with binary garbage."""

from miniature import hang, write  # type: ignore[import-not-found]

write(bytes(range(128, 160)) + b"\n")
hang()
