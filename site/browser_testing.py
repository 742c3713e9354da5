"""What tests of the site name of playwright, which is imported when a browser is opened, not while they are found."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Browser
    from playwright.sync_api import BrowserContext as BrowserContext
    from playwright.sync_api import Locator as Locator
    from playwright.sync_api import Page as Page
    from playwright.sync_api import Playwright as Playwright
    from playwright.sync_api import Route as Route
    from playwright.sync_api import ViewportSize as ViewportSize
    from playwright.sync_api import expect as expect
else:
    Browser = BrowserContext = Locator = Page = Playwright = Route = ViewportSize = Any

    def expect(*what: object) -> object:
        """Return what playwright expects of a page or a part of it."""
        from playwright import sync_api

        return sync_api.expect(*what)
