"""The Markdown summary: short, complete in its totals, and safe with what a program says."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_conformance.reports.markdown import MOST, as_markdown
from belot_conformance.reports.report import Run, by_operation, declared
from belot_conformance.suite.cases import Case
from belot_conformance.suite.verdicts import Planned, Verdict, count
from belot_conformance.text.markdown import escaped
from belot_spec.languages import LANGUAGES, Language
from belot_spec.spec import Spec


def _table(text: str) -> list[list[str]]:
    return [
        [cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line.startswith("| ")
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_holds_every_operation_and_the_totals(mixed_run: Run, spec: Spec, language: Language) -> None:
    heading, *rows = _table(as_markdown(mixed_run, spec, language))
    shown = declared(mixed_run)
    totals = count(shown)
    assert len(heading) == 2 + len(totals)
    assert [row[0] for row in rows[:-1]] == list(by_operation(mixed_run, shown))
    assert rows[-1][1:] == [str(number) if number else "·" for number in (len(shown), *totals.values())]
    assert len(shown) < len(mixed_run.verdicts)


def test_the_verdict_comes_first_in_the_language_asked_for(mixed_run: Run, spec: Spec) -> None:
    assert as_markdown(mixed_run, spec, "en").startswith("## ❌ FAILED: nasty ")
    assert as_markdown(mixed_run, spec, "nl").startswith("## ❌ NIET GESLAAGD: nasty ")
    passed = [verdict for verdict in mixed_run.verdicts if verdict.outcome == "passed"]
    text = as_markdown(replace(mixed_run, verdicts=passed, incidents=[]), spec, "en")
    assert text.startswith("## ✅ PASSED: nasty ")
    assert f"{len(passed)}/{len(passed)} passed" in text
    assert "<details>" not in text


def test_outside_blocks_of_code_there_is_no_markup_but_our_own(mixed_run: Run, spec: Spec) -> None:
    text = as_markdown(mixed_run, spec, "en")
    outside = re.sub(r"^(`{3,})text\n.*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)
    assert set(re.findall(r"<[^>]*>", outside)) == {
        "<details>",
        "<summary>",
        "</summary>",
        "</details>",
        "<code>",
        "</code>",
    }
    assert "`" not in outside


def test_a_block_of_code_ends_only_where_we_end_it(mixed_run: Run, spec: Spec) -> None:
    text = as_markdown(mixed_run, spec, "en")
    assert "```" in text.replace("```text", "")
    opened = ""
    for line in text.splitlines():
        if opened and line.rstrip() == opened:
            opened = ""
        elif not opened and (found := re.match(r"(`{3,})text$", line)):
            opened = found.group(1)
        elif opened:
            assert not re.match(rf" {{0,3}}`{{{len(opened)},}}\s*$", line)
    assert opened == ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_summary_stays_small_whatever_goes_wrong(
    cases: list[Case], mixed_run: Run, spec: Spec, language: Language
) -> None:
    long = "é<|`" * 4_000
    verdicts = [Verdict(Planned(case, case.profile), "errored", long, {"error": long}, stderr=long) for case in cases]
    run = replace(mixed_run, verdicts=verdicts, incidents=[long] * 500, command=long, asked_with=(long,))
    text = as_markdown(run, spec, language)
    assert len(text.encode()) < MOST
    assert text.count("<details>") == text.count("</details>") == 1


@given(st.text(max_size=60))
def test_escaped_text_has_nothing_left_that_markdown_or_html_would_act_on(text: str) -> None:
    shown = escaped(text)
    assert not re.search(r"[<>|`*_\[\]\\\n]", shown)
    assert not re.match(r"[-+=:#]|\d{1,2}[.)](\s|$)", shown)
