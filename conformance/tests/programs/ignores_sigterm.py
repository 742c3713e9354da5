"""Hangs on one question and cannot be asked to stop."""

import signal

from miniature import hang, serve_but  # type: ignore[import-not-found]

signal.signal(signal.SIGTERM, signal.SIG_IGN)
serve_but(hang)
