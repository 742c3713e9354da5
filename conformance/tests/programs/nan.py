"""Answers one question with a number that JSON does not have."""

from miniature import write_for_one  # type: ignore[import-not-found]

write_for_one(b'{"id": "q3", "result": {"points": NaN}}\n')
