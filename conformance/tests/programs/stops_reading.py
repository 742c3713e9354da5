"""Reads one question at a time, and on one of them no more."""

from miniature import hang, serve_but  # type: ignore[import-not-found]

serve_but(hang)
