"""Building the site: pages in each language, one run of mkdocs for each, and a page that picks the language."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Final

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from belot_conformance.programs.process_pool import in_processes
from belot_site.content.edition import SiteEdition, site_words
from belot_site.content.library import SITE_FOLDER, Library
from belot_site.output.menu import header_words, menu
from belot_site.output.offline import write_service_worker
from belot_site.output.search import search_of, search_places, search_table, search_tags
from belot_site.pages.cases import case_pages, example_pages
from belot_site.pages.comparison import comparison_pages
from belot_site.pages.doubled import doubled_pages
from belot_site.pages.glossary import glossary_pages
from belot_site.pages.home import home_pages
from belot_site.pages.house_rules import house_rules_data, house_rules_pages
from belot_site.pages.lessons import lesson_pages
from belot_site.pages.page import Printer, SitePage, unmarked_page
from belot_site.pages.playground import playground_data, playground_pages, question_files
from belot_site.pages.programmers import programmer_pages
from belot_site.pages.programs import program_pages
from belot_site.pages.questions import question_pages
from belot_site.pages.rules import rule_pages
from belot_site.pages.rules_data import rules_data_pages, write_rules
from belot_site.pages.sources import ruling_pages, source_pages
from belot_site.pages.variants import variant_pages
from belot_site.pages.worth import worth_pages
from belot_site.playground.bundle import write_engine
from belot_spec.data import schema_files
from belot_spec.errors import BelotError
from belot_spec.files import read_text
from belot_spec.languages import COMPLETE, FALLBACK, LANGUAGES, PARTIAL, TONGUES, Language
from belot_spec.whole_file import write_whole

_KINDS: Final = (
    home_pages, variant_pages, lesson_pages, question_pages, rule_pages, comparison_pages, source_pages, ruling_pages,
    example_pages, glossary_pages, programmer_pages, rules_data_pages, program_pages, case_pages, playground_pages,
    house_rules_pages, worth_pages, doubled_pages,
)  # fmt: skip
_PARTIAL_KINDS: Final = (home_pages, variant_pages, lesson_pages, question_pages, glossary_pages)
# The pages of a partial language first: those of the others lead to them.
_IN_ORDER: Final = (*PARTIAL, *COMPLETE)
# What mkdocs writes as the time of the build, so that the same spec gives the same bytes: 1 January 2026.
_EPOCH: Final = "1767225600"


class BuildError(BelotError):
    """mkdocs could not build the site; what it said about it is the message."""


def pages_of(edition: SiteEdition) -> list[SitePage]:
    """Return every page of an edition; one in a partial language has those that its readers need most."""
    kinds = _KINDS if TONGUES[edition.language].is_complete else _PARTIAL_KINDS
    return [page for kind in kinds for page in kind(edition)]


def generate(folder: Path) -> Iterator[tuple[Language, int]]:
    """Write the Markdown of each language below a folder, which is emptied first.

    As many are written at the same time as there are processors; each is yielded with its number of pages when it is
    written.
    """
    shutil.rmtree(folder, ignore_errors=True)
    work, jobs = partial(_write_language, folder=folder), min(os.cpu_count() or 1, len(_IN_ORDER))
    yield from zip(_IN_ORDER, in_processes(work, _IN_ORDER, jobs, Library), strict=True)


def _write_language(library: Library, language: Language, folder: Path) -> int:
    own, edition = folder / language, SiteEdition(library, language)
    is_complete = TONGUES[language].is_complete
    marked = edition if is_complete else SiteEdition(library, language, marked=True)
    pages = pages_of(marked)
    printer = Printer(marked, pages)
    for page in pages:
        printer.write(page, own)
    shutil.copytree(SITE_FOLDER / "assets", own / "assets")
    here = frozenset(page.url for page in pages)
    for variant in edition.variants:
        _write_json(own / "mine" / f"{variant}.json", search_of(edition, variant))
    if is_complete:
        _write_tools(edition, own)
    else:
        _write_json(folder / f"pages.{language}.json", sorted(here))
    _write_json(folder / f"header.{language}.json", header_words(edition, here))
    _write_json(folder / f"menu.{language}.json", menu(edition, [unmarked_page(page) for page in pages]))
    _write_json(folder / f"synonyms.{language}.json", search_tags(edition, here))
    _write_json(folder / f"places.{language}.json", search_places(edition))
    _write_json(own / "search-words.json", search_table(edition, here))
    return len(pages)


def _write_tools(edition: SiteEdition, own: Path) -> None:
    """Write what the tools of a complete edition fetch, and the schemas."""
    for path in schema_files():
        target = own / "schemas" / path.name
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(path, target)
    _write_json(own / "house-rules" / "data.json", house_rules_data(edition))
    _write_json(own / "try" / "data.json", playground_data(edition))
    for name, data in question_files(edition):
        _write_json(own / "try" / name, data, indent=None)


def _write_json(path: Path, data: object, *, indent: int | None = 1) -> None:
    path.parent.mkdir(exist_ok=True)
    write_whole(path, json.dumps(data, ensure_ascii=False, indent=indent) + "\n", durable=False)


def build(output: Path) -> dict[Language, int]:
    """Build the whole site into ``output/site``, from pages in ``output/docs``; return the numbers of pages.

    Raises ``BuildError`` with mkdocs' own words if it finds anything wrong.
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
        write_rules(library, site)
        engine = write_engine(library, site)
    finally:
        ended = [(process.communicate()[0], process.returncode) for process in running]
    if wrong := [said for said, code in ended if code]:
        raise BuildError("mkdocs cannot build the site:\n" + "\n".join(wrong))
    write_service_worker(site, engine)
    for name, source in (("index", "start"), ("404", "not_found")):
        write_whole(site / f"{name}.html", outside(source), durable=False)
    return counts


def outside(name: str) -> str:
    """Return a page that stands outside of all languages, with its style and what it says in each of them."""
    text, style = (read_text(Path(__file__).with_name(own)) for own in (f"{name}.html", "outside.css"))
    page = Environment(autoescape=True, undefined=StrictUndefined).from_string(text)
    return (
        page.render(tongues=TONGUES, complete=COMPLETE, fallback=FALLBACK, words=site_words(), style=Markup(style))
        + "\n"
    )


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
