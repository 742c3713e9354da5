import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from belot_site.__main__ import make_server
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.output.build import build, pages_of
from belot_site.pages.page import Printer, SitePage
from belot_site.playground.bundle import rules_as_json
from belot_site.playground.engine import use_rules
from belot_spec.languages import FALLBACK, IN_PLACE, Language
from browser_testing import Browser, BrowserContext, Page
from process_testing import made_once
from site_testing import BuiltSite, Few, WithEngine, open_browser

FOR_PLAYERS = (
    "home.md", "variant.md", "variant_print.md", "rule.md", "question.md", "variant_questions.md", "compare.md",
    "examples_of.md", "rulings_of.md", "learn.md",
)  # fmt: skip


@pytest.fixture(scope="session")
def library() -> Library:
    return Library()


@pytest.fixture(scope="session")
def rules(library: Library) -> dict[str, Any]:
    """Tell the playground's engine the rules, and return them as it reads them."""
    text = rules_as_json(library.spec)
    use_rules(text)
    told: dict[str, Any] = json.loads(text)
    return told


@pytest.fixture(scope="session", params=IN_PLACE)
def edition(library: Library, request: pytest.FixtureRequest) -> SiteEdition:
    return SiteEdition(library, request.param)


@pytest.fixture(scope="session")
def english(library: Library) -> SiteEdition:
    """The edition that has the pages for programmers, too."""
    return SiteEdition(library, FALLBACK)


@pytest.fixture(scope="session")
def pages_in(library: Library) -> Callable[[Language], list[SitePage]]:
    """Return a function that gives the pages of a language, made once."""
    return cache(lambda language: pages_of(SiteEdition(library, language)))


@pytest.fixture(scope="session")
def pages(edition: SiteEdition, pages_in: Callable[[Language], list[SitePage]]) -> list[SitePage]:
    return pages_in(edition.language)


@pytest.fixture(scope="session")
def texts(edition: SiteEdition, pages: Sequence[SitePage]) -> Mapping[str, str]:
    printer = Printer(edition)
    return {page.path: printer.text_of(page) for page in pages if page.template in FOR_PLAYERS}


def _build_into(folder: Path) -> Path:
    build(folder)
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BuiltSite]:
    folder = made_once(tmp_path_factory, "site", _build_into)
    with make_server(folder / "site", 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield BuiltSite(folder / "site", f"http://127.0.0.1:{server.server_port}/")
        server.shutdown()
        thread.join()


class Opened:
    """The browser of a worker, with one window in which the engine is started once; opened when a test first asks."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browser: Browser | None = None
        self._is_none_here = False
        self._windows: dict[str, WithEngine] = {}

    def browser(self) -> Browser:
        if self._browser is None and not self._is_none_here:
            from playwright.sync_api import sync_playwright

            self._browser = open_browser(self._open.enter_context(sync_playwright()))
        if self._browser is None:
            self._is_none_here = True
            self._open.close()
            pytest.skip("no Chromium works here, and neither apt-get nor playwright could install one")
        return self._browser

    def window(self, site: BuiltSite) -> WithEngine:
        if site.url not in self._windows:
            self._windows[site.url] = WithEngine(self.browser(), site)
        return self._windows[site.url]

    def close(self) -> None:
        if self._browser:
            self._browser.close()
        self._open.close()
        self._browser, self._windows = None, {}


_OPENED: Final = Opened()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """Close the browser before tests of others: while it is open, no other event loop can run here."""
    if nextitem and not nextitem.path.is_relative_to(Path(__file__).parent):
        _OPENED.close()


@pytest.fixture(scope="session")
def opened_browsers() -> Iterator[Opened]:
    yield _OPENED
    _OPENED.close()


@pytest.fixture
def browser(opened_browsers: Opened) -> Browser:
    """Return the browser, for a window of one's own that starts the engine itself."""
    return opened_browsers.browser()


@pytest.fixture
def window(opened_browsers: Opened, site: BuiltSite) -> Iterator[BrowserContext]:
    """Return the window that all tests share, with nothing kept in it from before."""
    shared = opened_browsers.window(site)
    yield shared.context
    shared.clean()


@pytest.fixture
def page(window: BrowserContext) -> Page:
    """Return a new tab of the shared window."""
    return window.new_page()


@pytest.fixture
def few(request: pytest.FixtureRequest) -> Few:
    """Return what draws a few pages, widths or variants of many: here; all of them are looked at in the laboratory."""
    return Few(request.node.name, is_sample="lab" not in request.path.parts)
