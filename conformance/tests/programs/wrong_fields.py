"""Declares its operations as one string."""

from miniature import hang, shake_hands  # type: ignore[import-not-found]

shake_hands(operations="echo")
hang()
