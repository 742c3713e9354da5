"""Nothing that others say acts on whoever reads it, at a terminal or in any report, and nothing of it is invisible."""

import json
import sys
import unicodedata
import xml.etree.ElementTree as ET
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.text.markdown import as_markdown
from belot_conformance.text.page import Page
from belot_conformance.text.printable import document, json_text, message
from belot_conformance.text.template import filled, plain_lines
from belot_conformance.text.terminal import as_text
from belot_spec.errors import MOST_TOLD, Problem, SpecError
from suite_testing import run

# A title for the terminal, an empty screen, a C1 control, a deletion, text from right to left, nothing at all.
HOSTILE = "a\x1b]0;pwned\x07\x1b[2J\x9b2J\x7f\u202etxet\u200b\xa0z"
ENOUGH = 40


@cache
def texts() -> list[str]:
    """Return texts of characters of every category of Unicode: all that control, some forty of each that is seen."""
    found: dict[str, list[str]] = defaultdict(list)
    # Where whole planes are alike, one code in a hundred.
    alike = (*range(0x20000, 0xE0000, 100), *range(0xF0000, sys.maxunicode + 1, 100))
    for code in (*range(0x20000), *range(0xE0000, 0xF0000), *alike):
        found[unicodedata.category(chr(code))].append(chr(code))
    assert len(found) == 30
    every = {"Cc", "Cf", "Zl", "Zp", "Zs"}
    some = "".join("".join(all_[:: 1 if name in every else 1 + len(all_) // ENOUGH]) for name, all_ in found.items())
    return [f"a{some[start : start + 200]}z" for start in range(0, len(some), 200)]


def acting(text: str) -> set[str]:
    """Return the characters of a text that are not simply seen, apart from the layout of a document."""
    return {char for char in text if char not in "\n\t" and not char.isprintable()}


def told(page: Page, text: str) -> None:
    page.title(text)
    page.heading(text)
    page.heading(text, fold="closed")
    page.line(text, style="bold")
    page.line(text, indent=2, whole=True)
    page.labelled(text, text, indent=4)
    page.table([text, text], [[text, text]], total=[text, text])
    page.table([text, text], [[text, text]], label=text)
    page.command("belot check", text)
    page.verbatim(text)
    page.verdict(text, mark="✗")


def of_xml(text: str) -> str:
    element = ET.Element("a", {"b": text})
    element.text = text
    return document(ET.tostring(element, encoding="unicode"))


MEDIA: dict[str, Callable[[str], str]] = {
    "terminal": lambda text: as_text(lambda page: told(page, text)),
    "Markdown": lambda text: as_markdown(lambda page: told(page, text)),
    "messages": message,
    "XML": of_xml,
    "JSON": json_text,
}


@pytest.mark.parametrize("medium", MEDIA)
def test_no_character_of_any_category_acts_or_hides(medium: str) -> None:
    for text in texts():
        assert acting(MEDIA[medium](text)) == set()
        if medium == "JSON" and "Cs" not in map(unicodedata.category, text):
            assert json.loads(json_text({text: [text]})) == {text: [text]}
        if medium == "XML":
            assert (ET.fromstring(of_xml(text)).text or "").startswith("a")


def test_nothing_that_is_filled_into_a_template_ends_a_line() -> None:
    for text in (*texts(), "= ✓|well", "```", "| a | b", "# a\n$ b", "! \r\n\u2028~ c"):
        (line,) = plain_lines(filled("incidents.j2", incidents=[text]))
        assert line.startswith("incident: " + text[:2])


PROGRAM = """
import json, sys
HOSTILE = %r
for line in sys.stdin:
    asked = json.loads(line)
    said = {"id": asked["id"]}
    if asked["op"] == "hello":
        about = {"protocol": 1, "name": HOSTILE, "version": HOSTILE, "language": HOSTILE}
        said["result"] = {**about, "profiles": ["bela-4", HOSTILE], "operations": ["card-points", "legal-cards"]}
    elif asked["op"] == "card-points":
        said["error"] = HOSTILE
    else:
        said["result"] = {"cards": [HOSTILE], HOSTILE: HOSTILE}
    print(json.dumps(said), flush=True)
print(HOSTILE, file=sys.stderr)
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = tmp_path_factory.mktemp("hostile") / "hostile.py"
    path.write_text(PROGRAM % HOSTILE, encoding="utf-8")
    return [sys.executable, str(path)]


def safely(*words: str) -> Any:
    done = run(*words)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    assert acting(done.stdout) == acting(done.stderr) == set()
    return done


@pytest.mark.parametrize("form", ["text", "json"])
def test_what_a_program_says_of_itself_does_nothing_at_the_terminal(program: list[str], form: str) -> None:
    assert "pwned" in safely("smoke", "--format", form, "--", *program).stdout
    few = ("--operation", "card-points", "--operation", "legal-cards", "--sample", "12", "--show", "12")
    assert "pwned" in safely("check", "--profile", "bela-4", *few, "--format", form, "--", *program).stdout


def test_a_report_of_it_is_safe_in_every_form_and_afterwards(program: list[str], tmp_path: Path) -> None:
    names = ["report.json", "report.xml", "report.html", "report.md"]
    reports = [word for name in names for word in ("--report", str(tmp_path / name))]
    safely("check", "--operation", "card-points", "--sample", "6", *reports, "--", *program)
    for name in names:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert "pwned" in text
        assert acting(text) == set()
    assert f"<bdi>a{HOSTILE.encode('unicode_escape').decode()[1:7]}" in (tmp_path / "report.html").read_text("utf-8")
    old = str(tmp_path / "report.json")
    for form in ("text", "markdown", "json"):
        safely("report", "compare", old, old, "--format", form)
    for form in ("svg", "json"):
        safely("report", "badge", old, "--format", form)
    odd = json.loads(Path(old).read_text(encoding="utf-8"))
    for spoilt in {"totals": {**odd["totals"], HOSTILE: "x"}}, {"cases": [{**odd["cases"][0], "id": HOSTILE}] * 2}:
        Path(old).write_text(json.dumps({**odd, **spoilt}), encoding="utf-8")
        assert safely("report", "badge", old).exit_code == 2


def test_a_file_with_hostile_keys_is_refused_in_words_that_do_nothing(tmp_path: Path) -> None:
    key = json.dumps(HOSTILE)
    house, expected = tmp_path / "house.yaml", tmp_path / "expected.yaml"
    house.write_text(f"id: ours\nbase: bela-4\nrules: {{{key}: {key}}}\n{key}: 1\n", encoding="utf-8")
    expected.write_text(f"expected:\n  - {{case: {key}, outcome: failed, reason: x, {key}: 1}}\n", encoding="utf-8")
    folder = tmp_path / "cases" / "card-points"
    folder.mkdir(parents=True)
    (folder / "recorded-x.jsonl").write_text(f'{{{key}: 1}}\n{{"id": {key}}}\n', encoding="utf-8")
    for words in (
        ("spec", "show", str(house)),
        ("check", "reference", "--operation", "belote", "--expected", str(expected)),
        ("cases", "lint", str(tmp_path / "cases")),
        ("spec", "show", HOSTILE),
        ("check", "reference", "--operation", HOSTILE),
    ):
        done = safely(*words)
        assert done.exit_code == 2, words


def test_an_error_with_very_many_faults_tells_the_first_and_counts_the_others() -> None:
    problems = [Problem(Path("a.yaml"), line, "key", "x" * 100_000) for line in range(MOST_TOLD + 900)]
    text = message(str(SpecError(problems)))
    assert text.endswith("… and 900 more faults")
    assert len(text) < MOST_TOLD * 3000
    shown = as_text(lambda page: page.labelled("came", "x" * 100_000))
    assert len(shown) < 6_000
    assert "(+96,000)" in shown.replace("\n", "").replace(" ", "")
