"""What is told to people, wherever they read it: at a terminal, or as Markdown.

A printer tells a `Page` what there is: titles, lines, tables. What came from elsewhere (a program's name, a file's
words) it tells as it is: every page makes all of it safe for its own medium, so that no printer can forget to.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Literal

# Whether a section can be folded away, and then whether it begins open.
Fold = Literal["no", "open", "closed"]


class Page(ABC):
    """A place where something is told, from top to bottom.

    ``indent`` says how far inside something else a line belongs, in columns; ``hang`` how much further its second line
    begins. A ``style`` is what rich calls it, such as ``bold red``: never the only sign of anything.
    """

    # Whether sections can be folded away, so that a long list is in nobody's way.
    folds: bool = False

    @abstractmethod
    def title(self, text: str) -> None:
        """Say what the page is about."""

    @abstractmethod
    def verdict(self, text: str, style: str = "bold", mark: str = "") -> None:
        """Say in one sentence how it ended, where the eye falls first: last at a terminal, on top of Markdown."""

    @abstractmethod
    def heading(self, text: str, fold: Fold = "no") -> None:
        """Begin a section, which lasts until the next one."""

    @abstractmethod
    def blank(self) -> None:
        """Leave a line open."""

    @abstractmethod
    def line(self, text: str, indent: int = 0, hang: int = 0, style: str = "", whole: bool = False) -> None:
        """Tell a text; with ``whole`` no word of it is broken, so that a path can be copied and opened."""

    @abstractmethod
    def labelled(self, label: str, text: str, indent: int = 0, width: int = 12, style: str = "") -> None:
        """Tell a text beside its label; the lines of a text of several stay apart. The style is the label's."""

    @abstractmethod
    def table(
        self,
        headings: Sequence[str],
        rows: Iterable[Sequence[str]],
        *,
        total: Sequence[str] = (),
        indent: int = 0,
        width: int | None = None,
        label: str = "",
    ) -> None:
        """Tell a table: of names and figures, or with a ``label`` beside it of texts only.

        ``total`` is its last row, ``width`` that of each column of figures where they must be narrow.
        """

    @abstractmethod
    def command(self, command: str, label: str = "", indent: int = 0) -> None:
        """Tell a command line so that it can be copied and run."""

    @abstractmethod
    def verbatim(self, text: str) -> None:
        """Tell a text whose lines are to be copied as they are."""
