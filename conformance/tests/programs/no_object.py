"""Answers one question with a list."""

from miniature import write_for_one  # type: ignore[import-not-found]

write_for_one(b'["q3", {"points": 3}]\n')
