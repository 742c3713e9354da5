"""Where the project can be cloned from: whoever publishes the site says so in BELOT_REPOSITORY."""

import os
from typing import Final

_VARIABLE: Final = "BELOT_REPOSITORY"


def clone_line(unknown: str) -> str:
    """Return the line that clones the project; ``unknown`` stands for an address that nobody has told."""
    return f"git clone {os.environ.get(_VARIABLE) or unknown} belot-conformance"
