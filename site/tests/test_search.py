"""The search as it works in the browser: natural queries, and where the page stands that each should find."""

from pathlib import Path
from typing import Any

from belot_spec.languages import LANGUAGES
from belot_spec.load.documents import read_document
from browser_testing import Page
from site_testing import BuiltSite, Few

# How many of a hundred are found first, and among the first three.
FIRST, AMONG_THREE = 92, 97
# A query that any of several pages answers; an address that ends with a star stands for all below it.
Wanted = str | list[str]
# The theme's own worker gets the site's own index, as the theme would give it; what it finds is by page, the best first.
ASK = """
async ([root, queries]) => {
  const config = JSON.parse(document.getElementById("__config").textContent);
  const {config: settings, docs} = await (await fetch(root + "search/search_index.json")).json();
  const worker = new Worker(new URL(config.search, location.href));
  const answer = (message) => new Promise((resolve) => {
    worker.onmessage = (event) => resolve(event.data.data);
    worker.postMessage(message);
  });
  await answer({type: 0, data: {config: settings, docs, options: {suggest: false}}});
  const found = [];
  for (const query of queries) found.push((await answer({type: 2, data: query})).items);
  worker.terminate();
  return found.map((items) => items.slice(0, 5).map((pages) => pages[0].location.split("#")[0]));
}
"""


def queries(language: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = read_document(Path(__file__).with_name("search_queries.yaml")).data[language]
    return found


def found_by(page: Page, site: BuiltSite, language: str, asked: list[str], variant: str = "") -> list[list[str]]:
    """Return the first pages that each query finds for somebody who plays a variant, or has not said what."""
    if variant:
        page.add_init_script(f"localStorage.setItem('belot-variant', '{variant}')")
    page.goto(f"{site.url}{language}/")
    page.keyboard.press("Shift")
    page.wait_for_function("document.documentElement.classList.contains('js')")
    found: list[list[str]] = page.evaluate(ASK, [f"{site.url}{language}/", asked])
    return found


def places(page: Page, site: BuiltSite, language: str) -> dict[str, int]:
    """Return for each query the place of a page that it should find, from 1, and 0 for none of the first five."""
    asked = queries(language)
    found = found_by(page, site, language, [query["ask"] for query in asked])
    return {
        query["ask"]: next((place for place, one in enumerate(pages, 1) if is_wanted(one, query["find"])), 0)
        for query, pages in zip(asked, found, strict=True)
    }


def is_wanted(page: str, wanted: Wanted) -> bool:
    ways = [wanted] if isinstance(wanted, str) else wanted
    return any(page.startswith(way[:-1]) if way.endswith("*") else page == way for way in ways)


# What people could not find when they tried.
TASKS = {
    "nl": (
        "puntenblad", "blad afdrukken", "huisregels maken", "met drie", "verschil belotten en belote", "gelijkstand",
        "81–81 wie krijgt wat", "stiglja", "misdeal", "goede hand",
    ),
    "en": ("score sheet", "playground", "print", "house rules", "compare", "tabs", "misdeal", "good hand", "stiglja"),
    "fr": ("feuille de marque", "règles de la maison", "dix de der", "litige"),
}  # fmt: skip


def test_natural_queries_find_the_right_page_and_tools_and_tasks_first(page: Page, site: BuiltSite, few: Few) -> None:
    for language in few(LANGUAGES, 1):
        found = places(page, site, language)
        missed = {ask: place for ask, place in found.items() if place != 1}
        assert 100 * (len(found) - len(missed)) >= FIRST * len(found), missed
        assert 100 * sum(1 <= place <= 3 for place in found.values()) >= AMONG_THREE * len(found), missed
        assert {ask: found[ask] for ask in TASKS[language] if found[ask] != 1} == {}


def test_who_plays_belotten_is_not_told_first_what_they_rule_along_the_dender(page: Page, site: BuiltSite) -> None:
    mine = found_by(page, site, "nl", ["ondertroeven"], "belotten")[0]
    assert mine[0].startswith(("questions/", "rules/"))
    assert not any(place.startswith(("rulings/wb", "variants/denderbelot")) for place in mine[:3]), mine
