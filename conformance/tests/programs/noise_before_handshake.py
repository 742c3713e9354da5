"""Prints a greeting on stdout before the handshake."""

from miniature import serve_right, write  # type: ignore[import-not-found]

write(b"Welcome to Bela 2000!\n")
serve_right()
