"""A recorded deal that is refused is told with the action at which it is refused, not with a number alone."""

from dataclasses import replace
from typing import Any

from belot_conformance.logs.played import moment_before
from belot_conformance.programs.protocol import Reply
from belot_conformance.programs.reference import Reference
from belot_conformance.questions.dealt import with_hands
from belot_conformance.reports.html import as_html
from belot_conformance.reports.report import Run, refused_actions, rulings_of
from belot_conformance.reports.terminal import failure_text, print_failure
from belot_conformance.suite.cases import Case, load_cases
from belot_conformance.suite.verdicts import Planned, judge
from belot_conformance.text.brief import brief
from belot_conformance.text.drawn import draw
from belot_conformance.text.terminal import as_text
from belot_spec.spec import Spec

REFUSED = next(
    case
    for case in load_cases()
    if case.operation == "replay" and case.expected[0].fields.get("reason") == "illegal-card"
)
AT = REFUSED.expected[0].fields["at"]


def test_the_action_that_should_be_refused_stands_in_the_report(spec: Spec) -> None:
    planned = Planned(REFUSED, REFUSED.profile)
    verdict = judge(planned, Reply(REFUSED.id, "rejected", {"reason": "illegal-card", "at": AT - 1}))
    assert [place for place, _ in refused_actions(verdict)] == [AT - 1, AT]
    text = failure_text(verdict, spec, "en")
    card = REFUSED.input["actions"][AT]["play"]
    assert f"at {AT} " in text
    assert card[:-1] in text
    held = moment_before("replay", spec.profile(REFUSED.profile), REFUSED.input, AT)
    assert card in held["hand"]
    assert f"holding   {brief(held)[:40]}" in text
    for ruling in (spec.rulings[name] for name in REFUSED.rulings):
        assert f"ruling    {ruling.id}, {ruling.title.en}" in text


def test_the_page_draws_the_action_and_the_hand_at_that_moment(spec: Spec, mixed_run: Run) -> None:
    planned = Planned(REFUSED, REFUSED.profile)
    verdict = judge(planned, Reply(REFUSED.id, "rejected", {"reason": "illegal-card", "at": AT - 1}))
    drawn = as_html(replace(mixed_run, verdicts=[verdict]), spec, "en")
    held = moment_before("replay", spec.profile(REFUSED.profile), REFUSED.input, AT)
    assert f"At action {AT}" in drawn
    assert str(draw(held, "en")) in drawn


def test_a_ruling_is_told_once_on_a_page(spec: Spec) -> None:
    verdict = judge(Planned(REFUSED, REFUSED.profile), Reply(REFUSED.id, "rejected", {"reason": "not-held", "at": AT}))
    ruling = rulings_of(verdict, spec)[0]
    told: set[str] = set()
    first, second = (as_text(lambda page: print_failure(page, verdict, spec, "en", (), told), 200) for _ in range(2))
    assert ruling.reading.en[:60] in first
    assert f"{ruling.id}, {ruling.title.en}: see above" in second


def test_what_was_held_is_what_is_left_of_the_hand(spec: Spec) -> None:
    """The cards played before are gone, and those of the running trick lie on the table."""
    profile, question = spec.profile(REFUSED.profile), with_hands_of(REFUSED)
    plays = [place for place, action in enumerate(question["actions"]) if "play" in action and place <= AT]
    for place in plays:
        seat = question["actions"][place]["seat"]
        own = [one["play"] for one in question["actions"][:place] if one.get("play") and one["seat"] == seat]
        held = moment_before("replay", profile, question, place)
        assert set(held["hand"]) == set(question["hands"][seat]) - set(own)
        assert len(held.get("trick", ())) == plays.index(place) % len(question["hands"])


def with_hands_of(case: Case) -> dict[str, Any]:
    question = with_hands(Reference().ruleset(case.profile), case.input) if "deck" in case.input else dict(case.input)
    assert question is not None
    return question


def test_a_place_that_is_no_action_is_left_out() -> None:
    planned = Planned(replace(REFUSED, expected=REFUSED.expected[:1]), REFUSED.profile)
    for at in (10_000, -1, True, "4", None):
        verdict = judge(planned, Reply(REFUSED.id, "rejected", {"reason": "illegal-card", "at": at}))
        assert [place for place, _ in refused_actions(verdict)] == [AT]


def test_a_card_that_stands_twice_in_a_reply_is_named(spec: Spec) -> None:
    case = next(
        one for one in load_cases() if one.operation == "legal-cards" and len(one.expected[0].fields["cards"]) > 1
    )
    cards = case.expected[0].fields["cards"]
    verdict = judge(Planned(case, case.profile), Reply(case.id, "result", {"cards": [*cards, cards[0]]}))
    assert f"twice     {brief([cards[0]])}" in failure_text(verdict, spec, "en")
    verdict = judge(Planned(case, case.profile), Reply(case.id, "result", {"cards": cards[:-1]}))
    assert "twice" not in failure_text(verdict, spec, "en")
