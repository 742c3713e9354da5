"""The garbage collector has fewer rounds here than Python gives it."""

import gc
from typing import Final

# Python looks for circles after 700 new objects, which takes a fifth of a search for rules (1.7 of 8.8 s); after so
# many it takes 0.6 s, in the same memory (243 MB), as nearly nothing of ours is in a circle.
_NEW_OBJECTS: Final = 100_000


def collect_seldom() -> None:
    """Let the garbage collector have fewer rounds in this process, and in those that are forked off it."""
    gc.set_threshold(_NEW_OBJECTS)
