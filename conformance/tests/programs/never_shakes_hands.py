"""Reads all that it is sent and never answers."""

from miniature import requests  # type: ignore[import-not-found]

for _ in requests():
    pass
