"""The menu of a language: which page stands where, and under what name."""

from collections.abc import Iterable, Sequence
from typing import Any

from belot_site.edition import Edition
from belot_site.pages import Page

Menu = list[Any]


def menu(edition: Edition, pages: Iterable[Page]) -> Menu:
    """Return the menu as mkdocs reads it; pages that are left out are reached through others."""
    files = {page.path: page for page in pages}

    def one(path: str, title: str = "") -> dict[str, str]:
        return {title or files[path].title: files[path].file}

    def below(folder: str, paths: Sequence[str] = ()) -> Menu:
        inside = [path for path in files if path.startswith(f"{folder}/") and path.count("/") == 1]
        return [one(path) for path in (paths or inside) if path != f"{folder}/index"]

    rules: Menu = [one("rules/index", edition.word("all-rules"))]
    for topic, title in edition.library.topics.items():
        rules.append({edition.text(title): [one(f"rules/{rule.id}") for rule in edition.library.rules_of(topic)]})
    variants = [one("variants/index", edition.word("all-variants"))]
    variants += [one(f"variants/{variant}") for variant in edition.library.variants]
    evidence = [
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
        {edition.word("rules"): rules},
        one("compare"),
        {edition.word("evidence"): evidence},
        one("glossary"),
        {edition.word("for-programmers"): programmers},
    ]
