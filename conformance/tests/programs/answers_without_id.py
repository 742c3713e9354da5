"""Answers one question without an id."""

from miniature import write_for_one  # type: ignore[import-not-found]

write_for_one(b'{"result": {}}\n')
