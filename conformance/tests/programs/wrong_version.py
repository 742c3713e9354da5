"""Speaks a version of the protocol that was not offered."""

from miniature import hang, shake_hands  # type: ignore[import-not-found]

shake_hands(protocol=2)
hang()
