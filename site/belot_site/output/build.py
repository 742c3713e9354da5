"""Building the site: pages in each language, the menu, one run of mkdocs for each, and what a device keeps of them."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Container, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from belot_conformance.programs.process_pool import in_processes
from belot_site.content.edition import SiteEdition, site_words
from belot_site.content.library import SITE_FOLDER, Library
from belot_site.output.search import house_words, search_of, search_places, search_table, search_tags
from belot_site.pages.cases import case_pages, example_pages, ruling_pages, source_pages
from belot_site.pages.comparison import comparison_pages, doubled_pages
from belot_site.pages.house_rules import house_rules_data, house_rules_pages
from belot_site.pages.lessons import lesson_pages
from belot_site.pages.page import Printer, SitePage, texts_in_tongue
from belot_site.pages.playground import playground_data, playground_pages, question_files
from belot_site.pages.programmers import EXAMPLES, FILES, programmer_pages, write_rules
from belot_site.pages.programs import program_pages
from belot_site.pages.questions import question_pages
from belot_site.pages.rules import glossary_pages, rule_pages
from belot_site.pages.variants import home_pages, variant_pages
from belot_site.pages.worth import worth_pages
from belot_site.playground.bundle import FOLDER, engine_files, write_engine
from belot_spec.data import schema_files
from belot_spec.errors import BelotError
from belot_spec.files import MAX_OF_OURS, read_bytes, read_text
from belot_spec.languages import FALLBACK, LANGUAGES, TONGUES, Language
from belot_spec.whole_file import write_whole

# What players read, in every language, and what programmers and keepers of rules read, in English.
_FOR_PLAYERS: Final = (
    home_pages, variant_pages, lesson_pages, question_pages, rule_pages, comparison_pages, glossary_pages,
    playground_pages, house_rules_pages, worth_pages, doubled_pages,
)  # fmt: skip
_FOR_PROGRAMMERS: Final = (
    source_pages, ruling_pages, example_pages, programmer_pages, program_pages, case_pages,
)  # fmt: skip
# What mkdocs writes as the time of the build, so that the same spec gives the same bytes: 1 January 2026.
_EPOCH: Final = "1767225600"


class BuildError(BelotError):
    """The site could not be built; what mkdocs, or the builder of the wheel, said about it is the message."""


def pages_of(edition: SiteEdition) -> list[SitePage]:
    """Return every page of an edition: those for players, and in English those for programmers."""
    return [*_pages_of_kinds(edition, _FOR_PLAYERS), *_pages_for_programmers(edition)]


def _pages_for_programmers(edition: SiteEdition) -> list[SitePage]:
    return _pages_of_kinds(edition, _FOR_PROGRAMMERS) if edition.language == FALLBACK else []


def _pages_of_kinds(
    edition: SiteEdition, kinds: Iterable[Callable[[SiteEdition], Iterable[SitePage]]]
) -> list[SitePage]:
    return [page for kind in kinds for page in kind(edition)]


def generate(folder: Path) -> Iterator[tuple[Language, int]]:
    """Write the Markdown of each language below a folder, which is emptied first.

    As many are written at the same time as there are processors; each is yielded with its number of pages when it is
    written.
    """
    shutil.rmtree(folder, ignore_errors=True)
    work, jobs = partial(_write_language, folder=folder), min(os.cpu_count() or 1, len(LANGUAGES))
    yield from zip(LANGUAGES, in_processes(work, LANGUAGES, jobs, Library), strict=True)


def _write_language(library: Library, language: Language, folder: Path) -> int:
    own, edition = folder / language, SiteEdition(library, language)
    shared = _pages_of_kinds(edition, _FOR_PLAYERS)
    pages = [*shared, *_pages_for_programmers(edition)]
    printer = Printer(edition, pages)
    for page in pages:
        printer.write(page, own)
    shutil.copytree(SITE_FOLDER / "assets", own / "assets")
    for path in (own / "assets").rglob("*.js"):
        # Comments are a tenth of what a page's scripts weigh.
        write_whole(path, re.sub(r"(?m)^ *//.*\n", "", read_text(path)), durable=False)
    here = frozenset(page.url for page in pages)
    for variant in edition.variants:
        _write_texts(own / "mine" / f"{variant}.json", edition, search_of(edition, variant))
    _write_tools(edition, own)
    # Which pages every language has: one language is built before another is written.
    _write_json(folder / f"shared.{language}.json", sorted(page.url for page in shared))
    _write_json(folder / f"header.{language}.json", header_words(edition, here))
    _write_json(folder / f"menu.{language}.json", menu(edition, pages))
    _write_json(folder / f"synonyms.{language}.json", search_tags(edition, here))
    _write_json(folder / f"places.{language}.json", search_places(edition))
    _write_json(own / "search-words.json", search_table(edition, here))
    return len(pages)


def _write_tools(edition: SiteEdition, own: Path) -> None:
    """Write what the tools of an edition fetch, and the schemas."""
    for path in schema_files():
        target = own / "schemas" / path.name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, target)
    _write_texts(
        own / "house-rules" / "data.json", edition, {**house_rules_data(edition), "search": house_words(edition)}
    )
    _write_texts(own / "try" / "data.json", edition, playground_data(edition), indent=None)
    for name, data in question_files(edition):
        _write_texts(own / "try" / name, edition, data, indent=None)


def _write_texts(path: Path, edition: SiteEdition, data: object, *, indent: int | None = 1) -> None:
    _write_json(path, texts_in_tongue(data, TONGUES[edition.language]), indent=indent)


def _write_json(path: Path, data: object, *, indent: int | None = 1) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, json.dumps(data, ensure_ascii=False, indent=indent) + "\n", durable=False)


def build(output: Path) -> dict[Language, int]:
    """Build the whole site into ``output/site``, from pages in ``output/docs``; return the numbers of pages.

    Raises ``BuildError`` with their own words if mkdocs or the builder of the wheel finds anything wrong.
    """
    site = output / "site"
    shutil.rmtree(site, ignore_errors=True)
    # First, so that a fault of the rules is told as one: in a process of the pool it would only end the pool.
    library = Library()
    counts: dict[Language, int] = {}
    running: list[subprocess.Popen[str]] = []
    try:
        for language, count in generate(output / "docs"):
            counts[language] = count
            running.append(start_mkdocs(output, language))
        running.append(_start_wheel(site))
        write_rules(library, site)
        shutil.copytree(EXAMPLES, site / FILES, ignore=shutil.ignore_patterns("__pycache__", "*.md"))
        engine = write_engine(library, site)
    finally:
        ended = [(process.communicate()[0], process.returncode) for process in running]
    if wrong := [said for said, code in ended if code]:
        raise BuildError("the site cannot be built:\n" + "\n".join(wrong))
    write_service_worker(site, engine)
    for name, source in (("index", "start"), ("404", "not_found")):
        write_whole(site / f"{name}.html", outside(source), durable=False)
    return counts


def outside(name: str) -> str:
    """Return a page that stands outside of all languages, with its style and what it says in each of them."""
    text, style = (read_text(Path(__file__).with_name(own)) for own in (f"{name}.html", "outside.css"))
    page = Environment(autoescape=True, undefined=StrictUndefined).from_string(text)
    given = {"tongues": TONGUES, "fallback": FALLBACK, "words": site_words()}
    return page.render(given, style=Markup(style)) + "\n"


def start_mkdocs(output: Path, language: Language) -> subprocess.Popen[str]:
    """Start building a language from the pages in ``output/docs``."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", _EPOCH)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": epoch, "NO_MKDOCS_2_WARNING": "1"}
    for one in LANGUAGES:
        environment[f"BELOT_DOCS_{one.upper()}"] = str(output / "docs" / one)
        environment[f"BELOT_SITE_{one.upper()}"] = str(output / "site" / one)
    return subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(SITE_FOLDER / f"mkdocs.{language}.yml")],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def _start_wheel(site: Path) -> subprocess.Popen[str]:
    """Start building the wheel, which programmers get from the site itself: it works where no address is known."""
    return subprocess.Popen(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(site)],
        cwd=SITE_FOLDER.parent,
        env={**os.environ, "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", _EPOCH)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


Menu = list[Any]

# What every page ends with: the addresses from the root of a language, and the keys of their names.
_FOOTER: Final = {
    "variants/": "variants", "questions/": "questions", "try/": "try", "sources/": "sources", "glossary/": "glossary",
    "programmers/": "for-programmers",
}  # fmt: skip


# The menu of the programmers' part: the key of each group's name, and its pages.
_GROUPS: Final = {
    "menu-begin": ("programmers/index", "programmers/protocol", "programmers/operations", "cases/index"),
    "menu-check": tuple(
        f"programmers/{name}"
        for name in (
            "checking", "options", "mistakes", "house-rules", "identify", "random-questions", "counting", "ci",
            "reports", "programs",
        )
    ),
    "menu-logs": ("programmers/judge", "programmers/logs", "programmers/notation"),
    "menu-data": ("programmers/reading", "programmers/impact", "programmers/rules", "programmers/schemas"),
    "menu-library": ("programmers/library", "programmers/cookbook", "programmers/notebook", "programmers/tables"),
    "menu-keepers": ("programmers/proof", "programmers/cluster", "programmers/versions", "programmers/architecture"),
}  # fmt: skip


# The words around a page, by their names in the theme.
_AROUND: Final = {
    "i_play": "i-play", "what_do_you_play": "header-choose", "copy_word": "copy",
    "copied_word": "copied", "table_word": "my-table", "footer_text": "footer", "deck_word": "deck-choice",
}  # fmt: skip


def menu(edition: SiteEdition, pages: Iterable[SitePage]) -> Menu:
    """Return the menu as mkdocs reads it; pages that are left out are reached through others."""
    files = {page.path: page for page in pages}

    def one(path: str, title: str = "") -> dict[str, str]:
        return {title or files[path].title: files[path].file}

    def below(folder: str) -> Menu:
        inside = [path for path in files if path.startswith(f"{folder}/") and path.count("/") == 1]
        return [one(path) for path in inside if path != f"{folder}/index"]

    def chapter(name: str, inside: Menu) -> dict[str, Menu]:
        return {edition.word(name): [one(f"{name}/index", edition.word(f"all-{name}")), *inside]}

    rules: Menu = []
    for topic, title in edition.library.topics.items():
        rules.append({edition.text(title): [one(f"rules/{rule.id}") for rule in edition.library.rules_of(topic)]})
    players = [
        one("index", edition.word("home")),
        chapter("variants", [one(f"variants/{variant}") for variant in edition.variants]),
        one("questions/index"),
        one("try"),
        one("house-rules"),
        one("compare"),
        chapter("rules", rules),
        one("glossary"),
    ]
    if edition.language != FALLBACK:
        return players
    evidence = [chapter(name, below(name)) for name in ("sources", "rulings", "examples")]
    programmers = [{edition.word(name): [one(path) for path in paths]} for name, paths in _GROUPS.items()]
    return [*players, {edition.word("evidence"): evidence}, {edition.word("for-programmers"): programmers}]


def header_words(edition: SiteEdition, here: Container[str]) -> dict[str, Any]:
    """Return what surrounds every page: the variants by name, the words of the choice, and what else is ``here``."""
    return {
        "variants": {name: edition.variant_name(name) for name in edition.variants},
        **{name: edition.word(key) for name, key in _AROUND.items()},
        "decks": {deck: edition.word(f"deck-{deck}") for deck in ("two", "four", "hungarian")},
        "footer": [
            {"to": to, "name": edition.word(key), "lang": "" if to in here else FALLBACK} for to, key in _FOOTER.items()
        ],
    }


# Below the folder of a language: every question, lesson and sheet, with the pages that lead there and what they load.
_KEPT: Final = (
    "index.html", "offline/index.html", "questions/**/index.html", "variants/index.html", "variants/*/index.html",
    "variants/*/learn/index.html", "variants/*/print/index.html", "variants/*/questions/index.html",
    "try/index.html", "try/data.json", "try/rules/*.json", "house-rules/**/index.html", "house-rules/data.json",
    "rules/index.html", "compare/index.html", "glossary/index.html", "search/search_index.json", "search-words.json",
    "mine/*.json", "assets/*.*", "assets/try/*.js", "assets/stylesheets/*.css", "assets/javascripts/*.js",
    "assets/javascripts/workers/*.js", "assets/javascripts/lunr/min/lunr.stemmer.support.min.js",
)  # fmt: skip


def write_service_worker(site: Path, engine: str) -> None:
    """Write which files of each language are kept, and the worker that keeps them and an engine of this version."""
    version = hashlib.sha256()
    for language in LANGUAGES:
        files = _files(site / language, language)
        for path in files:
            version.update(read_bytes(site / language / path, MAX_OF_OURS))
        addresses = [path.removesuffix("index.html") for path in files]
        write_whole(site / FOLDER / f"offline-{language}.json", json.dumps(addresses) + "\n", durable=False)
    text = read_text(SITE_FOLDER / "playground" / "service-worker.js")
    text = (
        text.replace("{languages}", json.dumps(LANGUAGES))
        .replace("{files}", json.dumps(engine_files()))
        .replace("{engine}", engine)
        .replace("{pages}", version.hexdigest()[:16])
    )
    write_whole(site / "service-worker.js", text, durable=False)


def _files(folder: Path, language: Language) -> list[str]:
    patterns = (*_KEPT, f"assets/javascripts/lunr/min/lunr.{language}.min.js")
    return sorted({path.relative_to(folder).as_posix() for pattern in patterns for path in folder.glob(pattern)})
