"""Exits before the handshake, with a word on stderr."""

import sys

sys.exit("no licence found")
