"""Answers every question rightly."""

from miniature import serve_right  # type: ignore[import-not-found]

serve_right()
