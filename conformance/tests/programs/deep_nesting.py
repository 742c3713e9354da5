"""Answers one question with lists nested 100,000 deep."""

from miniature import write_for_one  # type: ignore[import-not-found]

write_for_one(b'{"id": "q3", "result": {"cards": ' + b"[" * 100_000 + b"]" * 100_000 + b"}}\n")
