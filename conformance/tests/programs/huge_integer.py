"""Answers one question with an integer of 100,000 digits."""

from miniature import write_for_one  # type: ignore[import-not-found]

write_for_one(b'{"id": "q3", "result": {"points": ' + b"9" * 100_000 + b"}}\n")
