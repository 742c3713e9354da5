"""Foreign text made safe, one function for each medium: nothing in it acts, and nothing in it is invisible.

What a program says of itself, a name in a file, a path: any of it may hold escapes that clear a terminal, marks that
turn the rest of a line round, or characters of no width that make two names look the same. A page at a terminal and
one of Markdown make each text safe as they take it in; a whole document of HTML, XML or JSON is made safe as it is
written. A test holds every writer to that.
"""

import json
from typing import Any, Final

# A line of a message longer than this tells nobody more.
_LONGEST_LINE: Final = 2000


def printable(text: str) -> str:
    """Write out every character of a line that a terminal acts on, that nobody sees or that no file can hold."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def printable_lines(text: str) -> str:
    """Return a text of several lines with each of them printable, for a terminal."""
    return "\n".join(map(printable, text.expandtabs().split("\n")))


def message(text: str) -> str:
    """Return a message printable and its lines no longer than anybody would read, for stderr."""
    lines = printable_lines(text).split("\n")
    return "\n".join(cut(line, _LONGEST_LINE) for line in lines)


def document(text: str) -> str:
    """Return the text of a whole page of HTML, XML or SVG with everything in it visible; its own layout stays."""
    return "\n".join("\t".join(map(printable, line.split("\t"))) for line in text.split("\n"))


def json_text(value: Any, indent: int | None = 2) -> str:
    """Return a value as JSON that says the same, and in which whatever is no plain character is escaped."""
    return "\n".join(map(_escaped, json.dumps(value, ensure_ascii=False, indent=indent).split("\n")))


def _escaped(line: str) -> str:
    if line.isprintable():
        return line
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in line)


def cut(text: str, most: int) -> str:
    """Return a text, or its beginning and how many characters were left out."""
    return text if len(text) <= most else f"{text[:most]}… (+{len(text) - most:,})"
