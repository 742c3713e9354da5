"""The lesson of each variant: an ordinary deal, told card by card by the rules, and counted as the engine counts."""

from random import Random

import pytest

from belot_conformance.logs.played import tell
from belot_conformance.questions.deals import random_deal
from belot_reference.cards import NO_CARDS, ONLY, cards_in
from belot_reference.operations import answer
from belot_site.content.edition import SiteEdition
from belot_site.content.library import Library
from belot_site.pages.lessons import best_lesson, is_natural, lesson_deal, lesson_deals, lesson_pages, lesson_parts
from belot_site.pages.page import Printer
from belot_site.pictures.story import Story, cards_of, reason
from belot_spec.catalogue import LANGUAGES

# In card points between what the taker has and what all others have together.
CLOSE = 24
A_TEN = 10


def test_every_variant_has_a_lesson(library: Library) -> None:
    assert lesson_deals().keys() == set(library.variants)


def test_the_deal_of_a_lesson_is_ordinary_and_made_by_a_little(library: Library) -> None:
    edition = SiteEdition(library, "en")
    for variant in library.variants:
        deal = lesson_deal(edition, variant)
        counted, own = deal.count.settlement.counted, deal.rules.side_of[deal.contract.taker]
        assert is_natural(deal), variant
        assert 0 <= 2 * counted[own] - sum(counted) <= CLOSE, variant


def test_the_count_of_a_lesson_is_that_of_the_engine(library: Library) -> None:
    edition = SiteEdition(library, "en")
    for variant, question in lesson_deals().items():
        result = answer("replay", library.reference.ruleset(variant), question).result
        assert result is not None
        deal = lesson_deal(edition, variant)
        assert list(deal.count.settlement.written) == result["written"]
        assert [(trick.winner, trick.points) for trick in deal.tricks] == [
            (trick["winner"], trick["points"]) for trick in result["tricks"]
        ]


def test_every_card_of_a_lesson_has_its_reason_and_every_rule_that_binds_its_sentence_once(
    edition: SiteEdition,
) -> None:
    for variant in edition.library.variants:
        deal = lesson_deal(edition, variant)
        whys = [why for trick in Story(deal, edition).tricks for why in trick.whys]
        assert len(whys) == sum(len(trick.plays) for trick in deal.tricks)
        told = [rule for why in whys for rule in why.rules]
        binding = {rule for trick in deal.tricks for play in trick.plays for rule in play.forced_by}
        assert sorted(told) == sorted((rule, edition.stated(rule, variant)) for rule in binding)


def test_a_card_is_called_the_last_only_if_no_other_comes_up_from_under_it(library: Library) -> None:
    edition = SiteEdition(library, "en")
    for variant in library.variants:
        tricks = list(Story(lesson_deal(edition, variant), edition).tricks)
        last = [edition.word("why-last") in why.did for trick in tricks for why in trick.whys]
        assert not any(last[: -library.profile(variant).value("deal.players")]), variant


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


def test_a_declaration_is_told_in_the_order_of_a_sequence(library: Library) -> None:
    edition = SiteEdition(library, "en")
    [announced] = [
        why.did for trick in Story(lesson_deal(edition, "belotten"), edition).tricks for why in trick.whys
        if "announces" in why.did
    ]  # fmt: skip
    assert announced.endswith("announces Q♥ J♥ 10♥ 9♥ (50 points)")


def test_whoever_has_to_speak_twice_says_belote_and_then_rebelote(edition: SiteEdition) -> None:
    for variant in edition.library.variants:
        deal = lesson_deal(edition, variant)
        told = "; ".join(why.did for trick in Story(deal, edition).tricks for why in trick.whys)
        said = [told.count(edition.at(variant).word(word)) for word in ("does-belote", "does-rebelote")]
        twice = deal.rules.value("declarations.belote.calls") == "both-cards"
        assert said == [1, int(twice)], variant


def test_a_lesson_tells_the_rules_of_its_own_variant(edition: SiteEdition) -> None:
    printer = Printer(edition)
    for page, variant in zip(lesson_pages(edition), edition.library.variants, strict=True):
        assert page.path == f"variants/{variant}/learn"
        text = printer.text_of(page)
        settings = edition.library.profile(variant).settings
        for part in lesson_parts().values():
            for rule in part["rules"]:
                assert (f"rules/{rule}/" in text) >= (rule in settings), (variant, rule)


def test_the_parts_of_a_lesson_are_in_both_languages_and_name_rules_that_exist(library: Library) -> None:
    for part in lesson_parts().values():
        assert part["title"].keys() == set(LANGUAGES)
        assert set(part["rules"]) <= library.spec.rules.keys()


def test_a_lesson_is_found_among_random_deals(library: Library) -> None:
    found = best_lesson(library.reference.ruleset("bela-2"), 60)
    assert found["dealer"] == 1
    with pytest.raises(ValueError, match="none of 1 deals is natural"):
        best_lesson(library.reference.ruleset("bela-2"), 1)
