"""What stands around every page: the menu, the header with the choice of a variant, and the footer."""

from collections.abc import Container, Iterable
from typing import Any, Final

from belot_site.content.edition import SiteEdition
from belot_site.pages.page import SitePage
from belot_spec.languages import FALLBACK, TONGUES

Menu = list[Any]

# What every page ends with: the addresses from the root of a language, and the keys of their names.
_FOOTER: Final = {
    "variants/": "variants",
    "questions/": "questions",
    "try/": "try",
    "sources/": "sources",
    "glossary/": "glossary",
    "programmers/": "for-programmers",
}


def menu(edition: SiteEdition, pages: Iterable[SitePage]) -> Menu:
    """Return the menu as mkdocs reads it; pages that are left out are reached through others."""
    files = {page.path: page for page in pages}

    def one(path: str, title: str = "") -> dict[str, str]:
        return {title or files[path].title: files[path].file}

    def below(folder: str) -> Menu:
        inside = [path for path in files if path.startswith(f"{folder}/") and path.count("/") == 1]
        return [one(path) for path in inside if path != f"{folder}/index"]

    if not TONGUES[edition.language].is_complete:
        games = [one(f"variants/{variant}") for variant in edition.variants]
        return [one("index", edition.word("home")), *games, one("questions/index"), one("glossary")]
    rules: Menu = [one("rules/index", edition.word("all-rules"))]
    for topic, title in edition.library.topics.items():
        rules.append({edition.text(title): [one(f"rules/{rule.id}") for rule in edition.library.rules_of(topic)]})
    variants = [one("variants/index", edition.word("all-variants"))]
    variants += [one(f"variants/{variant}") for variant in edition.all_variants]
    evidence = [
        {edition.word("rules"): rules},
        {edition.word("sources"): [one("sources/index", edition.word("all-sources")), *below("sources")]},
        {edition.word("rulings"): [one("rulings/index", edition.word("all-rulings")), *below("rulings")]},
        {edition.word("examples"): [one("examples/index", edition.word("all-examples")), *below("examples")]},
    ]
    programmers = [one("programmers/index"), *below("programmers"), one("cases/index")]
    return [
        one("index", edition.word("home")),
        {edition.word("variants"): variants},
        one("questions/index"),
        one("try"),
        one("house-rules"),
        one("compare"),
        {edition.word("evidence"): evidence},
        one("glossary"),
        {edition.word("for-programmers"): programmers},
    ]


def header_words(edition: SiteEdition, here: Container[str]) -> dict[str, Any]:
    """Return what surrounds every page: the variants by name, the words of the choice, and what else is ``here``."""
    return {
        "variants": {name: edition.variant_name(name) for name in edition.variants},
        "i_play": edition.word("i-play"),
        "what_do_you_play": edition.word("header-choose"),
        "yours": edition.word("yours"),
        "copy_word": edition.word("copy"),
        "copied_word": edition.word("copied"),
        "footer": [
            {"to": to, "name": edition.word(key), "lang": "" if to in here else FALLBACK} for to, key in _FOOTER.items()
        ],
        "footer_text": edition.word("footer"),
    }
