"""Texts and tables as Markdown that shows them as they are."""

import re
from collections.abc import Sequence
from typing import Final

LONGEST_NAME: Final = 200
# What has a meaning anywhere; then what has one at the start of a line, and what would make a link by itself.
_SPECIAL: Final = re.compile(
    r"[\\`*_{}\[\]<>#|~&$@]|^[-+=:]|(?<=^\d)[.)](?=\s|$)|(?<=^\d\d)[.)](?=\s|$)|:(?=//)|(?<=www)\."
)


def escaped(text: str) -> str:
    """Return a text that Markdown and HTML show as it is, on one line; overlong texts are cut."""
    shown = " ".join(text.split())
    if len(shown) > LONGEST_NAME:
        shown = shown[:LONGEST_NAME] + "…"
    return _SPECIAL.sub(lambda found: f"&#{ord(found.group())};", shown)


def table_row(cells: Sequence[str]) -> str:
    """Return the row of a table of Markdown."""
    return f"| {' | '.join(cells)} |"
