"""The lesson of each variant: six taps or more on positions of ordinary deals, and one of them told card by card."""

import re
from collections.abc import Mapping
from random import Random

from markupsafe import escape

from belot_conformance.logs.played import tell
from belot_conformance.questions.deals import random_deal
from belot_reference.bids import mode_of_bid
from belot_reference.cards import NO_CARDS, ONLY, cards_in
from belot_reference.operations import answer
from belot_reference.simulated import worth_of
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.content.story import Story, cards_of, reason
from belot_site.pages import lessons
from belot_workshop import lesson_deals
from browser_testing import Browser, expect
from site_testing import BuiltSite, open_context

# In card points between what the taker has and what all others have together.
CLOSE = 24
GIST, STEPS, WORTH = 3, 6, 45
NO_BREAK = "\u00a0"
A_TEN = 10
# The narrowest phone, and how many of its screens a lesson may take with any of its steps open.
PHONE, SCREENS = {"width": 320, "height": 568}, 6


def test_the_deals_of_a_lesson_are_ordinary_and_counted_by_the_engine_and_one_just_falls(library: Library) -> None:
    edition = SiteEdition(library, "en")
    assert lessons.lesson_deals().keys() == set(library.variants)
    for variant, kept in lessons.lesson_deals().items():
        deal, *_ = deals = lessons.lessons_of(edition, variant)
        for one, question in zip(deals, kept.values(), strict=True):
            result = answer("replay", library.reference.ruleset(variant), question).result
            assert result is not None
            assert list(one.count.settlement.written) == result["written"]
            assert [(trick.winner, trick.points) for trick in one.tricks] == [
                (trick["winner"], trick["points"]) for trick in result["tricks"]
            ]
        assert lesson_deals.is_natural(deal), variant
        assert 0 <= lesson_deals.margin(deal) <= CLOSE, variant
        assert abs(lesson_deals.margin(deals[-1])) <= CLOSE, variant
        is_doubled = "bidding.raises" in deal.rules.profile.settings
        assert lesson_deals.is_doubled_fall(deals[-1]) if is_doubled else lesson_deals.is_plain_fall(deals[-1]), variant
        other = {one.contract.mode.kind: one for one in deals[1:-1]}
        assert [*other] == [kind for kind in ("no-trumps", "all-trumps") if kind in kept], variant
        assert "all-trumps" not in other or lesson_deals.must_go_over(other["all-trumps"]), variant
        taken = lesson_deals.taken_with(deal)
        assert not taken.cards & ~(deal.hands[deal.contract.taker] | deal.discarded), variant
        assert mode_of_bid(taken.bid) == deal.contract.mode.number
        assert taken.worth == worth_of(deal.rules, taken.cards, deal.contract.mode) >= WORTH


def test_what_is_told_of_each_card_is_what_the_rules_make_of_it(edition: SiteEdition) -> None:
    for variant in edition.library.variants:
        deal, *_ = lessons.lessons_of(edition, variant)
        story, word = Story(deal, edition), edition.at(variant).word
        whys = [why for trick in story.tricks for why in trick.whys]
        assert len(whys) == sum(len(trick.plays) for trick in deal.tricks)
        # Every rule that binds has its sentence once.
        binding = {rule for trick in deal.tricks for play in trick.plays for rule in play.forced_by}
        told = [rule for why in whys for rule in why.rules]
        assert sorted(told) == sorted((rule, edition.stated(rule, variant)) for rule in binding)
        # A card is called the last only if no other comes up from under it.
        last = [edition.word("why-last") in why.did for why in whys]
        assert not any(last[: -deal.rules.value("deal.players")]), variant
        # Whoever has to speak twice says belote, and then rebelote; roem stands with the trick that has it.
        said = [sum(why.did.count(word(one)) for why in whys) for one in ("does-belote", "does-rebelote")]
        calls = deal.rules.value_or("declarations.belote.calls", None)
        assert said == [int(calls is not None), int(calls == "both-cards")], variant
        assert [f"{trick.roem} roem" in told.won for trick, told in zip(deal.tricks, story.tricks, strict=True)] == [
            trick.roem > 0 for trick in deal.tricks
        ]
        settings = deal.rules.profile.settings
        if "scoring.rounding" in settings:
            assert f"({edition.short('scoring.rounding', settings['scoring.rounding'].value)})" in story.count, variant


def test_no_card_is_called_cheap_that_is_not(library: Library) -> None:
    """Recorded deals are told like lessons, and their players play any card that is allowed."""
    rules, random, found = library.reference.ruleset("belotten"), Random(1), set()
    played = [deal for deal in (random_deal(rules, random) for _ in range(40)) if deal.state.ended == "played"]
    for deal in (tell(rules, 0, one.question) for one in played):
        seen = NO_CARDS
        for trick in deal.tricks:
            for play in trick.plays:
                points = {card: rules.points_of(deal.contract.mode, ONLY[card]) for card in cards_in(play.legal)}
                why = reason(deal, trick, play, seen)
                found.add(why)
                assert why != "cannot" or points[play.card] == min(points.values())
                assert why != "low" or points[play.card] < A_TEN
            seen |= cards_of(trick)
    assert found >= {"cannot", "loses", "low", "beatable"}


# Worked out from the cards that the steps show, by the rules of belotten.
BY_HAND = {
    "trump": ["clubs"],  # J 20 and A 11, against A 11 of spades and an 8 of diamonds.
    "declaration": ["10 of hearts", "queen of hearts", "jack of hearts", "9 of hearts"],
    "winner": ["9 of clubs"],  # Clubs are trump: J of hearts led, then K, 9 of clubs and 8 of diamonds.
    "follow": ["queen of spades", "jack of spades", "7 of spades"],  # Spades were led.
    "void": ["jack of diamonds", "10 of diamonds"],  # Diamonds are trump; spades were led, and there are none.
    "hanging": ["It is a tie."],  # 81 against 81.
    "count": ["The taker falls."],  # 74 against 88.
}
# By those of Bulgarian belot: hearts stand, bid by the left; the 8 of clubs was led; 8, queen and king of hearts with a
# diamond among them; 130 against 128; 81 against 81.
AT_OTHERS = {
    "auction": ["pass", "spades", "no trumps", "all trumps", "double"],
    "hanging": ["It is a tie."],
    "all-trumps": ["9 of clubs", "king of clubs"],
    "no-trumps": ["king of hearts"],
    "sheet": ["The taker makes the contract."],
}
# The steps that a deal of such a contract adds, and such a rule.
MORE = {"all-trumps": 2, "no-trumps": 1}
BY_RULE = {"bidding.rounds": ["auction"], "scoring.tie": "taker-held"}


def test_every_game_has_six_steps_or_more_each_with_its_right_taps_and_a_verdict_for_every_tap(
    edition: SiteEdition,
) -> None:
    for variant in edition.library.variants:
        steps = list(lessons.lesson_steps(edition.at(variant), variant, lessons.lessons_of(edition, variant)))
        profile = edition.library.profile(variant)
        added = [rule for rule, value in BY_RULE.items() if profile.plays(rule, value)]
        more = sum(MORE.get(kind, 0) for kind in lessons.lesson_deals()[variant])
        alone = "scoring.tie" in added and not profile.plays("deal.sides", "partners-opposite")
        assert len(steps) == STEPS + more + len(added) - alone, variant
        for step in steps:
            assert 0 < len(step.right) < len(step.taps), (variant, step.id)
            assert len({tap.verdict for tap in step.right}) == 1
            for tap in step.taps:
                word = edition.word("lesson-right" if tap.is_right else "lesson-wrong")
                assert step.verdicts[tap.verdict][0].startswith(word), (variant, step.id, tap.name)
        if variant == "belotten" and edition.language == "en":
            assert {step.id: [tap.name for tap in step.right] for step in steps} == BY_HAND
        if variant == "bulgarian-belot" and edition.language == "en":
            assert {step.id: [tap.name for tap in step.right] for step in steps if step.id in AT_OTHERS} == AT_OTHERS


def test_a_lesson_begins_with_what_the_game_is_about_and_leads_to_no_rule(
    edition: SiteEdition, texts: Mapping[str, str]
) -> None:
    for variant in edition.library.variants:
        text = texts[f"variants/{variant}/learn"].replace(NO_BREAK, " ")
        sentences = list(lessons.gist(edition.at(variant), variant))
        assert len(sentences) == GIST
        assert str(escape(" ".join(sentences))) in text.partition('class="lead gist"')[2].split("</p>")[0]
        assert not re.findall(r'href="[^"]*(?:rules|rulings|sources)/', text), variant
        # A game of Croatia is learnt with the cards of Croatia.
        cards = edition.library.profile(variant).value("presentation.cards")
        assert ('id="pack"' in text) == (cards == "hungarian"), variant


def test_a_lesson_is_taken_by_keys_in_six_phone_screens_and_its_answers_are_there_without_scripts(
    browser: Browser, site: BuiltSite
) -> None:
    address = f"{site.url}nl/variants/bela-4/learn/"
    with open_context(browser, viewport=PHONE, service_workers="block") as context:
        page = context.new_page()
        page.goto(address)
        for place in range(STEPS):
            step = page.locator(".step").nth(place)
            step.locator(".taps button").last.focus()
            page.keyboard.press("Enter")
            expect(step.locator(".verdict")).to_be_visible()
            assert page.evaluate("document.documentElement.scrollHeight") <= SCREENS * PHONE["height"]
            step.locator(".on").focus()
            page.keyboard.press("Enter")
            expect(page.locator(".step[open] > summary")).to_be_focused()
        assert page.evaluate("document.documentElement.scrollHeight") <= SCREENS * PHONE["height"]
    with open_context(browser, java_script_enabled=False) as context:
        page = context.new_page()
        page.goto(address)
        answer_here = page.locator(".step").first.locator(".answer")
        answer_here.locator("summary").click()
        expect(answer_here.locator("p").first).to_have_text("Harten")
