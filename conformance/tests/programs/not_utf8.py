"""Answers one question in Latin-1."""

from miniature import write_for_one  # type: ignore[import-not-found]

write_for_one('{"id": "q3", "error": "Fehler: Trümpfe"}\n'.encode("latin-1"))
