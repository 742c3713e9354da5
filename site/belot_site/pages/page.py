"""A page before mkdocs sees it: its template, and what that is given."""

import html
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from belot_conformance.rules.reading import HOME_WORDS, anchor, as_runs, ruling_path, statement_path
from belot_reference.card_svg import HUNGARIAN_SUITS, card_svg, card_symbols, suit_svg
from belot_site.content.edition import SiteEdition
from belot_site.playground.bundle import try_address, try_topic
from belot_spec.card_names import CARD_NAMES
from belot_spec.catalogue import Text, text_of
from belot_spec.languages import FALLBACK, LANGUAGES, TONGUES, Tongue
from belot_spec.whole_file import write_whole

_CODE: Final = re.compile(r"`([^`]+)`")
_DRAWN: Final = re.compile(r'data-card="([0-9JQKA]+[SHDC])"')
# What a word of the glossary may begin with that says nothing.
ARTICLE: Final = re.compile(r"^(to |de |het |een |the )")
# The words of the glossary that who does not play cards does not know.
_HARD: Final = ("ruff", "overtrump", "undertrump", "plain-suit", "void", "eldest", "taker")
_SPECIAL: Final = re.compile(r"([\\`*_\[\]{}#|!~^])")


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page of one language. ``path`` has no suffix: ``rules/play.lead``, ``rules/index``.

    A page with a ``profile`` speaks as those do who play by it.
    """

    path: str
    template: str
    title: str
    context: Mapping[str, Any] = field(default_factory=dict)
    description: str = ""
    front: Mapping[str, Any] = field(default_factory=dict)
    profile: str = ""

    @property
    def url(self) -> str:
        """The address from the root of a language: ``rules/play.lead/``, ``rules/``, and nothing for the home page."""
        folder = self.path.removesuffix("index")
        return folder if folder != self.path else f"{self.path}/"

    def to(self, target: str) -> str:
        """Return the way from this page to an address that counts from the root of its language."""
        return "../" * self.url.count("/") + target or "./"

    @property
    def file(self) -> str:
        """The Markdown file that it is written to."""
        return f"{self.path}.md"


class Printer:
    """Renders the pages of one edition."""

    def __init__(self, edition: SiteEdition, pages: Iterable[SitePage] = ()) -> None:
        self.edition = edition
        self._here = frozenset(page.url for page in pages)
        as_written: dict[str, Any] = {"trim_blocks": True, "lstrip_blocks": True, "keep_trailing_newline": True}
        pages_folder = PackageLoader("belot_site.pages")
        self._environment = Environment(loader=pages_folder, autoescape=True, undefined=StrictUndefined, **as_written)
        filters = (self.terms, as_runs, anchor, capitalize_first, edition.variant_name)
        self._environment.filters.update(md=markdown_text, prose=prose, **{one.__name__: one for one in filters})
        self._environment.globals.update(
            language=edition.language,
            languages=LANGUAGES,
            library=edition.library,
            spec=edition.library.spec,
            ruling_path=ruling_path,
            source_of=statement_path,
            hungarian_suits=HUNGARIAN_SUITS,
            kind_order=kind_order,
            try_address=partial(try_address, reference=edition.library.reference),
            try_topic=try_topic,
            home_words=HOME_WORDS,
            suit=lambda suit: Markup(suit_svg(suit)),
            picture=lambda card: Markup(card_svg(card, edition.language)),
            of_case=lambda case, text: edition.at(case.profile).text(text),
            of_variant=lambda variant, text: edition.at(variant).text(text),
            case_title=edition.case_title,
            told_in=self.told_in,
        )

    def terms(self, text: str, address: str, known: list[str] | None = None) -> Markup:
        """Return a text in which the first use of each hard word leads to the glossary, but of one ``known`` before."""
        told, known = str(escape(text)), [] if known is None else known
        terms = self.edition.library.spec.glossary.terms
        words = {name: ARTICLE.sub("", self.edition.text(text_of(term))) for name, term in terms.items()}
        # Couper is to ruff, and couper le jeu to cut the deck: a word that may be either leads nowhere.
        clear = [one for one in _HARD if not any(other.startswith(f"{words[one]} ") for other in words.values())]
        for name in (one for one in clear if one not in known):
            stem = re.escape(words[name])
            use = re.compile(rf"(?<!\w)({stem}(?:s|es|en|t|ed)?)(?!\w)", re.IGNORECASE)
            told, times = use.subn(rf'<a href="{address}#{name}">\1</a>', told, count=1)
            known += [name] * times
        return Markup(told)

    def told_in(self, text: Text) -> Markup:
        """Return a text of a page about all games, with what players of some of them say instead, for a script."""
        common = self.edition.text(text)
        told = {name: self.edition.at(name).text(text) for name in self.edition.variants}
        own = {name: one for name, one in told.items() if one != common}
        if not own:
            return markdown_text(common)
        in_page = json.dumps(texts_in_tongue(own, TONGUES[self.edition.language]), ensure_ascii=False)
        return Markup('<span data-told="{}">{}</span>').format(in_page, markdown_text(common))

    def text_of(self, page: SitePage) -> str:
        """Return the Markdown of a page with its front matter."""
        told = {"title": page.title, "description": page.description}
        front = {**{key: text for key, text in told.items() if text}, **page.front}
        lines = (f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in front.items())
        return "".join(["---\n", *lines, "---\n\n", self._body(page)])

    def _body(self, page: SitePage) -> str:
        """Return the Markdown of a page with the symbols of the cards that are drawn on it."""
        own = self.edition.at(page.profile) if page.profile else self.edition
        given = {"page": page, "to": partial(self._to, page), "e": own, "w": own.word, "t": own.text, **page.context}
        body = self._environment.get_template(page.template).render(given)
        body = in_tongue(body, TONGUES[own.language])
        drawn = sorted(set(_DRAWN.findall(body)), key=CARD_NAMES.index)
        if drawn or 'class="suit"' in body:
            body += f"\n{card_symbols(drawn, (self.edition.language,))}\n"
        return body

    def _to(self, page: SitePage, target: str) -> str:
        """Return the way to an address; where this language has no such page, to the page in English."""
        address = re.split("[?#]", target, maxsplit=1)[0].replace("{v}", self.edition.variants[0])
        # What a page loads is a file beside it, in its own language.
        is_file = address.startswith("..") or (bool(address) and not address.endswith("/"))
        is_here = is_file or not self._here or address in self._here or self.edition.language == FALLBACK
        return page.to(target) if is_here else "../" * (page.url.count("/") + 1) + f"{FALLBACK}/{target}"

    def write(self, page: SitePage, folder: Path) -> None:
        """Write a page below the folder of its language."""
        path = folder / page.file
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, self.text_of(page), durable=False)


def capitalize_first(text: str) -> str:
    """Return a text with a capital first letter and the rest as it is; the Dutch capital of ``é`` has no accent."""
    first = "E" if text.startswith("één") else text[:1].upper()
    return first + text[1:]


def kind_order(kinds: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Return the kinds of statements that occur, those that feed rules first."""
    found = dict.fromkeys(kind for counts in kinds.values() for kind in counts)
    return sorted(found, key=lambda kind: (kind not in ("rules", "example"), kind))


def prose(text: str) -> Markup:
    """Return a text of the spec as HTML: what stands between backticks is code."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))


def markdown_text(text: str) -> Markup:
    """Return a text for a heading in Markdown: nothing in it is markup.

    Quotes stay as they are; the table of contents would escape them a second time.
    """
    return Markup(_SPECIAL.sub(r"\\\1", html.escape(text, quote=False)))


_TAG: Final = re.compile(r"(<[^<>]*>)")
# A colon or semicolon that follows a word or a tag at once, but is no end of an entity.
_TIGHT: Final = re.compile(r"&#?\w+;|(?:^|(?<=[^\s\u00a0{]))([:;])(?=\s)")
_NO_BREAK: Final = "\u00a0"
_TO_FALLBACK: Final = re.compile(rf'(<a\b[^>]*href="(?:\.\./)+{FALLBACK}/[^"]*")')


def in_tongue(body: str, tongue: Tongue) -> str:
    """Return a page as its language is set, with links that lead to a page in English marked so."""
    if tongue.id == FALLBACK:
        return body
    body = _TO_FALLBACK.sub(rf'\1 hreflang="{FALLBACK}"', body)
    if not tongue.sticking:
        return body
    return _outside_tags(body, lambda part: _typeset(part, tongue))


def texts_in_tongue(data: Any, tongue: Tongue) -> Any:
    """Return what a script shows, each text in it as its language is set."""
    if not tongue.sticking:
        return data
    if isinstance(data, Mapping):
        return {key: texts_in_tongue(value, tongue) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [texts_in_tongue(value, tongue) for value in data]
    return in_tongue(data, tongue) if isinstance(data, str) else data


def _outside_tags(text: str, change: Callable[[str], str]) -> str:
    """Return a page with what stands between its tags changed."""
    return "".join(part if part.startswith("<") else change(part) for part in _TAG.split(text))


def _typeset(text: str, tongue: Tongue) -> str:
    """Return a text with the quotes of a language, and a space that no line breaks at before signs that ask for one."""
    for plain, own in zip(("“", "”"), tongue.quotes, strict=True):
        text = text.replace(plain, own)
    text = _TIGHT.sub(lambda found: f" {found[1]}" if found[1] else found[0], text)
    text = re.sub(rf" (?=\\?[{re.escape(tongue.sticking)}])", _NO_BREAK, text)
    return text.replace(tongue.quotes[0], tongue.quotes[0].rstrip() + _NO_BREAK)
