"""Pages told by templates: Jinja2 fills one with facts, and what each of its lines begins with says what it is.

Behind its indent a line begins with ``@ `` for the title of a page, ``# `` a heading (``#+ `` and ``#- `` one that may
be folded, and begins open or closed), ``* `` bold, ``! `` wrong, ``~ `` an aside, ``~. `` a paragraph that does not
hang, ``> `` what is not to be broken (``>! `` if it is wrong), ``$ `` a command, ``label|`` what stands beside its
label, ``| `` a row of a table (``|= `` its total, ``|6 `` in columns so wide; the first row are the headings), and
``= `` how it ended (``= mark|``). What stands between two lines of three backticks is to be copied. Nothing that is
filled in can begin or end a line.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from markupsafe import Markup

from belot_conformance.text.brief import brief
from belot_conformance.text.page import Fold, Page
from belot_spec.words import English

if TYPE_CHECKING:
    from jinja2 import Environment

PACKAGE: Final = "belot_conformance.reports"
# What would end a line or a cell, and what stands for it until the lines are apart.
_MEANING: Final = {sign: chr(0xE000 + place) for place, sign in enumerate("\n\r|`@#*!~>$=")}
_APART: Final = str.maketrans(_MEANING)
_AGAIN: Final = str.maketrans({put: own for own, put in _MEANING.items()})
_LINE: Final = re.compile(
    r"(?s)(?P<indent> *)(?P<label>[^|`]*\|(?=\||\$ )|)"
    r"(?P<kind>```|~\. |[@#*!~>$=] |>! |#[+-] |\|\d*=? |[^|`]*\||)(?P<text>.*)"
)
_FOLDS: Final[dict[str, Fold]] = {"# ": "no", "#+ ": "open", "#- ": "closed"}
_STYLES: Final = {"* ": "bold", "! ": "bold red", ">! ": "bold red", "~ ": "dim"}
_MARKS: Final = {"✓": "green", "✗": "bold red", "·": "dim"}
_ENDINGS: Final = {"✓": "bold green", "◐": "bold yellow", "✗": "bold red"}


def _filled(value: Any) -> Markup:
    """Return what is filled into a template, with nothing in it that has a meaning there."""
    return value if isinstance(value, Markup) else Markup(str(value).translate(_APART))


def _counted(number: int, noun: str, nouns: str = "") -> str:
    return f"{number:,} {noun if number == 1 else nouns or f'{noun}s'}"


def _some(texts: Sequence[str], between: str = ", ", most: int = 4) -> str:
    more = f" … and {len(texts) - most} more" if len(texts) > most else ""
    return between.join(texts[:most]) + more


@cache
def _templates(package: str) -> "Environment":
    """Return the templates of a package with their filters: plurals, figures, and values with the signs of suits."""
    # Imported only now, as a command that tells nothing by a template would wait for it a tenth of a second.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    class Missing(StrictUndefined):
        """What the facts do not have: it may be asked for, and never printed."""

        def __bool__(self) -> bool:  # type: ignore[override]
            return False

    found = Environment(
        loader=PackageLoader(package),
        autoescape=True,
        finalize=_filled,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=Missing,
    )
    found.filters |= {
        "n": _counted,
        "some": _some,
        "said": lambda text: text if isinstance(text, str) else text["en"],
        "brief": brief,
        "figure": lambda number: "·" if number is None else f"{number:,}",
        "capitalize_first": lambda text: text[:1].upper() + text[1:],
        "say": lambda name, table, **values: English(package, table).say(name, **values),
        "cells": lambda texts: Markup(" | ").join(map(_filled, texts)),
    }
    return found


def filled(name: str, /, package: str = PACKAGE, **facts: Any) -> str:
    """Return what a template of a package makes of facts."""
    return _templates(package).get_template(name).render(**facts)


def tell(page: Page, name: str, /, width: int = 12, package: str = PACKAGE, **facts: Any) -> bool:
    """Tell what a template of a package makes of facts, labels this wide; say whether there was anything."""
    return tell_lines(page, filled(name, package, **facts), width)


def plain_lines(text: str) -> list[str]:
    """Return the lines of a filled template as they are read, without those that are empty."""
    return [_told(line) for line in text.split("\n") if line.strip()]


def tell_lines(page: Page, text: str, width: int = 12) -> bool:
    """Tell the lines of a text to a page; say whether there are any."""
    lines = [found for line in text.removesuffix("\n").split("\n") if (found := _LINE.fullmatch(line)) is not None]
    while lines and text.strip():
        line, table = lines.pop(0), list[list[str]]()
        indent, label, kind, told = len(line["indent"]), line["label"][:-1], line["kind"], _told(line["text"])
        if kind == "```":
            end = next(place for place, one in enumerate(lines) if one["kind"] == kind)
            page.verbatim("\n".join(_told(one.group()) for one in lines[:end]))
            lines = lines[end + 1 :]
        elif _is_row(line):
            total: Sequence[str] = ()
            while lines and _is_row(lines[0]) and not _begins(lines[0]) and not total:
                row = lines.pop(0)
                if row["kind"].endswith("= "):
                    total = _cells(row)
                else:
                    table.append(_cells(row))
            narrow = int(kind.strip("|= ") or 0)
            page.table(_cells(line), table, total=total, indent=indent, width=narrow, label=_told(label))
        elif kind.endswith("|"):
            page.labelled(_told(kind[:-1]), told, indent=indent, width=width, style=_MARKS.get(kind[:1], "dim"))
        elif kind == "= ":
            mark, bar, rest = line["text"].partition("|")
            style = _ENDINGS.get(told[:1], "bold") if bar or told[:1] == "✗" else "bold"
            page.verdict(_told(rest) if bar else told, style, _told(mark) if bar else "")
        elif kind == "$ ":
            page.command(told, _told(label), indent)
        elif kind == "@ ":
            page.title(told)
        elif kind in _FOLDS:
            page.heading(told, _FOLDS[kind])
        elif not line.group().strip():
            page.blank()
        else:
            hang = 3 if told[:1].isdigit() and not kind else 2 if indent or told[:2] == "- " else 0
            hang = 0 if kind == "~. " else hang
            page.line(told, indent, hang, _STYLES.get(kind, ""), kind[:1] == ">")
    return bool(text.strip())


def _is_row(line: re.Match[str]) -> bool:
    return line["kind"][:1] == "|" and line["kind"][-1:] == " "


def _begins(row: re.Match[str]) -> bool:
    """Say whether a row is the first one of a table, because it has a label or a width."""
    return row["label"] not in ("", "|") or row["kind"].strip("|= ") != ""


def _told(text: str) -> str:
    return text.translate(_AGAIN)


def _cells(row: re.Match[str]) -> list[str]:
    return [_told(cell.strip()) for cell in row["text"].split("|")]
