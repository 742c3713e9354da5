"""The search as it works in the browser: natural queries, and where the page stands that each should find."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from belot_spec.catalogue import LANGUAGES
from belot_spec.load.documents import read_document
from site_testing import BuiltSite, open_context

QUERIES = read_document(Path(__file__).with_name("search_queries.yaml")).data
# Of 45: the bars are 24 and 29 of 30.
NUMBER, FIRST, AMONG_THREE = 45, 36, 44
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


def found_by(browser: Browser, site: BuiltSite, language: str, asked: list[str], variant: str = "") -> list[list[str]]:
    """Return the first pages that each query finds for somebody who plays a variant, or has not said what."""
    context = open_context(browser)
    page = context.new_page()
    if variant:
        page.add_init_script(f"localStorage.setItem('belot-variant', '{variant}')")
    page.goto(f"{site.url}{language}/")
    found: list[list[str]] = page.evaluate(ASK, [f"{site.url}{language}/", asked])
    context.close()
    return found


def places(browser: Browser, site: BuiltSite, language: str) -> dict[str, int]:
    """Return for each query the place of the page that it should find, from 1, and 0 for none of the first five."""
    queries: list[dict[str, Any]] = QUERIES[language]
    found = found_by(browser, site, language, [query["ask"] for query in queries])
    pages = dict(zip((query["ask"] for query in queries), found, strict=True))
    return {
        query["ask"]: pages[query["ask"]].index(query["find"]) + 1 if query["find"] in pages[query["ask"]] else 0
        for query in queries
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_natural_queries_find_the_right_page(browser: Browser, site: BuiltSite, language: str) -> None:
    found = places(browser, site, language)
    assert len(found) == NUMBER
    assert sum(place == 1 for place in found.values()) >= FIRST, found
    assert sum(1 <= place <= 3 for place in found.values()) >= AMONG_THREE, found


def test_who_plays_belotten_is_not_told_first_what_they_rule_along_the_dender(
    browser: Browser, site: BuiltSite
) -> None:
    everybody = found_by(browser, site, "nl", ["ondertroeven"])[0]
    mine = found_by(browser, site, "nl", ["ondertroeven"], "belotten")[0]
    assert mine[0].startswith(("questions/", "rules/"))
    assert not any(place.startswith(("rulings/wb", "variants/denderbelot")) for place in mine[:3]), (everybody, mine)


def test_every_page_that_a_query_should_find_exists(site: BuiltSite) -> None:
    for language in LANGUAGES:
        for query in QUERIES[language]:
            assert (site.folder / language / query["find"] / "index.html").is_file(), query
