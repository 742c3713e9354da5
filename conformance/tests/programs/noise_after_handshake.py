"""Prints a second line together with the handshake."""

import json

from miniature import hang, write  # type: ignore[import-not-found]

fields = {"protocol": 1, "name": "n", "version": "1", "language": "l", "profiles": [], "operations": []}
hello = {"id": "hello", "result": fields}
write(json.dumps(hello).encode() + b"\nready\n")
hang()
