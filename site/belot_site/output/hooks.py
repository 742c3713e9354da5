"""What mkdocs calls while it builds one language: the menu, the same page in other languages, the search words."""

import gc
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from belot_conformance.rules.asked import unaccented
from belot_spec.files import MAX_OF_OURS, read_json, read_text
from belot_spec.languages import TONGUES
from belot_spec.whole_file import write_whole

# What stands as HTML is ready as it is; Markdown would spend most of its time on reading it again.
_READY: Final = re.compile(r"<(figure|table|svg)\b.*?</\1>", re.DOTALL)
_MARKDOWN: Final = re.compile(r"^(?:#{1,6} |```|[*-] |\d+\. |\|)", re.MULTILINE)
# The theme's search merges branches of its index that have one name: a letter and a number for each child, with nothing
# between, so that "a" 1, "2" 3 is "a" 123 too. Then it reads words that are not there, and a query throws.
_MERGED: Final = re.compile(r"(\w=\w\+\w\+\w\.id)\}return")
_SOURCE_MAP: Final = re.compile(r"(?://|/\*)# sourceMappingURL=\S+?(?:\s*\*/|$)", re.MULTILINE)
# Where spaces count; everywhere else the theme's indentation is a tenth of what is sent.
_AS_IT_IS: Final = re.compile(r"(<(?:pre|textarea|script|style)\b.*?</(?:pre|textarea|script|style)>)", re.DOTALL)
_INDENTED: Final = re.compile(r"\s*\n\s*")
# The theme's script, a third of what a page weighs, and what only goes with it: loaded when somebody does something.
_LATER: Final = re.compile(r'<script src="([^"]*(?:/bundle\.[^"]+|/search-later|/search-words)\.js)">')
# What no page of ours has of all that the theme has a look for, and the search, which is there before its script.
_UNUSED: Final = re.compile(
    r"\.(?:admonition|tabbed-|highlight|linenodiv|md-(?:annotation|author|banner|clipboard|code__|consent|feedback"
    r"|footer__|iframe|lightbox|meta|nav__source|pagination|path|post|profile|progress|select|social|source|status|tag"
    r"|tooltip|version)|mermaid|grid\b|twemoji|emojione|gemoji|critic|task-list|arithmatex|footnote|keys\b|key-)"
    r"|\[data-md-color-(?:primary|accent)=(?!custom)|\.no-js \.md-(?:search|header__button)"
)
_UNUSED_SIGN: Final = re.compile(
    r"--md-(?:admonition|annotation|clipboard|footnotes|status|tabbed|tag|tasklist|version)-icon[\w-]*"
    r":url\((?:'[^']*'|\"[^\"]*\"|[^)]*)\);?"
)
_COMMA: Final = re.compile(r",(?![^()]*\))")
_PLACE: Final = re.compile(r'<div data-ready="(\d+)"></div>')
# What is no text for the search: it takes a tag to pieces ten times as slowly as a remark, which parts words as well.
_NO_TEXT: Final = re.compile(
    r'<svg\b.*?</svg>|<a class="headerlink".*?</a>'
    r"|</?(?:span|a|t[dhr]|tbody|strong|d[dt]|option)\b(?![^>]*data-search)[^>]*>",
    re.DOTALL,
)
_REMARK: Final = "<!---->"
# What ends, or begins, a thing that an excerpt sets apart from its neighbour.
_APART: Final = re.compile(r"</(?:t[dh]|d[dt]|option)>|<span class=\"below\">")
_COMMAS: Final = re.compile(r"\s*,\s+(?:,\s+)*")
# What the search weighs a tool by, as it does a question.
_BOOST: Final = 2
# What the theme calls a menu that shows the pages of its groups, and where it is one.
_GROUPED: Final = "navigation.sections"
_IN_GROUPS: Final = ("programmers/", "cases/")
_FOR_SEARCH: Final = re.compile(r'\sdata-search-\w+="[^"]+"')


def on_config(config: Any) -> Any:
    """Take the menu and the words of the header that the generator wrote."""
    # The build is over before garbage counts, and looking for it takes a fifteenth of the time.
    gc.disable()
    folder = Path(config.docs_dir).parent
    config.nav = read_json(folder / f"menu.{config.extra['lang']}.json")
    config.extra.update(read_json(folder / f"header.{config.extra['lang']}.json"))
    return config


def on_page_markdown(markdown: str, page: Any, config: Any, files: Any) -> str:
    """Put what is ready aside while the page is turned into HTML."""
    page.ready = []

    def aside(text: str) -> str:
        page.ready.append(text)
        return f'<div data-ready="{len(page.ready) - 1}"></div>'

    drawn = _READY.sub(lambda found: aside(found.group()), markdown)
    in_code, blocks = False, []
    for block in drawn.split("\n\n"):
        is_html = not in_code and block.lstrip("\n").startswith("<") and not _MARKDOWN.search(block)
        is_html = is_html and "markdown=" not in block
        blocks.append(aside(block) if is_html else block)
        in_code ^= block.count("```") % 2 == 1
    return "\n\n".join(blocks)


def on_page_content(html: str, page: Any, config: Any, files: Any) -> str:
    """Put it back, what lies within blocks after the blocks; the search is given its text without what is drawn."""
    for _ in range(2):
        html = _PLACE.sub(lambda found: page.ready[int(found[1])], html)
    page.whole = _FOR_SEARCH.sub("", html)
    return _NO_TEXT.sub(lambda match: ", " if _APART.fullmatch(match.group()) else _REMARK, html)


def on_page_context(context: dict[str, Any], page: Any, config: Any, nav: Any) -> dict[str, Any]:
    """Give the templates the whole page, which the search has read by now, and its addresses in other languages.

    Programmers' pages are few enough to be shown in the menu all at once, in groups. One that is not there stands
    where the page does that leads to it.
    """
    page.content = page.whole
    config.theme["features"] = [one for one in config.theme["features"] if one != _GROUPED]
    if page.url.startswith(_IN_GROUPS):
        config.theme["features"].append(_GROUPED)
        if page not in nav.pages:
            around = (one for one in nav.pages if one.url.startswith(_IN_GROUPS) and page.url.startswith(one.url))
            page.above = max(around, key=lambda one: len(one.url))
            page.above.active = True
    target = "" if page.url in (".", "./") else page.url
    up = "../" * (target.count("/") + 1)
    own = config.extra["lang"]
    is_shared = target in _shared(Path(config.docs_dir).parent, own)
    others = [one for one in TONGUES.values() if one.id != own and is_shared]
    return {
        **context,
        "others": [{"lang": one.id, "name": one.name, "url": f"{up}{one.id}/{target}"} for one in others],
    }


@cache
def _shared(folder: Path, language: str) -> frozenset[str]:
    """Return the addresses of a language that there are in every other, as the generator wrote them."""
    return frozenset(read_json(folder / f"shared.{language}.json"))


def on_post_page(output: str, page: Any, config: Any) -> str:
    """Let scripts wait that nothing is done with yet, and leave out the indentation of the theme's templates."""
    if above := getattr(page, "above", None):
        above.active = False
    output = _LATER.sub(r'<script type="text/plain" data-later="\1">', output)
    parts = _AS_IT_IS.split(output)
    parts[::2] = [_INDENTED.sub("\n", part) for part in parts[::2]]
    return "".join(parts)


def on_post_build(config: Any) -> None:
    """Leave out what works at one address only, and add other words and spellings to the search."""
    for name in ("404.html", "sitemap.xml", "sitemap.xml.gz"):
        Path(config.site_dir, name).unlink(missing_ok=True)
    _leave_out_source_maps(Path(config.site_dir, "assets"))
    for path in Path(config.site_dir, "assets/stylesheets").glob("*.css"):
        write_whole(path, used_styles(_UNUSED_SIGN.sub("", read_text(path))), durable=False)
    for path in Path(config.site_dir, "assets/javascripts/workers").glob("search.*.js"):
        write_whole(path, _MERGED.sub(r"\1+';'}return", read_text(path)), durable=False)
    _add_spellings(config)


def used_styles(sheet: str) -> str:
    """Return a sheet of styles without the rules for what no page has."""
    found, at = [], 0
    while (opening := sheet.find("{", at)) >= 0:
        depth, closing = 1, opening
        while depth:
            closing += 1
            depth += {"{": 1, "}": -1}.get(sheet[closing], 0)
        before, semicolon, head = sheet[at:opening].rpartition(";")
        inside = sheet[opening + 1 : closing]
        if head.startswith(("@media", "@supports")):
            inside = used_styles(inside)
        elif not head.startswith("@"):
            head = ",".join(one for one in _COMMA.split(head) if not _UNUSED.search(one))
        found.append(before + semicolon + (f"{head}{{{inside}}}" if head and inside else ""))
        at = closing + 1
    return "".join(found) + sheet[at:]


def _leave_out_source_maps(folder: Path) -> None:
    """Delete the theme's source maps and the notes that lead to them: a reader never needs them."""
    for path in folder.rglob("*.map"):
        code = path.with_suffix("")
        path.unlink()
        if code.is_file():
            write_whole(code, _SOURCE_MAP.sub("", read_text(code)), durable=False)


def _add_spellings(config: Any) -> None:
    """Let the search find questions and words by every name for a thing, and everything without its accents."""
    path = Path(config.site_dir) / "search" / "search_index.json"
    index = read_json(path, MAX_OF_OURS)
    synonyms, places = (
        read_json(Path(config.docs_dir).parent / f"{name}.{config.extra['lang']}.json")
        for name in ("synonyms", "places")
    )
    known = {entry["location"]: entry for entry in index["docs"]}
    for place in places:
        if place["location"] in known:
            known[place["location"]]["boost"] = _BOOST
        elif "text" in place:
            index["docs"].append({**place, "boost": _BOOST})
    for entry in index["docs"]:
        if entry["location"] in synonyms:
            entry["tags"] = synonyms[entry["location"]]
        entry["text"] = _COMMAS.sub(", ", entry["text"]).strip(", ")
        entry["text"] += _without_accents(f"{entry['title']} {entry['text']}")
    write_whole(path, json.dumps(index, ensure_ascii=False, separators=(",", ":")), durable=False)


def _without_accents(text: str) -> str:
    """Return the words of a text that have accents, spelled without them, as one more paragraph."""
    words = dict.fromkeys(word.strip(".,;:()!?\"'<>") for word in text.replace("<", " <").replace(">", "> ").split())
    found = dict.fromkeys(unaccented(word) for word in words if unaccented(word) != word)
    return f" <p hidden>{' '.join(found)}</p>" if found else ""
