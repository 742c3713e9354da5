"""The files that mkdocs wrote: every link and anchor leads somewhere, nothing comes from elsewhere, twice the same."""

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from belot_site.output.build import start_mkdocs
from belot_spec.languages import COMPLETE, LANGUAGES
from site_testing import BuiltSite

# In bytes, as a file: what a page may weigh before anything is tapped. What is sent is packed, and less.
LARGEST = 350_000
# What people who play never need to see: the spec's own notation.
NOTATION = re.compile(
    r"\[(?:higher_|lower_)?(?:trump|led_suit)\w*, |\bseat [0-3]\b|\bplaats [0-3]\b|classes of squares|klassen van carr"
)
GENERATE = """
import sys
from pathlib import Path
from belot_site.output.build import generate
dict(generate(Path(sys.argv[1])))
"""
STALE = Path("en/rules/stale.md")
_ID = re.compile(r"""\s(?:id|name)=(?:"([^"]*)"|'([^']*)'|([^\s>]+))""")
_LINK = re.compile(r"""\s(?:href|src)=(?:"([^"]*)"|'([^']*)')""")
_RESOURCE = re.compile(r"""<(?:script|img|link|iframe|source|video|audio)\b[^>]*\s(?:src|href)=["']?([^"'\s>]+)""")
_STYLE_URL = re.compile(r"""(?:url\(|@import\s*)["']?([^"')\s]+)""")


def pages(site: BuiltSite) -> Iterator[tuple[str, str]]:
    for path in sorted(site.folder.rglob("*.html")):
        yield path.relative_to(site.folder).as_posix(), path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def anchors(site: BuiltSite) -> Mapping[str, frozenset[str]]:
    return {
        name: frozenset(filter(None, (found for ids in _ID.findall(text) for found in ids)))
        for name, text in pages(site)
    }


@pytest.fixture(scope="module")
def targets(site: BuiltSite) -> Mapping[str, Mapping[str, tuple[str, str]]]:
    """The links of each page, as they stand there, with the file that each leads to and the anchor in it."""
    return {name: dict(_targets(name, text)) for name, text in pages(site)}


def _targets(name: str, text: str) -> Iterator[tuple[str, tuple[str, str]]]:
    base = f"https://site.invalid/{name}"
    for found in dict.fromkeys(double or single for double, single in _LINK.findall(text)):
        link = found.replace("&amp;", "&")
        parts = urlsplit(urljoin(base, link))
        if parts.scheme not in ("http", "https") or parts.netloc != "site.invalid":
            continue
        path = unquote(parts.path).lstrip("/")
        yield link, (f"{path}index.html" if path.endswith("/") or not path else path, unquote(parts.fragment))


def test_no_page_is_larger_than_a_phone_should_fetch(site: BuiltSite) -> None:
    sizes = {name: len(text.encode()) for name, text in pages(site)}
    assert {name: size for name, size in sizes.items() if size > LARGEST} == {}


def test_players_are_shown_no_notation_of_the_spec(site: BuiltSite) -> None:
    """Pages for programmers, and what a case's browser shows as code, are left out."""
    found = {}
    for name, text in pages(site):
        if "/programmers/" in name or "/cases/" in name:
            continue
        shown = re.sub(r"<[^>]+>", " ", re.sub(r"(?s)<(pre|code|script|style)\b.*?</\1>", " ", text))
        options = re.findall(r"(?<![\w+])\+[a-z]+(?:-[a-z]+)+", shown)
        if told := [*NOTATION.findall(shown), *options]:
            found[name] = told[:3]
    assert found == {}


def test_every_link_leads_to_a_file(site: BuiltSite, targets: Mapping[str, Mapping[str, tuple[str, str]]]) -> None:
    files = {path.relative_to(site.folder).as_posix() for path in site.folder.rglob("*") if path.is_file()}
    broken = {(name, link) for name, links in targets.items() for link, (file, _) in links.items() if file not in files}
    assert broken == set()


def test_every_anchor_exists(
    targets: Mapping[str, Mapping[str, tuple[str, str]]], anchors: Mapping[str, frozenset[str]]
) -> None:
    broken = {
        (name, link)
        for name, links in targets.items()
        for link, (file, anchor) in links.items()
        if anchor and anchor not in anchors.get(file, ())
    }
    assert broken == set()


def test_no_text_is_escaped_twice(site: BuiltSite) -> None:
    assert {name for name, text in pages(site) if re.search(r"&amp;(?:#\d+|[a-z]+);", text)} == set()


def test_no_page_has_the_same_id_twice(site: BuiltSite) -> None:
    doubles = {}
    for name, text in pages(site):
        ids = re.findall(r'\sid="([^"]+)"', text)
        if len(ids) != len(set(ids)):
            doubles[name] = sorted({one for one in ids if ids.count(one) > 1})
    assert doubles == {}


def test_pages_and_styles_name_no_resource_of_another_host(site: BuiltSite) -> None:
    named = {(name, found) for name, text in pages(site) for found in _RESOURCE.findall(text)}
    for path in site.folder.rglob("*.css"):
        named |= {(path.name, found) for found in _STYLE_URL.findall(path.read_text(encoding="utf-8"))}
    assert {(name, found) for name, found in named if urlsplit(found).netloc} == set()


def test_the_languages_have_the_same_pages_and_anchors(site: BuiltSite, anchors: Mapping[str, frozenset[str]]) -> None:
    english, dutch = (
        {name.removeprefix(f"{language}/"): found for name, found in anchors.items() if name.startswith(f"{language}/")}
        for language in COMPLETE
    )
    assert english.keys() == dutch.keys()
    # The Dutch explanation of the protocol stands before the English text, which both have; cards with a letter differ.
    apart = {"programmers/protocol/index.html"}
    differing = {
        name: {one for one in english[name] ^ dutch[name] if not re.match(r"card-|words$", one)}
        for name in english.keys() - apart
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
    for language in COMPLETE:
        index = json.loads((site.folder / language / "search" / "search_index.json").read_text(encoding="utf-8"))
        tags = {entry["location"]: entry.get("tags", ()) for entry in index["docs"]}
        assert {"zot", "boer", "jack", "valet", "decko"} <= set(tags["glossary/#rank-j"])
        assert {"štih", "stih", "pli"} <= set(tags["glossary/#trick"])


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def generated_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder into which another process, whose sets have another order, generated the pages where an older one lay."""
    folder = tmp_path_factory.mktemp("again")
    stale = folder / "docs" / STALE
    stale.parent.mkdir(parents=True)
    stale.write_text("# Stale\n", encoding="utf-8")
    subprocess.run(
        [sys.executable, "-c", GENERATE, folder / "docs"], env=os.environ | {"PYTHONHASHSEED": "0"}, check=True
    )
    return folder


def test_twice_the_same_byte_for_byte(site: BuiltSite, generated_again: Path) -> None:
    assert digests(generated_again / "docs") == digests(site.folder.parent / "docs")
    # Both languages go through the same mkdocs.
    process = start_mkdocs(generated_again, "nl")
    said, _ = process.communicate()
    assert process.returncode == 0, said
    assert digests(generated_again / "site" / "nl") == digests(site.folder / "nl")


def test_generating_again_leaves_nothing_of_before(generated_again: Path) -> None:
    assert not (generated_again / "docs" / STALE).exists()


def test_no_source_maps_are_shipped(site: BuiltSite) -> None:
    assert list(site.folder.rglob("*.map")) == []
    texts = [path for kind in ("*.js", "*.css") for path in site.folder.rglob(kind)]
    assert [path.name for path in texts if "sourceMappingURL" in path.read_text(encoding="utf-8")] == []


def test_there_is_a_page_for_addresses_that_do_not_exist_and_a_footer_on_all_others(site: BuiltSite) -> None:
    assert "404" in (site.folder / "404.html").read_text(encoding="utf-8")
    paper = ("/print/", "/agreement/")
    missing = [
        name
        for name, text in pages(site)
        if name.count("/") and not any(one in name for one in paper) and "<footer" not in text
    ]
    assert missing == []
