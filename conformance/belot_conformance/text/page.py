"""A page of text at a terminal: headings, wrapped lines with an indent, and columns, without trailing spaces."""

import re
from collections.abc import Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import Final

from rich.console import Console
from rich.text import Text

from belot_conformance.text.printable import printable

_RED_CARD: Final = re.compile(r"(?:\b(?:10|[7-9A-Z]))?[♥♦]")


class Page:
    """Prints lines that fit the terminal; red suits are red where there is colour, and have their signs anyhow."""

    def __init__(self, console: Console | None = None) -> None:
        self.console = console or Console(highlight=False)

    @property
    def width(self) -> int:
        """The number of columns that lines may take."""
        return self.console.width

    def heading(self, text: str) -> None:
        """Print a heading with a blank line before it."""
        self.blank()
        self.line(text, style="bold")

    def blank(self) -> None:
        """Print an empty line."""
        self.console.print()

    def line(self, text: str, indent: int = 0, hang: int = 0, style: str = "") -> None:
        """Print a text, wrapped; lines after the first are indented by ``hang`` more."""
        for part in self._wrapped(text, self.width - indent, hang):
            self._put(" " * indent + part, style)

    def line_as_it_is(self, text: str, style: str = "") -> None:
        """Print a line that has its own layout."""
        self._put(text, style)

    def columns(self, texts: Sequence[str], style: str = "") -> None:
        """Print texts side by side in columns of one width."""
        gap = 3
        width = (self.width - gap * (len(texts) - 1)) // len(texts)
        for parts in zip_longest(*(self._wrapped(text, width, 0) for text in texts), fillvalue=""):
            self._put((" " * gap).join(part.ljust(width) for part in parts).rstrip(), style)

    def labelled(self, label: str, text: str, indent: int = 0, width: int = 12) -> None:
        """Print a text beside its label, wrapped in its own column."""
        room = max(10, self.width - indent - width - 1)
        for index, part in enumerate(self._wrapped(text, room, 0)):
            self._put(f"{' ' * indent}{'' if index else label:<{width}} {part}", "")

    def _wrapped(self, text: str, width: int, hang: int) -> list[str]:
        # A report of somebody else may name cases and programs as it likes.
        found = wrap(
            printable(" ".join(text.splitlines()).expandtabs()),
            max(10, width),
            subsequent_indent=" " * hang,
            break_on_hyphens=False,
        )
        return found or [""]

    def _put(self, text: str, style: str) -> None:
        line = Text(printable(text.rstrip()), style=style)
        line.highlight_regex(_RED_CARD, "red")
        self.console.print(line, soft_wrap=True)
