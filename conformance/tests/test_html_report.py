"""The HTML report: complete without any other file or host, safe with what a program says, and right in both languages."""

import re
import sys
from base64 import b64encode
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest

from belot_conformance.reports.html import LEAST_FOR_FAILURES, MOST, as_html
from belot_conformance.reports.report import Run, failures
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import Difference
from belot_conformance.suite.verdicts import Planned, Verdict
from belot_spec.spec import Spec
from suite_testing import Belot

MOST_BYTES = 1_500_000


class Page(HTMLParser):
    """The elements of a page: tag, attributes, and the text inside."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.styles: list[str] = []
        self._inside = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside == "script":
            self.scripts.append(data)
        elif self._inside == "style":
            self.styles.append(data)

    def all(self, tag: str, name: str = "") -> list[dict[str, str | None]]:
        found = [attributes for one, attributes in self.elements if one == tag]
        return [one for one in found if not name or name in (one.get("class") or "").split()]


@pytest.fixture(scope="module")
def text(mixed_run: Run, spec: Spec) -> str:
    return as_html(mixed_run, spec)


@pytest.fixture(scope="module")
def page(text: str) -> Page:
    return Page(text)


def test_nothing_is_asked_of_another_file_or_host(page: Page) -> None:
    for tag, attributes in page.elements:
        for name in ("src", "srcset", "action", "poster", "data", "background", "formaction"):
            assert name not in attributes, (tag, attributes)
        for name in ("href", "xlink:href"):
            assert (attributes.get(name) or "#").startswith(("#", "data:,")), (tag, attributes)
    assert "url(" not in "".join(page.styles)
    assert "@import" not in "".join(page.styles)
    assert not re.search(r"fetch|XMLHttp|import\(|http", page.scripts[-1])


def test_only_the_script_and_style_of_the_page_itself_may_work(page: Page) -> None:
    (policy,) = [found["content"] or "" for found in page.all("meta") if found.get("http-equiv")]
    assert policy.startswith("default-src 'none'")
    for directive, text in (("script-src", page.scripts[-1]), ("style-src", page.styles[0])):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert not [found for _, found in page.elements if "style" in found or any(name.startswith("on") for name in found)]


def test_what_a_program_says_is_text_and_never_markup(text: str, page: Page, mixed_run: Run, spec: Spec) -> None:
    assert as_html(mixed_run, spec) == text
    assert "&lt;script&gt;alert(" in text
    assert len(page.all("script")) == 1
    assert not any("alert" in script for script in page.scripts)
    assert "{{ 7 * 7 }}" in text
    assert "\x00" not in text


def test_failures_are_drawn_first_and_every_case_has_a_row(page: Page, mixed_run: Run) -> None:
    drawn = [found["id"] for found in page.all("article", "failure")]
    assert drawn == [verdict.planned.case.id for verdict in failures(mixed_run.verdicts)]
    rows = [found for found in page.all("tr") if "data-x" in found]
    by_operation = sorted(
        mixed_run.verdicts,
        key=lambda one: [v.planned.case.operation for v in mixed_run.verdicts].index(one.planned.case.operation),
    )
    assert [row["data-x"] for row in rows] == [verdict.outcome for verdict in by_operation]


def test_every_id_stands_once_and_every_reference_leads_somewhere(page: Page) -> None:
    ids = [found["id"] for _, found in page.elements if "id" in found]
    assert len(ids) == len(set(ids))
    for _, found in page.elements:
        href = found.get("href") or ""
        if href.startswith("#") and "=" not in href:
            assert href[1:] in ids, href


def test_cards_speak(mixed_run: Run, spec: Spec) -> None:
    found = Page(as_html(mixed_run, spec))
    cards = found.all("svg", "card")
    assert len(cards) > 100
    for card in cards:
        assert card["role"] == "img"
        assert re.match(r"\w+ of (spades|hearts|diamonds|clubs)\b", card["aria-label"] or "")


def test_a_failure_names_the_rule_its_basis_and_the_command_to_ask_again(text: str, mixed_run: Run, spec: Spec) -> None:
    verdict = next(one for one in failures(mixed_run.verdicts) if one.planned.case.rules)
    case = verdict.planned.case
    article = text[text.index(f'id="{case.id}"') :].partition("</article>")[0]
    for rule in case.rules:
        assert f"<code>{rule}</code>" in article
    for ruling in case.rulings:
        assert ruling in article
    again = f"belot check --case {case.id} --profile &#39;it&#39;&#34;&#39;&#34;&#39;s mine.yaml&#39; -- node &#39;my game.js&#39;"
    assert again in article


def test_the_cards_a_program_may_and_may_not_play_are_marked(cases: list[Case], mixed_run: Run, spec: Spec) -> None:
    case = next(one for one in cases if one.id == "bc-0072")
    right = list(case.expected[0].fields["cards"])
    hand = list(case.input["hand"])
    came = [*hand, "7C"]
    apart = (Difference("cards", right, came),)
    verdict = Verdict(Planned(case, case.profile), "failed", "", {"result": {"cards": came}}, apart)
    text = as_html(replace(mixed_run, verdicts=[verdict]), spec)
    marks = [found["data-mark"] for found in Page(text).all("svg", "card") if "data-mark" in found]
    assert marks == ["legal" if card in right else "illegal" for card in hand] + ["legal"] * len(hand)
    assert "not in the hand" in text


def test_the_page_stays_small_and_says_so_if_nothing_went_wrong(cases: list[Case], mixed_run: Run, spec: Spec) -> None:
    came: dict[str, object] = {"error": "no " * 5_000}
    wordy = Verdict(Planned(cases[0], cases[0].profile), "errored", "no " * 5_000, came, stderr="x" * 4000)
    verdicts = [replace(wordy, planned=Planned(case, case.profile)) for case in cases]
    text = as_html(replace(mixed_run, verdicts=verdicts), spec)
    assert len(text) < MOST + LEAST_FOR_FAILURES
    assert len(text.encode()) < MOST_BYTES or len(cases) > 3000
    shown = len(Page(text).all("article"))
    assert 0 < shown < len(cases)
    assert f"The first {shown} of {len(cases)} are drawn here" in text
    passed = [verdict for verdict in mixed_run.verdicts if verdict.outcome == "passed"]
    text = as_html(replace(mixed_run, verdicts=passed, incidents=[]), spec)
    assert "<title>PASSED" in text
    assert "Nothing." in text
    assert not Page(text).all("article")


def test_what_was_expected_and_what_others_score_stands_in_every_report(belot: Belot, tmp_path: Path) -> None:
    expected = tmp_path / "expected.yaml"
    expected.write_text(
        "expected:\n"
        "  - {case: bc-0002, outcome: failed, reason: not <b>yet</b>}\n"
        "  - {case: bc-0003, outcome: crashed, reason: long ago}\n",
        encoding="utf-8",
    )
    names = [tmp_path / name for name in ("a.html", "a.md", "a.xml")]
    reports = [word for name in names for word in ("--report", str(name))]
    options = ("--expected", str(expected), "--baselines", "--profile", "bela-4", "--operation", "card-points")
    program = Path(__file__).parent / "programs" / "answers_wrongly.py"
    done = belot("check", *options, *reports, "--", sys.executable, str(program))
    assert done.returncode == 1, done.stderr
    page, summary, junit = (name.read_text(encoding="utf-8") for name in names)
    for text in (page, summary, junit):
        assert "changed outcome" in text
    assert "not &lt;b&gt;yet&lt;/b&gt;" in page
    assert 'id="bc-0002"' not in page
    assert 'id="bc-0004"' in page
    assert "0.0%" in page
    assert "0.0%" in summary
    assert 'skipped message="not &lt;b&gt;yet&lt;/b&gt;"' in junit
