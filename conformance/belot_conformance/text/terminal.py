"""A page at a terminal: lines that fit its width, without trailing spaces, and colour where there is any."""

import re
from collections.abc import Callable, Iterable, Sequence
from io import StringIO
from itertools import zip_longest
from shlex import quote, split
from textwrap import wrap
from typing import Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from belot_conformance.text.page import Cells, Fold, Page
from belot_conformance.text.printable import cut, printable, printable_lines

_RED_CARD: Final = re.compile(r"(?:\b(?:10|[7-9A-Z]))?[♥♦]")
_NARROWEST: Final = 10
# Of a longer text the beginning is shown, and how much was left out.
_LONGEST_TEXT: Final = 4000
_LONGEST_CELL: Final = 400


class TerminalPage(Page):
    """Prints as it is told; red suits are red where there is colour, and have their signs anyhow."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        self.printed = 0  # characters

    @property
    def width(self) -> int:
        """The number of columns that lines may take."""
        return self._console.width

    def title(self, text: str) -> None:
        """Print a text in bold."""
        self.line(text, hang=2, style="bold")

    def verdict(self, text: str, style: str = "bold", mark: str = "") -> None:
        """Print a sentence below an empty line, with the style on its mark if it has one."""
        self.blank()
        first, *others = _wrapped(f"{mark}  {text}" if mark else text, self.width)
        self._put(first, style, len(mark) if mark else None)
        for part in others:
            self._put(part, "" if mark else style)

    def heading(self, text: str, fold: Fold = "no") -> None:
        """Print a heading below an empty line; nothing is folded here."""
        self.blank()
        self.line(text, style="bold")

    def blank(self) -> None:
        """Print an empty line."""
        self._put("")

    def line(self, text: str, indent: int = 0, hang: int = 0, style: str = "", whole: bool = False) -> None:
        """Print a text, wrapped; lines after the first are indented by ``hang`` more."""
        for part in _wrapped(cut(printable_lines(text), _LONGEST_TEXT), self.width - indent, hang, breaking=not whole):
            self._put(" " * indent + part, style)

    def columns(self, texts: Sequence[str], style: str = "") -> None:
        """Print texts side by side in columns of one width."""
        gap = 3
        width = (self.width - gap * (len(texts) - 1)) // len(texts)
        for parts in zip_longest(*(_wrapped(text, width) for text in texts), fillvalue=""):
            self._put((" " * gap).join(part.ljust(width) for part in parts), style)

    def labelled(self, label: str, text: str, indent: int = 0, width: int = 12, style: str = "") -> None:
        """Print a text beside its label, wrapped in its own column."""
        room = self.width - indent - width - 1
        shown = cut(printable_lines(text), _LONGEST_TEXT)
        parts = [part for line in shown.split("\n") for part in _wrapped(line, room)]
        for index, part in enumerate(parts):
            start = f"{' ' * indent}{'' if index else printable(label):<{width}} "
            self._put(start + part, style, len(start))

    def table(
        self,
        headings: Cells,
        rows: Iterable[Cells],
        *,
        total: Cells = (),
        indent: int = 0,
        width: int = 0,
        label: str = "",
    ) -> None:
        """Print a table; a cell too wide for its column is folded."""
        padding = (0, 1 if width else 2, 0, 0)
        table = Table(box=None, pad_edge=False, padding=padding, header_style="dim" if label else "bold")
        for place, heading in enumerate(headings):
            figures = place > 0 and not label
            # No word of a heading is broken.
            own = max(width, *map(len, heading.split())) if figures and width else None
            justify = "right" if figures else "left"
            table.add_column(_cell(heading), justify=justify, width=own, overflow="fold")  # type: ignore[arg-type]
        for row in rows:
            table.add_row(*map(_cell, row))
        if total:
            table.add_row(*map(_cell, total), style="bold")
        start = f"{' ' * indent}{label}".ljust(indent + 10) if label else " " * indent
        options = self._console.options.update(width=max(_NARROWEST, self.width - len(start)))
        for index, segments in enumerate(self._console.render_lines(table, options, pad=False)):
            beside = (" " * len(start) if index else printable(start), "dim")
            told = ((segment.text, segment.style or "") for segment in segments if not segment.control)
            self._put_line(Text.assemble(beside, *told))

    def command(self, command: str, label: str = "", indent: int = 0) -> None:
        """Print a command line, broken between words only, and each break escaped for the shell."""
        start = f"{' ' * indent}{label:<9} " if label else " " * indent
        lines = [""]
        for word in map(quote, split(command)):
            room = self.width - 2 - (len(start) if len(lines) == 1 else 4)
            if lines[-1] and len(lines[-1]) + len(word) + 1 > room:
                lines.append("")
            lines[-1] += f" {word}" if lines[-1] else word
        for index, line in enumerate(lines):
            self._put((" " * 4 if index else start) + line + (" \\" if index < len(lines) - 1 else ""))

    def verbatim(self, text: str) -> None:
        """Print the lines of a text, however long."""
        for line in text.rstrip("\n").split("\n"):
            self._put(line)

    def _put(self, text: str, style: str = "", styled: int | None = None) -> None:
        """Print a line, with a style on so many characters of it, or on all."""
        line = Text(printable(text.rstrip()))
        if style:
            line.stylize(style, 0, styled)
        self._put_line(line)

    def _put_line(self, line: Text) -> None:
        line.rstrip()
        line.highlight_regex(_RED_CARD, "red")
        self.printed += len(line)
        self._console.print(line, soft_wrap=True)


def say_aside(text: str) -> None:
    """Say on stderr what is good to know while people wait."""
    TerminalPage(Console(stderr=True, highlight=False)).line(text, style="dim")


def _wrapped(text: str, width: int, hang: int = 0, breaking: bool = True) -> list[str]:
    found = wrap(
        printable(" ".join(text.splitlines()).expandtabs()),
        max(_NARROWEST, width),
        subsequent_indent=" " * hang,
        break_long_words=breaking,
        break_on_hyphens=False,
    )
    return found or [""]


def _cell(text: str) -> Text:
    return Text(printable(" ".join(cut(text, _LONGEST_CELL).splitlines())))


def as_text(tell: Callable[[TerminalPage], object], width: int = 80) -> str:
    """Return what is told to a page at a terminal as plain text."""
    file = StringIO()
    tell(TerminalPage(Console(file=file, width=width, color_system=None, highlight=False)))
    return file.getvalue()
