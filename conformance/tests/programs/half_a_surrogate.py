"""Answers one question with half a surrogate pair."""

from miniature import write_for_one  # type: ignore[import-not-found]

write_for_one(b'{"id": "q3", "error": "\\ud800"}\n')
