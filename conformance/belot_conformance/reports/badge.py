"""A badge for a page: how many cases passed, as a small picture or as data for a program that draws badges."""

from collections.abc import Mapping
from html import escape
from typing import Any, Final

from belot_conformance.reports.comparison import Report
from belot_conformance.text.printable import document
from belot_spec.words import English

LABEL: Final = "belot"
_WORDS: Final = English(__name__, "badge")
# Dark enough for white letters: a contrast of at least 4.5.
_COLOURS: Final[Mapping[str, str]] = {"green": "#1f7a36", "amber": "#8a5a00", "red": "#b3261e", "label": "#444444"}
_HEIGHT: Final = 20
_MARGIN: Final = 6
# In Verdana of 11 pixels; the letters are fitted into this width, so a rough measure will do.
_WIDE: Final = 6.6


def as_endpoint(report: Report) -> dict[str, Any]:
    """Return a report as the JSON that services which draw badges read."""
    message, colour = _message(report), _colour(report)
    return {"schemaVersion": 1, "label": LABEL, "message": message, "color": _COLOURS[colour]}


def as_svg(report: Report) -> str:
    """Return a report as a picture that holds its own words, without anything from elsewhere."""
    message = _message(report)
    left, right = _width(LABEL), _width(message)
    whole, inner = f"{LABEL}: {message}", left - 3
    return document(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right}" height="{_HEIGHT}" role="img"'
        f' aria-label="{escape(whole)}">\n'
        f"<title>{escape(whole)}</title>\n"
        f'<rect width="{left + right}" height="{_HEIGHT}" rx="3" fill="{_COLOURS[_colour(report)]}"/>\n'
        f'<path fill="{_COLOURS["label"]}" d="M3 0h{inner}v{_HEIGHT}h-{inner}a3 3 0 0 1-3-3v-14a3 3 0 0 1 3-3z"/>\n'
        '<g fill="#fff" font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" text-anchor="middle">\n'
        f"{_letters(LABEL, left / 2, left)}{_letters(message, left + right / 2, right)}"
        "</g>\n</svg>\n"
    )


def _letters(text: str, middle: float, width: int) -> str:
    room = width - 2 * _MARGIN
    return f'<text x="{middle:g}" y="14" textLength="{room}" lengthAdjust="spacingAndGlyphs">{escape(text)}</text>\n'


def _width(text: str) -> int:
    return round(len(text) * _WIDE) + 2 * _MARGIN


def _message(report: Report) -> str:
    totals, asked = report["totals"], _asked(report)
    if not asked:
        return _WORDS.say("nothing")
    said = [_WORDS.say("passed", passed=totals["passed"], asked=asked)]
    if asked > totals["passed"] and report["passed"]:
        said.append(_WORDS.say("known", known=asked - totals["passed"]))
    if number := len(report["incidents"]):
        said.append(_WORDS.say("incidents" if number > 1 else "incident", n=number))
    if report["passed"] and report.get("part"):
        said.append(_WORDS.say("part"))
    return ", ".join(said)


def _asked(report: Report) -> int:
    totals: Mapping[str, int] = report["totals"]
    return totals["planned"] - totals["unsupported"] - totals["skipped"]


def _colour(report: Report) -> str:
    """Return green if all passed, amber if something is allowed or untested, red for anything else."""
    if not report["passed"] or not _asked(report):
        return "red"
    whole = report["totals"]["passed"] == _asked(report) and not report.get("part") and not report["incidents"]
    return "green" if whole else "amber"
