"""A page as Markdown, and texts and tables that Markdown shows as they are."""

import re
from collections.abc import Callable, Iterable
from typing import Final, Literal

from belot_conformance.text.page import Cells, Fold, Page
from belot_conformance.text.printable import printable

LONGEST_NAME: Final = 200
_LONGEST_TEXT: Final = 4000
# What has a meaning anywhere; then what has one at the start of a line, and what would make a link by itself.
_SPECIAL: Final = re.compile(
    r"[\\`*_{}\[\]<>#|~&$@]|^[-+=:]|(?<=^\d)[.)](?=\s|$)|(?<=^\d\d)[.)](?=\s|$)|:(?=//)|(?<=www)\."
)

_Kind = Literal["text", "item", "block"]


class MarkdownPage(Page):
    """Collects what it is told as Markdown: what stands inside something else as a list, a verdict as the heading."""

    folds = True

    def __init__(self, level: int = 2, longest: int = _LONGEST_TEXT) -> None:
        self._level = level
        self._longest = longest
        self._title = ""
        self._verdict = ""
        self._lines: list[str] = []
        self._kind: _Kind | None = None
        self._depths: list[int] = []
        self._folded = False

    def text(self) -> str:
        """Return the whole page."""
        self._end_fold()
        first = self._verdict or self._title
        below = ["", f"**{self._title}**"] if self._verdict else []
        return "\n".join([f"{'#' * self._level} {first}", *below, *self._lines]) + "\n"

    def title(self, text: str) -> None:
        """Head the page with a text, unless it has a verdict."""
        self._title = self._safe(text)

    def verdict(self, text: str, style: str = "bold", mark: str = "") -> None:
        """Head the page with a sentence."""
        self._verdict = self._safe(f"{mark} {text}".strip())

    def heading(self, text: str, fold: Fold = "no") -> None:
        """Begin a section with a heading, or one that can be folded away."""
        self._end_fold()
        self._folded = fold != "no"
        if self._folded:
            opened = " open" if fold == "open" else ""
            self._put("block", f"<details{opened}><summary>{self._safe(text)}</summary>")
        else:
            self._put("block", f"{'#' * (self._level + 1)} {self._safe(text)}")

    def blank(self) -> None:
        """Leave nothing open: what belongs apart stands apart."""

    def line(self, text: str, indent: int = 0, hang: int = 0, style: str = "", whole: bool = False) -> None:
        """Add a paragraph, or the item of a list as deep as the text is indented."""
        shown = f"**{self._safe(text)}**" if "bold" in style else self._safe(text)
        self._put_item(shown, indent) if indent else self._put("text", shown)

    def labelled(self, label: str, text: str, indent: int = 0, width: int = 12, style: str = "") -> None:
        """Add the item of a list, with its label."""
        self._put_item(f"{self._safe(label)}: {self._safe(text)}" if label else self._safe(text), indent)

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
        """Add a table, its last row in bold if that is the total."""
        columns = "---|" if label else "---:|"
        shown = [_row(map(self._safe, row)) for row in (headings, *rows)]
        shown.insert(1, "|---|" + columns * (len(headings) - 1))
        last = [_row([f"**{self._safe(total[0])}**", *map(self._safe, total[1:])])] if total else []
        self._put("block", *shown, *last)

    def command(self, command: str, label: str = "", indent: int = 0) -> None:
        """Add a command line as code."""
        code = f"<code>{self._safe(command)}</code>"
        self._put("text", f"{self._safe(label)}: {code}" if label else code)

    def verbatim(self, text: str) -> None:
        """Add a block of code whose fence is longer than any run of backticks in it."""
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
        self._put("block", f"{fence}text", *map(printable, text.rstrip("\n").split("\n")), fence)

    def _put_item(self, shown: str, indent: int) -> None:
        """Add an item to a list: inside the last one that is indented less."""
        if self._kind != "item":
            self._depths = []
        self._depths = [depth for depth in self._depths if depth < indent]
        self._put("item", f"{'  ' * len(self._depths)}- {shown}")
        self._depths.append(indent)

    def _put(self, kind: _Kind, *lines: str) -> None:
        if not (kind == self._kind == "item"):
            self._lines.append("")
        self._lines += lines
        self._kind = kind

    def _end_fold(self) -> None:
        if self._folded:
            self._put("block", "</details>")
            self._folded = False

    def _safe(self, text: str) -> str:
        return escaped(text, self._longest)


def as_markdown(tell: Callable[[MarkdownPage], object], level: int = 2) -> str:
    """Return what is told to a page as Markdown whose heading is of this level."""
    page = MarkdownPage(level)
    tell(page)
    return page.text()


def escaped(text: str, longest: int = LONGEST_NAME) -> str:
    """Return a text that Markdown and HTML show as it is, on one line; one longer than the longest is cut."""
    shown = printable(" ".join(re.split("[ \t\n\r]+", text.strip(" \t\n\r"))))
    if len(shown) > longest:
        shown = shown[:longest] + "…"
    return _SPECIAL.sub(lambda found: f"&#{ord(found.group())};", shown)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
