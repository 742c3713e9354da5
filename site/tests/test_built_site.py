"""The files that mkdocs wrote: every link and anchor leads somewhere, nothing comes from elsewhere; and the server."""

import gzip
import json
import re
import socket
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from click.testing import CliRunner

from belot_site.__main__ import main, make_server
from belot_spec.languages import LANGUAGES
from site_testing import BuiltSite

# In bytes, as a file: what a page may weigh before anything is tapped. What is sent is packed, and less.
LARGEST = 350_000
# What people who play never need to see: the spec's own notation.
NOTATION = re.compile(
    r"\[(?:higher_|lower_)?(?:trump|led_suit)\w*, |\bseat [0-3]\b|\bplaats [0-3]\b|classes of squares|klassen van carr"
)
_ID = re.compile(r"""\s(?:id|name)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
_LINK = re.compile(r"""\s(?:href|src)=(?:"([^"]*)"|'([^']*)')""")
_RESOURCE = re.compile(r"""<(?:script|img|link|iframe|source|video|audio)\b[^>]*\s(?:src|href)=["']?([^"'\s>]+)""")
_STYLE_URL = re.compile(r"""(?:url\(|@import\s*)["']?([^"')\s]+)""")


def pages(site: BuiltSite) -> Iterator[tuple[str, str]]:
    for path in sorted(site.folder.rglob("*.html")):
        yield path.relative_to(site.folder).as_posix(), path.read_text(encoding="utf-8")


Anchors = Mapping[str, frozenset[str]]


@pytest.fixture(scope="module")
def anchors(site: BuiltSite) -> Anchors:
    return {
        name: frozenset(filter(None, (found for ids in _ID.findall(text) for found in ids)))
        for name, text in pages(site)
    }


def _targets(name: str, text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    base = f"https://site.invalid/{name}"
    for found in dict.fromkeys(double or single for double, single in _LINK.findall(text)):
        link = found.replace("&amp;", "&")
        parts = urlsplit(urljoin(base, link))
        if parts.scheme not in ("http", "https") or parts.netloc != "site.invalid":
            continue
        path = unquote(parts.path).lstrip("/")
        yield link, (f"{path}index.html" if path.endswith("/") or not path else path, unquote(parts.fragment))


def test_each_page_is_small_and_has_no_notation_no_text_escaped_twice_and_no_id_twice(site: BuiltSite) -> None:
    wrong: dict[str, object] = {}
    for name, text in pages(site):
        ids = re.findall(r'\sid="([^"]+)"', text)
        found = [one for one, number in Counter(ids).items() if number > 1]
        found += re.findall(r"&amp;(?:#\d+|[a-z]+);", text)
        # Pages for programmers, and what a case's browser shows as code, may have the spec's notation.
        if "/programmers/" not in name and "/cases/" not in name:
            shown = re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(pre|code|script|style)\b.*?</\1>", " ", text))
            found += NOTATION.findall(shown) + re.findall(r"(?<![\w+])\+[a-z]+(?:-[a-z]+)+", shown)
        is_on_paper = any(one in name for one in ("/print/", "/agreement/"))
        if "/" in name and not is_on_paper and "<footer" not in text:
            found.append("no footer")
        if found or len(text.encode()) > LARGEST:
            wrong[name] = found[:3], len(text)
    assert wrong == {}
    assert "404" in (site.folder / "404.html").read_text(encoding="utf-8")


def test_every_link_leads_to_a_file_and_every_anchor_exists(site: BuiltSite, anchors: Anchors) -> None:
    files = {path.relative_to(site.folder).as_posix() for path in site.folder.rglob("*") if path.is_file()}
    targets = [(name, link, *led) for name, text in pages(site) for link, led in _targets(name, text)]
    assert {(name, link) for name, link, file, _ in targets if file not in files} == set()
    broken = {(name, link) for name, link, file, at in targets if at and at not in anchors.get(file, ())}
    assert broken == set()


def test_pages_and_styles_name_no_resource_of_another_host(site: BuiltSite) -> None:
    named = {(name, found) for name, text in pages(site) for found in _RESOURCE.findall(text)}
    for path in site.folder.rglob("*.css"):
        named |= {(path.name, found) for found in _STYLE_URL.findall(path.read_text(encoding="utf-8"))}
    assert {(name, found) for name, found in named if urlsplit(found).netloc} == set()


def test_the_languages_have_the_same_pages_and_anchors(site: BuiltSite, anchors: Anchors) -> None:
    english, *others = (
        {name.removeprefix(f"{language}/"): found for name, found in anchors.items() if name.startswith(f"{language}/")}
        for language in LANGUAGES
    )
    for other in others:
        only = {name.partition("/")[0] for name in english.keys() - other.keys()}
        assert only == {"cases", "examples", "programmers", "rulings", "sources"}
        # Cards with a letter differ, a ruling has a heading where its text is read, answers and regions are grouped by
        # words, and a family of games has words of its own in some languages alone.
        differing = {
            name: {
                one
                for one in english[name] ^ found
                if not re.match(r"card-|words$|ruling|answer-|region-|[a-z]+-\d$", one)
            }
            for name, found in other.items()
        }
        assert {name: found for name, found in differing.items() if found} == {}


def test_each_page_names_its_language_and_links_to_the_same_page_in_each_that_has_it(site: BuiltSite) -> None:
    for name, text in pages(site):
        language, _, rest = name.partition("/")
        if not rest:
            continue
        others = [f"/{one}/{rest}" for one in LANGUAGES if one != language and (site.folder / one / rest).is_file()]
        assert f'<html lang="{language}"' in text, name
        links = re.findall(r'class="other-language" href="([^"]+)"', text)
        paths = [urlsplit(urljoin(f"https://site.invalid/{name}", link)).path for link in links]
        assert [f"{path}index.html" for path in paths] == others, name


def test_the_search_knows_other_words_and_spellings_without_accents(site: BuiltSite) -> None:
    for language in LANGUAGES:
        index = json.loads((site.folder / language / "search" / "search_index.json").read_text(encoding="utf-8"))
        tags = {entry["location"]: entry.get("tags", ()) for entry in index["docs"]}
        assert {"zot", "boer", "jack", "valet", "decko"} <= set(tags["glossary/#rank-j"])
        assert {"štih", "stih", "pli"} <= set(tags["glossary/#trick"])


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    (tmp_path / "404.html").write_text("<h1>404</h1>", encoding="utf-8")
    (tmp_path / "index.html").write_text("<p>één</p>" * 100, encoding="utf-8")
    with make_server(tmp_path, 0) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


def test_texts_are_sent_compressed_to_those_who_take_it_and_as_they_are_to_others(address: str) -> None:
    request = urllib.request.Request(address, headers={"Accept-Encoding": "gzip"})
    with urllib.request.urlopen(request) as response:
        body = response.read()
        assert response.headers["Content-Encoding"] == "gzip"
        assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert gzip.decompress(body).decode() == "<p>één</p>" * 100
    with urllib.request.urlopen(address) as response:
        assert response.read().decode() == "<p>één</p>" * 100


def test_a_browser_that_goes_away_is_nothing_to_speak_of(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "long.bin").write_bytes(bytes(1 << 24))
    with make_server(tmp_path, 0) as server:
        server.daemon_threads = False
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        with socket.create_connection(("127.0.0.1", server.server_port)) as browser:
            browser.sendall(b"GET /long.bin HTTP/1.0\r\n\r\n")
            assert browser.recv(1) == b"H"
        server.shutdown()
        thread.join()
    assert capfd.readouterr().err == ""


def test_serving_what_is_not_built_says_how_to_build_it_and_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    found = CliRunner().invoke(main, ["serve", "--output", str(tmp_path)])
    assert found.exit_code == 2
    assert "make site" in found.output
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "index.html").touch()
    with make_server(tmp_path, 0) as server:
        found = CliRunner().invoke(main, ["serve", "--output", str(tmp_path), "--port", str(server.server_port)])
    assert found.exit_code == 2
    assert str(server.server_port) in found.output


def test_an_address_that_does_not_exist_shows_the_sites_own_page(address: str) -> None:
    with pytest.raises(HTTPError) as caught:
        urllib.request.urlopen(f"{address}nl/nowhere/")
    assert caught.value.code == 404
    assert caught.value.read() == b"<h1>404</h1>"
