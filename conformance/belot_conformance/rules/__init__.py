"""The rules as people read them: in words, side by side, and what changed between two editions."""
