"""Is killed by a signal on one question."""

import os
import signal

from miniature import serve_but  # type: ignore[import-not-found]

serve_but(lambda _: os.kill(os.getpid(), signal.SIGSEGV))
