"""Python's garbage collector, kept from looking again and again at what stays."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Keep what was made before out of the garbage collector's rounds; it goes on collecting what is made now.

    Where something is kept out already it stays so, to the end of whoever did that.
    """
    if gc.get_freeze_count():
        yield
        return
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
