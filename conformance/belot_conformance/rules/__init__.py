"""The rules as people read them: in words, and side by side."""
