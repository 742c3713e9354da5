"""The lesson of each variant: an ordinary deal, told card by card by the rules, and counted as the engine counts."""

import re
from collections.abc import Mapping
from itertools import product
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

# In card points between what the taker has and what all others have together.
CLOSE = 24
WORDS, GIST, WORTH = 1520, 3, 45
NO_BREAK = "\u00a0"
A_TEN = 10


def test_the_deals_of_a_lesson_are_ordinary_and_counted_by_the_engine_and_one_just_falls(library: Library) -> None:
    edition = SiteEdition(library, "en")
    assert lessons.lesson_deals().keys() == set(library.variants)
    for variant, kept in lessons.lesson_deals().items():
        deal, *_ = deals = [lessons.lesson_deal(edition, variant, which) for which in kept.stories]
        for one, question in zip(deals, kept.stories.values(), strict=True):
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
        taken = lesson_deals.taken_with(deal)
        assert not taken.cards & ~(deal.hands[deal.contract.taker] | deal.discarded), variant
        assert mode_of_bid(taken.bid) == deal.contract.mode.number
        assert taken.worth == worth_of(deal.rules, taken.cards, deal.contract.mode) >= WORTH


def test_what_is_told_of_each_card_is_what_the_rules_make_of_it(edition: SiteEdition) -> None:
    for variant in edition.library.variants:
        deal = lessons.lesson_deal(edition, variant)
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
        # Whoever has to speak twice says belote, and then rebelote.
        said = [sum(why.did.count(word(one)) for why in whys) for one in ("does-belote", "does-rebelote")]
        assert said == [1, int(deal.rules.value("declarations.belote.calls") == "both-cards")], variant
        settings = deal.rules.profile.settings
        if "scoring.rounding" in settings:
            assert f"({edition.short('scoring.rounding', settings['scoring.rounding'].value)})" in story.count, variant
        # Whoever plays after A, who sits in front, is drawn to the left of him, or to the right where the game is so.
        seats = [x for *_, x, _ in lessons.seating(deal.rules)["seats"]]
        if len(seats) > 2:
            assert (seats[1] > seats[0]) == (deal.rules.value("presentation.direction") == "anticlockwise"), variant


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


def words_of(text: str) -> list[str]:
    """Return the words of a page as its reader meets them: those in pictures are read to those who cannot see them."""
    body = re.sub(r"(?s)^---.*?---\n|<svg\b.*?</svg>|\{:[^}]*\}|<[^>]+>", " ", text)
    return [word for word in body.split() if re.search(r"\w", word)]


def test_a_lesson_takes_ten_minutes_and_has_what_it_needs(edition: SiteEdition, texts: Mapping[str, str]) -> None:
    finer = {rule for part in lessons.lesson_texts()["parts"].values() for rule in part.get("finer", ())}
    for variant in edition.library.variants:
        settings, name = edition.library.profile(variant).settings, edition.word
        text = texts[f"variants/{variant}/learn"].replace(NO_BREAK, " ")
        sentences = list(lessons.gist(edition.at(variant), variant))
        assert len(sentences) == GIST
        assert str(escape(" ".join(sentences))) in text.partition('class="lead gist"')[2].split("</p>")[0]
        assert len(words_of(text)) <= WORDS, variant
        # Nothing leads away to the page of a rule.
        assert not re.findall(r'href="[^"]*(?:rules|rulings|sources)/', text), variant
        # What is finer is left out only where there is much to learn.
        told = {rule for rule in finer if rule in settings and edition.stated(rule, variant) in text}
        assert not told or not lessons.has_much_to_learn(edition, variant), variant
        # A game of Croatia is learnt with the cards of Croatia.
        assert ('id="pack"' in text) == (settings["presentation.cards"].value == "hungarian"), variant
        for kind, page in product(("no-trump", "all-trump"), (text, texts[f"variants/{variant}"])):
            has_own = f"scoring.{kind}-points" in settings
            assert (f'id="cards-{kind}"' in page) == has_own, variant
            # Elsewhere the two rows that are shown hold for these contracts too.
            assert not has_own or name(f"order-note-{kind}s") not in page, variant
    # The words of a lesson stand beside those that are said at the table.
    assert '<span lang="fr">couper' in texts["variants/contree/learn"]
    assert '<span lang="bg">взятка' in texts["variants/bulgarian-belot/learn"]


def test_the_chart_says_what_each_rule_of_play_asks_for(edition: SiteEdition) -> None:
    found = lessons.lesson_texts()
    asked = [rule for row in found["chart"] for rule in row["rules"]]
    named = {*asked, *(rule for part in found["parts"].values() for rule in part["rules"])}
    assert named <= edition.library.spec.rules.keys()
    for variant in edition.library.variants:
        settings = edition.library.profile(variant).settings
        rows = lessons.chart(edition, variant)
        assert sorted(rule for row in rows for rule in row.rules) == sorted(rule for rule in asked if rule in settings)
        for row in rows:
            for rule in row.rules:
                assert row.steps == tuple(edition.value(rule, [step]) for step in settings[rule].value)


def test_the_shares_of_takers_are_counted_by_the_engine(library: Library) -> None:
    rules = library.reference.ruleset("belotten")
    counted = lesson_deals.takers_by_worth(rules, 40)
    assert 0 < sum(taken for _, taken in counted.values()) <= 40
    assert all(made <= taken for made, taken in counted.values())
    for variant in library.variants:
        bands = lessons.takers(variant)
        assert bands[0].least == 0
        assert [band.most for band in bands[:-1]] == [band.least - 1 for band in bands[1:]]
        assert all(0 <= band.of_hundred <= 100 for band in bands)
