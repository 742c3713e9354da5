"""Answers one question with an empty line."""

from miniature import write_for_one  # type: ignore[import-not-found]

write_for_one(b"\n")
