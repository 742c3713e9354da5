"""What a failure looks like: field by field, within the width, with the action refused, and a command to copy."""

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from belot_conformance.logs.played import moment_before
from belot_conformance.programs.protocol import Reply
from belot_conformance.reports.html import as_html
from belot_conformance.reports.report import Run, failures, refused_actions, rulings_of
from belot_conformance.reports.terminal import failure_text, print_failure
from belot_conformance.suite.cases import Case
from belot_conformance.suite.judge import differences
from belot_conformance.suite.verdicts import Planned, Verdict, judge
from belot_conformance.text.brief import brief
from belot_conformance.text.drawn import draw
from belot_conformance.text.terminal import as_text
from belot_spec.spec import Spec


def _failed(case: Case, **came: Any) -> Verdict:
    right = dict(case.expected[0].fields)
    reply = Reply(case.id, "result", {**right, **came})
    found = tuple(differences(case.operation, case.expected, reply))
    return Verdict(Planned(case, case.profile), "failed", "", {"result": reply.value}, found)


@pytest.fixture(scope="module")
def score_case(cases: list[Case]) -> Case:
    return next(case for case in cases if case.operation == "score-deal" and case.expected[0].kind == "result")


def test_several_fields_that_differ_are_shown_side_by_side(score_case: Case, spec: Spec) -> None:
    right = score_case.expected[0].fields
    text = failure_text(_failed(score_case, held=77, outcome="fell"), spec)
    assert re.search(r"^  differs +field +expected +came$", text, re.MULTILINE)
    assert re.search(rf"^ +outcome +{right['outcome']} +fell$", text, re.MULTILINE)
    assert re.search(r"^ +held +0 +77$", text, re.MULTILINE)
    assert "  expected  " not in text.splitlines()[0]


def test_every_failure_fits_the_width_and_ends_with_the_command(mixed_run: Run, spec: Spec) -> None:
    for verdict in failures(mixed_run.verdicts):
        text = failure_text(verdict, spec, mixed_run.asked_with)
        assert all(len(line) <= 80 for line in text.splitlines())
        assert verdict.planned.case.title.en.split()[0] in text
        command = text[text.rindex("  again ") :].removeprefix("  again ")
        assert shlex.split(command.replace("\\\n", " ")) == [
            "belot", "check", "--case", verdict.planned.case.id, *mixed_run.asked_with,
        ]  # fmt: skip


def test_the_pages_show_a_failure_as_it_is_printed(cases: list[Case], spec: Spec, root: Path) -> None:
    case = next(case for case in cases if case.id == "bc-0072")
    verdict = _failed(case, cards=["10S", "9H", "KH", "7D"])
    shown = failure_text(verdict, spec, ("--", "./my-belot"))
    assert f"```console\n{shown}```" in (root / "conformance/docs/checking.md").read_text(encoding="utf-8")
    begun = (root / "README.md").read_text(encoding="utf-8").partition("```console\n✗ ")[2].partition("…")[0]
    assert begun
    assert shown.startswith(f"✗ {begun}")


@pytest.fixture(scope="module")
def refused(cases: list[Case]) -> Case:
    plays = (case for case in cases if case.operation == "replay")
    return next(case for case in plays if case.expected[0].fields.get("reason") == "illegal-card")


@pytest.fixture(scope="module")
def at(refused: Case) -> int:
    place: int = refused.expected[0].fields["at"]
    return place


def test_the_action_to_be_refused_stands_in_the_report(spec: Spec, mixed_run: Run, refused: Case, at: int) -> None:
    verdict = judge(
        Planned(refused, refused.profile), Reply(refused.id, "rejected", {"reason": "illegal-card", "at": at - 1})
    )
    assert [place for place, _ in refused_actions(verdict)] == [at - 1, at]
    text = failure_text(verdict, spec)
    card = refused.input["actions"][at]["play"]
    assert f"at {at} " in text
    assert card[:-1] in text
    held = moment_before("replay", spec.profile(refused.profile), refused.input, at)
    assert card in held["hand"]
    assert f"holding   {brief(held)[:40]}" in text
    for ruling in (spec.rulings[name] for name in refused.rulings):
        assert f"ruling    {ruling.id}, {ruling.title.en}" in text
    drawn = as_html(replace(mixed_run, verdicts=[verdict]), spec)
    assert f"At action {at}" in drawn
    assert str(draw(held)) in drawn


def test_a_ruling_is_told_once_on_a_page(spec: Spec, refused: Case, at: int) -> None:
    verdict = judge(Planned(refused, refused.profile), Reply(refused.id, "rejected", {"reason": "not-held", "at": at}))
    ruling = rulings_of(verdict, spec)[0]
    told: set[str] = set()
    first, second = (as_text(lambda page: print_failure(page, verdict, spec, (), told), 200) for _ in range(2))
    assert ruling.reading.en[:60] in first
    assert f"{ruling.id}, {ruling.title.en}: see above" in second


def test_a_card_that_stands_twice_in_a_reply_is_named(spec: Spec, cases: list[Case]) -> None:
    case = next(one for one in cases if one.operation == "legal-cards" and len(one.expected[0].fields["cards"]) > 1)
    cards = case.expected[0].fields["cards"]
    verdict = judge(Planned(case, case.profile), Reply(case.id, "result", {"cards": [*cards, cards[0]]}))
    assert f"twice     {brief([cards[0]])}" in failure_text(verdict, spec)
    verdict = judge(Planned(case, case.profile), Reply(case.id, "result", {"cards": cards[:-1]}))
    assert "twice" not in failure_text(verdict, spec)
