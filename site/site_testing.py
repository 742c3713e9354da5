"""What the tests of the site share: the built site, and a Chromium that works, installed where there is none."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from belot_site.playground.bundle import pyodide_folder
from belot_site.playground.engine import ask
from browser_testing import Browser, BrowserContext, Page, Playwright

Item = TypeVar("Item")
_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_PATIENCE = 300  # seconds for each way of installing
_WAIT = 120_000.0  # milliseconds for whatever a page is to do, on a machine however busy
# Axe takes half its time to read the same dozen colours of a page tens of thousands of times: let it keep what it read.
_KEEPING_COLOURS = """
(() => {
  const colour = axe.commons.color.Color.prototype, read = colour.parseString, known = new Map();
  colour.parseString = function (text) {
    if (!known.has(text)) {
      read.call(this, text);
      known.set(text, [this.r, this.g, this.b, this.alpha]);
    }
    [this.r, this.g, this.b, this.alpha] = known.get(text);
    return this;
  };
})();
"""


NEEDS_PYODIDE = pytest.mark.skipif(pyodide_folder() is None, reason="needs Pyodide")
# A tab asks the engine of the first tab of its window instead of starting another; nothing is kept for later, and
# at the table to play at nothing is waited for.
_ASK_THE_FIRST_TAB = """
(() => {
  delete Navigator.prototype.serviceWorker;
  addEventListener("DOMContentLoaded", () => { document.documentElement.dataset.pause = "0"; });
  const shared = () => {
    const tab = crypto.randomUUID(), channel = new BroadcastChannel("engine");
    const engine = {
      postMessage: ({ id, text }) => channel.postMessage({ id: `${tab} ${id}`, text }),
      terminate: () => channel.close(),
    };
    channel.onmessage = ({ data }) => {
      const [to, id] = data.id.split(" ");
      if (to === tab) engine.onmessage({ data: { ...data, id: Number(id) } });
    };
    setTimeout(() => engine.onmessage({ data: { step: 4 } }));
    window.hasEngine = true;
    return engine;
  };
  const isEngine = (address) => String(address).endsWith("/playground/worker.js");
  window.OwnWorker = Worker;
  window.Worker = new Proxy(Worker, {
    construct: (own, given) => (isEngine(given[0]) ? shared() : new own(...given)),
  });
})();
"""
_ANSWER_ALL_TABS = """
(address) => {
  const channel = new BroadcastChannel("engine");
  const start = () => {
    const worker = new Worker(address, { type: "module" });
    worker.onmessage = ({ data }) => data.id && channel.postMessage(data);
    return worker;
  };
  let worker = null;
  channel.onmessage = ({ data }) => (worker ||= start()).postMessage(data);
}
"""


@dataclass(frozen=True, slots=True)
class BuiltSite:
    """The site as it was built for the tests, and the address where a browser finds it."""

    folder: Path
    url: str


def open_browser(playwright: Playwright) -> Browser | None:
    """Start a headless Chromium; where none works, install one first. Return None if that does not work either."""
    found = _first_that_starts(playwright)
    for install in () if found else _ways_to_install():
        _run(install)
        found = _first_that_starts(playwright)
        if found:
            break
    return found


def open_context(browser: Browser, **options: Any) -> BrowserContext:
    """Open windows of a browser that wait long for a page and for what is expected of it."""
    context = browser.new_context(**options)
    context.set_default_timeout(_WAIT)
    from playwright.sync_api import expect

    expect.set_options(timeout=_WAIT)
    return context


class WithEngine:
    """A window in whose first tab the playground's engine is started once, for all its other tabs."""

    def __init__(self, browser: Browser, site: BuiltSite) -> None:
        self.context = open_context(browser, service_workers="block", permissions=["clipboard-read", "clipboard-write"])
        self.context.add_init_script(_ASK_THE_FIRST_TAB)
        self._first = self.context.new_page()
        self._first.goto(f"{site.url}404.html")
        self._first.evaluate(_ANSWER_ALL_TABS, f"{site.url}playground/worker.js?shared")

    def clean(self) -> None:
        """Close all tabs but the first, and forget what they kept."""
        for page in self.context.pages:
            if page is not self._first:
                page.close()
        self._first.evaluate("localStorage.clear()")


@dataclass(frozen=True, slots=True)
class Few:
    """Draws a few of many by the name of the test, or leaves all where there is time for them."""

    name: str
    is_sample: bool = True

    def __call__(self, many: Sequence[Item], count: int) -> Sequence[Item]:
        """Return so many of them in their order, or all."""
        kept = sorted(Random(self.name).sample(range(len(many)), count)) if self.is_sample else range(len(many))
        return [many[place] for place in kept]


def engine(kind: str, question: object, *profiles: str, **more: object) -> Any:
    """Return what the playground's engine says in this process, of one profile its answer alone."""
    found = json.loads(ask(json.dumps({"ask": kind, "profiles": profiles, "input": question, **more})))
    return found[profiles[0]] if len(profiles) == 1 else found


def without_engine(page: Page) -> None:
    """Let a tab that has gone nowhere yet try to start the engine, and fail."""
    page.add_init_script("window.Worker = OwnWorker")
    page.route("**/playground/**", lambda route: route.abort())


# Waits until caches of the browser hold addresses with all of these ends; a promise by itself would count as true.
_UNTIL_KEPT = """
async ([wanted, patience]) => {
  for (const end = Date.now() + patience; Date.now() < end; await new Promise((resolve) => setTimeout(resolve, 50))) {
    const names = await caches.keys();
    const kept = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    if (wanted.every((end) => kept.flat().some(({ url }) => url.endsWith(end)))) return true;
  }
  return false;
}
"""


def wait_until_kept(page: Page, *ends: str) -> None:
    """Wait until the browser has kept addresses that end so, for when there is no network."""
    assert page.evaluate(_UNTIL_KEPT, [ends, _WAIT])


def unusable(page: Page, **options: Any) -> list[tuple[str, list[str]]]:
    """Return the rules of axe that a page breaks, each with the first elements that do; options are those of axe."""
    from axe_playwright_python.sync_playwright import Axe

    axe = Axe(Axe().axe_script + _KEEPING_COLOURS)
    found = axe.run(page, options={"resultTypes": ["violations"], **options}).response["violations"]
    return [(violation["id"], [node["html"] for node in violation["nodes"][:3]]) for violation in found]


def _first_that_starts(playwright: Playwright) -> Browser | None:
    from playwright.sync_api import Error

    for path in _installed():
        try:
            return playwright.chromium.launch(executable_path=path, args=_FLAGS)
        except Error:
            continue
    return None


def _installed() -> Iterator[str | None]:
    yield from filter(None, map(shutil.which, _NAMES))
    yield None  # the one that playwright keeps for itself


def _ways_to_install() -> Iterator[list[str]]:
    if hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("apt-get"):
        yield [
            "sh",
            "-c",
            "apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-liberation",
        ]
    yield [sys.executable, "-m", "playwright", "install", "chromium"]


def _run(command: list[str]) -> None:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    try:
        subprocess.run(command, env=environment, capture_output=True, timeout=_PATIENCE, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return
