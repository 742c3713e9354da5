"""A page in a partial language: what is told in English is marked as that, and the page says where it stands."""

import re
from collections.abc import Iterator
from typing import Final

from markupsafe import Markup, escape

from belot_site.content.edition import ASIDE, BACK, SiteEdition
from belot_spec.languages import FALLBACK, TONGUES, Tongue

_TAG: Final = re.compile(r"(<[^<>]*>)")
_MARKED: Final = re.compile(f"{ASIDE}(.*?){BACK}", re.DOTALL)
# A heading in Markdown or in HTML: what it says, and its anchor.
_HEADING: Final = re.compile(
    r"^##+ (?P<said>.*?) \{: #(?P<id>[\w.-]+).*?\}$"
    r"|<h[23][^>]* id=\"(?P<html_id>[\w.-]+)\"[^>]*>(?P<html_said>.*?)</h[23]>",
    re.MULTILINE,
)
_FIRST_HEADING: Final = re.compile(r"^# .*$|</header>", re.MULTILINE)
# A colon or semicolon that follows a word or a tag at once, but is no end of an entity.
_TIGHT: Final = re.compile(r"&#?\w+;|(?:^|(?<=[^\s\u00a0{]))([:;])(?=\s)")
# What a sheet shows in place of its text where that is too long for it.
_SHORT: Final = re.compile('(?<=data-short=")[^"]*')
_NO_BREAK: Final = "\u00a0"
_TO_FALLBACK: Final = re.compile(rf'(<a\b[^>]*href="(?:\.\./)+{FALLBACK}/[^"]*")')


def unmarked(text: str) -> str:
    """Return a text without the marks of what is in another language."""
    return text.replace(ASIDE, "").replace(BACK, "")


def in_tongue(body: str, edition: SiteEdition) -> str:
    """Return a page as it is read in its language: what is not, is marked, and named at the top of the page."""
    places = dict(_english(body))
    body = _TO_FALLBACK.sub(rf'\1 hreflang="{FALLBACK}"', body)
    body = "".join(unmarked(part) if part.startswith("<") else part for part in _TAG.split(body))
    body = _MARKED.sub(_aside, body)
    tongue = TONGUES[edition.language]
    body = _SHORT.sub(lambda found: _typeset(found[0], tongue), body)
    body = unmarked("".join(part if part.startswith("<") else _typeset(part, tongue) for part in _TAG.split(body)))
    if not places:
        return body
    return _FIRST_HEADING.sub(lambda found: f"{found[0]}\n\n{_notice(places, edition)}", body, count=1)


def _aside(found: re.Match[str]) -> str:
    """Return what is told in English as such, without tags that it ends within."""
    parts = _TAG.split(found[1])
    return "".join(
        part if part.startswith("<") or not part.strip() else f'<span lang="{FALLBACK}">{part}</span>' for part in parts
    )


def _english(body: str) -> Iterator[tuple[str, str]]:
    """Yield the anchor of each heading under which something is told in English, and what it says."""
    headings = [
        (found.start(), found["id"] or found["html_id"], found["said"] or found["html_said"])
        for found in _HEADING.finditer(body)
    ]
    tags = [found.span() for found in _TAG.finditer(body)]
    for found in _MARKED.finditer(body):
        if any(start < found.start() < end for start, end in tags):
            continue
        before = [(anchor, said) for start, anchor, said in headings if start <= found.start()]
        yield before[-1] if before else ("page", "")


def _notice(places: dict[str, str], edition: SiteEdition) -> Markup:
    links = Markup(", ").join(
        Markup('<a href="#{}">{}</a>').format(anchor, Markup(_TAG.sub("", unmarked(said))))
        for anchor, said in places.items()
        if said
    )
    told = escape(edition.word("partly")) + (
        Markup(" {} {}.").format(edition.word("partly-where"), links) if links else ""
    )
    return Markup('<p class="notice in-english">{}</p>').format(told)


def _typeset(text: str, tongue: Tongue) -> str:
    """Return a text with the quotes of a language, and a space that no line breaks at before signs that ask for one."""
    if not tongue.sticking:
        return text
    for plain, own in zip(("“", "”"), tongue.quotes, strict=True):
        text = text.replace(plain, own)
    text = _TIGHT.sub(lambda found: f" {found[1]}" if found[1] else found[0], text)
    text = re.sub(rf" (?=\\?[{re.escape(tongue.sticking)}])", _NO_BREAK, text)
    return text.replace(tongue.quotes[0], tongue.quotes[0].rstrip() + _NO_BREAK)
