"""Takes far too long before the handshake."""

from miniature import hang, serve_right  # type: ignore[import-not-found]

hang()
serve_right()
