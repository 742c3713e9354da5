"""Crashes on one question, and calls itself something else when it is started again."""

import os

from miniature import CULPRIT, happens_first_time, requests, right, send, shake_hands  # type: ignore[import-not-found]

shake_hands(name="one" if happens_first_time() else "another")
for request in requests():
    if request["id"] == CULPRIT:
        os._exit(1)
    send(right(request))
